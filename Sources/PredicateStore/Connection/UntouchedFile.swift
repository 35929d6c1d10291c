import Foundation

/// The way to read a file such that neither it nor any file beside it is written.
///
/// SQLite creates a `-shm` file for the locks of a write-ahead log even where it only reads, unless it is told how not to.
package struct UntouchedFile: Hashable, Sendable {
    /// `file:///tmp/Photos.sqlite?mode=ro&immutable=1`
    package let uri: String
    /// True if the index of the log is built in memory, which takes exclusive locking mode.
    package let isExclusive: Bool

    package init(_ path: String) {
        let log = Self.size(path + "-wal")
        let parameters: String
        switch (log, Self.size(path + "-shm")) {
        // Others may use the file: their locks are respected, and theirs alone are in the shared file.
        case (.some, .some): (parameters, isExclusive) = ("mode=ro&readonly_shm=1", false)
        // No lock file, so that nobody uses the log: its index is built in memory, without locks.
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

    /// True if the header says that changes of the file go to a log.
    private static func hasLogMode(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: 20), head.count == 20 else { return false }
        return head[18] == 2 || head[19] == 2
    }

    /// A path as a URI has it: what means something else there is a percent sign and two digits.
    private static func escaped(_ path: String) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "/-_.~ ")
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }
}
