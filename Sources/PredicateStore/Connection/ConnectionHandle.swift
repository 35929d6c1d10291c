import CPredicateSQLite
import Foundation

/// Opens SQLite connections and reads the header of their files.
enum ConnectionHandle {
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

    private static func open(
        _ name: String, _ flags: Int32, _ options: SQLiteOptions, isExclusive: Bool = false
    ) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard let handle else { throw StoreError(.sqlite(.outOfMemory, extended: result)) }
        do throws(StoreError) {
            guard result == SQLITE_OK else { throw StoreError(handle) }
            configure(handle, options)
            try readHead(handle, isExclusive: isExclusive)
            return handle
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    /// The path in a form that SQLite takes for a file only: neither for a URI nor for `:memory:`.
    private static func fileName(_ path: String) throws(StoreError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw StoreError(.invalidPath(path)) }
        return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    }

    private static func flags(_ access: SQLiteOptions.Access) -> Int32 {
        // `SQLiteConnection` has its own lock.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch access {
        case .readOnly: common | SQLITE_OPEN_READONLY
        case .readWrite: common | SQLITE_OPEN_READWRITE
        case .create: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }

    /// Restricts the effects that the contents of a file can have.
    private static func configure(_ handle: OpaquePointer, _ options: SQLiteOptions) {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, options.busyMilliseconds)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, options.trustsSchema ? 1 : 0)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        // An unknown "name" is an error, not a string.
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, options.attachedFiles)
        // A file that is only read keeps its log.
        if options.leavesNoTrace { _ = predicates_set_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
        stopCancelledTasks(handle)
    }

    /// Interrupts statements of cancelled tasks.
    static func stopCancelledTasks(_ handle: OpaquePointer) {
        sqlite3_progress_handler(handle, 20_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }

    /// Reads the header, since SQLite reads a file on first use only. Memory mapping is off: reading a mapped file that was
    /// truncated would end the process.
    private static func readHead(_ handle: OpaquePointer, isExclusive: Bool) throws(StoreError) {
        let locking = isExclusive ? ["PRAGMA locking_mode = EXCLUSIVE"] : []
        for pragma in ["PRAGMA mmap_size = 0"] + locking + ["PRAGMA schema_version"] {
            guard sqlite3_exec(handle, pragma, nil, nil, nil) == SQLITE_OK else { throw StoreError(handle) }
        }
    }
}

extension StoreError {
    /// The error of the last call that failed.
    init(_ handle: OpaquePointer, statement: String? = nil) {
        let extended = sqlite3_extended_errcode(handle)
        let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        self.init(.sqlite(SQLiteResult(code: extended), extended: extended), message: message, statement: statement)
    }

    /// The error with a more specific code if the path has no file or is a directory.
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
