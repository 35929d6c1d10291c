public import PredicateSQL
public import PredicateSyntax

/// What to fetch: the objects of an entity for which a predicate holds, in an order, so many of them.
///
/// ```swift
/// FetchRequest("Person", try FormatPredicate("age >= $AGE"), variables: ["AGE": 18],
///     sortKeys: [SQLSortKey("name")], limit: 20)
/// ```
public struct FetchRequest: Hashable, Sendable {
    public var entity: String
    /// Nil for all objects.
    public var predicate: FormatPredicate?
    /// Values for the variables of the predicate, without their `$`.
    public var variables: [String: PredicateValue]
    /// The order: nil comes before every value. Objects that the keys leave equal are ordered by primary key; without
    /// keys there is no order, unless a limit or an offset makes one necessary, by primary key.
    public var sortKeys: [SQLSortKey]
    /// How many objects at most; nil for all.
    public var limit: Int?
    /// How many objects to pass over; nil for none.
    public var offset: Int?
    /// The attributes and to-one relationships to read; nil for all. An object answers no others.
    public var keys: [String]?
    /// Whether what SQL cannot say exactly may be asked of the objects in memory. Without it such a predicate is an
    /// error, since all objects that might match are read then.
    public var allowsResidual: Bool

    public init(
        _ entity: String, _ predicate: FormatPredicate? = nil, variables: [String: PredicateValue] = [:],
        sortKeys: [SQLSortKey] = [], limit: Int? = nil, offset: Int? = nil, keys: [String]? = nil,
        allowsResidual: Bool = false
    ) {
        self.entity = entity
        self.predicate = predicate
        self.variables = variables
        self.sortKeys = sortKeys
        self.limit = limit
        self.offset = offset
        self.keys = keys
        self.allowsResidual = allowsResidual
    }
}
