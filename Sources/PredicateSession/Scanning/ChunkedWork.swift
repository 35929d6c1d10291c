import Dispatch

/// Does a piece of work for every chunk of a table, on all processors, and shows how far it is.
struct ChunkedWork {
    /// Chunks between two looks at whether to go on.
    private static let batch = 32

    let table: ObjectTable
    let environment: SessionEnvironment
    /// `asking 1,000,000 objects`
    let task: String

    /// The results in the order of the chunks; nil when the user broke it off.
    func map<Result: Sendable>(_ body: @Sendable (RowChunk) -> Result) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(table.chunks.count)
        defer { environment.finishProgress() }
        for start in stride(from: 0, to: table.chunks.count, by: Self.batch) {
            if environment.isCancelled() { return nil }
            if start > 0 { report(objects: start * RowChunk.capacity) }
            results += Self.concurrent(table.chunks[start..<min(start + Self.batch, table.chunks.count)], body)
        }
        return results
    }

    private func report(objects: Int) {
        environment.progress(Progress(task: task, done: objects, total: table.count, objects: objects))
    }

    private static func concurrent<Result: Sendable>(
        _ chunks: ArraySlice<RowChunk>, _ body: @Sendable (RowChunk) -> Result
    ) -> [Result] {
        if chunks.count == 1 { return chunks.map(body) }
        let chunks = Array(chunks)
        return Array(unsafeUninitializedCapacity: chunks.count) { buffer, count in
            let results = Slots(base: buffer.baseAddress)
            DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
                results.initialize(index, body(chunks[index]))
            }
            count = chunks.count
        }
    }
}

/// Memory into which each thread writes at places of its own.
private struct Slots<Value>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Value>?

    func initialize(_ index: Int, _ value: Value) {
        base.map { ($0 + index).initialize(to: value) }
    }
}
