#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A piece of SQL: text in which every value is a bound parameter, and the values.
///
/// `t0."age" >= ?1` with `[21]`
public struct SQLFragment: Hashable, Sendable {
    /// The text, with placeholders in the dialect.
    public var text: String
    /// The values, in the order of their placeholders.
    public var bindings: [SQLBinding]
    /// The types of compiled parameters; none of a statement that was written by hand.
    private var types: [SQLBinding.ParameterType]

    package init(_ text: String, bindings: [SQLBinding] = [], types: [SQLBinding.ParameterType] = []) {
        self.text = text
        self.bindings = bindings
        self.types = types
    }

    /// The type that the database takes each parameter for, in the order of ``bindings``: `[.integer]`
    ///
    /// A client binds a value as this type: `.text("137DECC8-…")` as a UUID where it says ``SQLBinding/ParameterType/uuid``.
    public var parameterTypes: [SQLBinding.ParameterType] {
        types.count == bindings.count ? types : bindings.map(\.naturalType)
    }
}

/// A value in a form that databases take.
public enum SQLBinding: Hashable, Sendable {
    /// NULL.
    case null
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case double(Double)
    /// A truth value, for databases that have a type for it.
    case boolean(Bool)
    /// A text.
    case text(String)
    /// Bytes.
    case blob(Data)

    /// The type that a database takes a parameter for: PostgreSQL's casts.
    public enum ParameterType: Int, Hashable, Sendable, CaseIterable {
        /// An integer of 64 bits: `bigint`.
        case integer
        /// A floating-point number of 64 bits: `double precision`.
        case double
        /// A truth value: `boolean`.
        case boolean
        /// A text: `text`.
        case text
        /// Bytes: `bytea`.
        case blob
        /// A decimal number, bound as its digits: `numeric`.
        case decimal
        /// A UUID, bound as its text: `uuid`.
        case uuid
        /// A list of values, bound as JSON: `jsonb`.
        case json
        /// A moment, bound as a text in the spelling of the dialect: `timestamptz`.
        case timestamp
        /// The number of rows after LIMIT and OFFSET, an integer.
        case rowCount

        /// The type as SQL names it, one name for all databases: `bigint` of an integer, which has 64 bits.
        public var sqlName: String {
            switch self {
            case .integer, .rowCount: "bigint"
            case .double, .boolean, .text, .blob, .decimal, .uuid, .json, .timestamp: "\(self)"
            }
        }
    }

    /// The type of a value that nothing says more about.
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
    /// The text, then the values with their types: `t0."age" >= ?1 [bigint 21]`
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
        case .blob(let data): "x'" + data.map(Self.digits).joined() + "'"
        }
    }

    private static func digits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

extension [StatementBody.Placeholder] {
    /// The type of each binding that they stand for.
    var types: [SQLBinding.ParameterType] {
        var types: [SQLBinding.ParameterType] = []
        for placeholder in self {
            while types.count <= placeholder.binding { types.append(placeholder.type) }
            types[placeholder.binding] = placeholder.type
        }
        return types
    }
}
