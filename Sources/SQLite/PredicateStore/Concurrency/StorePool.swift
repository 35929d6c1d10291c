import CPredicateSQLite
import PredicateSQLite

/// The threads of a store: several that have a reader each, and one for the store's own connection.
final class StorePool: Sendable {
    let readers: WorkQueue
    private let own = WorkQueue(threads: 1)

    init(readers: Int) {
        self.readers = WorkQueue(threads: readers)
    }

    deinit {
        readers.close()
        own.close()
    }

    /// Runs a function in a snapshot on one of the readers. A database in memory has only one connection, which then serves
    /// reads as well.
    func read<Value: Sendable>(
        _ store: ObjectStore, _ body: @escaping @Sendable (ObjectStore) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard store.connection.file != nil else {
            return try await perform(store) { () throws(StoreError) in
                try store.snapshot { () throws(StoreError) in try body(store) }
            }
        }
        let result = await readers.run(refused: Result<Value, StoreError>.failure(.interrupted)) { core, stop in
            Result { () throws(StoreError) in
                let reader = if let core { ObjectStore(core: core) } else { try store.reader() }
                core = reader.core
                return try reader.connection.stopping(at: stop) { () throws(StoreError) in
                    try reader.snapshot { () throws(StoreError) in try body(reader) }
                }
            }
        }
        return try result.get()
    }

    /// Runs a function on the thread of the store's own connection.
    func perform<Value: Sendable>(
        _ store: ObjectStore, _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await own.run(refused: Result<Value, StoreError>.failure(.interrupted)) { _, stop in
            Result { () throws(StoreError) in try store.connection.stopping(at: stop, body) }
        }
        return try result.get()
    }
}

extension StoreError {
    /// The error of a cancelled statement.
    static var interrupted: StoreError { StoreError(.sqlite(.interrupted, extended: SQLITE_INTERRUPT)) }
}
