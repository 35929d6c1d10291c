import Foundation
import PredicateStore

/// The file of an open XML store, whose objects are in a database in memory. It is read once, and replaced as a whole
/// when a change is committed.
final class XMLStoreFile: @unchecked Sendable {
    let path: String
    /// The database with the objects.
    let database: SharedMemoryDatabase
    private let lock = NSLock()
    private var state: FileState
    /// The state of a file that was written by a transaction that has not ended yet.
    private var pending: FileState?
    /// The count of changed rows when the file was written last.
    private var savedCount: Int64 = 0

    init(_ path: String, _ database: SharedMemoryDatabase, _ state: FileState) {
        (self.path, self.database, self.state) = (path, database, state)
    }

    /// Notes that the database and the file now have the same contents.
    func isLoaded(_ count: Int64) { lock.withLock { savedCount = count } }

    /// Replaces the file. Throws `changedFile` if another program has changed it since it was read; nothing is written
    /// then.
    func save(_ count: Int64, _ write: (XMLStoreOutput) throws(CoreDataError) -> Void) throws(CoreDataError) {
        guard lock.withLock({ count != savedCount }) else { return }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let output = try XMLStoreOutput(replacing: target)
        do throws(CoreDataError) {
            try write(output)
            let known = lock.withLock { state }
            let new = try output.replace(knownAs: known, named: path)
            lock.withLock { (pending, savedCount) = (new, count) }
        } catch {
            output.remove()
            throw error
        }
    }

    /// Called when the transaction has ended, with the count of changed rows, including those that were rolled back. If
    /// the transaction failed although the file was written, the file counts as changed by another program.
    func end(_ count: Int64, isCommitted: Bool) {
        lock.withLock {
            if isCommitted, let pending { state = pending }
            (pending, savedCount) = (nil, count)
        }
    }
}

/// The identity of a file's contents, which any change by another program changes.
struct FileState: Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
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

/// A new XML file, which has a temporary name next to its own until it is complete.
final class XMLStoreOutput {
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true

    private static let bufferSize = 1 << 18

    /// `replacing` is the file whose permissions the new one gets; it need not exist.
    init(replacing path: String) throws(CoreDataError) {
        self.path = path
        temporary = MigrationFile.temporaryName(of: path)
        let known = FileState(path)
        if known != nil, access(path, W_OK) != 0 { throw Self.failure(path) }
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, known?.permissions ?? 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
        if let known { fchmod(descriptor, known.permissions) }
    }

    private static func failure(_ path: String) -> CoreDataError {
        CoreDataError(.file(path, reason: String(cString: strerror(errno))))
    }

    func write(_ text: String) throws(CoreDataError) {
        buffer += text.utf8
        if buffer.count >= Self.bufferSize { try flush() }
    }

    private func flush() throws(CoreDataError) {
        var start = 0
        while start < buffer.count {
            let count = buffer[start...].withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    Musl.write(descriptor, bytes.baseAddress, bytes.count)
                #else
                    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func complete() throws(CoreDataError) {
        try flush()
        guard fsync(descriptor) == 0 else { throw Self.failure(path) }
    }

    /// Renames the file to one that must not exist.
    func create() throws(CoreDataError) {
        try complete()
        if link(temporary, path) == 0 { return remove() }
        if errno == EEXIST { throw CoreDataError(.fileExists(path)) }
        // The file system has no hard links.
        guard FileState(path) == nil, rename(temporary, path) == 0 else { throw Self.failure(path) }
        closeFile()
    }

    /// Replaces a file whose state is known, and returns the state of the new file. A lock keeps other processes of this
    /// library from doing the same meanwhile.
    func replace(knownAs known: FileState, named name: String) throws(CoreDataError) -> FileState {
        try complete()
        let old = open(path, O_RDONLY | O_CLOEXEC)
        defer { if old >= 0 { close(old) } }
        guard old >= 0, flock(old, LOCK_EX | LOCK_NB) == 0, FileState(old) == known, FileState(path) == known else {
            throw CoreDataError(.changedFile(name))
        }
        guard rename(temporary, path) == 0, let new = FileState(descriptor) else { throw Self.failure(path) }
        syncFolder()
        closeFile()
        return new
    }

    private func syncFolder() {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func closeFile() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// Removes the temporary file.
    func remove() {
        closeFile()
        unlink(temporary)
    }

    deinit { closeFile() }
}
