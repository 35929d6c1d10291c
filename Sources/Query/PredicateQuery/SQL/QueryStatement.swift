public import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

/// A query as an SQL statement, and what is still to be done in memory with the rows that it selects. [NSP-513]
///
/// ```swift
/// let query = try FormatQuery("country, avg(age) AS a WHERE age > 20 GROUP BY country ORDER BY a DESC LIMIT 10")
/// let statement = try compiler.compile(query, entity: "Person")
/// let rows = try database.values(statement.selection)           // the client's own
/// let results = try statement.results(of: rows)
/// ```
public struct QueryStatement: Hashable, Sendable {
    /// The statement, with the names and types of its columns and the functions that it calls.
    public var selection: ResultSelection
    /// The rest of the query, which applies to the columns of the statement; nil if the selected rows are the results. If the
    /// statement selects groups, the remainder keeps their HAVING but has no groups.
    public var remainder: FormatQuery?
    /// A Boolean value that indicates whether the statement returns the rows in reverse, as it does for `LAST 10`.
    package var isReversed: Bool

    /// Returns the results of the query from the values of the statement's rows, in the order of its columns.
    /// - Throws: ``/PredicateEvaluation/EvaluationError`` if the remainder cannot be evaluated.
    public func results(
        of rows: [[PredicateValue]], variables: PredicateVariables = [:], context: PredicateContext = .standard
    ) throws(EvaluationError) -> QueryResults {
        let found = QueryResults(
            columns: selection.columns.map(\.name), rows: isReversed ? rows.reversed() : rows)
        guard let remainder else { return found }
        return try found.dictionaries.results(
            of: remainder, variables: variables, context: context)
    }
}
