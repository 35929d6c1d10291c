/// A string taken as a file path, by its slashes and points alone.
///
/// `file.lastPathComponent == "a.txt"`
struct PathText {
    private let text: String
    /// What stands between the slashes, without empty parts.
    private let parts: [String]
    private let isRooted: Bool

    init(_ text: String) {
        self.text = text
        self.parts = text.split(separator: "/").map(String.init)
        self.isRooted = text.utf8.first == UInt8(ascii: "/")
    }

    /// Begins at the root or at a home directory.
    var isAbsolute: Bool {
        isRooted || text.utf8.first == UInt8(ascii: "~")
    }

    /// `/tmp/a.txt` gives `/`, `tmp`, `a.txt`
    var components: [String] {
        let trailing = parts.isEmpty || text.utf8.last != UInt8(ascii: "/") ? [] : ["/"]
        return (isRooted ? ["/"] : []) + parts + trailing
    }

    /// `/tmp/a.txt` gives `a.txt`, `/` itself
    var lastComponent: String {
        parts.last ?? (isRooted ? "/" : "")
    }

    /// `/tmp/a.txt` gives `/tmp`, `a.txt` nothing
    var deletingLastComponent: String {
        joined(Array(parts.dropLast()))
    }

    /// `a.tar.gz` gives `gz`; a name that begins with its only point has none.
    var pathExtension: String {
        guard let point = extensionPoint else { return "" }
        return String(lastComponent[lastComponent.index(after: point)...])
    }

    /// `/tmp/a.txt` gives `/tmp/a`
    var deletingPathExtension: String {
        guard let point = extensionPoint else { return joined(parts) }
        return joined(Array(parts.dropLast()) + [String(lastComponent[..<point])])
    }

    private var extensionPoint: String.Index? {
        guard let point = lastComponent.lastIndex(of: "."), point != lastComponent.startIndex,
            lastComponent.index(after: point) != lastComponent.endIndex
        else { return nil }
        return point
    }

    private func joined(_ parts: [String]) -> String {
        (isRooted ? "/" : "") + parts.joined(separator: "/")
    }
}
