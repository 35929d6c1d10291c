import Foundation
import PredicateData

/// The lines of earlier sessions, in a file. Each line is appended immediately, so nothing is lost in a crash, and
/// concurrent sessions share the file.
///
/// `~/.local/state/predicate/history`
final class HistoryFile {
    static let limit = 1000

    private let path: String
    /// The lines, the oldest first.
    private(set) var entries: [String]
    /// True in the first session, without a file.
    let isNew: Bool

    /// Nil if the environment has no folder for it.
    init?(_ environment: [String: String]) {
        guard let folder = Self.folder(environment) else { return nil }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder + "/history"
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        isNew = text == nil
        let lines = (text ?? "").split(separator: "\n").map(String.init)
        entries = Array(lines.suffix(Self.limit))
        if lines.count > 2 * Self.limit { rewrite() }
        if isNew { append("") }
    }

    private static func folder(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/predicate" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/predicate" : nil }
    }

    /// Adds a line, unless it repeats the last one. Returns false if nothing was added.
    func add(_ line: String) -> Bool {
        guard !line.isEmpty, entries.last != line else { return false }
        entries.append(line)
        append(line + "\n")
        return true
    }

    /// Appends text with a single write, so that lines of two sessions do not mix.
    private func append(_ text: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        Array(text.utf8).withUnsafeBytes { bytes in
            // A session works without a history.
            try? DescriptorSink.write(bytes, to: descriptor)
        }
    }

    private func rewrite() {
        let text = entries.map { $0 + "\n" }.joined()
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
