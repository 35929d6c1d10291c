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
