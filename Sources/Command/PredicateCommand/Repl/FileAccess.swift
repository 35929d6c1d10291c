import Foundation
import PredicateData
import PredicateSession

/// The file access of a session.
enum FileAccess {
    /// Returns the environment of a session in this process; `-` is standard input.
    static func environment(
        _ console: Console, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> SessionEnvironment {
        var environment = SessionEnvironment()
        environment.isCancelled = isCancelled
        // What was read from a pipe to find out what it holds cannot be read again.
        var standardInput: (any ByteSource)?
        environment.open = { (path) throws(DataError) in
            if path == "-" {
                let input: any ByteSource
                if let standardInput {
                    input = standardInput
                } else {
                    input = try PropertyListFile.list(in: console.input)
                }
                standardInput = input
                return OpenedFile(source: input)
            }
            let name = expanded(path)
            return OpenedFile(source: try PropertyListFile.list(in: FileSource(path: name)), size: size(of: name))
        }
        environment.version = { path in path == "-" ? nil : version(of: expanded(path)) }
        environment.create = { (path) throws(DataError) in try create(expanded(path)) }
        guard console.terminal.isErrorTerminal else { return environment }
        let line = ProgressLine(columns: { console.terminal.columns }, write: console.reportPiece)
        environment.progress = line.show
        environment.finishProgress = line.finish
        return environment
    }

    /// Expands `~/people.json`.
    static func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    /// Returns the size of a regular file; nil for pipes, directories and missing files.
    static func size(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    private static func version(of path: String) -> FileVersion? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let changed = status.st_mtimespec
        #else
            let changed = status.st_mtim
        #endif
        return FileVersion([
            Int(status.st_size), Int(changed.tv_sec), Int(changed.tv_nsec), Int(truncatingIfNeeded: status.st_ino),
        ])
    }

    /// Creates a file; an existing file is an error.
    private static func create(_ path: String) throws(DataError) -> CreatedFile {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw DataError(.openFailed(path: path, errno: errno)) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return CreatedFile { (bytes) throws(DataError) in
            try DescriptorSink.write(bytes, to: handle.fileDescriptor)
        } remove: {
            unlink(path)
        }
    }

    /// Returns the files whose paths have a prefix. Folders end with a slash.
    static func names(startingWith text: String) -> [String] {
        let slash = text.lastIndex(of: "/")
        let folder = slash.map { String(text[...$0]) } ?? ""
        let start = slash.map { text[text.index(after: $0)...] } ?? text[...]
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : expanded(folder))) ?? []
        return names.sorted().filter { $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix(".")) }
            .map { name in folder + name + (isFolder(expanded(folder + name)) ? "/" : "") }
    }
}

/// Shows the progress of a long task on one line of standard error, which is overwritten and finally erased.
///
///     loading log.jsonl: 42 % (420,000 objects)
final class ProgressLine {
    private let write: (String) -> Void
    private let columns: () -> Int
    private var lastTime: ContinuousClock.Instant?
    private let start = ContinuousClock.now
    private var isShown = false

    init(columns: @escaping () -> Int, write: @escaping (String) -> Void) {
        self.columns = columns
        self.write = write
    }

    /// Shows the progress at most ten times a second. Short tasks show none.
    func show(_ progress: TaskProgress) {
        let now = ContinuousClock.now
        guard let last = lastTime else {
            lastTime = now
            return
        }
        guard now - last > .milliseconds(isShown ? 100 : 300) else { return }
        lastTime = now
        isShown = true
        write("\r" + text(progress).cut(toColumns: max(10, columns() - 1)) + "\u{1B}[K")
    }

    func finish() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
        lastTime = nil
    }

    private func text(_ progress: TaskProgress) -> String {
        let objects = Count.of(progress.objects, progress.noun)
        guard let total = progress.total, total > 0 else { return "\(progress.task): \(objects)" }
        return "\(progress.task): \(min(100, progress.done * 100 / total)) % (\(objects))"
    }
}
