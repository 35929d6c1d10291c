/// A query for objects: an entity, a predicate, an order, and a page.
///
/// ```swift
/// FetchRequest("Person", try FormatPredicate("age >= $AGE"), variables: ["AGE": 18],
///     sortKeys: [SortKey("name")], limit: 20)
/// ```
///
/// A store answers it, and so does every other fetch context. As an argument or the value of a variable it is the request
/// of `FETCH(request, context, countOnly)`. [NSP-182]
public struct FetchRequest: Hashable, Sendable, PredicateValueConvertible {
    /// The entity whose objects are fetched.
    public var entity: String
    /// The condition; nil for all objects.
    public var predicate: FormatPredicate?
    /// Values for the variables of the predicate, without their `$`.
    public var variables: [String: PredicateValue]
    /// The order: nil comes where each key puts it. Objects that the keys leave equal are ordered by primary key; without
    /// keys the order is unspecified, unless there is a limit or an offset: then it is that of the primary key.
    public var sortKeys: [SortKey]
    /// The maximum number of objects; nil for no limit.
    public var limit: Int?
    /// The number of objects to skip; nil for 0.
    public var offset: Int?
    /// The attributes and to-one relationships to read; nil for all. An object has no values for other keys but those of
    /// its version and of relationships that are prefetched.
    public var keys: [String]?
    /// The relationships whose objects are read with the objects, as key paths: `["owner", "list.tags"]`. Each step of a path
    /// takes one statement for some hundreds of objects in place of one for each.
    public var prefetching: [String]
    /// A Boolean value that indicates whether the part of the predicate that SQL does not express exactly, the residual,
    /// is evaluated in memory. Otherwise such a predicate is an error, since a residual reads every candidate row.
    public var allowsResidual: Bool

    /// A request for the objects of an entity; without a predicate it is for all of them.
    public init(
        _ entity: String, _ predicate: FormatPredicate? = nil, variables: [String: PredicateValue] = [:],
        sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil, keys: [String]? = nil,
        prefetching: [String] = [], allowsResidual: Bool = false
    ) {
        self.entity = entity
        self.predicate = predicate
        self.variables = variables
        self.sortKeys = sortKeys
        self.limit = limit
        self.offset = offset
        self.keys = keys
        self.prefetching = prefetching
        self.allowsResidual = allowsResidual
    }

    /// The request as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}
