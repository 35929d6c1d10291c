public import PredicateSyntax

/// A named value in the rows of a statement: a key path, an expression, or an aggregate over the objects of a group.
///
/// ```swift
/// let keys: [ResultKey] = ["owner.name", .count(as: "tasks"), .sum("effort", as: "total")]
/// let cost = ResultKey(try FormatExpression("price * quantity"), as: "cost")
/// ```
///
/// A key path refers to a value or an object, through to-one relationships. It may end in a property or in a
/// collection operator of a to-many relationship, such as `phones.@count`. Aggregates have the meaning of the
/// collection operators for an array of the objects. [NSP-250]
///
/// An expression has the value that it has in memory; an expression that SQL cannot compute exactly is refused. Where it
/// is an error in memory, such as arithmetic on nil or an overflow, the value is NULL, which aggregates take for nil.
/// [NSP-417]
public struct ResultKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the result in a dictionary, in HAVING and in sort keys. The names of results must differ.
    public var name: String
    /// The value of the result: a key path, a number of objects or an aggregate.
    public var content: Content

    /// The value of a result.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Content: Hashable, Sendable {
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

    /// An aggregate of the values at the end of a key path.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Aggregate: Hashable, Sendable, CaseIterable {
        /// The number of values, without nil: `@unionOfObjects.owner.@count`
        case count
        /// The number of distinct values, without nil: `@distinctUnionOfObjects.owner.@count`
        case countDistinct
        /// `@sum.effort`: nil counts as 0
        case sum
        /// `@avg.effort`: nil counts as 0; nil if there are no objects
        case average
        /// `@min.effort`: ignores nil; nil if there is no other value
        case minimum
        /// `@max.effort`: ignores nil; nil if there is no other value
        case maximum
        /// The sum of the numbers that are not nil; nil if there are none. Integers that fit 64 bits are added exactly,
        /// others as doubles with compensation for rounding, so that the order of the rows rarely matters. SQLite only.
        case sumOfValues
        /// The average of the numbers that are not nil, from the same sum; nil if there are none. SQLite only.
        case averageOfValues
        /// The number in the middle, or the mean of the two in the middle, without nil; nil if there are none. SQLite
        /// only.
        case median
    }

    /// Creates a named result.
    public init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// The name by which a statement groups by the value: a key path, or the name of an expression.
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

    /// Returns the sum of integers: nil counts as 0, and the sum of no objects is 0.
    ///
    /// If the sum exceeds 64 bits, the statement fails. Doubles and decimals are refused, because rounding depends on
    /// the order of the rows.
    public static func sum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.sum, of: keyPath))
    }

    /// Returns the sum of integers divided by the number of objects, as a double: nil counts as 0, unlike in `AVG`.
    ///
    /// Use `effort != nil` in the predicate to exclude objects without a value. The limits are those of
    /// ``sum(_:as:)``.
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
    /// One row per combination of values. Values that are equal in the language are the same, including nil.
    case distinct
    /// One row per group of objects that agree in some key paths, if a predicate over the results holds.
    ///
    /// `.grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3 AND total >= 10"))`
    ///
    /// The keys of the predicate are the names of results and the key paths of the groups. The name of a result that is
    /// an expression groups by the expression. Without key paths, all objects form one group, which exists even if
    /// there are no objects. [NSP-418]
    case grouped(by: [String], having: FormatPredicate? = nil)
}

/// A statement that returns results, with the names and types of its columns.
public struct ResultSelection: Hashable, Sendable {
    /// `SELECT t0."title", t0."effort" FROM …`
    public var statement: SQLFragment
    /// The columns of the statement, in the order of the results.
    public var columns: [Column]
    /// The functions that the statement calls: the application registers them, or the prelude of the dialect for them
    /// creates them in the database.
    public var functions: Set<SQLFunction>

    /// A column of a statement.
    public struct Column: Hashable, Sendable {
        /// The name of the result.
        public var name: String
        /// The type of the values, or of the primary keys of the objects.
        public var type: SQLType
        /// The entity of the objects whose primary keys the column holds; nil for values.
        public var entity: String?
    }
}
