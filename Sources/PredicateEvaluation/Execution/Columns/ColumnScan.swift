import PredicateSyntax

/// The scan of a table by one predicate, a range of rows at a time; after an error it continues with the next row.
package struct ColumnScan: Sendable {
    /// Ranges begin at multiples of this.
    package static let step = 4 * ColumnSweep.width

    private let table: ColumnTable
    private let evaluator: PredicateEvaluator
    private let query: ColumnQuery

    package init(_ evaluator: PredicateEvaluator, _ table: ColumnTable) {
        self.table = table
        self.evaluator = evaluator
        query = ColumnQuery(table, evaluator.batch([:]))
    }

    /// Calls `match` with each row of a range for which the predicate holds, and `failure` with each one that ends in an
    /// error, both in the order of the rows where they are of the same chunk.
    package func ask(
        _ rows: Range<Int>, match: (Int) -> Void, failure: (Int, EvaluationError) -> Void
    ) {
        query.evaluate(rows, evaluator.batch([:])) { sweep, rows in
            sweep.forEachAccepted(of: rows, match)
        } each: { row, result in
            switch result {
            case .success(let holds): if holds { match(row) }
            case .failure(let error): failure(row, error.located(in: evaluator.predicate))
            }
            return true
        }
    }
}
