import CPredicateSQLite
import PredicateSQL
public import PredicateSyntax

extension PredicateStore {
    /// The objects that a request selects, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await task in store.stream(FetchRequest("Task", sortKeys: [SortKey("due")])) { print(task["title"] ?? .null) }
    /// ```
    ///
    /// Rows are read as the loop asks for them, some at a time and off the caller's actor, so that a table of any size takes
    /// little memory, and a slow loop stops the reading. If the task is cancelled, the statement stops and the loop ends in
    /// `.sqlite(.interrupted, …)`; leaving the loop stops it too. Until then it keeps a read lock on the file, as
    /// ``SQLiteRows`` describe: to write meanwhile, stream from a ``reader()``.
    ///
    /// The sequence ends in the errors of ``fetch(_:)``.
    public func stream(_ request: FetchRequest) -> StoreStream<StoredObject> {
        StoreStream { () throws(StoreError) in
            let objects = try fetch(request)
            return { () throws(StoreError) in try objects.next() }
        }
    }

    /// The results of a request, as an asynchronous sequence of dictionaries.
    ///
    /// `for try await row in store.stream(request, ["owner.name", .count(as: "tasks")], .grouped(by: ["owner.name"])) { … }`
    ///
    /// As ``stream(_:)`` and ``dictionaries(_:_:_:)``.
    public func stream(
        _ request: FetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all
    ) -> StoreStream<[String: PredicateValue]> {
        StoreStream { () throws(StoreError) in
            let dictionaries = try cursor(request, results, rows)
            return { () throws(StoreError) in try dictionaries.next() }
        }
    }
}

/// An asynchronous sequence of what a statement selects; each iteration runs the statement anew.
public struct StoreStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = StoreError
    typealias Cursor = () throws(StoreError) -> Element?

    private let open: @Sendable () throws(StoreError) -> Cursor

    /// A sequence of what a cursor returns, which is opened at the first element.
    init(_ open: @escaping @Sendable () throws(StoreError) -> Cursor) {
        self.open = open
    }

    public func makeAsyncIterator() -> Iterator { Iterator(StreamReader(open)) }

    /// The elements, one after another.
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

/// Reads the elements of a stream, off the actor of the loop.
private actor StreamReader<Element: Sendable> {
    /// The most elements that are read ahead of the loop.
    private let chunk = 64
    private var state: State

    private enum State {
        case closed(@Sendable () throws(StoreError) -> StoreStream<Element>.Cursor)
        case open(StoreStream<Element>.Cursor)
        case ended
    }

    init(_ open: @escaping @Sendable () throws(StoreError) -> StoreStream<Element>.Cursor) {
        state = .closed(open)
    }

    /// The next elements; none after the last, and after an error.
    func next() throws(StoreError) -> [Element] {
        do throws(StoreError) {
            let cursor = try cursor()
            var elements: [Element] = []
            while elements.count < chunk {
                if Task.isCancelled { throw StoreError(.sqlite(.interrupted, extended: SQLITE_INTERRUPT)) }
                guard let element = try cursor?() else {
                    state = .ended
                    break
                }
                elements.append(element)
            }
            return elements
        } catch {
            state = .ended
            throw error
        }
    }

    /// The open cursor; nil after the end.
    private func cursor() throws(StoreError) -> StoreStream<Element>.Cursor? {
        switch state {
        case .ended: return nil
        case .open(let cursor): return cursor
        case .closed(let open):
            let cursor = try open()
            state = .open(cursor)
            return cursor
        }
    }
}
