import CSQLite
import Foundation

/// Opening: from a path to a connection that has read the head of its file.
enum ConnectionHandle {
    /// A connection with the switches set as the options say. Throws what keeps the file from being read.
    static func open(_ path: String, _ options: SQLiteOptions) throws(StoreError) -> OpaquePointer {
        let name = try fileName(path)
        do throws(StoreError) {
            return try open(name, flags(options.access), options)
        } catch {
            throw error.explained(by: path, options)
        }
    }

    /// The same for an empty database that is no file.
    static func openInMemory(_ options: SQLiteOptions) throws(StoreError) -> OpaquePointer {
        try open(":memory:", flags(.create) | SQLITE_OPEN_MEMORY, options)
    }

    private static func open(
        _ name: String, _ flags: Int32, _ options: SQLiteOptions
    ) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard let handle else { throw StoreError(.sqlite(.outOfMemory, extended: result)) }
        do throws(StoreError) {
            guard result == SQLITE_OK else { throw StoreError(handle) }
            configure(handle, options)
            try readHead(handle)
            return handle
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    /// The path as a name of a file: never an address, never the words that SQLite takes for a database in memory.
    private static func fileName(_ path: String) throws(StoreError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw StoreError(.invalidPath(path)) }
        return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    }

    private static func flags(_ access: SQLiteOptions.Access) -> Int32 {
        // The connection has a lock of its own, so SQLite needs none.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch access {
        case .readOnly: common | SQLITE_OPEN_READONLY
        case .readWrite: common | SQLITE_OPEN_READWRITE
        case .create: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }

    /// What a file may make this connection do is as little as possible.
    private static func configure(_ handle: OpaquePointer, _ options: SQLiteOptions) {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, options.busyMilliseconds)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, options.trustsSchema ? 1 : 0)
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        // An unknown "name" is an error and never a string.
        _ = predicates_set_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
        stopCancelledTasks(handle)
    }

    /// A statement of a task that has been cancelled stops, as if it had been interrupted.
    private static func stopCancelledTasks(_ handle: OpaquePointer) {
        sqlite3_progress_handler(handle, 20_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }

    /// A file is looked into only when it is read, so that is done here. A file of which a part may disappear is never
    /// mapped into memory, where that would end the program.
    private static func readHead(_ handle: OpaquePointer) throws(StoreError) {
        for pragma in ["PRAGMA mmap_size = 0", "PRAGMA schema_version"] {
            guard sqlite3_exec(handle, pragma, nil, nil, nil) == SQLITE_OK else { throw StoreError(handle) }
        }
    }
}

extension StoreError {
    /// What SQLite says about the last call that failed.
    init(_ handle: OpaquePointer, sql: String? = nil) {
        let extended = sqlite3_extended_errcode(handle)
        let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        self.init(.sqlite(SQLiteResult(code: extended), extended: extended), message: message, sql: sql)
    }

    /// The same error, or the plain reason why SQLite cannot open what is at the path.
    fileprivate func explained(by path: String, _ options: SQLiteOptions) -> StoreError {
        guard case .sqlite(let result, _) = code, result == .cannotOpen || result == .inputOutput else { return self }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            let isMissing = result == .cannotOpen && options.access != .create
            return isMissing ? StoreError(.noSuchFile(path), message: message) : self
        }
        return isDirectory.boolValue ? StoreError(.isDirectory(path), message: message) : self
    }
}
