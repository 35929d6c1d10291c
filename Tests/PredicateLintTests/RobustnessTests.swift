import Foundation
import PredicateLint
import PredicateTestSupport
import Testing

@Suite("Lint on any bytes")
struct RobustnessTests {
    private static let sample = """
        #if A
        let p = NSPredicate(format: "a == \\(f("b", [1]) ?? "c") AND b == '%@'" + #"x\\#(y)"#, c ? d : e)
        @Model class A { @Transient var a: [A]? = b; var c: D.E { f } }; let XCUI = q.matching(NSPredicate(format: "lable == 1"))
        _ = #Predicate<A> { a in if let b = a?.b?.c { b.d { $0 == nil } ? .e : !f[1]! } else { g as? H } }
        #else
        /* /* */ */ let é = \"""
          \\u{e9} "" \\
          \""" // [NSPredicate predicateWithFormat:@"a == %@" @"\\x41", @[x]];
        #endif
        NSString *s = @"a"; log show --predicate 'a == "b"' "$X"; <key>filter</key><string>a &lt; 5</string>
        predicateString="a &gt; $B"
        """

    /// Every beginning and every end of a source, as every kind.
    @Test func cutSources() {
        let bytes = Array(Self.sample.utf8)
        for kind in SourceKind.allCases {
            for offset in bytes.indices {
                for part in [bytes[..<offset], bytes[offset...]] {
                    for finding in Linter().lint(Array(part), kind: kind).findings {
                        #expect(finding.range.upperBound <= part.count)
                    }
                }
            }
        }
    }

    @Test func randomBytes() {
        var random = SystemRandomNumberGenerator()
        let words = [
            "NSPredicate(format:", "\"", "\\(", "\"\"\"", "#\"", "@\"", "[a predicateWithFormat:", "]", ")", "(", "{",
            "}", "\n", "'", "%@", ",", "?", ":", "#if 0", "#endif", "/*", "*/", "//", "\\", "é", "\u{0}", "+", "=",
            "let a", "a", "XCUI", "#Predicate<A>", "@Model class A", "?.", "if", "==", "nil", ".b", "in",
            "matchingPredicate:",
        ]
        for _ in 0..<300 {
            let source = (0..<60).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            for kind in SourceKind.allCases {
                let result = Linter().lint(Array(source.utf8), kind: kind)
                let isInside = result.formats.allSatisfy { $0.text.literal.upperBound <= source.utf8.count }
                #expect(isInside, "\(kind): \(source.debugDescription)")
            }
        }
    }

    /// The least number of 64 bits has no negative in them; as text it can be the value of a constant.
    @Test func leastNumber() {
        let source = """
            enum Limits { static let least: Int = "-9223372036854775808" }
            let p = NSPredicate(format: "age BETWEEN %@", [-Limits.least, 4])
            """
        let result = Linter().lint(Array(source.utf8), kind: .swift)
        #expect(result.formats.count == 1 && result.findings.isEmpty)
    }

    /// Long chains and deep nesting neither exhaust the stack nor take long.
    @Test(
        "Depth is limited",
        arguments: [
            ("#Predicate<A> { $0", ".a", " }"), ("#Predicate<A> { $0.a == 1", " + 1", " }"),
            ("@Model class A { var a: ", "[", " }"), ("@Model ", "class A { ", ""),
            ("@Model class A { var a: ", "A<", " }"),
            ("\"", "IOS_PREDICATE\" \"", ""), ("let a = b\n", "a = b; b = a\n", "NSPredicate(format: \"x == \\(a)\")"),
        ])
    func depth(_ start: String, _ shape: String, _ end: String) {
        let source = start + String(repeating: shape, count: 200_000 / shape.utf8.count) + end
        for kind in [SourceKind.swift, .script] { _ = Linter().lint(Array(source.utf8), kind: kind) }
    }

    /// Shapes of which a scanner could take quadratic time: eight times as long, at most some twenty times the work.
    /// `§` stands for the number of the repetition.
    @Test(
        "Time grows linearly",
        arguments: [
            "\"\\(", "NSPredicate(format: f(", "(", "NSPredicate(format: \"a\" + ", ")", "a ? b : ", "/*", "\"\"\"\n",
            "#if A\n", "#if 0\n",
            "[a predicateWithFormat:", "let a = a\n", "NSPredicate(format: a)\n",
            "NSPredicate(format: \"a == \\(b)\")\n", "{ let a = \"b\"\n",
            "@\"a\" ", "#define A A\n", "R\"x(", "'", "x/a/", "log --predicate ", "<!--", "<key>filter</key>",
            "<entity ", " predicateString=\"a\"",
            "// predicate:disable:next\n", "NSPredicate(format: \"", "\\", "#", "log --predicate \"$(", "$(",
            "log --predicate $P\n", "P='a == 1'\nlog --predicate $P\n", "#Predicate<A> { ",
            "#Predicate<A> { $0.a?.b == c }\n",
            "@Model class A { ", "var a: [A]? = b { get } ", "a<", "iOSNsPredicate(\"a\" + b + ",
            "-ios predicate string:a ",
            "```swift\n", "func a<B>(", "IOS_PREDICATE, '{", "\"IOS_PREDICATE\" ", "%A",
            "StopProcessingIf predicate: a %A%\n", "let a = \"\\(a)\\(a)\"\n", "A = 'a'\nIOS_PREDICATE, A\n",
            "text: $a\n",
            "@property int a;\n", "a.b(\"c\", NSPredicate(format: a.b))\n",
            "func w(_ format: String) { NSPredicate(format: format) }\n",
            "func w§(_ format: String) { NSPredicate(format: format) }\n",
            "- (void)w§:(NSString *)format { [NSPredicate predicateWithFormat:format]; }\n",
            "let d = x\nNSPredicate(format: \"\\(d.string(forKey: \"a\")) == 1\")\n",
            "{ let a = \"b\"; a = \"c\"; NSPredicate(format: a) }\n",
            "class T§ { var age: Int }; NSPredicate(format: \"a == %@\", p.age)\n",
            "[NSPredicate predicateWithFormat:@\"a == %@\", self.a];\n@property int a;\n",
            "IOS_PREDICATE", "IOS_PREDICATE, `${", "find_element(AppiumBy.IOS_PREDICATE, \"",
            "IOS_PREDICATE, \"a\" + ", "N§ = \"label == '§'\"\nIOS_PREDICATE, N§\n", "IOS_PREDICATE, N\nN = 'a'\n",
            "NSPredicate(format: \"a ==\"); ", "// predicate:entity A ",
            "/* predicate:disable:this */ ", "// predicate:disable syntax\nNSPredicate(format: \"a ==\")\n",
            "// predicate:disable:next\nNSPredicate(format: \"a ==\")\n",
            "// predicate:disable syntax\n// predicate:enable check\n",
        ])
    func linearTime(_ shape: String) {
        for kind in [SourceKind.swift, .objectiveC, .script, .propertyList, .dataModel, .program, .markdown] {
            let prefix = "NSPredicate WithFormat: --predicate <key> XCUI #Predicate KeyPathCoding "
            let short = time(prefix + Self.repeated(shape, count: 8_000 / shape.utf8.count), kind)
            let long = time(prefix + Self.repeated(shape, count: 64_000 / shape.utf8.count), kind)
            #expect(long < max(short, 0.02) * 30, "\(kind.rawValue) \(shape.debugDescription): \(short) s, \(long) s")
        }
    }

    private static let multiplied = [
        "\"a\"" + replacements("aaaaaaaaaa", count: 12),
        "\"a\"" + replacements(repeated("a", count: 1_000), count: 4),
        nested("String(format: \"\(repeated("%1$@", count: 3_000))\", ", "\"a\"", ")"),
        nested("[\(repeated("\"\", ", count: 30))\"\"].joined(separator: ", "\"aaaaaaaaaa\"", ")", count: 7),
    ]

    /// Strings made from others, and the uses of a parameter: neither multiply.
    @Test("Work does not multiply", arguments: multiplied.indices)
    func multipliedWork(_ index: Int) {
        #expect(time("@Model class A {}\nNSPredicate(format: \(Self.multiplied[index]))", .swift) < 5)
    }

    @Test func usesOfAParameter() {
        let function = "func a(_ p: NSPredicate) { " + Self.repeated("a(p); ", count: 650) + "}\n"
        #expect(time("@Model class A {}\n" + function + "a(NSPredicate(format: \"a == 1\"))", .swift) < 5)
    }

    private static func replacements(_ text: String, count: Int) -> String {
        repeated(".replacingOccurrences(of: \"a\", with: \"\(text)\")", count: count)
    }

    private static func nested(_ start: String, _ inner: String, _ end: String, count: Int = 3) -> String {
        repeated(start, count: count) + inner + repeated(end, count: count)
    }

    private static func repeated(_ shape: String, count: Int) -> String {
        (0..<count).map { shape.replacing("§", with: "\($0)") }.joined()
    }

    /// The same for one format of many parts.
    @Test(
        "Time grows linearly with a format",
        arguments: [
            "name CONTAINS[c] 'x' AND ", "a == '\\(b)' AND ", "a == '%@' AND ", "a IN {\\(b)} AND ",
            "mgl_a(\\(b)) AND ",
        ])
    func linearFormat(_ part: String) {
        func time(_ length: Int) -> Double {
            let format = String(repeating: part, count: length / part.utf8.count) + "a == 1"
            return self.time("CKQuery(recordType: \"A\", predicate: NSPredicate(format: \"\(format)\"))", .swift)
        }
        let (short, long) = (time(2_000), time(16_000))
        #expect(long < max(short, 0.02) * 30, "\(part.debugDescription): \(short) s, \(long) s")
    }

    /// A line with many findings is not written once for each.
    @Test(arguments: LintFormat.allCases)
    func outputOfLongLines(_ format: LintFormat) {
        let source = Array(String(repeating: "NSPredicate(format: \"é ==\"); ", count: 1_000).utf8)
        let result = Linter().lint(source, kind: .swift)
        let file = LintedFile(path: "a.swift", source: source, result: result, lists: false)
        var writer = LintWriter(format, version: "1")
        let text = writer.text(of: file)
        #expect(file.rows.count == 1_000)
        #expect(text.utf8.count < file.rows.count * 1_000)
    }

    /// Seconds of processor time.
    private func time(_ source: String, _ kind: SourceKind) -> Double {
        let bytes = Array(source.utf8)
        return threadTime { _ = Linter().lint(bytes, kind: kind) }
    }
}

/// Sources with expected findings, in the folder that PREDICATES_LINT_CORPUS names.
@Suite("A corpus of sources")
struct CorpusTests {
    private struct Expectation: Decodable {
        var file: String
        var line: Int?
        var format: String?
        var problem: String
    }

    @Test func corpus() throws {
        guard let folder = ProcessInfo.processInfo.environment["PREDICATES_LINT_CORPUS"] else {
            print("PREDICATES_LINT_CORPUS is not set: no corpus of sources was linted")
            return
        }
        let lines = try String(contentsOfFile: folder + "/expected.jsonl", encoding: .utf8).split(
            whereSeparator: \.isNewline)
        let expectations = try lines.map { try JSONDecoder().decode(Expectation.self, from: Data($0.utf8)) }
        var files: [String: [LintRow]] = [:]
        for file in Set(expectations.map(\.file)) {
            let source = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
            let kind = try #require(SourceKind(path: file) ?? SourceKind(content: source))
            files[file] =
                LintedFile(path: file, source: source, result: Linter().lint(source, kind: kind), lists: true).rows
        }
        var found = 0
        for expected in expectations {
            guard let line = expected.line, let format = expected.format else { continue }
            let rows = (files[expected.file] ?? []).filter { $0.start.line == line && $0.format == format }
            #expect(!rows.isEmpty, "\(expected.file):\(line): \(format)")
            found += rows.isEmpty ? 0 : 1
            let rules = Set(rows.compactMap(\.rule))
            #expect(
                Self.rules(for: expected.problem, rules),
                "\(expected.file):\(line): \(expected.problem), found \(rules)")
        }
        print("\(found) of \(expectations.count { $0.format != nil }) expected formats found")
    }

    private static func rules(for problem: String, _ rules: Set<LintRule>) -> Bool {
        switch problem {
        case "none", "interpolated-key": rules.isEmpty
        case "interpolated-value", "interpolated-in-quotes": rules.contains(.interpolation)
        case "argument-count": rules.contains(.argumentCount)
        case "quoted", "quoted-placeholder": rules.contains(.quotedPlaceholder)
        case "syntax": rules.contains(.syntax)
        default: true
        }
    }
}
