public import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

/// A query as a statement of SQL, and what memory does with the rows that it selects. [NSP-513]
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
    /// What is left of the query, in terms of the columns of the statement; nil if the rows are its results.
    public var remainder: FormatQuery?
    /// A Boolean value that indicates whether the rows of the results come last first, as those of `LAST 10` do.
    public var isReversed: Bool

    /// Returns the results of the query from the values of the statement's rows, in the order of its columns.
    /// - Throws: ``/PredicateEvaluation/EvaluationError`` of the remainder.
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
