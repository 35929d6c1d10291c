/// Options for opening a database.
///
/// `SQLiteOptions(.readWrite, busyTimeout: .seconds(1))`
public struct SQLiteOptions: Hashable, Sendable {
    /// The access to the file.
    public enum Access: Hashable, Sendable, CaseIterable {
        /// Reading only.
        case readOnly
        /// Reading and writing of an existing file.
        case readWrite
        /// Reading and writing; a missing file is created.
        case create
    }

    /// The way in which a file keeps a change until it is complete. It is a property of the file and stays with it.
    public enum Journal: Hashable, Sendable, CaseIterable {
        /// A write-ahead log beside the file: readers and one writer work at a time, and a fetch sees the state of the file at
        /// its beginning. Not for files on a network.
        case wal
        /// A rollback journal, SQLite's default: a writer waits for readers to end, and they for it.
        case rollback
    }

    package var access: Access
    /// The time to wait for a lock of another connection.
    package var busyTimeout: Duration
    /// The capacity of the cache of prepared statements.
    package var cachedStatements: Int
    /// True if views and triggers of the file may use functions and virtual tables that are not known to be harmless.
    package var trustsSchema: Bool
    /// The journal that the file is given; nil for the one that it has.
    package var journal: Journal?
    /// True if neither the file nor any file beside it may be written, not even by the locks of a write-ahead log.
    package var leavesNoTrace = false
    /// The number of other files that statements may attach.
    package var attachedFiles: Int32 = 0

    /// Options for a connection.
    ///
    /// - Parameters:
    ///   - access: Reading only, by default.
    ///   - busyTimeout: The time to wait for a lock of another connection.
    ///   - cachedStatements: The number of prepared statements to cache.
    ///   - trustsSchema: Allows views and triggers of the file to use functions and virtual tables that are not known to be
    ///     harmless. Do not trust a file from an untrusted source.
    ///   - journal: The journal that the file is given unless it is opened for reading only; nil for the one that it has.
    public init(
        _ access: Access = .readOnly, busyTimeout: Duration = .seconds(5), cachedStatements: Int = 64,
        trustsSchema: Bool = false, journal: Journal? = nil
    ) {
        self.access = access
        self.busyTimeout = busyTimeout
        self.cachedStatements = cachedStatements
        self.trustsSchema = trustsSchema
        self.journal = journal
    }

    /// Reading of a file such that neither it nor any file beside it is written, created or removed.
    ///
    /// `try SQLiteConnection("Photos.sqlite", .untouched)`
    ///
    /// Its write-ahead log is read where there is one. Without a `-shm` file beside the log, and without a log, nobody is
    /// expected to write the file meanwhile.
    public static let untouched: SQLiteOptions = {
        var options = SQLiteOptions()
        options.leavesNoTrace = true
        return options
    }()

    /// The busy timeout in milliseconds, clamped.
    var busyMilliseconds: Int32 {
        let (seconds, attoseconds) = busyTimeout.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return Int32(clamping: max(0, whole &+ attoseconds / 1_000_000_000_000_000))
    }
}
