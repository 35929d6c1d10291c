import Foundation

/// The files of the package that these tests read.
enum ProjectFile {
    /// The root of the package, as seen from this file.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The files with an extension in a folder, by name.
    static func paths(in folder: String, extension suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix("." + suffix) }.sorted().map { "\(folder)/\($0)" }
    }
}

/// Grammar/Predicate.ebnf, read once.
enum GrammarFile {
    static let grammar = Result { try GrammarReader.read(try ProjectFile.text("Grammar/Predicate.ebnf")) }

    /// A recogniser of formats, made once: its tables are the same for every text.
    static let recogniser = grammar.map(FormatRecogniser.init)
}
