public import PredicateSyntax

/// The identity of an object in a database: its entity and its primary key.
///
/// `boss == %@` with `PredicateObject(SQLObjectID("Person", key: .integer(7)))`
///
/// Two identities are equal if both agree. Keys compare as numbers and strings do in predicates.
///
/// When an object of a store is decoded, a property of this type takes the relationship with its name, and a property
/// `objectID` the object itself. [NSP-465]
public struct SQLObjectID: Hashable, Sendable, Codable, PredicateValueConvertible {
    /// The entity of the object.
    public var entity: String
    /// The value of the object's primary key.
    public var key: PredicateValue

    /// Creates the identity of the row with a primary key.
    public init(_ entity: String, key: PredicateValue) {
        self.entity = entity
        self.key = key
    }

    /// The object as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}

extension PredicateValue {
    /// `an SQLObjectID of Shelf`; nil for any other value.
    package var identityWords: String? {
        guard case .object(let object) = self, let id = object.base as? SQLObjectID else { return nil }
        return "an SQLObjectID of \(id.entity)"
    }
}

/// The database that a statement reads, as the context of `FETCH(request, context, countOnly)`.
///
/// `owner IN FETCH(%@, %@, NO)` with a request for people and `SQLFetchContext()` becomes `EXISTS (SELECT 1 FROM
/// "person" AS t1 WHERE t1."id" = t0."owner_id" AND …)`.
///
/// Use it with a compiler that does not belong to a store. The predicates of a store take the store itself as the
/// context, for which the compiler substitutes this value. An evaluator finds no objects in it. [NSP-183]
public struct SQLFetchContext: Hashable, Sendable, PredicateValueConvertible {
    /// Creates a context, which has no state.
    public init() {}

    /// The context as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}
