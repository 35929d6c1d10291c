import PredicateSyntax

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// SQL in which every value is a bound parameter, with the values.
///
/// `t0."age" >= ?1` with `[21]`
public struct SQLFragment: Hashable, Sendable {
    /// The SQL string, with the dialect's placeholders.
    public var text: String
    /// The values, in the order of their placeholders.
    public var bindings: [SQLBinding]
    /// The types of compiled parameters; empty for a statement that was written by hand.
    private var types: [SQLBinding.ParameterType]

    /// Creates a statement from SQL that has been rendered. Use ``init(_:bindings:)`` to build SQL from names and
    /// values.
    package init(verbatim text: String, bindings: [SQLBinding] = [], types: [SQLBinding.ParameterType] = []) {
        self.text = text
        self.bindings = bindings
        self.types = types
    }

    /// The type of each parameter in the database, in the order of ``bindings``: `[.integer]`
    ///
    /// A client binds a value as this type: `.text("137DECC8-…")` as a UUID if the type is
    /// `ParameterType.uuid`.
    package var parameterTypes: [SQLBinding.ParameterType] {
        types.count == bindings.count ? types : bindings.map(\.naturalType)
    }
}

/// A value that a statement binds.
///
/// These are all cases: the switch of a client has no default, so that no value can be left out.
public enum SQLBinding: Hashable, Sendable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case integer(Int64)
    /// A 64-bit floating-point number.
    case double(Double)
    /// A Boolean value, for databases that have such a type.
    case boolean(Bool)
    /// A string.
    case text(String)
    /// Bytes.
    case blob(Data)

    /// The type of a parameter in the database, as in the casts of PostgreSQL.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    @_spi(Dialect) public enum ParameterType: Int, Hashable, Sendable, CaseIterable {
        /// A 64-bit integer: `bigint`.
        case integer
        /// A 64-bit floating-point number: `double precision`.
        case double
        /// A Boolean value: `boolean`.
        case boolean
        /// A string: `text`.
        case text
        /// Bytes: `bytea`.
        case blob
        /// A decimal number, bound as its digits: `numeric`.
        case decimal
        /// A UUID, bound as its string: `uuid`.
        case uuid
        /// A list of values, bound as JSON: `jsonb`.
        case json
        /// A date, bound as a string in the dialect's format: `timestamptz`.
        case timestamp
        /// An integer: the number of rows after LIMIT or OFFSET.
        case rowCount

        /// The SQL name of the type, the same for all databases: `bigint` for a 64-bit integer.
        package var sqlName: String {
            switch self {
            case .integer, .rowCount: "bigint"
            case .double, .boolean, .text, .blob, .decimal, .uuid, .json, .timestamp: "\(self)"
            }
        }
    }

    /// The type of a value without a declared type.
    fileprivate var naturalType: ParameterType {
        switch self {
        case .integer: .integer
        case .double: .double
        case .boolean: .boolean
        case .null, .text: .text
        case .blob: .blob
        }
    }
}

extension SQLFragment: CustomStringConvertible {
    /// The SQL, then the values with their types: `t0."age" >= ?1 [bigint 21]`
    public var description: String {
        if bindings.isEmpty { return text }
        let values = zip(parameterTypes, bindings).map { "\($0.sqlName) \($1)" }
        return "\(text) [\(values.joined(separator: ", "))]"
    }
}

extension SQLBinding: CustomStringConvertible {
    /// `NULL`, `21`, `1.5`, `true`, `'jo'`, `x'6A6F'`
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .text(let value): "'\(value)'"
        case .blob(let data): "x'\(Hexadecimal.text(data))'"
        }
    }
}

extension [StatementBody.Placeholder] {
    /// The type of each binding that the placeholders refer to.
    var types: [SQLBinding.ParameterType] {
        var types: [SQLBinding.ParameterType] = []
        for placeholder in self {
            while types.count <= placeholder.binding { types.append(placeholder.type) }
            types[placeholder.binding] = placeholder.type
        }
        return types
    }
}

extension SQLType {
    /// Returns the binding that stores a value in a column of this type: `.date(…)` in a column of seconds since 1970
    /// is a double.
    ///
    /// nil as a value is stored as NULL. Returns nil for a value of another type. A number column accepts every
    /// number that it can hold unchanged; Boolean values are stored as 0 and 1; nothing else is converted. Dates
    /// stored as strings and timestamps are rounded to microseconds; returns nil for a date outside the years of ISO
    /// 8601 or of the database.
    ///
    /// Also returns nil for a value that the database would change: NaN in a database that stores NULL for it, and a
    /// string with U+0000 in a database where it ends the string.
    package func binding(of value: PredicateValue, for dialect: any SQLDialect = SQLiteDialect.complete) -> SQLBinding?
    {
        binding(of: value, dialect)?.0
    }

    func binding(of value: PredicateValue, _ dialect: any SQLDialect) -> (SQLBinding, SQLBinding.ParameterType)? {
        guard dialect.keeps(value) else { return nil }
        if case .any = self { return Self.bindingInAnyColumn(of: value) }
        if value.isNil { return (.null, parameterType(dialect)) }
        let binding: SQLBinding? =
            switch (self, value) {
            case (.string, .string(let text)): .text(text)
            case (.paddedString, .string(let text)), (.json, .string(let text)): .text(text)
            case (.array(let element, .json), .array(let values)):
                JSONArray.text(of: values, element).map(SQLBinding.text)
            case (.data, .data(let data)): .blob(data)
            case (.date(let storage), .date(let date)): storage.binding(of: date, dialect.timestamps)
            case (.uuid(.text), .uuid(let uuid)): .text(uuid.uuidString)
            case (.uuid(.lowercaseText), .uuid(let uuid)): .text(uuid.uuidString.lowercased())
            case (.uuid(.blob), .uuid(let uuid)):
                dialect.features.contains(.uuidType) ? .text(uuid.uuidString) : .blob(uuid.bytes)
            default: ConstantNumber(value).flatMap(number)
            }
        return binding.map { ($0, parameterType(dialect)) }
    }

    /// Returns the description of a value without a binding, for an error: `a string`, `a date that is NaN`.
    func name(ofRefused value: PredicateValue) -> String {
        switch (self, value) {
        case (.date, .date(let date)):
            let isNaN = date.timeIntervalSinceReferenceDate.isNaN
            return isNaN ? "a date that is NaN" : "a date outside the years that the column can hold"
        case (_, .double(let number)) where number.isNaN: return "NaN"
        case (_, .decimal(let number)) where number.isNaN: return "NaN"
        case (_, .string(let text)) where self == .string && text.utf8.contains(0): return "a string with U+0000"
        default: return value.operand.words
        }
    }

    /// Returns the binding of a value in a column of type ``any``.
    private static func bindingInAnyColumn(of value: PredicateValue) -> (SQLBinding, SQLBinding.ParameterType)? {
        switch value {
        case .null, .nullObject: (.null, .text)
        case .bool(let value): (.integer(value ? 1 : 0), .integer)
        case .integer(let value): (.integer(value), .integer)
        case .double(let value): (.double(value), .double)
        case .string(let text): (.text(text), .text)
        case .data(let data): (.blob(data), .blob)
        case .decimal, .date, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            nil
        }
    }

    private func number(_ number: ConstantNumber) -> SQLBinding? {
        switch (self, number) {
        case (.integer, _): number.exactInteger.map(SQLBinding.integer)
        case (.boolean, .integer(let value)): value == 0 || value == 1 ? .boolean(value == 1) : nil
        case (.double, .integer(let value)): Int64(exactly: Double(value)) == value ? .double(Double(value)) : nil
        case (.double, .double(let value)): .double(value)
        case (.single, _): Float(exactly: number.doubleValue) == nil ? nil : SQLType.double.number(number)
        case (.decimal, .integer(let value)): .text(String(value))
        case (.decimal, .decimal(let value)): .text(value.description)
        default: nil
        }
    }

    /// The type of a parameter that is stored in a column of this type.
    package func parameterType(_ dialect: any SQLDialect) -> SQLBinding.ParameterType {
        switch self {
        case .integer: .integer
        case .double, .single, .date(.since2001), .date(.since1970): .double
        case .decimal: .decimal
        case .boolean: .boolean
        case .string, .paddedString, .date(.iso8601), .uuid(.text), .uuid(.lowercaseText): .text
        case .array, .json: .json
        case .date(.timestamp): .timestamp
        case .uuid(.blob): dialect.features.contains(.uuidType) ? .uuid : .blob
        case .data, .any: .blob
        }
    }
}

extension SQLDialect {
    /// Returns true if the database stores a value unchanged in a column of its type.
    fileprivate func keeps(_ value: PredicateValue) -> Bool {
        switch value {
        case .double(let number): !number.isNaN || features.contains(.ordersNotANumber)
        case .date(let date):
            !date.timeIntervalSinceReferenceDate.isNaN || features.contains(.ordersNotANumber)
        case .decimal(let number): !number.isNaN
        case .string(let text): features.contains(.nulInText) || !text.utf8.contains(0)
        case .null, .nullObject, .bool, .integer, .uuid, .data, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            true
        }
    }
}

extension ConstantNumber {
    /// The number as an integer; nil if it has a fraction.
    fileprivate var exactInteger: Int64? {
        guard let least = leastIntegerAtOrAbove, admits(least, .equal) else { return nil }
        if case .double(let value) = self { return Int64(exactly: value) }
        return least
    }
}

extension SQLType.DateStorage {
    /// Returns the binding that stores a date.
    fileprivate func binding(of date: Date, _ timestamps: SQLTimestamps?) -> SQLBinding? {
        switch self {
        case .since2001: .double(date.timeIntervalSinceReferenceDate)
        case .since1970: .double(date.timeIntervalSince1970)
        case .iso8601: ISO8601.string(from: date).map(SQLBinding.text)
        case .timestamp:
            (timestamps.map { $0.text(storing: date) } ?? ISO8601.string(from: date)).map(SQLBinding.text)
        }
    }
}
