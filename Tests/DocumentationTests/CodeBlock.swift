import Foundation

/// A block of Swift in a page of the documentation.
struct CodeBlock: CustomStringConvertible {
    var page: String
    var number: Int
    var lines: [String]

    var description: String { "\(page), Swift block \(number): \(lines.first { !$0.isEmpty } ?? "")" }

    /// True for a part of a package manifest.
    var isManifest: Bool { lines.contains { $0.contains(".package(") } }

    /// The code in the form of ``code(of:)``.
    var code: String { Self.code(of: lines) }
}

extension CodeBlock {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The blocks of README and of the articles of the documentation catalogs.
    static func all() throws -> [CodeBlock] {
        let articles = try Repository.paths.get().filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
        return try (["README.md"] + articles.sorted()).flatMap { try blocks(of: root.appending(path: $0)) }
    }

    private static func blocks(of page: URL) throws -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: [String]?
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line == "```swift" {
                open = []
            } else if line == "```", let lines = open {
                blocks.append(CodeBlock(page: page.lastPathComponent, number: blocks.count + 1, lines: lines))
                open = nil
            } else {
                open?.append(line)
            }
        }
        return blocks
    }

    /// Code for comparison: without imports, white space and trailing commas, which a formatter may change.
    static func code(of lines: [String]) -> String {
        lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@_exported import ") }.joined().filter {
            !$0.isWhitespace
        }
        .replacing(",]", with: "]").replacing(",)", with: ")")
    }
}
