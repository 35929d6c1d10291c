import Foundation

/// A Markdown page of the repository.
struct Document: CustomStringConvertible {
    /// `Grammar/README.md`
    let path: String
    let lines: [String]
    /// True for each line of a fenced block, the fences included.
    let isFenced: [Bool]

    var description: String { path }
    var text: String { lines.joined(separator: "\n") }
    /// The folder of the page, `Grammar/`.
    var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    init(_ path: String) throws {
        self.path = path
        lines = try String(contentsOf: CodeBlock.root.appending(path: path), encoding: .utf8)
            .components(separatedBy: "\n")
        var (isOpen, isFenced) = (false, [Bool]())
        for line in lines {
            let isFence = line.hasPrefix("```")
            isFenced.append(isOpen || isFence)
            if isFence { isOpen.toggle() }
        }
        self.isFenced = isFenced
    }

    /// All pages of the repository.
    static let all = Result { try Repository.paths.get().filter { $0.hasSuffix(".md") }.sorted().map(Self.init) }

    static func named(_ path: String) throws -> Document {
        try all.get().first { $0.path == path } ?? Self(path)
    }

    /// The lines outside of fenced blocks, joined.
    var prose: String { zip(lines, isFenced).filter { !$1 }.map(\.0).joined(separator: "\n") }
    /// The lines inside of fenced blocks.
    var fencedLines: [String] { zip(lines, isFenced).filter { $1 && !$0.hasPrefix("```") }.map(\.0) }
    /// The code spans outside of fenced blocks: `make test` of "`make test` runs".
    var spans: [String] { Self.spans(of: prose) }

    static func spans(of text: String) -> [String] {
        text.matches(of: /``?([^`]+)``?/).map { String($0.1).replacing("\n", with: " ") }
    }

    /// The numbered items below a heading.
    func items(below heading: String) -> [String] {
        section(heading).filter { $0.contains(/^\d+\.\s/) }
    }

    /// The cells of the rows of the first table below a heading, the header excluded.
    func rows(below heading: String) -> [[String]] {
        let lines = section(heading).drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return lines.dropFirst(2).map { line in
            line.replacing(#"\|"#, with: "¦").split(separator: "|", omittingEmptySubsequences: false).dropFirst()
                .dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func section(_ heading: String) -> ArraySlice<String> {
        lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("# ") && !$0.hasPrefix("## ") }
    }
}

/// The files of the repository.
enum Repository {
    /// The paths of all files that belong to the repository, as far as the documents mention them.
    static let paths = Result {
        var paths: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: CodeBlock.root.path()).sorted()
        where !name.hasPrefix(".") || [".ci", ".pre-commit-hooks.yaml", ".swift-format"].contains(name) {
            let url = CodeBlock.root.appending(path: name)
            let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            paths.append(name)
            guard isFolder else { continue }
            paths += try FileManager.default.subpathsOfDirectory(atPath: url.path()).map { "\(name)/\($0)" }
        }
        return paths
    }

    /// The paths, and all their ends: `Sources/A/B.swift`, `A/B.swift`, `B.swift`.
    static let ends = Result {
        var ends: Set<Substring> = []
        for path in try paths.get() {
            var rest = path[...]
            ends.insert(rest)
            while let slash = rest.firstIndex(of: "/") {
                rest = rest[rest.index(after: slash)...]
                ends.insert(rest)
            }
        }
        return ends
    }

    /// The words of all Swift files.
    static let words = Result {
        var words: Set<String> = []
        for path in try paths.get() where path.hasSuffix(".swift") {
            let bytes = try Data(contentsOf: CodeBlock.root.appending(path: path))
            for word in bytes.split(whereSeparator: { !isWord($0) }) {
                words.insert(String(decoding: word, as: UTF8.self))
            }
        }
        return words
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: CodeBlock.root.appending(path: path), encoding: .utf8)
    }
}
