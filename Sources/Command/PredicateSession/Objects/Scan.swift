import PredicateEvaluation
import PredicateSyntax

/// An object for which a predicate failed.
struct ObjectError {
    /// The row of the object.
    var index: Int
    var error: EvaluationError
}

/// The result of one predicate for all objects.
struct TableScan: Sendable {
    /// The number of objects that match.
    private(set) var matches = 0
    /// The rows of the first matches.
    private(set) var first: [Int] = []
    /// The number of objects for which the predicate failed.
    private(set) var failures = 0
    private(set) var firstFailure: ObjectError?

    /// Evaluates a predicate for all objects; nil if the user cancelled.
    init?(_ evaluator: PredicateEvaluator, _ work: ChunkedWork, limit: Int) {
        let scan = ColumnScan(evaluator, work.table.rows)
        guard let parts = work.map({ TableScan(scan, $0, limit) }) else { return nil }
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

    private mutating func add(_ part: TableScan, _ limit: Int) {
        matches += part.matches
        failures += part.failures
        first += part.first.prefix(limit - first.count)
        firstFailure = firstFailure ?? part.firstFailure
    }
}

/// Work on every chunk of a table, on all cores, with progress and cancellation.
struct ChunkedWork {
    /// The number of chunks between two checks for cancellation.
    private static let batch = 32
    /// The number of rows of a chunk.
    private static let step = ColumnScan.step

    let table: ObjectTable
    let environment: SessionEnvironment
    /// The name of the task in the progress display: `evaluating`
    let task: String

    /// Returns the results for ranges of rows, in order; nil if the user cancelled.
    func map<Result: Sendable>(_ body: @Sendable (Range<Int>) -> Result) -> [Result]? {
        let chunks = Self.chunks(of: table)
        var results: [Result] = []
        results.reserveCapacity(chunks.count)
        defer { environment.finishProgress() }
        for start in stride(from: 0, to: chunks.count, by: Self.batch) {
            if environment.isCancelled() { return nil }
            if start > 0 { report(objects: start * Self.step) }
            let count = min(Self.batch, chunks.count - start)
            results += concurrentResults(count) { body(chunks[start + $0]) }
        }
        return results
    }

    /// Returns the ranges of rows that are evaluated together.
    static func chunks(of table: ObjectTable) -> [Range<Int>] {
        stride(from: 0, to: table.count, by: step).map { $0..<min($0 + step, table.count) }
    }

    private func report(objects: Int) {
        environment.progress(TaskProgress(task: task, done: objects, total: table.count, objects: objects))
    }
}
