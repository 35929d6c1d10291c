/// A lock of the system.
///
/// The thread sanitizer does not see `Mutex` on Linux: it reports the accesses that a `Mutex` protects as races.
package final class ThreadLock: @unchecked Sendable {
    // `@unchecked`: the system makes these calls safe.
    private let word = UnsafeMutablePointer<SystemLock.Word>.allocate(capacity: 1)

    package init() { SystemLock.initialize(word) }

    deinit {
        SystemLock.destroy(word)
        word.deallocate()
    }

    package func lock() { SystemLock.lock(word) }
    package func unlock() { SystemLock.unlock(word) }
}

/// A value behind a lock.
///
/// `@unchecked`: the lock protects every access to the value.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = ThreadLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
