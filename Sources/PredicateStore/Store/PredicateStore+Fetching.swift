public import PredicateEvaluation
public import PredicateSyntax

/// A store as the context of `FETCH`.
///
/// `try store.objects("Task", where: FormatPredicate("owner IN FETCH(%@, %@, NO)", adults, store))`
///
/// In a predicate of this store FETCH becomes a subquery; in memory, and in predicates of other stores, the store is asked.
/// [NSP-182] [NSP-183]
extension PredicateStore: FetchContext {
    /// Returns the objects that a request selects, each a ``StoredObject``. Throws what ``fetch(_:)`` throws.
    public func objects(for request: FetchRequest) throws -> [KeyedValue] {
        try fetch(request).all().map { .object($0) }
    }

    /// Returns the number of objects on the page of a request. Throws what ``count(_:)`` throws.
    public func count(for request: FetchRequest) throws -> Int { try count(request) }

    /// Copies of a store are equal.
    public static func == (left: PredicateStore, right: PredicateStore) -> Bool { left.core === right.core }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(core))
    }
}
