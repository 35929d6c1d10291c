import Foundation
import PredicateLint
import Testing

/// Sources with planted mistakes and their look-alikes, in the files of `Planted`: `KIND.LANGUAGE.cases`.
///
/// A case begins with a line such as `== predicate-syntax@3 unknown-key`, which lists the identifiers of its findings and
/// their lines, or `== right`.
@Suite("Planted mistakes")
struct PlantedMistakeTests {
    struct PlantedCase: CustomStringConvertible {
        var file: String
        var line: Int
        var expected: [String]
        var source = ""

        var description: String { "\(file):\(line)" }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Planted")

    static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
        $0.hasSuffix(".cases")
    }.sorted()

    /// The cases of a file. Lines with `#` before the first case of a group are comments.
    private static func cases(in file: String) throws -> [PlantedCase] {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        var cases: [PlantedCase] = []
        var isOpen = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("== ") {
                cases.append(PlantedCase(file: file, line: index + 1, expected: expected(line.dropFirst(3))))
                isOpen = true
            } else if line.hasPrefix("# "), cases.last?.source.hasSuffix("\n\n") ?? true {
                isOpen = false
            } else if isOpen {
                cases[cases.count - 1].source += line + "\n"
            }
        }
        return cases
    }

    private static func expected(_ words: Substring) -> [String] {
        words == "right" ? [] : words.split(separator: " ").map { $0.contains("@") ? String($0) : "\($0)@1" }.sorted()
    }

    private static func kind(of file: String) throws -> SourceKind {
        let name = try #require(file.split(separator: ".").dropLast().last.map(String.init))
        return try #require(SourceKind(rawValue: name) ?? SourceKind(path: "a.\(name == "python" ? "py" : name)"))
    }

    @Test(arguments: PlantedMistakeTests.files)
    func planted(_ file: String) throws {
        let kind = try Self.kind(of: file == "Locators.ruby.cases" ? "Locators.rb.cases" : file)
        let cases = try Self.cases(in: file)
        #expect(!cases.isEmpty)
        for planted in cases {
            let bytes = Array(planted.source.utf8)
            let lines = LineTable(bytes)
            let found = Linter().lint(bytes, kind: kind).findings.map { finding in
                "\(finding.code?.rawValue ?? finding.rule.rawValue)@\(lines.place(of: finding.range.lowerBound).line)"
            }
            #expect(found.sorted() == planted.expected, "\(planted)")
        }
    }

    @Test func thereAreManyOfEach() throws {
        let cases = try Self.files.flatMap(Self.cases)
        #expect(cases.count { !$0.expected.isEmpty } >= 117 && cases.count { $0.expected.isEmpty } >= 43)
    }
}
