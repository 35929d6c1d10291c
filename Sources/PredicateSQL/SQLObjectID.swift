public import PredicateSyntax

/// The identity of an object in a database: its entity and the value of its primary key.
///
/// `boss == %@` with `PredicateObject(SQLObjectID("Person", key: .integer(7)))`
///
/// Objects are equal when both agree; the key compares as numbers and strings of the language do.
public struct SQLObjectID: Hashable, Sendable, PredicateValueConvertible {
    /// The entity of the object.
    public var entity: String
    /// The value of its primary key.
    public var key: PredicateValue

    /// The row of an entity that has a primary key.
    public init(_ entity: String, key: PredicateValue) {
        self.entity = entity
        self.key = key
    }

    /// The object as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}
