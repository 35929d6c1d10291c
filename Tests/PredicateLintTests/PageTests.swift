import Foundation
import PredicateLint
import Testing

/// The page of the documentation about rules and checks is that of `predicate help NAME` and of SARIF.
///
/// `PREDICATES_REWRITE=1 swift test --filter RulePageTests` writes it anew.
@Suite("The page of rules and checks")
struct RulePageTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Swift/Predicates/Predicates.docc/Checks.md")

    @Test func thePageIsThatOfTheTable() throws {
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try Data(Self.page.utf8).write(to: Self.file)
        } else {
            #expect(try String(contentsOf: Self.file, encoding: .utf8) == Self.page)
        }
    }

    private static let page =
        "# Rules and checks\n\nWhat `predicate lint` and `predicate check` report, and why.\n\n"
        + "The same pages are shown by `predicate help NAME`, and SARIF refers to them.\n"
        + LintName.every.map { "\n## \($0.identifier)\n\n\($0.page.markdown)\n" }.joined()

    @Test(arguments: LintName.every) func reportsReferToIt(_ name: LintName) {
        let writer = LintWriter(.sarif, version: "1.0.0")
        #expect((writer.head + writer.tail).contains("checks#\(name.identifier)\""))
    }
}

/// The way of a value in SARIF.
@Suite("Code flows")
struct CodeFlowTests {
    private func flow(_ source: String) -> [String] {
        let bytes = Array(source.utf8)
        let result = Linter().lint(bytes, kind: .swift)
        return result.findings.first?.way.map { String(decoding: bytes[$0], as: UTF8.self) } ?? []
    }

    @Test func fromOriginToFormat() {
        let source =
            "let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]\n"
            + "let filter = json?[\"filter\"] as? String ?? \"\"\nlet p = NSPredicate(format: filter)"
        #expect(flow(source) == ["JSONSerialization.jsonObject(with: data)", "json", "filter"])
        let file = LintedFile(
            path: "a.swift", source: Array(source.utf8), result: Linter().lint(Array(source.utf8), kind: .swift),
            lists: false)
        var writer = LintWriter(.sarif, version: "1.0.0")
        let text = writer.text(of: file)
        #expect(text.contains("\"codeFlows\":[{\"threadFlows\":[{\"locations\":[{\"location\""))
    }

    @Test func parametersHaveNoWay() {
        #expect(flow("func f(query: String) { _ = NSPredicate(format: query) }") == [])
    }
}
