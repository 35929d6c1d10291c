import Dispatch
import PredicateEvaluation

/// Work for every chunk of a table, on all cores, with progress and cancellation.
struct ChunkedWork {
    /// The number of chunks between two checks for cancellation.
    private static let batch = 32
    /// The number of rows of a chunk.
    private static let step = ColumnScan.step

    let table: ObjectTable
    let environment: SessionEnvironment
    /// `evaluating`
    let task: String

    /// Returns the results for ranges of rows, in their order; nil if the user cancelled.
    func map<Result: Sendable>(_ body: @Sendable (Range<Int>) -> Result) -> [Result]? {
        let chunks = Self.chunks(of: table)
        var results: [Result] = []
        results.reserveCapacity(chunks.count)
        defer { environment.finishProgress() }
        for start in stride(from: 0, to: chunks.count, by: Self.batch) {
            if environment.isCancelled() { return nil }
            if start > 0 { report(objects: start * Self.step) }
            results += Self.concurrent(Array(chunks[start..<min(start + Self.batch, chunks.count)]), body)
        }
        return results
    }

    /// Returns the ranges of rows that are evaluated together.
    static func chunks(of table: ObjectTable) -> [Range<Int>] {
        stride(from: 0, to: table.count, by: step).map { $0..<min($0 + step, table.count) }
    }

    private func report(objects: Int) {
        environment.progress(Progress(task: task, done: objects, total: table.count, objects: objects))
    }

    private static func concurrent<Result: Sendable>(
        _ chunks: [Range<Int>], _ body: @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        if chunks.count == 1 { return chunks.map(body) }
        return Array(unsafeUninitializedCapacity: chunks.count) { buffer, count in
            let results = Slots(base: buffer.baseAddress)
            DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
                results.initialize(index, body(chunks[index]))
            }
            count = chunks.count
        }
    }
}

/// Memory into which each thread writes its own elements.
private struct Slots<Value>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Value>?

    func initialize(_ index: Int, _ value: Value) {
        base.map { ($0 + index).initialize(to: value) }
    }
}
