import Foundation

/// Directories that do not contain the project's own files: dependencies and build products.
package enum ForeignFolders {
    package static let names: Set<String> = ["DerivedData", "node_modules", "Pods", "Carthage"]

    /// True for a path below one of these directories.
    package static func contain(_ path: some StringProtocol) -> Bool {
        path.split(separator: "/").dropLast().contains { names.contains(String($0)) }
    }
}

/// Finds and reads the files to lint.
enum LintFiles {
    /// A file to lint, or one that cannot be linted.
    struct Item: Sendable {
        var path: String
        var kind: SourceKind?
        /// The index of the configuration that applies to its folder.
        var scope = 0
    }

    /// The maximum size of a file in bytes.
    static let largest = 1 << 28
    /// Directories that do not contain the project's own sources.
    private static let foreign = ForeignFolders.names.union(["__pycache__"])

    static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// The folder that contains a file.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    /// The files at a path, sorted by name, without excluded ones; nil if the path does not exist.
    static func items(at path: String, _ scopes: inout LintScopes) -> [Item]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard isDirectory(path) else {
            let scope = scopes.index(descendingTo: folder(of: path))
            if scopes.excludes(path, in: scope) { return [] }
            return [Item(path: path, kind: SourceKind(path: path), scope: scope)]
        }
        var items: [Item] = []
        add(path, scopes.index(descendingTo: path), &scopes, &items)
        return items
    }

    private static func add(_ directory: String, _ outer: Int, _ scopes: inout LintScopes, _ items: inout [Item]) {
        let scope = scopes.index(entering: directory, from: outer)
        for entry in FolderEntries.all(in: directory, skipping: isHidden) ?? [] {
            guard let type = entry.type else { continue }
            let path = FolderEntries.path(entry.name, in: directory)
            guard !scopes.excludes(path, in: scope) else { continue }
            switch type {
            case .directory: if !foreign.contains(entry.name) { add(path, scope, &scopes, &items) }
            case .file:
                let kind = SourceKind(path: path)
                if kind != nil || mayTellKind(entry.name) { items.append(Item(path: path, kind: kind, scope: scope)) }
            }
        }
    }

    /// Hidden files are not sources of the project, except for workflows.
    private static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") && name != ".github" }

    /// True if only the contents of the file can show what it is.
    private static func mayTellKind(_ name: String) -> Bool { !name.contains(".") || name.hasSuffix(".xml") }

    /// The bytes of a file, or the reason why it cannot be read. If neither the name nor the beginning of the file determines
    /// its kind, it has no bytes.
    static func read(_ item: Item) -> Result<(source: [UInt8], kind: SourceKind?), LintFileError> {
        let descriptor = open(item.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.notReadable(String(cString: strerror(errno)))) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= largest else { return .failure(.tooLarge(largest)) }
        var kind = item.kind
        var source: [UInt8] = []
        if kind == nil {
            source = read(descriptor, count: 512)
            kind = SourceKind(content: source)
            if kind == nil { return .success(([], nil)) }
        }
        source += read(descriptor, count: max(Int(status.st_size) - source.count, 0))
        return .success((source, kind))
    }

    private static func read(_ descriptor: Int32, count: Int) -> [UInt8] {
        Array(unsafeUninitializedCapacity: count) { buffer, done in
            while done < count, let base = buffer.baseAddress {
                let length = Foundation.read(descriptor, base + done, count - done)
                if length <= 0 { break }
                done += length
            }
        }
    }
}

/// The reason why a file cannot be linted.
package enum LintFileError: Error, Hashable, Sendable {
    /// The path does not exist.
    case missing
    /// The reason that the operating system gives.
    case notReadable(String)
    /// The limit in bytes.
    case tooLarge(Int)
    /// Neither the name nor the contents determine its kind.
    case unknownKind
    /// The reason that the operating system gives.
    case notWritable(String)
    /// The mistake in a configuration file.
    case configuration(String)

    package var message: String {
        switch self {
        case .missing: "the path does not exist"
        case .notReadable(let reason): "cannot be read: \(reason)"
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .unknownKind: "expected source code, a script, Markdown, a property list or a data model"
        case .notWritable(let reason): "cannot be written: \(reason)"
        case .configuration(let mistake): mistake
        }
    }
}
