import Foundation
import PredicateSession
import Testing

/// The topics of `predicate help` are pages of the documentation.
///
/// `PREDICATES_REWRITE=1 swift test --filter LanguagePageTests` writes the pages anew.
struct LanguagePageTests {
    private static let catalog = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Swift/Predicates/Predicates.docc")

    @Test(arguments: LanguageHelpTests.names) func thePageIsThatOfTheCommand(topic: String) throws {
        let topic = try #require(LanguageTopic.named(topic))
        let file = Self.catalog.appending(path: "Help-\(topic.name).md")
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try Data(Self.page(topic).utf8).write(to: file)
        } else {
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.page(topic))
        }
        let root = try String(contentsOf: Self.catalog.appending(path: "Predicates.md"), encoding: .utf8)
        #expect(root.contains("- <doc:Help-\(topic.name)>\n"))
    }

    private static func page(_ topic: LanguageTopic) -> String {
        let title = "# Help: \(topic.name)\n\n\(topic.summary).\n"
        let source = "The page of `predicate help \(topic.name)`, and of `:help \(topic.name)` in a session.\n"
        let paragraphs = topic.paragraphs.map { wrapped(escaped($0)) + "\n" }
        var parts = [title, source] + paragraphs
        if let record = topic.record { parts.append("The record of the examples:\n\n```text\n\(record)\n```\n") }
        return (parts + [block(topic)]).joined(separator: "\n")
    }

    private static func block(_ topic: LanguageTopic) -> String {
        let width = topic.lines.map(\.example.count).filter { $0 <= 50 }.max() ?? 0
        let lines = topic.lines.map { example, meaning in
            if example.isEmpty { return "" }
            guard example.count <= width else {
                return example + "\n" + String(repeating: " ", count: width + 2) + meaning
            }
            return example + String(repeating: " ", count: width + 2 - example.count) + meaning
        }
        return "```text\n" + lines.joined(separator: "\n") + "\n```\n"
    }

    /// Returns a text with the characters escaped that are markup, or that would become typographic.
    private static func escaped(_ text: String) -> String {
        text.map { "\\`*_[]<>#|~@\"'".contains($0) ? "\\\($0)" : String($0) }.joined()
            .replacing("--", with: "\\-\\-")
    }

    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 119 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n")
    }
}
