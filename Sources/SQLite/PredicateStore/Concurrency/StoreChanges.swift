public import PredicateSyntax

/// The results of a fetch, now and after each change to its tables.
///
/// ```swift
/// for try await tasks in store.changes(of: PredicateFetchRequest("Task", isOpen, sortKeys: [SortKey("due")])) {
///     show(tasks)
/// }
/// ```
///
/// The first element arrives at once. Another one follows each transaction of this process, on any connection of this package,
/// that changed a row of a table that the fetch reads, including its prefetched relationships. If several transactions are
/// committed before the loop asks for the next element, one fetch shows them all; the state after the last transaction is never
/// left out. An element may equal the one before it, since the transaction may have changed other rows of the table.
///
/// Changes by other processes are noticed only if an interval is given; the version of the file is then checked at this
/// interval (`PRAGMA data_version`).
///
/// Each iteration observes by itself. It ends when its task is cancelled, or with an error of the fetch. [NSP-501]
public struct StoreChanges<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = StoreError
    typealias Fetch = @Sendable (ObjectStore) throws(StoreError) -> Value

    let store: ObjectStore
    let interval: Duration?
    let fetch: Fetch

    public func makeAsyncIterator() -> Iterator { Iterator(Observation(self)) }

    /// An iterator over the results.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: Observation<Value>

        init(_ observation: Observation<Value>) {
            self.observation = observation
        }

        /// Returns the results of the next fetch, or nil after a cancellation.
        public mutating func next() async throws(StoreError) -> Value? {
            try await observation.next()
        }

        /// Returns the results of the next fetch, or nil after a cancellation.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Value? {
            try await observation.next()
        }
    }
}

/// The observation of one fetch, from the beginning to the end of an iteration.
final class Observation<Value: Sendable>: Sendable {
    private let changes: StoreChanges<Value>
    private let observer = ChangeObserver()
    private var commits: FileCommits { changes.store.connection.commits }

    init(_ changes: StoreChanges<Value>) {
        self.changes = changes
        commits.add(observer)
    }

    deinit {
        commits.remove(observer)
    }

    func next() async throws(StoreError) -> Value? {
        guard !observer.isEnded else { return nil }
        do throws(StoreError) {
            try await waitForChange()
            if !Task.isCancelled { return try await fetch() }
        } catch {
            observer.end()
            if !Task.isCancelled { throw error }
        }
        observer.end()
        return nil
    }

    private func waitForChange() async throws(StoreError) {
        while !observer.isChanged, !Task.isCancelled {
            guard let interval = changes.interval else {
                await observer.wait()
                continue
            }
            await observer.wait(atMost: interval)
            if !observer.isChanged, try await fileVersion() != observer.fileVersion { observer.noteUnknown() }
        }
    }

    private func fetch() async throws(StoreError) -> Value {
        if changes.interval != nil { observer.fileVersion = try await fileVersion() }
        observer.beginFetch()
        let fetch = changes.fetch
        let (value, tables) = try await changes.store.core.pool.read(changes.store) { (reader) throws(StoreError) in
            try reader.connection.readingTables { () throws(StoreError) in try fetch(reader) }
        }
        observer.endFetch(reading: tables)
        return value
    }

    /// A number that changes with each commit of another connection.
    private func fileVersion() async throws(StoreError) -> Int64? {
        let connection = changes.store.connection
        return try await changes.store.perform { () throws(StoreError) in
            try connection.rows(of: SQLFragment("PRAGMA data_version")).next()?.integer(0)
        }
    }
}

extension ObjectStore {
    /// The objects that a request selects, now and after each change.
    ///
    /// `for try await tasks in store.changes(of: PredicateFetchRequest("Task", sortKeys: [SortKey("due")])) { show(tasks) }`
    ///
    /// The fetch runs as in ``read(_:)``. With `checkingEvery`, changes by other processes are noticed after at most that time.
    /// Loops throw the errors of ``fetchAll(_:)``.
    public func changes(
        of request: PredicateFetchRequest, checkingEvery interval: Duration? = nil
    ) -> StoreChanges<[StoredObject]> {
        StoreChanges(store: self, interval: interval) { (reader) throws(StoreError) in try reader.fetchAll(request) }
    }

    /// The results of a request, now and after each change.
    ///
    /// `for try await rows in store.changes(of: request, ["owner.name", .count(as: "tasks")], .grouped(by:
    /// ["owner.name"])) { … }`
    ///
    /// Works as ``changes(of:checkingEvery:)``, with the results of ``fetchDictionaries(_:_:_:)``.
    public func changes(
        of request: PredicateFetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all,
        checkingEvery interval: Duration? = nil
    ) -> StoreChanges<[[String: PredicateValue]]> {
        StoreChanges(store: self, interval: interval) { (reader) throws(StoreError) in
            try reader.fetchDictionaries(request, results, rows)
        }
    }

    /// The objects that a request selects as values of a type, now and after each change.
    ///
    /// `for try await people in store.changes(of: Person.self, PredicateFetchRequest("Person", predicate)) { … }`
    ///
    /// Works as ``changes(of:checkingEvery:)``. A row that cannot be decoded as the type ends the loop.
    public func changes<Object: Decodable & Sendable>(
        of type: Object.Type, _ request: PredicateFetchRequest, checkingEvery interval: Duration? = nil
    ) -> StoreChanges<[Object]> {
        StoreChanges(store: self, interval: interval) { (reader) throws(StoreError) in
            try reader.fetchAll(Object.self, request)
        }
    }
}
