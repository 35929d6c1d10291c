import PredicateStore

/// Asynchronous writes: a task that waits does not block a thread of Swift's concurrency. Reads and observations are those of
/// ``objects``.
extension CoreDataStore {
    /// Runs changes in a transaction: all of them or, after an error or a cancellation, none.
    ///
    /// ```swift
    /// try await store.write { store in
    ///     try store.insert("ToDo", ["title": "Buy milk"])
    ///     try store.delete("ToDo", where: isDone)
    /// }
    /// ```
    ///
    /// This is ``transaction(_:)`` on a thread of the store: writes run one after another, in order of arrival.
    ///
    /// Throws the error of `body`, after a rollback, or a ``CoreDataError``: `readOnly`, and `store` with
    /// `.sqlite(.interrupted, …)` after a cancellation.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (_ store: CoreDataStore) throws -> Value
    ) async throws -> Value {
        guard let changing else { throw CoreDataError(.readOnly) }
        let result: Result<Value, any Error>
        do throws(StoreError) {
            result = try await changing.perform { () throws(StoreError) in transactionResult(body) }
        } catch {
            throw CoreDataError(.store(error))
        }
        return try result.get()
    }

    /// Runs changes that may throw any error in a transaction.
    private func transactionResult<Value>(_ body: (CoreDataStore) throws -> Value) -> Result<Value, any Error> {
        var failure: (any Error)?
        do throws(CoreDataError) {
            return .success(
                try transaction { () throws(CoreDataError) in
                    do { return try body(self) } catch {
                        failure = error
                        throw CoreDataError(.cancelled)
                    }
                })
        } catch {
            return .failure(failure ?? error)
        }
    }
}
