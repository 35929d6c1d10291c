public import PredicateSyntax

/// A source of objects that answers fetch requests: the context of `FETCH(request, context, countOnly)`.
///
/// `SELF IN FETCH(%@, %@, NO)` with a ``/PredicateSyntax/FetchRequest`` and a context
///
/// A store is one, and ``MemoryFetchContext`` answers from objects in memory. A host's own answers as it likes:
/// ```swift
/// final class Library: FetchContext {
///     func objects(for request: FetchRequest) throws -> [KeyedValue] {
///         try request.selection(from: books.map(\.keyedValue))
///     }
/// }
/// ```
/// Contexts are compared as constants of a predicate are: a class by identity. What a context throws ends the evaluation: an
/// ``EvaluationError`` with its code, any other error as ``EvaluationError/Code/host(_:)``. [NSP-182]
public protocol FetchContext: Hashable, Sendable, PredicateValueConvertible, KeyedValueConvertible {
    /// Returns the objects on the page of a request, in its order.
    func objects(for request: FetchRequest) throws -> [KeyedValue]

    /// Returns the number of objects on the page of a request: `FETCH(request, context, YES)`.
    func count(for request: FetchRequest) throws -> Int
}

extension FetchContext {
    public func count(for request: FetchRequest) throws -> Int { try objects(for: request).count }

    /// The context as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }

    /// The context as the value of a variable.
    public var keyedValue: KeyedValue { predicateValue.keyedValue }
}

extension FetchContext where Self: AnyObject {
    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension FetchRequest: KeyedValueConvertible {
    /// The request as the value of a variable.
    public var keyedValue: KeyedValue { predicateValue.keyedValue }
}
