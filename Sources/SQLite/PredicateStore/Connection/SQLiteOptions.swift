import CPredicateSQLite
import Foundation
import PredicateSQLite
public import PredicateSyntax

/// Options for opening a database.
///
/// `SQLiteOptions(.readWrite, busyTimeout: .seconds(1))`
public struct SQLiteOptions: Hashable, Sendable {
    /// The access to the file.
    public enum Access: Hashable, Sendable, CaseIterable {
        /// Read only.
        case readOnly
        /// Read and write an existing file.
        case readWrite
        /// Read and write; a missing file is created.
        case create
    }

    /// The journal mode of the file. It is stored in the file and outlives the connection.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Journal: Hashable, Sendable, CaseIterable {
        /// A write-ahead log next to the file: readers and one writer work in parallel, and a fetch sees the file as it was
        /// when the fetch began. Not for files on a network.
        case wal
        /// A rollback journal, SQLite's default: writers and readers block each other.
        case rollback
    }

    package var access: Access
    /// The time to wait for another connection's lock.
    package var busyTimeout: Duration
    /// The capacity of the cache of prepared statements.
    package var cachedStatements: Int
    /// True if views and triggers of the file may use functions and virtual tables that are not known to be harmless.
    package var trustsSchema: Bool
    /// The journal mode to set; nil keeps the file's mode.
    package var journal: Journal?
    /// The limits of the predicates and statements that run on the connection.
    package var limits: PredicateLimits
    /// The greatest number of connections for `ObjectStore.read`.
    package var readers: Int
    /// True if neither the file nor any file next to it may be written, not even the locks of a write-ahead log.
    package var leavesNoTrace = false
    /// The number of other files that statements may attach.
    package var attachedFiles: Int32 = 0

    /// Options for a connection.
    ///
    /// - Parameters:
    ///   - access: Read only, by default.
    ///   - busyTimeout: How long to wait for another connection's lock.
    ///   - cachedStatements: The number of prepared statements to cache.
    ///   - trustsSchema: Allows views and triggers of the file to use functions and virtual tables that are not known
    ///     to be harmless. Leave this off for files from an untrusted source.
    ///   - journal: The journal mode to set when the file is opened for writing; nil keeps the file's mode.
    ///   - limits: The limits of the predicates that a store of this connection compiles or evaluates, and of the
    ///     statements that the connection runs: `SQLiteOptions(limits: .untrusted)`. A statement that takes more than
    ///     `statementSteps` ends with the error `exceeds`; a change then has no effect. [NSP-420]
    ///   - readers: The greatest number of further connections that a store opens for ``ObjectStore/read(_:)``, at
    ///     least 1.
    public init(
        _ access: Access = .readOnly, busyTimeout: Duration = .seconds(5), cachedStatements: Int = 64,
        trustsSchema: Bool = false, journal: Journal? = nil, limits: PredicateLimits = .standard,
        readers: Int = 4
    ) {
        self.access = access
        self.busyTimeout = busyTimeout
        self.cachedStatements = cachedStatements
        self.trustsSchema = trustsSchema
        self.journal = journal
        self.limits = limits
        self.readers = readers
    }

    /// Read only, without writing, creating or removing the file or any file next to it.
    ///
    /// `try StoreConnection("Photos.sqlite", .untouched)`
    ///
    /// An existing write-ahead log is read. If the file has no log, or the log has no `-shm` file, no other program
    /// may write to the file meanwhile.
    package static let untouched = untouched(limits: .standard)

    /// Read only, as `untouched`, with limits: `try StoreConnection("Photos.sqlite", .untouched(limits: .untrusted))`
    package static func untouched(limits: PredicateLimits) -> SQLiteOptions {
        var options = SQLiteOptions(limits: limits)
        options.leavesNoTrace = true
        return options
    }

    /// The busy timeout in milliseconds, clamped to 0...Int32.max.
    var busyMilliseconds: Int32 {
        let (seconds, attoseconds) = busyTimeout.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return Int32(clamping: max(0, whole &+ attoseconds / 1_000_000_000_000_000))
    }
}

/// Opens SQLite handles and reads the header of their files.
enum ConnectionOpener {
    /// Opens and configures a connection. Throws if the file cannot be read.
    static func open(_ path: String, _ options: SQLiteOptions) throws(StoreError) -> OpaquePointer {
        let name = try fileName(path)
        do throws(StoreError) {
            guard options.leavesNoTrace else { return try open(name, flags(options.access), options) }
            let file = UntouchedFile(name)
            return try open(file.uri, flags(.readOnly) | SQLITE_OPEN_URI, options, isExclusive: file.isExclusive)
        } catch {
            throw error.explained(by: path, options)
        }
    }

    /// Opens and configures an empty database in memory.
    static func openInMemory(_ options: SQLiteOptions) throws(StoreError) -> OpaquePointer {
        try open(":memory:", flags(.create) | SQLITE_OPEN_MEMORY, options)
    }

    /// Opens a named database in memory, which is created if it does not exist.
    static func open(_ database: SharedMemoryDatabase, _ options: SQLiteOptions) throws(StoreError) -> OpaquePointer {
        try open(database.uri, flags(.create) | SQLITE_OPEN_URI, options)
    }

    private static func open(
        _ name: String, _ flags: Int32, _ options: SQLiteOptions, isExclusive: Bool = false
    ) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard let handle else { throw StoreError(.sqlite(.outOfMemory, extended: result)) }
        do throws(StoreError) {
            guard result == SQLITE_OK else { throw StoreError(handle) }
            configure(handle, options)
            try readHeader(handle, isExclusive: isExclusive)
            return handle
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    /// The path in a form that SQLite takes as a file name, never as a URI or `:memory:`.
    private static func fileName(_ path: String) throws(StoreError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw StoreError(.invalidPath(path)) }
        return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    }

    private static func flags(_ access: SQLiteOptions.Access) -> Int32 {
        // `StoreConnection` does its own locking.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch access {
        case .readOnly: common | SQLITE_OPEN_READONLY
        case .readWrite: common | SQLITE_OPEN_READWRITE
        case .create: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }

    /// Limits what the contents of a file can do.
    private static func configure(_ handle: OpaquePointer, _ options: SQLiteOptions) {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, options.busyMilliseconds)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, options.trustsSchema ? 1 : 0)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        // An unknown "name" is an error, not a string literal.
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, options.attachedFiles)
        // A connection that only reads a file, or an attached one, must not checkpoint its log, nor delete a damaged one.
        let readsOnly = options.leavesNoTrace || options.attachedFiles > 0
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, readsOnly ? 1 : 0)
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
    }

    /// Makes SQLite add its steps to a count, and interrupt a statement that exceeds it or has been cancelled.
    static func count(_ work: StatementWork, every steps: Int32, on handle: OpaquePointer) {
        work.begin(every: Int(steps), on: handle)
        sqlite3_progress_handler(
            handle, steps,
            { work in
                guard let work else { return 0 }
                let count = Unmanaged<StatementWork>.fromOpaque(work).takeUnretainedValue()
                return count.addPeriod() && !count.isCancelled ? 0 : 1
            }, Unmanaged.passUnretained(work).toOpaque())
    }

    /// Reads the header, because SQLite opens a file lazily. Memory mapping is off: reading a mapped file that another process
    /// has truncated would crash this process.
    private static func readHeader(_ handle: OpaquePointer, isExclusive: Bool) throws(StoreError) {
        let locking = isExclusive ? ["PRAGMA locking_mode = EXCLUSIVE"] : []
        for pragma in ["PRAGMA mmap_size = 0"] + locking + ["PRAGMA schema_version"] {
            guard sqlite3_exec(handle, pragma, nil, nil, nil) == SQLITE_OK else { throw StoreError(handle) }
        }
    }
}

extension StoreError {
    /// The error of the last call on the handle that failed.
    init(_ handle: OpaquePointer, statement: String? = nil) {
        let extended = sqlite3_extended_errcode(handle)
        let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        self.init(.sqlite(SQLiteResult(code: extended), extended: extended), message: message, statement: statement)
    }

    /// The error with a more specific code if the file does not exist or is a directory.
    fileprivate func explained(by path: String, _ options: SQLiteOptions) -> StoreError {
        guard case .sqlite(let result, _) = code, result == .cannotOpen || result == .inputOutput else { return self }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            let isMissing = result == .cannotOpen && options.access != .create
            return isMissing ? with(.noSuchFile(path)) : self
        }
        return isDirectory.boolValue ? with(.isDirectory(path)) : self
    }
}

/// A way to read a file without writing to it or to any file next to it.
///
/// By default SQLite creates a `-shm` file for the locks of a write-ahead log, even for a read-only connection.
package struct UntouchedFile: Hashable, Sendable {
    /// `file:///tmp/Photos.sqlite?mode=ro&immutable=1`
    package let uri: String
    /// True if the index of the log is built in memory, which requires exclusive locking mode.
    package let isExclusive: Bool

    package init(_ path: String) {
        let log = Self.size(path + "-wal")
        let parameters: String
        switch (log, Self.size(path + "-shm")) {
        // Other processes may use the file: their locks in the `-shm` file are respected, and none are added.
        case (.some, .some): (parameters, isExclusive) = ("mode=ro&readonly_shm=1", false)
        // There is no `-shm` file, so no process uses the log: its index is built in memory, without locks.
        case (let size?, nil) where size > 0: (parameters, isExclusive) = ("mode=ro&vfs=unix-none", true)
        case (.some, nil), (nil, _):
            (parameters, isExclusive) = (Self.hasLogMode(path) ? "mode=ro&immutable=1" : "mode=ro", false)
        }
        uri = "file:\(Self.escaped(path))?\(parameters)"
    }

    private static func size(_ path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    /// True if the header declares that the file is in WAL mode.
    private static func hasLogMode(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: 20), head.count == 20 else { return false }
        return head[18] == 2 || head[19] == 2
    }

    /// The path with percent escapes for use in a URI.
    private static func escaped(_ path: String) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "/-_.~ ")
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }
}

/// A database in memory that several connections of the process share, by a name that no other database has.
package struct SharedMemoryDatabase: Hashable, Sendable {
    private let name = UUID().uuidString

    package init() {}

    /// `file:/predicates-….?vfs=memdb`
    package var uri: String { "file:/predicates-\(name)?vfs=memdb" }

    /// The URI for attaching the database to another one. A transaction that writes to other databases only reads this one.
    package var readOnlyURI: String { uri + "&mode=ro" }
}

/// The header of SQLite files: `SQLite format 3` and a zero byte.
package enum SQLiteHeader {
    private static let bytes = Array("SQLite format 3\0".utf8)

    /// Returns true if the file begins with the header.
    package static func begins(_ file: some Sequence<UInt8>) -> Bool { file.starts(with: bytes) }
}
