public import PredicateSyntax

/// An error in the clauses of a query: a code, the source range, and the text itself.
///
///     error: expected WHERE before ORDER BY
///       name ORDER BY name WHERE age > 20
///                          ^~~~~
///     hint: the order is: values WHERE … GROUP BY … HAVING … LIMIT … BY … ORDER BY … LIMIT … OFFSET …
///
/// An error in an expression or a predicate of a query is a `PredicateFormatError` with the text of the query.
public struct QueryFormatError: PredicateDiagnostic {
    public var code: Code
    /// The text of the query; for a query made of parts, the printed part.
    public var text: String
    /// The offending range of ``text`` as UTF-8 offsets.
    public var range: Range<Int>

    /// Makes an error with the text and its offending range.
    package init(_ code: Code, text: String = "", range: Range<Int> = 0..<0) {
        (self.code, self.text, self.range) = (code, text, range)
    }

    /// The kind of error. The comment above each case shows the shortest query that causes it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `LIMIT 1 WHERE a == 1`
        case clauseOrder(String, before: String)
        /// `WHERE a == 1 WHERE b == 1`, `LAST 1 LIMIT 1`
        case repeatedClause(String, after: String)
        /// `LIMIT x`
        case expectedNumber(String)
        /// `a,,b`, `ORDER BY`
        case expectedValue
        /// `a AS`
        case expectedName
        /// `a, *`
        case wholeRowsBesideValues
        /// `SELECT a`, `a FROM b`
        case foreignClause(String)
        /// `WHERE avg(a) > 1`, `GROUP BY count()`
        case misplacedAggregate(String, clause: String)
        /// `a, avg(b)`
        case aggregateWithoutGroups(String)
        /// `percentile(a)`
        case aggregateArguments(String)
        /// `a, b AS a`
        case repeatedName(String)
        /// `a, count() GROUP BY b`
        case notInGroups(String)
        /// `count() GROUP BY b HAVING a > 1`
        case unknownResult(String, names: [String])
        /// `a HAVING a > 1`
        case havingWithoutGroups
    }
}
