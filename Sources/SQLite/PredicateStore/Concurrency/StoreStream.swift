public import PredicateSyntax

extension ObjectStore {
    /// The objects that a request selects, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await task in store.stream(PredicateFetchRequest("Task", sortKeys: [SortKey("due")])) {
    ///     print(task["title"] ?? .null)
    /// }
    /// ```
    ///
    /// Rows are read in chunks as the loop needs them, on a thread of the store. A table of any size takes little
    /// memory, and a slow loop pauses the reading. If the task is cancelled, the statement is interrupted and the
    /// loop throws `.sqlite(.interrupted, …)`. Until the loop ends, the statement keeps a read lock on the file, as
    /// described for ``SQLiteRows``. To write meanwhile, stream from a ``reader()``.
    ///
    /// The loop throws the errors of ``fetchCursor(_:)``.
    public func stream(_ request: PredicateFetchRequest) -> StoreStream<StoredObject> {
        StoreStream(self) { () throws(StoreError) in
            let objects = try fetchCursor(request)
            return { () throws(StoreError) in try objects.next() }
        }
    }

    /// The results of a request, as an asynchronous sequence of dictionaries.
    ///
    /// `for try await row in store.stream(request, ["owner.name", .count(as: "tasks")], .grouped(by: ["owner.name"])) { … }`
    ///
    /// Works as ``stream(_:)``, with the results of ``fetchDictionaries(_:_:_:)``.
    public func stream(
        _ request: PredicateFetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all
    ) -> StoreStream<[String: PredicateValue]> {
        StoreStream(self) { () throws(StoreError) in
            let dictionaries = try cursor(request, results, rows)
            return { () throws(StoreError) in try dictionaries.nextDictionary() }
        }
    }
}

/// An asynchronous sequence of the results of a query. Each iteration runs the query again.
public struct StoreStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = StoreError
    typealias Cursor = () throws(StoreError) -> Element?

    private let store: ObjectStore
    private let open: @Sendable () throws(StoreError) -> Cursor

    /// A sequence of a cursor's elements. The cursor is opened when the first element is requested.
    init(_ store: ObjectStore, _ open: @escaping @Sendable () throws(StoreError) -> Cursor) {
        (self.store, self.open) = (store, open)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(StreamReader(store, open)) }

    /// An iterator over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: StreamReader<Element>
        private var chunk: ArraySlice<Element> = []

        fileprivate init(_ reader: StreamReader<Element>) {
            self.reader = reader
        }

        /// Returns the next element, or nil after the last.
        public mutating func next() async throws(StoreError) -> Element? {
            try await next(isolation: nil)
        }

        /// Returns the next element, or nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Element? {
            if chunk.isEmpty || Task.isCancelled { chunk = try await reader.next()[...] }
            return chunk.popFirst()
        }
    }
}

/// Reads the elements of a stream on the thread of the store's own connection.
private final class StreamReader<Element: Sendable>: @unchecked Sendable {
    /// The maximum number of elements read ahead of the loop.
    private let chunk = 64
    private let store: ObjectStore
    // `@unchecked`: used by one call of `next()` at a time.
    private var phase: ReadingPhase

    private enum ReadingPhase {
        case closed(@Sendable () throws(StoreError) -> StoreStream<Element>.Cursor)
        case open(StoreStream<Element>.Cursor)
        case ended
    }

    init(_ store: ObjectStore, _ open: @escaping @Sendable () throws(StoreError) -> StoreStream<Element>.Cursor) {
        self.store = store
        phase = .closed(open)
    }

    /// The next elements; empty after the last element and after an error.
    func next() async throws(StoreError) -> [Element] {
        if case .ended = phase { return [] }
        do throws(StoreError) {
            return try await store.perform { () throws(StoreError) in try self.read() }
        } catch {
            phase = .ended
            throw error
        }
    }

    private func read() throws(StoreError) -> [Element] {
        let cursor = try cursor()
        var elements: [Element] = []
        while elements.count < chunk {
            guard let element = try cursor?() else {
                phase = .ended
                break
            }
            elements.append(element)
        }
        return elements
    }

    /// The open cursor; nil after the end.
    private func cursor() throws(StoreError) -> StoreStream<Element>.Cursor? {
        switch phase {
        case .ended: return nil
        case .open(let cursor): return cursor
        case .closed(let open):
            let cursor = try open()
            phase = .open(cursor)
            return cursor
        }
    }
}
