import Dispatch

/// Does a piece of work for every chunk of a table, on all processors, and shows how far it is.
struct ChunkedWork {
    /// Chunks between two looks at whether to go on; as many objects at least.
    private static let batch = 32

    let table: ObjectTable
    let environment: SessionEnvironment
    /// `asking 1,000,000 objects`
    let task: String

    /// The results in the order of the chunks; nil when the user broke it off.
    func map<Result: Sendable>(_ body: @Sendable (RowChunk) -> Result) -> [Result]? {
        map(table.chunks, of: RowChunk.capacity, body)
    }

    /// The results for ranges of so many objects, in their order; nil when the user broke it off.
    func map<Result: Sendable>(step: Int, _ body: @Sendable (Range<Int>) -> Result) -> [Result]? {
        let ranges = stride(from: 0, to: table.count, by: step).map { $0..<min($0 + step, table.count) }
        return map(ranges, of: step, body)
    }

    private func map<Piece: Sendable, Result: Sendable>(
        _ pieces: [Piece], of size: Int, _ body: @Sendable (Piece) -> Result
    ) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(pieces.count)
        let batch = max(1, Self.batch * RowChunk.capacity / size)
        defer { environment.finishProgress() }
        for start in stride(from: 0, to: pieces.count, by: batch) {
            if environment.isCancelled() { return nil }
            if start > 0 { report(objects: start * size) }
            results += Self.concurrent(pieces[start..<min(start + batch, pieces.count)], body)
        }
        return results
    }

    private func report(objects: Int) {
        environment.progress(Progress(task: task, done: objects, total: table.count, objects: objects))
    }

    private static func concurrent<Piece: Sendable, Result: Sendable>(
        _ pieces: ArraySlice<Piece>, _ body: @Sendable (Piece) -> Result
    ) -> [Result] {
        if pieces.count == 1 { return pieces.map(body) }
        let pieces = Array(pieces)
        return Array(unsafeUninitializedCapacity: pieces.count) { buffer, count in
            let results = Slots(base: buffer.baseAddress)
            DispatchQueue.concurrentPerform(iterations: pieces.count) { index in
                results.initialize(index, body(pieces[index]))
            }
            count = pieces.count
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
