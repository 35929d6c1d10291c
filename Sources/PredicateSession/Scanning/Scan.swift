import PredicateEvaluation
import PredicateSyntax

/// An object for which a predicate ended in an error.
struct ObjectError {
    /// The row of the object.
    var index: Int
    var error: EvaluationError
}

/// The result of one predicate for all objects.
struct Scan: Sendable {
    /// The number of objects that match.
    private(set) var matches = 0
    /// The rows of the first matches.
    private(set) var first: [Int] = []
    /// The number of objects that ended in an error.
    private(set) var failures = 0
    private(set) var firstFailure: ObjectError?

    /// Evaluates a predicate for all objects; nil if the user cancelled.
    init?(_ evaluator: PredicateEvaluator, _ work: ChunkedWork, limit: Int) {
        let scan = ColumnScan(evaluator, work.table.rows)
        guard let parts = work.map({ Scan(scan, $0, limit) }) else { return nil }
        for part in parts { add(part, limit) }
    }

    /// Evaluates the predicate for the rows of one chunk.
    private init(_ scan: ColumnScan, _ rows: Range<Int>, _ limit: Int) {
        var matches = 0
        var first: [Int] = []
        var errors: [ObjectError] = []
        scan.ask(rows) { row in
            matches += 1
            if first.count < limit { first.append(row) }
        } failure: { row, error in
            errors.append(ObjectError(index: row, error: error))
        }
        (self.matches, self.first, failures, firstFailure) = (matches, first, errors.count, errors.first)
    }

    private mutating func add(_ part: Scan, _ limit: Int) {
        matches += part.matches
        failures += part.failures
        first += part.first.prefix(limit - first.count)
        firstFailure = firstFailure ?? part.firstFailure
    }
}
