/// A query for objects: an entity, a predicate, an order, and a page.
///
/// ```swift
/// PredicateFetchRequest("Person", try FormatPredicate("age >= $AGE"), variables: ["AGE": 18],
///     sortKeys: [SortKey("name")], limit: 20)
/// ```
///
/// Stores and other fetch contexts run it. As an argument, or as the value of a variable, it is the request of
/// `FETCH(request, context, countOnly)`. [NSP-182]
public struct PredicateFetchRequest: Hashable, Sendable, PredicateValueConvertible {
    /// The entity whose objects are fetched.
    public var entity: String
    /// The condition; nil for all objects.
    public var predicate: FormatPredicate?
    /// The values for the variables of the predicate, by name without `$`: plain data, which is Hashable and Sendable.
    public var variables: [String: PredicateValue]
    /// The order. Each key determines the position of nil. Objects that are equal under all keys are ordered by
    /// primary key. Without keys the order is unspecified; with a limit or an offset it is the order of the primary
    /// key.
    public var sortKeys: [SortKey]
    /// The maximum number of objects; nil for no limit.
    public var limit: Int?
    /// The number of objects to skip; nil for 0.
    public var offset: Int?
    /// The attributes and to-one relationships to read; nil for all. Objects then have no values for other keys,
    /// except for their version and for prefetched relationships.
    public var keys: [String]?
    /// The relationships whose objects are read together with the objects, as key paths: `["owner", "list.tags"]`.
    /// Each step of a path takes one statement for hundreds of objects instead of one for each object.
    public var prefetching: [String]
    /// A Boolean value that indicates whether the residual is evaluated in memory. The residual is the part of the
    /// predicate that SQL cannot express exactly. If false, a predicate with a residual is an error, since a residual
    /// reads every candidate row.
    public var allowsResidual: Bool

    /// Makes a request for the objects of an entity; without a predicate, for all of them.
    ///
    /// A live object among the variables is replaced by its ``PredicateValueConvertible/predicateValue``. An object
    /// that has none is left out, so that the first use of its variable throws `unboundVariable`.
    public init(
        _ entity: String, _ predicate: FormatPredicate? = nil, variables: PredicateVariables = [:],
        sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil, keys: [String]? = nil,
        prefetching: [String] = [], allowsResidual: Bool = false
    ) {
        self.entity = entity
        self.predicate = predicate
        self.variables = variables.plainValues
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

// MARK: - Order

/// A key to sort objects by, or a path of to-one keys.
///
/// `SortKey("boss.name", ascending: false, options: .caseInsensitive)`
///
/// Numbers are ordered by value, dates by time, and strings by code points, folded according to the options; numbers come
/// before dates, and dates before strings. nil is less than every other value: it comes first in ascending order and last
/// in descending order, unless ``nils`` specifies its position. [NSP-510]
public struct SortKey: Hashable, Sendable {
    /// The key, or to-one keys and a final key, separated by dots. For an expression it is the format.
    public var keyPath: String {
        didSet { expression = nil }
    }
    /// The expression whose values are ordered; nil for a key path.
    public private(set) var expression: FormatExpression?
    /// A Boolean value that indicates whether the least value comes first.
    public var ascending: Bool
    /// The folding of strings before they are compared.
    public var options: ComparisonOptions
    /// The position of objects whose value is nil, regardless of the direction: `SortKey("due", nils: .last)`. If
    /// this property is nil, they are ordered as the least value.
    public var nils: NilPlacement?
    /// A Boolean value that indicates whether a run of digits in a string counts as a number: `a9` is before `a10`.
    public var isNumeric: Bool

    /// The position of nil in an order.
    public enum NilPlacement: Hashable, Sendable, CaseIterable {
        /// Objects whose value is nil come before all others.
        case first
        /// Objects whose value is nil come after all others.
        case last
    }

    /// Makes a key to sort by; the default direction is ascending.
    public init(
        _ keyPath: String, ascending: Bool = true, options: ComparisonOptions = [], nils: NilPlacement? = nil,
        isNumeric: Bool = false
    ) {
        (self.keyPath, self.ascending, self.options) = (keyPath, ascending, options)
        (self.nils, self.isNumeric) = (nils, isNumeric)
    }

    /// Makes a key to sort by the values of an expression: `SortKey(try FormatExpression("price * quantity"))`
    public init(
        _ expression: FormatExpression, ascending: Bool = true, options: ComparisonOptions = [],
        nils: NilPlacement? = nil, isNumeric: Bool = false
    ) {
        self.init(
            expression.expressionFormat, ascending: ascending, options: options, nils: nils, isNumeric: isNumeric)
        self.expression = expression
    }

    /// The expression, or the key path as an expression.
    package var value: FormatExpression {
        expression ?? FormatExpression(.keyPath(KeyPathExpression(keys: keyPath)))
    }

    /// The opposite order.
    package var reversed: SortKey {
        var key = self
        (key.ascending, key.nils) = (!ascending, putsNilFirst ? .last : .first)
        return key
    }

    /// True if nil comes before all values.
    package var putsNilFirst: Bool {
        switch nils {
        case .first?: true
        case .last?: false
        case nil: ascending
        }
    }
}
