public import PredicateSyntax

/// The identity of an object in a database: its entity and the value of its primary key.
///
/// `boss == %@` with `PredicateObject(SQLObjectID("Person", key: .integer(7)))`
///
/// Objects are equal when both agree; the key compares as numbers and strings of the language do.
public struct SQLObjectID: Hashable, Sendable, PredicateValueConvertible {
    public var entity: String
    public var key: PredicateValue

    public init(_ entity: String, key: PredicateValue) {
        self.entity = entity
        self.key = key
    }

    /// The object as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}
