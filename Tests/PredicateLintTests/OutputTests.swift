import Foundation
import PredicateChecks
import PredicateLint
import PredicateTestSupport
import Testing

@Suite("Output of lint")
struct OutputTests {
    private let source = Array("// é\nlet é = NSPredicate(format: \"a NOT IN %@ 50%\", x)\n".utf8)

    private func text(_ format: LintFormat, lists: Bool = false, path: String = "A b/c.swift") -> String {
        let file = LintedFile(
            path: path, source: source, result: Linter().lint(source, kind: .swift), lists: lists)
        var writer = LintWriter(format, version: "1.2.3")
        return writer.head + writer.text(of: file) + writer.text(of: file) + writer.tail
    }

    @Test func compilerForm() {
        let lines = text(.text).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("A b/c.swift:2:33: error: expected an operator, found NOT IN"))
        #expect(lines[0].hasSuffix("[predicate-syntax]"))
        #expect(lines[1] == "    let é = NSPredicate(format: \"a NOT IN %@ 50%\", x)")
        #expect(lines[2] == "                                   ^~~~~~")
        #expect(lines[3].hasPrefix("A b/c.swift:2:33: note: "))
    }

    @Test func jsonLines() throws {
        let line = try #require(text(.json).split(separator: "\n").first)
        let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(
            Set(row.keys) == [
                "path", "line", "column", "endLine", "endColumn", "rule", "check", "level", "message", "format",
                "hints",
            ])
        #expect(row["line"] as? Int == 2 && row["column"] as? Int == 33 && row["endColumn"] as? Int == 39)
        #expect(row["format"] as? String == "a NOT IN %@ 50%")
        let listed = try #require(text(.json, lists: true).split(separator: "\n").first)
        #expect(listed.contains("\"column\":30") && listed.contains("\"rule\":\"predicate-syntax\""))
        let right = Array("NSPredicate(format: \"a == 1\")".utf8)
        let file = LintedFile(path: "a", source: right, result: Linter().lint(right, kind: .swift), lists: true)
        var writer = LintWriter(.json, version: "1")
        let text = writer.text(of: file)
        #expect(text.contains("\"format\":\"a == 1\",\"hints\":[],\"level\":null,\"line\":1,\"message\":null,"))
        #expect(text.hasSuffix("\"path\":\"a\",\"rule\":null}\n"))
    }

    /// A long format stands in the first of its rows only.
    @Test func longFormats() throws {
        let text = "a == 1 AND b IN {1} AND " + String(repeating: "x == 12345 AND ", count: 100) + "c == 1 OR c == 1"
        let source = Array("NSPredicate(format: \"\(text) AND d LIKE 'a' AND e LIKE 'b'\", 1, 2)".utf8)
        let settings = try LintConfiguration("level predicate-check warning").settings
        let result = Linter(settings).lint(source, kind: .swift)
        let file = LintedFile(path: "a", source: source, result: result, lists: false)
        var writer = LintWriter(.json, version: "1")
        let formats = try writer.text(of: file).split(separator: "\n").map { line in
            let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return try #require(row["format"] as? String)
        }
        #expect(formats.count > 2)
        #expect(formats[0].hasPrefix(text))
        #expect(formats.dropFirst().allSatisfy { $0 == text.prefix(1000) + "…" })
    }

    @Test func sarif() throws {
        let log = try #require(JSONSerialization.jsonObject(with: Data(text(.sarif).utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
        let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let checks = PredicateFinding.Code.allCases.map(\.rawValue)
        #expect(rules.map { $0["id"] as? String } == LintRule.allCases.map(\.rawValue) + checks)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 2)
        #expect(results[0]["ruleId"] as? String == "predicate-syntax")
        let location = try #require(
            (results[0]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
        #expect((location["artifactLocation"] as? [String: String])?["uri"] == "A%20b/c.swift")
        #expect(
            (location["region"] as? [String: Int]) == [
                "startLine": 2, "startColumn": 32, "endLine": 2, "endColumn": 38,
            ])
        #expect(results.allSatisfy { $0["partialFingerprints"] != nil })
    }

    /// Each check is a rule with its own description.
    @Test func sarifOfChecks() throws {
        let source = Array("let p = NSPredicate(format: \"age > 5 AND age < 3\")".utf8)
        let file = LintedFile(
            path: "a.swift", source: source, result: Linter().lint(source, kind: .swift), lists: false)
        var writer = LintWriter(.sarif, version: "1")
        let log = writer.head + writer.text(of: file) + writer.tail
        let members = try #require(JSONSerialization.jsonObject(with: Data(log.utf8)) as? [String: Any])
        let run = try #require((members["runs"] as? [[String: Any]])?.first)
        let result = try #require((run["results"] as? [[String: Any]])?.first)
        let rules = try #require(((run["tool"] as? [String: [String: Any]])?["driver"])?["rules"] as? [[String: Any]])
        #expect(result["ruleId"] as? String == "never-holds")
        let index = try #require(result["ruleIndex"] as? Int)
        let rule = rules[index]
        #expect(rule["id"] as? String == "never-holds")
        let page = try #require((rule["help"] as? [String: String])?["text"])
        #expect(page.hasPrefix("A clause that no value fulfils. ") && page.contains("wrong: `age > 5 AND age < 3`"))
        #expect((rule["helpUri"] as? String)?.hasSuffix("checks#never-holds") == true)
    }

    /// Paths are relative to the root, however the files are named; a file outside has an absolute URI.
    @Test(
        "Paths of SARIF",
        arguments: [
            ("/a b/App/x.swift", "App/x.swift", true), ("/a b/./c/../App/x.swift", "App/x.swift", true),
            ("/other/x.swift", "file:///other/x.swift", false), ("/a b2/x.swift", "file:///a%20b2/x.swift", false),
        ])
    func sarifPaths(_ path: String, _ uri: String, _ isRelative: Bool) throws {
        let file = LintedFile(path: path, source: source, result: Linter().lint(source, kind: .swift), lists: false)
        var writer = LintWriter(.sarif, version: "1", root: SourceRoot("/a b"))
        let text = writer.text(of: file)
        #expect(text.contains("\"uri\":\"\(uri)\"") || text.contains("\"uri\":\"\(uri.replacing("/", with: "\\/"))\""))
        #expect(text.contains("SRCROOT") == isRelative)
    }

    /// A run without findings has an empty list, so that alerts close.
    @Test func emptySARIF() throws {
        let writer = LintWriter(.sarif, version: "1")
        let log = try #require(
            JSONSerialization.jsonObject(with: Data((writer.head + writer.tail).utf8)) as? [String: Any])
        #expect(((log["runs"] as? [[String: Any]])?.first?["results"] as? [Any])?.isEmpty == true)
    }

    @Test func workflowCommands() {
        let line = text(.github, path: "a,b:c.swift").split(separator: "\n").first ?? ""
        #expect(
            line.hasPrefix(
                "::error file=a%2Cb%3Ac.swift,line=2,endLine=2,col=33,endColumn=39,title=predicate-syntax::expected"))
    }

    @Test func checkstyle() throws {
        let document = text(.checkstyle, path: "a&b.swift")
        #expect(document.contains("<file name=\"a&amp;b.swift\">"))
        #expect(document.contains("<error line=\"2\" column=\"33\" severity=\"error\" message=\""))
        #expect(document.hasSuffix("</checkstyle>\n"))
    }
}

@Suite("Configuration of lint")
struct LintConfigurationTests {
    @Test func configurationFile() throws {
        let configuration = try LintConfiguration(
            "# ours\nexclude Old/\n\n exclude **/*Old?.m \ncall find(where:)\nlevel check off\nmodel M.xcdatamodeld\nbaseline old.txt\n"
        )
        #expect(configuration.excludes.count == 2)
        #expect(configuration.settings.calls == [CallName("find(where:)")])
        #expect(configuration.settings.levels[.rule(.check)] == .some(nil))
        #expect(configuration.models == ["M.xcdatamodeld"])
        #expect(configuration.baseline == "old.txt")
    }

    @Test(
        "Lines that are not understood",
        arguments: ["exlude Pods", "exclude", "call 3(", "level foo off", "level check loud", "level check"])
    func wrongLines(_ line: String) {
        let error = LintConfigurationError.thrown { try LintConfiguration("\n" + line) }
        #expect(error?.line == 2)
        #expect(error?.problem.message.hasPrefix("expected ") == true)
    }

    @Test(
        "Misspelled words",
        arguments: [
            ("exlude Pods", "did you mean exclude?"), ("level predicate-chek off", "did you mean predicate-check?"),
            ("level never-hold off", "did you mean never-holds?"), ("level foo off", "found 'foo'"),
        ])
    func misspelled(_ line: String, _ end: String) {
        let error = LintConfigurationError.thrown { try LintConfiguration(line) }
        #expect(error?.problem.message.hasSuffix(end) == true)
    }

    @Test func levelsOfChecks() throws {
        let configuration = try LintConfiguration("level never-holds off\nlevel both-constant error\n")
        #expect(configuration.settings.levels == [.check(.neverHolds): nil, .check(.bothConstant): .error])
    }

    @Test(
        "Patterns",
        arguments: [
            ("Pods/", "Pods/a/b.swift", true), ("Pods", "a/Pods/b.swift", true), ("Pods", "a/MyPods/b.swift", false),
            ("*.m", "a/b.m", true), ("a/*.m", "a/b/c.m", false), ("a/**/*.m", "a/b/c/d.m", true),
            ("a/**/c.m", "a/c.m", true),
            ("a/b", "a/b/c.m", true), ("./a", "a/b", true), ("a?.m", "ab.m", true), ("**", "a/b", true),
            ("b/*.m", "a/b/c.m", false),
        ])
    func patterns(_ pattern: String, _ path: String, _ matches: Bool) {
        #expect(PathPattern(pattern).matches(path) == matches)
    }

    @Test func baseline() throws {
        let source = Array("NSPredicate(format: \"a >\")\n".utf8)
        let rows = { (source: [UInt8]) in
            LintedFile(path: "a.swift", source: source, result: Linter().lint(source, kind: .swift), lists: false).rows
        }
        var old = try LintBaseline(LintBaseline.text(of: rows(source), file: "known"), file: "known")
        #expect(old.removeOld(from: rows([0x0A] + source + source)).count == 1)
        // Paths are relative to the folder of the file, wherever the program runs.
        var absolute = rows(source)[0]
        absolute.path = "/App/a.swift"
        for (file, path) in [("/App/known", "a.swift"), ("/App/ci/known", "../a.swift")] {
            let text = LintBaseline.text(of: [absolute], file: file)
            #expect(text.contains("predicate-syntax\t\(path)\t"))
            var again = try LintBaseline(text, file: file)
            #expect(again.removeOld(from: [absolute]).isEmpty)
        }
    }

    /// A file that is no baseline is not taken for one.
    @Test(arguments: ["predicate-syntax\ta.swift\t", "{\"a\": 1}", "# comment\n\npredicate-syntax a.swift 1f"])
    func otherFiles(_ text: String) {
        #expect(throws: LintFileError.self) { try LintBaseline(text, file: "known") }
    }
}
