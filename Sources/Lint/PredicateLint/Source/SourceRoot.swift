import Foundation

/// A directory to which paths in reports or in a baseline are relative.
package struct SourceRoot: Hashable, Sendable {
    /// The parts of the absolute path of the directory.
    private let root: [Substring]
    private let current: String

    /// `directory` may be relative to the current directory, which is the default.
    package init(_ directory: String = ".") {
        current = FileManager.default.currentDirectoryPath
        root = Self.parts(directory, in: current)
    }

    /// True for a path below the directory, and for standard input.
    func contains(_ path: String) -> Bool { !relative(path).hasPrefix("/") }

    /// The path relative to the directory if it is below it; any other path is made absolute.
    func relative(_ path: String) -> String {
        if path == "-" { return path }
        let parts = Self.parts(path, in: current)
        guard parts.starts(with: root), parts.count > root.count else { return "/" + parts.joined(separator: "/") }
        return parts[root.count...].joined(separator: "/")
    }

    /// The path relative to the directory, even for a file outside it: `../Sources/App.swift`
    func path(to path: String) -> String {
        if path == "-" { return path }
        let parts = Self.parts(path, in: current)
        let common = zip(parts, root).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: root.count - common) + parts[common...]).joined(separator: "/")
    }

    /// An absolute path without `.` and `..`.
    static func absolute(_ path: String) -> String {
        "/" + parts(path, in: FileManager.default.currentDirectoryPath).joined(separator: "/")
    }

    /// The parts of an absolute path without `.` and `..`.
    private static func parts(_ path: String, in current: String) -> [Substring] {
        let absolute = path.hasPrefix("/") ? path : current + "/" + path
        var parts: [Substring] = []
        for part in absolute.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts
    }
}
