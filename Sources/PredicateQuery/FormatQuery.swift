public import PredicateSyntax

/// A query for values of objects, of rows or of groups: what is selected, grouped, ordered and left out.
///
/// ```
/// country, avg(age) AS a WHERE age > 20 GROUP BY country HAVING a > 3 ORDER BY a DESC LIMIT 10
/// ```
///
/// [NSP-513]
public struct FormatQuery: Hashable, Sendable {
    /// The values of a row of the result; nil for whole objects.
    public var keys: [ResultKey]?
    /// The condition on objects; nil for all of them.
    public var predicate: FormatPredicate?
    /// The values by which objects are grouped, each a key path or an expression; an empty list for one group of all
    /// objects, nil for a row for each object.
    public var groups: [ResultKey]?
    /// The condition on groups, whose keys are the names of results.
    public var having: FormatPredicate?
    /// How many rows are kept for each value of some keys; nil for all of them.
    public var limitByKey: LimitByKey?
    /// A Boolean value that indicates whether equal rows are one.
    public var isDistinct: Bool
    /// The order of the rows: key paths, names of results or expressions.
    public var sortKeys: [SortKey]
    /// Which of the rows are returned.
    public var page: Page

    /// `LIMIT 3 BY city`: the first rows of each city.
    public struct LimitByKey: Hashable, Sendable {
        public var limit: Int
        public var keys: [ResultKey]
    }

    /// `LIMIT 10 OFFSET 20`, `LAST 5`
    public enum Page: Hashable, Sendable {
        /// The rows after `offset`, at most `limit` of them; nil for all.
        case first(limit: Int?, offset: Int)
        /// The last rows.
        case last(Int)
    }
}
