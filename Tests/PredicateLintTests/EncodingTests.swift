import Foundation
import PredicateChecks
import PredicateLint
import Testing

/// Sources in other encodings than UTF-8: their bytes are kept, and so are the findings of other formats and files.
@Suite("Bytes that are not UTF-8")
struct EncodingTests {
    /// `city == 'Zürich \(e)'` in ISO 8859-1
    private static let latin1 =
        Array(#"let p = NSPredicate(format: "city == 'Z"#.utf8) + [0xFC] + Array(#"rich \(e)'")"#.utf8)

    private func found(_ source: [UInt8], _ kind: SourceKind = .swift) -> [String] {
        let lines = LineTable(source)
        return Linter().lint(source, kind: kind).findings.map {
            let place = lines.place(of: $0.range.lowerBound)
            return "\(place.line):\(place.column) \($0.rule.rawValue)"
        }
    }

    @Test func aByteBeforeAHole() {
        #expect(found(Self.latin1) == ["1:40 predicate-encoding", "1:46 predicate-interpolation"])
        let shortest = Array(#"NSPredicate(format:"i='"#.utf8) + [0xE7] + Array(#"\(e)")"#.utf8)
        #expect(found(shortest).first == "1:24 predicate-encoding")
    }

    /// The places after the byte are those of the stored bytes.
    @Test func placesAfterTheByte() {
        let source = Array("NSPredicate(format: \"a == '".utf8) + [0xFC, 0xE9] + Array("' AND b NOT IN %@\", x)".utf8)
        #expect(found(source) == ["1:28 predicate-encoding", "1:38 predicate-syntax"])
        let stored = Array("log show --predicate 'a == \"".utf8) + [0xFC] + Array("\" AND b NOT IN {1}'".utf8)
        #expect(found(stored, .script) == ["1:29 predicate-encoding", "1:38 predicate-syntax"])
    }

    /// A character whose bytes are two escapes is a character.
    @Test func escapedBytes() {
        let source = #"[NSPredicate predicateWithFormat:@"a == '\xc3\xa9' AND b NOT IN %@", x];"#
        #expect(findings(source, .objectiveC) == [Found(1, 58, .syntax)])
        #expect(formats(source, .objectiveC) == ["1:35 a == 'é' AND b NOT IN %@"])
        #expect(formats(#"[NSPredicate predicateWithFormat:@"a == '\xe9'"];"#, .objectiveC) == ["1:35 a == '\u{FFFD}'"])
    }

    /// The mark of a line with such a byte stands under the mistake, and SARIF counts characters.
    @Test func output() {
        let source = Array("let a = \"".utf8) + [0xFC] + Array("\"; NSPredicate(format: \"age >\")".utf8)
        let file = LintedFile(
            path: "a.swift", source: source, result: Linter().lint(source, kind: .swift), lists: false)
        var text = LintWriter(.text, version: "1")
        let lines = text.text(of: file).split(separator: "\n")
        #expect(lines[0].hasPrefix("a.swift:1:40:"))
        #expect(lines[1] == "    let a = \"\u{FFFD}\"; NSPredicate(format: \"age >\")")
        #expect(lines[2] == "    " + String(repeating: " ", count: 39) + "^")
        var sarif = LintWriter(.sarif, version: "1")
        #expect(sarif.text(of: file).contains("\"startColumn\":40"))
    }

    /// A fix would replace the byte.
    @Test func noFix() {
        let file = LintedFile(
            path: "a", source: Self.latin1, result: Linter().lint(Self.latin1, kind: .swift), lists: false)
        #expect(file.edits == [])
    }

    @Test func otherEncodings() throws {
        let text = "let p = NSPredicate(format: \"city == 'Zürich' AND b NOT IN %@\", x)"
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .isoLatin1, .macOSRoman] {
            let data = try #require(text.data(using: encoding))
            for kind in SourceKind.allCases { _ = Linter().lint(Array(data), kind: kind) }
        }
        let marked = [0xFF, 0xFE] + Array(try #require(text.data(using: .utf16LittleEndian)))
        #expect(found(marked) == ["1:1 predicate-encoding"])
    }

    /// One bad file costs no findings of another one.
    @Test func aFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.latin1).write(to: folder.appending(path: "a.swift"))
        try Data(#"NSPredicate(format: "age >")"#.utf8).write(to: folder.appending(path: "b.swift"))
        var text = ""
        let outcome = LintRun(paths: [folder.path]).start(write: { text += $0 }, report: { _, _ in })
        #expect(outcome.files == 2 && outcome.findings == 3 && !outcome.hasFailures)
        #expect(text.contains("a.swift:1:40: warning: the format has bytes that are not UTF-8"))
        #expect(text.contains("b.swift:1:27: error"))
    }

    /// Any byte anywhere: the string of each format has the offsets of its bytes, and all outputs are written.
    @Test func anyByteAnywhere() {
        let sources: [(String, SourceKind)] = [
            (#"let p = NSPredicate(format: "a == 'é\(e)' AND \(k) == \u{e9} OR b NOT IN %@" + "x", y)"#, .swift),
            (#"[NSPredicate predicateWithFormat:@"a == 'é' AND b\xc3 NOT IN %@" @"\251", x];"#, .objectiveC),
            ("log show --predicate \"a == 'é$B' AND b NOT IN {1}\"", .script),
            ("<key>filter</key><string>a &lt; 'é' AND</string>", .propertyList),
            ("<entity name=\"é\"><fetchRequest entity=\"E\" predicateString=\"a > 'é' AND\"/>", .dataModel),
            ("inputType: A\nfilter: a == 'é'\n  AND b NOT IN {2}", .script),
        ]
        for (text, kind) in sources {
            let bytes = Array(text.utf8)
            for offset in bytes.indices {
                for byte in [0xC3, 0xFF] as [UInt8] {
                    var inserted = bytes
                    inserted.insert(byte, at: offset)
                    var replaced = bytes
                    replaced[offset] = byte
                    check(inserted, kind)
                    check(replaced, kind)
                }
            }
        }
    }

    private func check(_ source: [UInt8], _ kind: SourceKind) {
        let result = Linter().lint(source, kind: kind)
        let isWhole = result.formats.allSatisfy { $0.text.text.utf8.elementsEqual($0.text.bytes) }
        #expect(isWhole, "\(source)")
        let isInside = result.findings.allSatisfy { $0.range.upperBound <= source.count }
        #expect(isInside, "\(source)")
        let file = LintedFile(path: "a", source: source, result: result, lists: true)
        for format in LintFormat.allCases {
            var writer = LintWriter(format, version: "1")
            _ = writer.text(of: file)
        }
        _ = LintEdit.apply(file.edits, to: source)
    }
}

@Suite("Comments that turn rules off")
struct SuppressionTests {
    private let bad = #"NSPredicate(format: "age >")"#
    private let good = #"NSPredicate(format: "age > 1")"#

    private func texts(_ source: String, _ settings: LintSettings = LintSettings()) -> [String] {
        Linter(settings).lint(Array(source.utf8), kind: .swift).findings.map {
            ([$0.text] + $0.hints).joined(separator: "; ")
        }.filter { !$0.hasPrefix("expected an expression") }
    }

    @Test func misspelledNames() {
        let text = "'predicate-syntx' is not a rule or check; did you mean predicate-syntax?"
        #expect(texts("// predicate:disable:next predicate-syntx\n\(good)") == [text])
        #expect(rules("// predicate:disable:next predicate-syntx\n\(bad)") == [.suppression, .syntax])
        let short = "'syntx' is not a rule or check; did you mean syntax?"
        #expect(texts("// predicate:disable:next syntx\n\(good)") == [short])
        #expect(
            texts("// predicate:disable:next predicate-syntax, never-hold\n\(good)") == [
                "'never-hold' is not a rule or check; did you mean never-holds?"
            ])
        #expect(
            texts("// predicate:disable:nxt predicate-syntax\n\(good)") == [
                "expected disable:next, disable:this, disable:previous, disable or enable, found disable:nxt;"
                    + " did you mean disable:next?"
            ])
    }

    @Test func commentsThatTurnNothingOff() {
        let text = "this comment turns nothing off; remove it"
        #expect(texts("// predicate:disable:next predicate-syntax\n\(good)") == [text])
        #expect(texts("// predicate:disable:next\n\nlet a = 1\n\(good)") == [text])
        #expect(texts("\(good) // predicate:disable:this syntax") == [text])
        #expect(texts("// predicate:disable syntax\n\(good)\n// predicate:enable\n\(bad)").contains(text))
        #expect(findings("let a = 1 // predicate:disable:this") == [Found(1, 14, .suppression)])
    }

    /// Other settings, a model or an explanation are no mistakes.
    @Test(
        "Comments that are right",
        arguments: [
            "// predicate:disable:next syntax: the server sends it\n#", "// predicate:disable:next -- checks it\n#",
            "// predicate:disable:next predicate-model\nNSPredicate(format: \"a == 1\")",
            "// predicate:disable:next\nNSPredicate(format: \"a == 1\")",
            "// predicate:disable:next the server sends it\n#",
            "/// Write `predicate:disable:next predicate-chek`.", "///     // predicate:disable:next predicate-chek",
            "let s = \"predicate:disable:next predicate-chek\"", "// predicate:disable:next\n#",
            "// predicate:disable syntax\n#\n// predicate:enable syntax\n", "// predicate: disabled when empty",
        ])
    func right(_ source: String) {
        #expect(rules(source.replacing("#", with: bad)) == [])
    }

    @Test func checks() {
        let never = #"NSPredicate(format: "age > 5 AND age < 3")"#
        #expect(rules("// predicate:disable:next never-holds\n\(never)") == [])
        #expect(rules("// predicate:disable:next always-holds\n\(never)") == [.suppression, .check])
        #expect(rules("// predicate:disable:next never-holds\n\(good)") == [.suppression])
        // Without a model, the comment may be about the model.
        #expect(rules("// predicate:disable:next unknown-key\n\(good)") == [])
        #expect(rules("// predicate:disable\n// predicate:enable never-holds\n\(never)\n\(bad)") == [.check])
        #expect(
            rules("// predicate:disable predicate-check\n\(never)\n// predicate:enable never-holds\n\(never)") == [
                .check
            ])
    }

    /// A rule that is off finds nothing, so a comment for it may be needed elsewhere.
    @Test func rulesThatAreOff() throws {
        var settings = LintSettings()
        try settings.setLevel("syntax", "off")
        #expect(texts("// predicate:disable:next predicate-syntax\n\(good)", settings) == [])
        settings = LintSettings()
        try settings.setLevel("suppression", "off")
        #expect(texts("// predicate:disable:next predicate-syntax\n\(good)", settings) == [])
    }

    @Test func dependenciesAreNotRead() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["Pods/A", "Carthage/Checkouts/B", "App"] {
            let own = folder.appending(path: name)
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try Data(bad.utf8).write(to: own.appending(path: "a.swift"))
        }
        let count = { (path: String) in
            LintRun(paths: [path]).start(write: { _ in }, report: { _, _ in }).findings
        }
        #expect(count(folder.path) == 1)
        #expect(count(folder.appending(path: "Pods").path) == 1)
    }
}
