import Foundation

/// The commits that this process makes to one file, or to one database in memory, and their observers.
///
/// All connections to a file share one object.
final class FileCommits: @unchecked Sendable {
    private let lock = NSLock()
    // `@unchecked`: used under the lock.
    private var observers: [ObjectIdentifier: ChangeObserver] = [:]

    private static let known = KnownFiles()

    /// The shared object for a file; nil stands for a new database in memory.
    static func of(_ file: String?) -> FileCommits {
        file.map(known.commits) ?? FileCommits()
    }

    func add(_ observer: ChangeObserver) {
        lock.withLock { observers[ObjectIdentifier(observer)] = observer }
    }

    func remove(_ observer: ChangeObserver) {
        lock.withLock { observers[ObjectIdentifier(observer)] = nil }
    }

    /// Tells all observers that a transaction has changed tables. Called after the commit, so that a fetch sees the changes.
    func publish(_ tables: Set<String>) {
        let observers = lock.withLock { Array(self.observers.values) }
        for observer in observers { observer.note(tables) }
    }

    /// The files that have connections, by path.
    private final class KnownFiles: @unchecked Sendable {
        private struct Entry {
            weak var commits: FileCommits?
        }

        private let lock = NSLock()
        // `@unchecked`: these are used under the lock.
        private var entries: [String: Entry] = [:]
        /// The number of entries at which files without connections are removed.
        private var capacity = 16

        func commits(_ file: String) -> FileCommits {
            lock.withLock {
                if let commits = entries[file]?.commits { return commits }
                if entries.count >= capacity { removeUnused() }
                let commits = FileCommits()
                entries[file] = Entry(commits: commits)
                return commits
            }
        }

        private func removeUnused() {
            entries = entries.filter { $0.value.commits != nil }
            capacity = max(16, entries.count * 2)
        }
    }
}
