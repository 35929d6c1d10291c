/// A named value in the rows of a statement: a key path, an expression, or an aggregate over the objects of a group.
///
/// ```swift
/// let keys: [ResultKey] = ["owner.name", .count(as: "tasks"), .sum("effort", as: "total")]
/// let cost = ResultKey(try FormatExpression("price * quantity"), as: "cost")
/// ```
///
/// A key path refers to a value or an object, through to-one relationships. It may end in a property or in a collection
/// operator of a to-many relationship, such as `phones.@count`. Aggregates ignore nil. Without values they are nil, whereas a
/// collection operator gives 0. [NSP-512]
///
/// An expression has the value that it has in memory; an expression that SQL cannot compute exactly is refused. If it is an
/// error in memory, such as arithmetic on nil or an overflow, the value is NULL, which aggregates treat as nil. [NSP-417]
public struct ResultKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the result in a dictionary, in HAVING and in sort keys. The names of results must differ.
    public var name: String
    /// The value of the result: a key path, the number of objects, an aggregate or an expression.
    package var content: Content

    /// The value of a result.
    package enum Content: Hashable, Sendable {
        /// `owner.name`
        case keyPath(String)
        /// `COUNT(*)`: the number of objects
        case count
        /// `SUM(t0."effort")`
        case aggregate(Aggregate, of: String)
        /// `t0."price" * t0."quantity"`
        case expression(FormatExpression)
        /// `SUM(t0."price" * t0."quantity")`
        case aggregateOfExpression(Aggregate, FormatExpression)
    }

    /// A function of the values of a group. It ignores nil; without values it is nil. [NSP-512]
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Aggregate: Hashable, Sendable {
        /// `count(effort)`: the number of values; 0 without values.
        case count
        /// `count(DISTINCT effort)`: the number of different values; 0 without values.
        case countDistinct
        /// `sum(effort)`: the exact sum of numbers, rounded once.
        case sum
        /// `avg(effort)`: the sum divided by the number of values, as a double.
        case average
        /// `min(effort)`: the least value in the order of sort keys.
        case minimum
        /// `max(effort)`: the greatest value in the order of sort keys.
        case maximum
        /// `median(effort)`: the number in the middle, or the mean of the two numbers in the middle.
        case median
        /// `stddev(effort)`: the standard deviation of the values as a whole population.
        case standardDeviation
        /// `percentile(effort, 95)`: the number below which 95 percent of the values are, interpolated.
        case percentile(Double)
        /// `joined(name, ", ")`: the values as text, in the order of the rows, with a separator between them.
        case joined(separator: String)

        /// True if the aggregate takes numbers and Booleans only.
        package var takesNumbers: Bool {
            switch self {
            case .sum, .average, .median, .standardDeviation, .percentile: true
            case .count, .countDistinct, .minimum, .maximum, .joined: false
            }
        }

        /// The name in a query and in the names of results: `avg` in `avg(effort)` and `avg_effort`.
        package var name: String {
            switch self {
            case .count: "count"
            case .countDistinct: "distinct"
            case .sum: "sum"
            case .average: "avg"
            case .minimum: "min"
            case .maximum: "max"
            case .median: "median"
            case .standardDeviation: "stddev"
            case .percentile: "percentile"
            case .joined: "joined"
            }
        }
    }

    /// Creates a named result.
    package init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// The name under which a statement groups by the value: a key path, or the name of an expression.
    package var nameInGroups: String {
        if case .keyPath(let path) = content { path } else { name }
    }

    /// Creates the result of a key path, with the key path or another string as its name: `ResultKey("owner.name",
    /// as: "owner")`.
    public init(_ keyPath: String, as name: String? = nil) {
        self.init(name ?? keyPath, .keyPath(keyPath))
    }

    /// Creates the result of an expression: `ResultKey(try FormatExpression("lowercase(name)"), as: "name")`.
    ///
    /// Groups and sort keys refer to it by its name.
    public init(_ expression: FormatExpression, as name: String) {
        self.init(name, .expression(expression))
    }

    public init(stringLiteral keyPath: String) {
        self.init(keyPath)
    }

    /// Returns an aggregate of the values of an expression: `.aggregate(.sum, of: price, as: "total")`.
    public static func aggregate(
        _ aggregate: Aggregate, of expression: FormatExpression, as name: String
    ) -> ResultKey {
        ResultKey(name, .aggregateOfExpression(aggregate, expression))
    }

    /// Returns the number of objects: `COUNT(*)`.
    public static func count(as name: String) -> ResultKey { ResultKey(name, .count) }

    /// Returns the number of values, without nil: `COUNT(t0."effort")`.
    public static func count(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.count, of: keyPath))
    }

    /// Returns the number of distinct values, without nil: `COUNT(DISTINCT t0."effort")`.
    public static func countDistinct(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.countDistinct, of: keyPath))
    }

    /// Returns the sum of numbers: `SUM(t0."effort")`; nil if there are none.
    public static func sum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.sum, of: keyPath))
    }

    /// Returns the average of numbers, as a double: `AVG(t0."effort")`; nil if there are none.
    public static func average(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.average, of: keyPath))
    }

    /// Returns the least number, string or date; nil if there is none.
    public static func minimum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.minimum, of: keyPath))
    }

    /// Returns the greatest number, string or date; nil if there is none.
    public static func maximum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.maximum, of: keyPath))
    }
}

/// The rows that a statement returns.
public enum ResultRows: Hashable, Sendable {
    /// One row per object.
    case all
    /// One row per combination of values. Values that are equal in the language count as the same, and so do nils.
    case distinct
    /// One row per group of objects that agree in the given key paths, if a predicate over the results holds.
    ///
    /// `.grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3 AND total >= 10"))`
    ///
    /// The keys of the predicate are the names of results and the key paths of the groups. A name that belongs to an expression
    /// groups by that expression. Without key paths, all objects form one group, which exists even if there are no objects.
    /// [NSP-418]
    case grouped(by: [String], having: FormatPredicate? = nil)
}
