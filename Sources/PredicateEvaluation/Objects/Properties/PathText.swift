/// A string read as a file path: divided by slashes and points, without a look at any file.
///
/// `file.lastPathComponent == "a.txt"`
struct PathText {
    private let text: String
    /// The parts between the slashes, without empty ones.
    private let parts: [String]
    private let isRooted: Bool

    init(_ text: String) {
        self.text = text
        self.parts = text.split(separator: "/").map(String.init)
        self.isRooted = text.utf8.first == UInt8(ascii: "/")
    }

    /// True if the path begins at the root or at a home directory.
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

    /// `a.tar.gz` gives `gz`; a name whose only point is its first character has no extension.
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
