/// A value in the rows of a statement, with its name: a key path, or an aggregate over the objects of a group.
///
/// ```swift
/// let keys: [ResultKey] = ["owner.name", .count(as: "tasks"), .sum("effort", as: "total")]
/// ```
///
/// A key path leads to a value, or to an object, through to-one relationships; it may end in a property or in a collection
/// operator of a to-many relationship, such as `phones.@count`. Aggregates mean what the collection operators of the
/// language mean for an array of the objects. [NSP-250]
public struct ResultKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in a dictionary of results, in HAVING and in sort keys. Results have different names.
    public var name: String
    /// What the value is: a key path, a number of objects or an aggregate.
    public var content: Content

    /// The value that a result holds.
    public enum Content: Hashable, Sendable {
        /// `owner.name`
        case keyPath(String)
        /// `COUNT(*)`: the number of objects
        case count
        /// `SUM(t0."effort")`
        case aggregate(Aggregate, of: String)
    }

    /// An aggregate of the values at the end of a key path.
    public enum Aggregate: Hashable, Sendable, CaseIterable {
        /// The number of values, without nil: `@unionOfObjects.owner.@count`
        case count
        /// The number of different values, without nil: `@distinctUnionOfObjects.owner.@count`
        case countDistinct
        /// `@sum.effort`: nil counts as 0
        case sum
        /// `@avg.effort`: nil counts as 0; nil of no objects
        case average
        /// `@min.effort`: without nil; nil where there is no other value
        case minimum
        /// `@max.effort`: without nil; nil where there is no other value
        case maximum
    }

    /// A value under a name of its own.
    public init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// A key path, by its own name or by another: `ResultKey("owner.name", as: "owner")`.
    public init(_ keyPath: String, as name: String? = nil) {
        self.init(name ?? keyPath, .keyPath(keyPath))
    }

    public init(stringLiteral keyPath: String) {
        self.init(keyPath)
    }

    /// The number of objects: `COUNT(*)`.
    public static func count(as name: String) -> ResultKey { ResultKey(name, .count) }

    /// The number of values, without nil: `COUNT(t0."effort")`.
    public static func count(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.count, of: keyPath))
    }

    /// The number of different values, without nil: `COUNT(DISTINCT t0."effort")`.
    public static func countDistinct(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.countDistinct, of: keyPath))
    }

    /// The sum of integers, 0 of none: nil counts as 0.
    ///
    /// A sum past 64 bits is an error of the statement. Doubles and decimals are refused: what rounding leaves depends on
    /// the order of the rows.
    public static func sum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.sum, of: keyPath))
    }

    /// The sum of integers by the number of objects, as a double: nil counts as 0, unlike in `AVG`.
    ///
    /// `effort != nil` in the predicate leaves out what has no value. The limits are those of ``sum(_:as:)``.
    public static func average(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.average, of: keyPath))
    }

    /// The least number, text or date; nil where there is none.
    public static func minimum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.minimum, of: keyPath))
    }

    /// The greatest number, text or date; nil where there is none.
    public static func maximum(_ keyPath: String, as name: String) -> ResultKey {
        ResultKey(name, .aggregate(.maximum, of: keyPath))
    }
}
