import Foundation
import PredicateSQLite

/// Runs jobs in the order of their arrival on a limited number of threads of its own.
///
/// A call to SQLite blocks: it waits for the disk and for locks. Swift's concurrency has one thread per core, so a few such
/// calls there would stop all other tasks of the program. These are threads rather than dispatch queues, because one list of
/// jobs serves all threads in order of arrival, their number is exact, their stacks have a known size, and the thread sanitizer
/// sees the lock by which jobs are handed over.
final class WorkQueue: @unchecked Sendable {
    /// Work for one thread, which keeps a store with its own connection between jobs.
    struct Job: Sendable {
        let stop: StatementStop
        let run: @Sendable (inout StoreCore?) -> Void
        /// Called instead of `run` for a job that is cancelled before it begins.
        let refuse: @Sendable () -> Void
    }

    /// The size of a thread's stack: the same as that of a program's main thread on most systems.
    private static let stackSize = 8 << 20

    private let limit: Int
    private let condition = NSCondition()
    // `@unchecked`: these are used under the lock of the condition.
    private var waiting: [Job] = []
    private var threadCount = 0
    private var idleCount = 0
    private var isClosed = false

    /// A queue without threads, which start as jobs need them.
    init(threads limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of jobs that wait for a thread.
    var waitingCount: Int { condition.withLock { waiting.count } }

    /// Lets the threads end after the waiting jobs.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Runs a function on a thread and returns its value, or `refused` if the task is cancelled before the function starts.
    ///
    /// If the task is cancelled later, the `StatementStop` that the function receives is set.
    func run<Value: Sendable>(
        refused: Value, _ body: @escaping @Sendable (inout StoreCore?, StatementStop) -> Value
    ) async -> Value {
        let stop = StatementStop()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(
                    Job(
                        stop: stop, run: { core in continuation.resume(returning: body(&core, stop)) },
                        refuse: { continuation.resume(returning: refused) }))
            }
        } onCancel: {
            stop.set()
            remove(stop)?.refuse()
        }
    }

    private func add(_ job: Job) {
        let (isAdded, startsThread) = condition.withLock { () -> (Bool, Bool) in
            // If the stop is set later, `remove(_:)` finds the job.
            guard !job.stop.isSet else { return (false, false) }
            waiting.append(job)
            condition.signal()
            guard idleCount < waiting.count, threadCount < limit else { return (true, false) }
            threadCount += 1
            return (true, true)
        }
        if !isAdded { job.refuse() }
        if startsThread { startThread() }
    }

    /// Removes a job that is still waiting.
    private func remove(_ stop: StatementStop) -> Job? {
        condition.withLock {
            guard let index = waiting.firstIndex(where: { $0.stop === stop }) else { return nil }
            return waiting.remove(at: index)
        }
    }

    // MARK: - Threads

    /// Waits for the next job and runs it. Returns false after the queue has been closed.
    private func runNext(_ core: inout StoreCore?) -> Bool {
        guard let job = next() else { return false }
        Self.run(job, &core)
        return true
    }

    private func startThread() {
        let thread = Thread { [self] in
            var core: StoreCore?
            // The job is released before the thread yields: it may hold the statement of a stream.
            while runNext(&core) {
                // A thread that ran jobs without a pause would use up its time slice in the middle of a job, which would then
                // wait while other threads ran several. If it yields between jobs, a slice begins with a job.
                sched_yield()
            }
        }
        thread.name = "PredicateStore"
        thread.stackSize = Self.stackSize
        thread.start()
    }

    private static func run(_ job: Job, _ core: inout StoreCore?) {
        #if canImport(ObjectiveC)
            autoreleasepool { job.run(&core) }
        #else
            job.run(&core)
        #endif
    }

    /// Waits for the next job; nil after the queue has been closed.
    private func next() -> Job? {
        condition.withLock {
            while waiting.isEmpty {
                guard !isClosed else { return nil }
                idleCount += 1
                condition.wait()
                idleCount -= 1
            }
            return waiting.removeFirst()
        }
    }
}
