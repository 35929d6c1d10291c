#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax

extension SQLType {
    /// A value as a column of this type keeps it: `.date(…)` in a column of seconds since 1970 is a double.
    ///
    /// nil gives NULL. Nil for a value of another kind: numbers go into columns of numbers where they keep their value,
    /// Booleans are 0 and 1, and nothing else is converted.
    /// Dates kept as text and as timestamps are texts, rounded to microseconds; nil past the years of ISO 8601 or of the
    /// database.
    /// Nil, too, for a value that the database would keep as another one: what is not a number in a database that has NULL
    /// for it, and a text with U+0000 where texts end there.
    package func binding(of value: PredicateValue, for dialect: any SQLDialect = SQLiteDialect()) -> SQLBinding? {
        binding(of: value, dialect)?.0
    }

    func binding(of value: PredicateValue, _ dialect: any SQLDialect) -> (SQLBinding, SQLBinding.ParameterType)? {
        guard dialect.keeps(value) else { return nil }
        if case .any = self { return Self.bindingInAnyColumn(of: value) }
        if value.isNil { return (.null, parameterType(dialect)) }
        let binding: SQLBinding? =
            switch (self, value) {
            case (.string, .string(let text)): .text(text)
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

    /// A value without a binding, in an error: `a string`, `a date that is not a number`.
    func name(ofRefused value: PredicateValue) -> String {
        switch (self, value) {
        case (.date, .date(let date)):
            let isNaN = date.timeIntervalSinceReferenceDate.isNaN
            return isNaN ? "a date that is not a number (NaN)" : "a date past the years that the column can hold"
        case (_, .double(let number)) where number.isNaN: return "what is not a number (NaN)"
        case (_, .decimal(let number)) where number.isNaN: return "what is not a number (NaN)"
        case (_, .string(let text)) where self == .string && text.utf8.contains(0): return "a string with U+0000"
        default: return value.columnKindName
        }
    }

    /// A value in a column that holds any kind.
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
        case (.decimal, .integer(let value)): .text(String(value))
        case (.decimal, .decimal(let value)): .text(value.description)
        default: nil
        }
    }

    /// The type of a parameter that is stored in a column of this type.
    package func parameterType(_ dialect: any SQLDialect) -> SQLBinding.ParameterType {
        switch self {
        case .integer: .integer
        case .double, .date(.since2001), .date(.since1970): .double
        case .decimal: .decimal
        case .boolean: .boolean
        case .string, .date(.iso8601), .uuid(.text), .uuid(.lowercaseText): .text
        case .date(.timestamp): .timestamp
        case .uuid(.blob): dialect.features.contains(.uuidType) ? .uuid : .blob
        case .data, .any: .blob
        }
    }
}

extension SQLDialect {
    /// True if the database keeps a value as it is, in a column of its kind.
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
    /// The number as an integer; nil for a fraction.
    fileprivate var exactInteger: Int64? {
        guard let least = leastIntegerAtOrAbove, admits(least, .equal) else { return nil }
        if case .double(let value) = self { return Int64(exactly: value) }
        return least
    }
}

extension SQLType.DateStorage {
    /// A date as a column keeps it.
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
