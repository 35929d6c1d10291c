import Foundation

/// The state of one observation: the tables that its fetch reads, and those that have changed since.
final class ChangeObserver: @unchecked Sendable {
    private let lock = NSLock()
    // `@unchecked`: these are used under the lock.
    /// The tables that the last fetch read; nil if a fetch is due in any case.
    private var region: Set<String>?
    /// The tables that have changed since the last fetch began.
    private var touched: Set<String> = []
    private var waiter: CheckedContinuation<Void, Never>?
    /// True if ``wake()`` was called while nobody waited.
    private var isWoken = false
    private var ended = false
    private var version: Int64?

    /// True if the rows of the fetch may have changed since it began.
    var isChanged: Bool { lock.withLock { hasChanged } }

    /// True after the last element.
    var isEnded: Bool { lock.withLock { ended } }

    private var hasChanged: Bool { region.map { !$0.isDisjoint(with: touched) } ?? true }

    /// The version of the file before the last fetch, if other processes are observed.
    var fileVersion: Int64? {
        get { lock.withLock { version } }
        set { lock.withLock { version = newValue } }
    }

    /// Records that a committed transaction has changed some tables.
    func note(_ tables: Set<String>) {
        resume { () -> Bool in
            touched.formUnion(tables)
            return hasChanged
        }
    }

    /// Records that unknown tables have changed.
    func noteUnknown() {
        resume { () -> Bool in
            region = nil
            return true
        }
    }

    /// Resumes the waiting task without recording a change.
    func wake() {
        resume { () -> Bool in
            isWoken = waiter == nil
            return true
        }
    }

    /// Resumes the waiting task if a function, called under the lock, returns true.
    private func resume(if isReady: () -> Bool) {
        let waiter = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            guard isReady() else { return nil }
            return self.waiter.take()
        }
        waiter?.resume()
    }

    /// Begins a fetch, which may miss anything that is committed from now on.
    func beginFetch() {
        lock.withLock { touched = [] }
    }

    /// Ends a fetch. If one of its tables has changed since it began, another fetch is due.
    func endFetch(reading tables: Set<String>) {
        lock.withLock { region = tables }
    }

    func end() {
        lock.withLock { ended = true }
    }

    /// Waits for a change, for ``wake()``, or for the cancellation of the task.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = lock.withLock { () -> Bool in
                    if hasChanged || isWoken {
                        isWoken = false
                        return true
                    }
                    waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    func wait(atMost interval: Duration) async {
        let timer = Task {
            try? await Task.sleep(for: interval)
            if !Task.isCancelled { wake() }
        }
        await wait()
        timer.cancel()
    }
}
