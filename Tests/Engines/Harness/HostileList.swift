import Foundation
import PredicateSyntax

/// The predicates of `Tests/Engines/Hostile.txt`, which are written to take as long as possible.
package struct HostileList {
    /// One predicate.
    package struct Entry: Hashable, Sendable {
        /// The comment above it: what it attacks.
        package let attack: String
        /// The line of the file, with its repetitions as they are written.
        package let written: String
        /// The format.
        package let format: String
    }

    package let entries: [Entry]

    /// Reads the file next to the harness.
    package static func read() throws -> HostileList {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return HostileList(try String(contentsOf: folder.appendingPathComponent("Hostile.txt"), encoding: .utf8))
    }

    package init(_ text: String) {
        var entries: [Entry] = []
        var attack = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                attack = String(line.dropFirst(2))
            } else {
                entries.append(Entry(attack: attack, written: String(line), format: HostileText.expanded(line)))
            }
        }
        self.entries = entries
    }
}

/// The notation of repetitions in the file.
///
/// `⟪3 × a#⟫` is `a1a2a3`, `⟪3 × a# ‖ OR⟫` is `a1 OR a2 OR a3`, `⟪2 nested NOT … ‖ b⟫` is `NOT NOT b`.
enum HostileText {
    static func expanded(_ text: some StringProtocol) -> String {
        guard let open = text.firstIndex(of: "⟪"), let close = end(of: text, from: open) else { return String(text) }
        let inner = expanded(text[text.index(after: open)..<close])
        return text[..<open] + repeated(inner) + expanded(text[text.index(after: close)...])
    }

    /// The bracket that closes the one at an index.
    private static func end<Text: StringProtocol>(of text: Text, from open: Text.Index) -> Text.Index? {
        var depth = 0
        for index in text[open...].indices {
            if text[index] == "⟪" { depth += 1 }
            if text[index] == "⟫" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static func repeated(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, let count = Int(words[0]) else { return text }
        let parts = words[2].components(separatedBy: " ‖ ")
        if words[1] == "nested" {
            return (1...count).reduce(parts.last ?? "") { inner, number in
                numbered(parts[0], number).replacingOccurrences(of: "…", with: inner)
            }
        }
        return (1...count).map { numbered(parts[0], $0) }.joined(separator: parts.count > 1 ? joiner(parts[1]) : "")
    }

    private static func numbered(_ text: String, _ number: Int) -> String {
        text.replacingOccurrences(of: "#", with: String(number))
    }

    private static func joiner(_ word: String) -> String { word == "." ? word : " \(word) " }
}
