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

    /// Creates results of rows, each with a value for every column.
    public init(columns: [String], rows: [[PredicateValue]]) {
        (self.columns, self.rows) = (columns, rows)
    }

    /// The rows as dictionaries. Of columns with the same name the first counts.
    public var dictionaries: [[String: PredicateValue]] {
        rows.map { Dictionary(zip(columns, $0)) { first, _ in first } }
    }
}
