import Foundation

/// Finds and reads the files that are linted.
enum LintFiles {
    /// A file to lint, or one that cannot be.
    struct Item: Sendable {
        var path: String
        var kind: SourceKind?
    }

    /// A larger file is not read, in bytes.
    static let largest = 1 << 28
    /// Directories that hold no sources of the project's own.
    private static let foreign: Set<String> = ["DerivedData", "node_modules", "__pycache__"]

    /// The files of a path in the order of their names; nil if there is nothing at the path.
    static func items(at path: String, excluding: [PathPattern]) -> [Item]? {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
        guard isDirectory.boolValue else { return [Item(path: path, kind: SourceKind(path: path))] }
        var items: [Item] = []
        add(path, excluding, &items)
        return items
    }

    private static func add(_ directory: String, _ excluding: [PathPattern], _ items: inout [Item]) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names.sorted() where !isHidden(name) {
            let path = directory == "." ? name : directory.hasSuffix("/") ? directory + name : directory + "/" + name
            guard !excluding.contains(where: { $0.matches(path) }), let type = type(of: path) else { continue }
            switch type {
            case .directory: if !foreign.contains(name) { add(path, excluding, &items) }
            case .file:
                let kind = SourceKind(path: path)
                if kind != nil || mayTellKind(name) { items.append(Item(path: path, kind: kind)) }
            }
        }
    }

    /// Hidden files are none of the project's sources, but for workflows.
    private static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") && name != ".github" }

    /// True for a name that does not tell what the file is.
    private static func mayTellKind(_ name: String) -> Bool { !name.contains(".") || name.hasSuffix(".xml") }

    private enum FileType {
        case file
        case directory
    }

    /// Nil for what is neither; a link to a directory is not followed.
    private static func type(of path: String) -> FileType? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file
        case S_IFLNK: return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? .file : nil
        default: return nil
        }
    }

    /// The bytes of a file, or the reason why they cannot be read. A file without a known kind is empty unless its beginning
    /// tells one.
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

/// Why a file cannot be linted.
package enum LintFileError: Error, Hashable, Sendable {
    /// There is nothing at the path.
    case missing
    /// The words of the operating system.
    case notReadable(String)
    /// The limit in bytes.
    case tooLarge(Int)
    /// Neither name nor content tells what it is.
    case unknownKind
    /// The words of the operating system.
    case notWritable(String)

    package var message: String {
        switch self {
        case .missing: "expected a file or a directory, found nothing"
        case .notReadable(let reason): "cannot be read: \(reason)"
        case .tooLarge(let limit): "expected at most \(limit) bytes"
        case .unknownKind: "expected Swift, Objective-C, a script, a property list or a data model"
        case .notWritable(let reason): "cannot be written: \(reason)"
        }
    }
}
