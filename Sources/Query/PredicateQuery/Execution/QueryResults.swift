import PredicateEvaluation
public import PredicateSyntax

/// The rows of a query: values under names.
///
/// ```swift
/// for row in try people.results(of: query).dictionaries { print(row["city"], row["avg_age"]) }
/// ```
public struct QueryResults: Hashable, Sendable {
    /// The names of the values, in the order of the query.
    public var columns: [String]
    /// The values of each row, in the order of the columns.
    public var rows: [[PredicateValue]]

    /// Makes results from rows, each of which has a value for every column.
    package init(columns: [String], rows: [[PredicateValue]]) {
        (self.columns, self.rows) = (columns, rows)
    }

    /// The rows as dictionaries. If columns have the same name, the first one counts.
    public var dictionaries: [[String: PredicateValue]] {
        rows.map { Dictionary(zip(columns, $0)) { first, _ in first } }
    }

    /// Returns the indices of the rows that HAVING and later clauses select, in the order of the query. The rows are groups,
    /// and the clauses name their columns.
    package func indices(
        selectedBy clauses: FormatQuery, context: PredicateContext
    ) throws(EvaluationError) -> [Int] {
        let layout = KeyedRecord.Layout(columns)
        let records = rows.map { KeyedRecord(layout, $0) }
        return try records.numbers(selectedBy: clauses, QuerySettings(context: context), names: columns)
    }
}
