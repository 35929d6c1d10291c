import Foundation
import PredicateEngines
import Testing

/// The table of what each dialect refuses, in `Grammar/Engines.md`, is what the compiler refuses.
@Suite struct RefusalTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Grammar/Engines.md")
    private static let (start, end) = ("<!-- refused: begin -->\n", "<!-- refused: end -->")

    /// Random predicates are refused for no other reason than those of the table.
    @Test func theTableIsComplete() {
        #expect(RefusalTable().missing.isEmpty)
    }

    /// `PREDICATES_REWRITE=1 swift test --filter RefusalTests` writes it anew.
    @Test func theTableIsTrue() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let parts = text.components(separatedBy: Self.start)
        let rest = try #require(parts.last).components(separatedBy: Self.end)
        try #require(parts.count == 2 && rest.count == 2)
        let table = RefusalTable().markdown
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try (parts[0] + Self.start + table + Self.end + rest[1]).write(
                to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(rest[0] == table)
        }
    }
}
