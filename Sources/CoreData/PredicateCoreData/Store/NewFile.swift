import Foundation
import PredicateStore

/// A new file or folder, which has a temporary name next to its own until it is complete. Every store, copy, migration and
/// export is written as one.
struct NewFile {
    let path: String
    let temporary: String

    /// Throws `fileExists`, also for the log of an earlier file, which SQLite would read as a part of the new one.
    init(_ path: String) throws(CoreDataError) {
        for name in [path, path + "-wal", path + "-journal"] where FileState(name) != nil {
            throw CoreDataError(.fileExists(name))
        }
        self.init(replacing: path)
    }

    /// A file that replaces another one, or another temporary file.
    init(replacing path: String) {
        (self.path, temporary) = (path, Self.temporaryName(of: path))
    }

    private static let suffix = ".migrating"

    /// A temporary name next to a file. Removes what ended processes have left.
    private static func temporaryName(of path: String) -> String {
        if path.hasSuffix(suffix) { return path + "2" }
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        removeLeftovers(of: url.lastPathComponent, in: folder)
        let process = ProcessInfo.processInfo.processIdentifier
        let name = ".\(url.lastPathComponent).\(process)-\(UUID().uuidString.prefix(8))\(suffix)"
        return folder.appendingPathComponent(name).path
    }

    /// Removes temporary files of the same name whose process has ended. The file name contains the process ID.
    private static func removeLeftovers(of name: String, in folder: URL) {
        let files = FileManager.default
        let start = ".\(name)."
        for file in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard file.hasPrefix(start), file.contains(suffix),
                let process = Int32(file.dropFirst(start.count).prefix { $0 != "-" }), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? files.removeItem(at: folder.appendingPathComponent(file))
        }
    }

    /// Runs work that writes the temporary file, copies external data from a folder, and renames the file. After an error
    /// no file is left, and a full disk is an error about the new file.
    @discardableResult
    func write<Result>(
        external: String? = nil, _ work: () throws(CoreDataError) -> Result
    ) throws(CoreDataError) -> Result {
        do throws(CoreDataError) {
            let result = try work()
            try finish(external: external)
            return result
        } catch {
            remove()
            throw named(error)
        }
    }

    /// An error about the new file, if the disk is full. Then SQLite can also fail to enlarge the index of a log:
    /// `SQLITE_IOERR_SHMSIZE`.
    private func named(_ error: CoreDataError) -> CoreDataError {
        guard case .store(let cause) = error.code, case .sqlite(let result, let extended) = cause.code,
            result == .full || extended == 4874
        else { return error }
        return Self.failure(path, ENOSPC)
    }

    /// Writes a store and opens it for changes.
    func writeStore(
        external: String? = nil, _ work: () throws(CoreDataError) -> Void
    ) throws(CoreDataError) -> CoreDataStore {
        try write(external: external, work)
        do throws(CoreDataError) {
            return try CoreDataStore(changing: path)
        } catch {
            Self.remove(path)
            throw named(error)
        }
    }

    /// Flushes the file to disk, copies external data, and renames the file to one that must not exist.
    private func finish(external: String?) throws(CoreDataError) {
        try takeLog()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? [] {
            Self.sync("\(temporary)/\(name)")
        }
        guard Self.sync(temporary) else { throw Self.failure(path) }
        let copy = ExternalFolderCopy(to: ExternalFolder.path(ofStore: path))
        do throws(CoreDataError) {
            if let external { try copy.take(external) }
            try place()
        } catch {
            copy.remove()
            throw error
        }
    }

    private func place() throws(CoreDataError) {
        if link(temporary, path) == 0 { return remove() }
        if errno == EEXIST { throw CoreDataError(.fileExists(path)) }
        // Folders have no hard links, nor have some file systems.
        guard FileState(path) == nil, rename(temporary, path) == 0 else { throw Self.failure(path) }
    }

    /// Moves the contents of the log into the store. The log exists while a connection to the store is open.
    private func takeLog() throws(CoreDataError) {
        guard let log = FileState(temporary + "-wal"), log.size > 0 else { return }
        try storing { () throws(StoreError) in
            try StoreConnection(temporary, SQLiteOptions(.readWrite)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        guard FileState(temporary + "-wal")?.size ?? 0 == 0 else { throw Self.failure(path, EBUSY) }
    }

    /// Flushes a file or a folder to disk.
    @discardableResult
    static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Removes the temporary files.
    func remove() {
        Self.remove(temporary)
        Self.remove(temporary + "2")
    }

    /// Removes a file or a folder, and the files that SQLite keeps next to it.
    private static func remove(_ path: String) {
        for end in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }

    /// The error of a system call.
    static func failure(_ path: String, _ number: Int32 = errno) -> CoreDataError {
        CoreDataError(.file(path, reason: number == ENOSPC ? "the disk is full" : String(cString: strerror(number))))
    }
}

/// The bytes of a file that is being written.
final class OutputFile {
    private let descriptor: Int32
    /// The path in errors.
    private let name: String

    /// Creates a file. In errors it has another name, which it gets later.
    init(_ path: String, named name: String, permissions: mode_t? = nil) throws(CoreDataError) {
        self.name = name
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions ?? 0o644)
        guard descriptor >= 0 else { throw NewFile.failure(name) }
        if let permissions { fchmod(descriptor, permissions) }
    }

    deinit { close(descriptor) }

    /// The state of the file, even after it was renamed.
    var state: FileState? { FileState(descriptor) }

    /// Appends bytes. Throws `file`, as on a full disk.
    func write(_ bytes: UnsafeRawBufferPointer) throws(CoreDataError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw NewFile.failure(name)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes what a function appends.
    func write(_ append: (ByteOutput) throws(CoreDataError) -> Void) throws(CoreDataError) {
        let output = ByteOutput { (bytes) throws(CoreDataError) in try self.write(bytes) }
        try append(output)
        try output.flush()
    }
}

/// The identity of a file's contents, which any change by another program changes.
struct FileState: Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64
    let size: Int64
    private let seconds: [Int]
    let permissions: mode_t

    /// Nil if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (device, file, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
        permissions = status.st_mode & 0o7777
        #if canImport(Darwin)
            let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
        #else
            let (changed, modified) = (status.st_ctim, status.st_mtim)
        #endif
        seconds = [modified.tv_sec, Int(modified.tv_nsec), changed.tv_sec, Int(changed.tv_nsec)]
    }
}
