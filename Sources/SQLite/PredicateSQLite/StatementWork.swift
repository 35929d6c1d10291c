internal import CPredicateSQLite
import Synchronization

/// The work of the running statement, counted in steps if a limit applies. A step is an instruction of SQLite's virtual
/// machine, or 16 bytes of a string that a registered function reads. A byte that is not ASCII counts as four more, because
/// folding it takes ten times as long. A page that SQLite reads counts as 16, because one instruction may read a long
/// value. The steps of regular expressions are added too.
///
/// The count of a statement that reads one row at a time covers all of its rows. One object per connection, used under its
/// lock.
package final class StatementWork {
    /// The greatest number of steps of one statement; nil if steps are not counted.
    package var limit: Int?
    /// The steps of the running statement so far.
    package var steps = 0

    /// Stops the job that runs the statement, if another thread may cancel it.
    package var stop: StatementStop?

    /// True if the statement belongs to a cancelled task or job.
    package var isCancelled: Bool { Task.isCancelled || stop?.isSet ?? false }

    /// The number of instructions between two reports from SQLite.
    private var period = 0
    /// The connection whose pages are counted.
    private var handle: OpaquePointer?
    /// SQLite's count of pages at the last report.
    private var pages: Int32 = 0

    package init(limit: Int?) {
        self.limit = limit
    }

    /// True if the running statement must end.
    package var isExceeded: Bool { limit.map { steps > $0 } ?? false }

    /// Begins to count the work on a connection; pages that were read earlier are not counted.
    package func begin(every period: Int, on handle: OpaquePointer) {
        (self.period, self.handle) = (period, handle)
        _ = readPages()
    }

    /// Adds the instructions since the last report. Returns false if the statement must end.
    package func addPeriod() -> Bool {
        steps &+= period &+ 16 &* readPages()
        return !isExceeded
    }

    /// Returns the number of pages that SQLite has read since the last report, from its cache or the file. It wraps at 31 bits.
    private func readPages() -> Int {
        guard limit != nil, let handle else { return 0 }
        let cached = Self.count(SQLITE_DBSTATUS_CACHE_HIT, of: handle)
        let count = cached &+ Self.count(SQLITE_DBSTATUS_CACHE_MISS, of: handle)
        defer { pages = count }
        return Int((count &- pages) & .max)
    }

    private static func count(_ status: Int32, of handle: OpaquePointer) -> Int32 {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, status, &count, &highest, 0)
        return count
    }

    /// Adds the steps of a function that reads a string.
    func addReading(_ text: UnsafeBufferPointer<UInt8>) {
        // Two instantaneous accesses need no exclusivity check at run time; one that spans the count would.
        let added = text.count / 16 &+ 4 &* Self.unusualBytes(text)
        steps = steps &+ added
    }

    /// The number of bytes that are not ASCII, counted eight at a time.
    private static func unusualBytes(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = UnsafeRawPointer(text.baseAddress) else { return 0 }
        var (index, count) = (0, 0)
        while index + 8 <= text.count {
            let word = start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            count &+= (word & 0x8080_8080_8080_8080).nonzeroBitCount
            index += 8
        }
        while index < text.count {
            count &+= Int(text[index] >> 7)
            index += 1
        }
        return count
    }
}

/// A request to stop the statements of one job, made on any thread.
///
/// Unlike `sqlite3_interrupt`, it cannot stop a statement of the next job on the connection.
package final class StatementStop: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .acquiring) }

    package func set() { value.store(true, ordering: .releasing) }
}
