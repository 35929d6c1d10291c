import Foundation
import PredicateStore

/// The file of an open XML store, whose objects are in a database in memory. It is read once, and replaced as a whole
/// when a change is committed.
final class XMLStoreFile: @unchecked Sendable {
    let path: String
    /// The database with the objects.
    let database: SharedMemoryDatabase
    /// Notes for the user: `2 links of List.toDos are at one end only, and are read at both`
    let notes: Locked<[String]> = Locked([])
    private let lock = NSLock()
    private var state: FileState
    /// The state of a file that was written by a transaction that has not ended yet.
    private var pending: FileState?
    /// The count of changed rows when the file was written last.
    private var savedCount: Int64 = 0

    init(_ path: String, _ database: SharedMemoryDatabase, _ state: FileState) {
        (self.path, self.database, self.state) = (path, database, state)
    }

    /// Records that the database and the file now have the same contents.
    func isLoaded(_ count: Int64) { lock.withLock { savedCount = count } }

    /// Replaces the file. Throws `changedFile` if another program has changed it since it was read; nothing is written
    /// then.
    func save(_ count: Int64, _ write: (ByteOutput) throws(CoreDataError) -> Void) throws(CoreDataError) {
        guard lock.withLock({ count != savedCount }) else { return }
        let known = lock.withLock { state }
        let new = NewFile(replacing: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard access(new.path, W_OK) == 0 || errno == ENOENT else { throw NewFile.failure(path) }
        do throws(CoreDataError) {
            let file = try OutputFile(new.temporary, named: path, permissions: known.permissions)
            try file.write(write)
            try replace(new, known)
            lock.withLock { (pending, savedCount) = (file.state, count) }
        } catch {
            new.remove()
            throw error
        }
    }

    /// Replaces a file whose state is known. A lock keeps other processes of this library from doing the same meanwhile.
    private func replace(_ new: NewFile, _ known: FileState) throws(CoreDataError) {
        let old = open(new.path, O_RDONLY | O_CLOEXEC)
        defer { if old >= 0 { close(old) } }
        guard old >= 0, flock(old, LOCK_EX | LOCK_NB) == 0, FileState(old) == known, FileState(new.path) == known else {
            throw CoreDataError(.changedFile(path))
        }
        guard NewFile.sync(new.temporary), rename(new.temporary, new.path) == 0 else { throw NewFile.failure(path) }
        NewFile.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
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
