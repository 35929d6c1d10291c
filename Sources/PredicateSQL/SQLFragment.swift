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

    package init(_ text: String, bindings: [SQLBinding] = []) {
        self.text = text
        self.bindings = bindings
    }
}

/// A value in a form that databases take.
public enum SQLBinding: Hashable, Sendable {
    case null
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case text(String)
    case blob(Data)

    /// The type that a database takes a parameter for: PostgreSQL's casts.
    public enum ParameterType: Int, Hashable, Sendable, CaseIterable {
        case integer, double, boolean, text, blob, decimal, uuid, json, timestamp
    }
}
