import Foundation
import PredicateChecks
import PredicateLint
import PredicateModel
import PredicateSyntax
import Testing

@testable import PredicateLanguageServer

/// One list of mistakes about one model, put to each tool: all find the same, and nothing twice.
struct SameFindingsTests {
    /// A finding as every tool shows it.
    struct Shown: Hashable, Comparable, CustomStringConvertible {
        var code: String
        var message: String
        var hint: String?

        init(_ finding: PredicateFinding) {
            (code, message, hint) = (finding.code.rawValue, finding.message, finding.hint)
        }

        init(_ finding: LintFinding) {
            (code, message, hint) = (finding.code?.rawValue ?? finding.rule.rawValue, finding.text, finding.hints.first)
        }

        /// A diagnostic of the server: `message (code)`, and the hint in a line of its own.
        init(_ diagnostic: PredicateValue) {
            let lines = (diagnostic["message"]?.text ?? "").split(separator: "\n", maxSplits: 1).map(String.init)
            let title = lines.first ?? ""
            let mark = title.lastIndex(of: "(") ?? title.endIndex
            message = title[..<mark].trimmingCharacters(in: .whitespaces)
            code = String(title[mark...].dropFirst().dropLast())
            hint = lines.count > 1 ? String(lines[1].dropFirst("hint: ".count)) : nil
        }

        var description: String { "\(code): \(message)" + (hint.map { " (\($0))" } ?? "") }

        static func < (left: Shown, right: Shown) -> Bool { left.description < right.description }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../PredicateChecksTests/Lists").standardized

    private static let project = Project(folder: folder.path)

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(path: folder.appending(path: "shop.xcdatamodel").path)
    }

    private static func lines(_ name: String) throws -> [String] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("# ") }.map(String.init)
    }

    /// The mistakes with the codes of their findings.
    private static func mistakes() throws -> [(codes: [String], format: String)] {
        try lines("model-mistakes.txt").map { line in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return (parts[0].split(separator: " ").map(String.init), try #require(parts.dropFirst().first))
        }
    }

    // MARK: Tools

    /// `check --model`; what has specifiers is checked as a format whose arguments are not known.
    private func check(_ format: String, _ model: ManagedObjectModel) throws -> [PredicateFinding] {
        if FormatPredicate.specifiers(in: format).isEmpty {
            return try FormatPredicate(format).check(against: model, entity: "Person")
        }
        let scope = CheckScope(ModelSchema([model], isFetch: true), entity: "Person")
        return try Checker.findings(inFormat: format, scope: scope)
    }

    /// A source in which the entity is known.
    private func source(_ format: String) -> String {
        let escaped = format.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let arguments = FormatPredicate.specifiers(in: format).map { _ in ", value" }.joined()
        return """
            let request = NSFetchRequest<Person>(entityName: "Person")
            request.predicate = NSPredicate(format: "\(escaped)"\(arguments))
            """
    }

    private func lint(_ format: String, _ model: ManagedObjectModel) -> [LintFinding] {
        let linter = Linter(schema: ModelSchema([model], isFetch: true))
        return linter.lint(Array(source(format).utf8), kind: .swift).findings
    }

    /// The findings in a model of which it is the predicate of a fetch request.
    private func stored(_ format: String, _ model: ManagedObjectModel) throws -> [LintFinding] {
        let contents = try String(contentsOf: Self.folder.appending(path: "shop.xcdatamodel/contents"), encoding: .utf8)
        let text = format.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
        let request = "<fetchRequest name=\"all\" entity=\"Person\" predicateString=\"\(text)\"/></model>"
        return Linter().lint(Array(contents.replacing("</model>", with: request).utf8), kind: .dataModel).findings
    }

    private func serverOfSource(_ format: String) throws -> [Shown] {
        try ScriptedClient.open(source(format), project: Self.project).diagnostics.map(Shown.init)
    }

    private func serverOfPredicates(_ format: String) throws -> [Shown] {
        let text = "# predicate:entity Person\n\(format)\n"
        let client = try ScriptedClient.open(text, "predicate", "file:///work/a.predicate", project: Self.project)
        return client.diagnostics.map(Shown.init)
    }

    // MARK: Tests

    @Test func everyToolFindsTheSame() throws {
        let model = try Self.model()
        let mistakes = try Self.mistakes()
        #expect(mistakes.count >= 60)
        for (codes, format) in mistakes {
            let checked = try check(format, model)
            #expect(checked.map(\.code.rawValue) == codes, "\(format): \(checked.map(Shown.init))")
            let expected = checked.map(Shown.init).sorted()
            #expect(Set(expected).count == expected.count, "\(format): \(expected)")
            let linted = lint(format, model)
            #expect(linted.map(Shown.init).sorted() == expected, "lint of \(format)")
            #expect(Set(linted.map(\.range)).count == Set(checked.map(\.range)).count, "\(format)")
            #expect(try serverOfSource(format).sorted() == expected, "lsp of \(format)")
            #expect(try serverOfPredicates(format).sorted() == expected, "lsp of predicates of \(format)")
            // A predicate of a model has no arguments.
            guard FormatPredicate.specifiers(in: format).isEmpty else { continue }
            #expect(try stored(format, model).map(Shown.init).sorted() == expected, "stored \(format)")
        }
    }

    @Test func levelsAreThoseOfTheChecker() throws {
        let model = try Self.model()
        for (_, format) in try Self.mistakes() where !format.contains("\"%@\"") {
            let levels = try check(format, model).map { "\($0.code.rawValue) \($0.level.rawValue)" }.sorted()
            let linted = lint(format, model).map { "\($0.code?.rawValue ?? "") \($0.level.rawValue)" }.sorted()
            #expect(levels == linted, "\(format)")
        }
    }

    /// Codes that the list does not have: those of data, and of words that only a predicate without a schema leaves open.
    @Test func theListHasEveryCode() throws {
        let others: Set<PredicateFinding.Code> = [
            .keepsNil, .decomposedText, .caseDiffers, .cannotBeEvaluated, .textWithoutQuotes,
        ]
        let listed = Set(try Self.mistakes().flatMap(\.codes))
        let missing = PredicateFinding.Code.allCases.filter { !listed.contains($0.rawValue) && !others.contains($0) }
        #expect(missing == [])
    }

    @Test func rightPredicatesAreLeftAlone() throws {
        let model = try Self.model()
        let formats = try Self.lines("model-right.txt")
        #expect(formats.count >= 30)
        for format in formats {
            #expect(try check(format, model).map(Shown.init) == [], "\(format)")
            #expect(lint(format, model).map(Shown.init) == [], "lint of \(format)")
            #expect(try stored(format, model).map(Shown.init) == [], "stored \(format)")
            #expect(try serverOfSource(format) == [], "lsp of \(format)")
            #expect(try serverOfPredicates(format) == [], "lsp of predicates of \(format)")
        }
    }
}
