public import PredicateSyntax

/// The database that a statement reads, as the context of `FETCH(request, context, countOnly)`.
///
/// `owner IN FETCH(%@, %@, NO)` with a request for people and `SQLFetchContext()` becomes
/// `EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."id" = t0."owner_id" AND …)`.
///
/// For a compiler that no store has: the predicates of a store have the store itself as the context, of which the compiler
/// sees this. No evaluator has objects of it. [NSP-183]
public struct SQLFetchContext: Hashable, Sendable, PredicateValueConvertible {
    /// A context; it has no state.
    public init() {}

    /// The context as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}
