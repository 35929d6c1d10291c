import Foundation

/// The folder of the data of these tests.
enum DataFiles {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static let exceptions = folder.appendingPathComponent("Exceptions.txt").path
    static let statements = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Grammar/Statements.md").path

    /// Facts that the language meets.
    static let facts = ["cases.jsonl", "corpus.jsonl"].map(fact)
    /// Facts of other implementations that are known or thought to differ from Apple's.
    static let differences = fact("differs-from-apple.jsonl")

    /// Every `.cases` file below Cases.
    static let cases: [String] = {
        let root = folder.appendingPathComponent("Cases").path
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".cases") }.sorted().map { "\(root)/\($0)" }
    }()

    private static func fact(_ name: String) -> String {
        folder.appendingPathComponent("Facts").appendingPathComponent(name).path
    }
}
