/// Reads and writes for asynchronous tasks, which wait without blocking a thread of Swift's concurrency.
extension ObjectStore {
    /// Runs fetches on one of several reader connections; all of them see the same state of the file.
    ///
    /// ```swift
    /// let (count, page) = try await store.read { reader in
    ///     (try reader.fetchCount(all), try reader.fetchAll(firstPage))
    /// }
    /// ```
    ///
    /// The store opens up to `SQLiteOptions.readers` connections, each with a thread of its own, and keeps them. If all
    /// are busy, the task waits for its turn, in order of arrival. Open the file with a write-ahead log
    /// (``SQLiteOptions/Journal/wal``): then readers and the writer never block each other. A database in memory has
    /// one connection only, so that its reads and writes run one after another.
    ///
    /// The reader's objects are equal to those of the store, and can be arguments of its predicates and changes. A relationship
    /// that is first read after `body` has ended has the values of that later time; prefetch it instead. [NSP-500]
    ///
    /// If the task is cancelled, the running statement ends. Throws the error of `body`, or a ``StoreError``:
    /// `.sqlite(.interrupted, …)` after a cancellation.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (_ reader: ObjectStore) throws -> Value
    ) async throws -> Value {
        try await core.pool.read(self) { reader in Result { try body(reader) } }.get()
    }

    /// Runs changes in a transaction: all of them or, after an error or a cancellation, none.
    ///
    /// ```swift
    /// let list = try await store.write { store in
    ///     let list = try store.insert("List", ["name": "Home"])
    ///     try store.update("Task", ["list": list], where: isLost)
    ///     return list
    /// }
    /// ```
    ///
    /// This is ``transaction(_:)`` on a thread of the store: writes run one after another, in order of arrival. If the
    /// task is cancelled before the transaction is committed, the running statement ends. [NSP-500]
    ///
    /// Throws the error of `body`, after a rollback, or a ``StoreError``: `readOnlyConnection`,
    /// `.sqlite(.interrupted, …)` after a cancellation.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (_ store: ObjectStore) throws -> Value
    ) async throws -> Value {
        try await perform { () throws(StoreError) in
            try connection.transactionResult { Result { try body(self) } }
        }.get()
    }

    /// Runs a function on the thread of the store's own connection, without a transaction. If the task is cancelled, its
    /// statements are interrupted.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await core.pool.perform(self, body)
    }
}
