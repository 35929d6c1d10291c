import PredicateChecks
import PredicateSession
import PredicateSyntax
import Testing

struct PresentingTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("東京", 4), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("🇳🇴", 2), ("☀\u{FE0F}", 2),
        ("한글", 4),
        ("ｱ", 1), ("Ａ", 2), ("a\u{200B}b", 2), ("ก็", 1), ("—", 1), ("“x”", 3),
    ])
    func columnsAreCounted(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func textIsCutBetweenCharacters() {
        #expect("東京都".cut(toColumns: 6) == "東京都")
        #expect("東京都".cut(toColumns: 5) == "東京…")
        #expect("東京都".cut(toColumns: 4) == "東…")
        #expect("abc".cut(toColumns: 0) == "")
        #expect("東".padded(toColumns: 4) == "東  ")
    }

    @Test(arguments: 20...60) func tablesFit(width: Int) {
        let columns = [
            TextTable.Column("#", ["1", "200"], alignsRight: true, isFixed: true),
            TextTable.Column("name", ["東京太郎と花子とその友だち", "Jo"]),
            TextTable.Column("a rather long heading", ["x", "y"]),
            TextTable.Column("text", [String(repeating: "long ", count: 20), ""]),
        ]
        let lines = TextTable(columns, width: width).lines(Painter(isColoured: false))
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(lines[1].hasPrefix("  1"))
    }

    @Test func controlCharactersDoNotReachTheTerminal() {
        #expect("a\n\t\u{1B}[31m\u{7F}\u{202E}".printable == "a\\n\\t\\u{1b}[31m\\u{7f}\\u{202e}")
    }

    @Test(
        arguments: [
            ("(a", .bracket), ("(a)", .closed), ("{1, 2", .bracket), ("a[", .bracket), ("name == \"jo", .bracket),
            ("name == 'a\\'", .bracket), ("a)", .closed), ("(a]", .closed), ("a == ')'", .closed),
            ("(a == ')'", .bracket), ("", .closed), ("a == 1 AND", .operator), ("a >", .operator),
            ("a == 1 ||", .operator),
            ("a NOT BEGINSWITH[c]", .closed), ("a IN", .operator), ("a ==", .operator), ("a + ", .operator),
            ("not", .closed), ("a == in", .operator), ("a == nil", .closed), ("TRUEPREDICATE", .closed),
            ("a.", .closed),
            ("a == #and", .closed), ("1 AND 'and'", .closed), ("a == 1 and not", .operator), ("ANY", .closed),
        ] as [(String, OpenInput.State)])
    func openInputGoesOn(text: String, state: OpenInput.State) {
        #expect(OpenInput.state(of: text) == state)
    }

    @Test func colouringChangesNoText() throws {
        let text = "NOT name ==[c] \"jo\" AND sum:(a) > 0x1F AND $x IN %@ AND a.@count > 1 AND é"
        let painted = Painter(isColoured: true).highlight(text)
        #expect(painted.contains("\u{1B}[1;34mNOT\u{1B}[0m"))
        #expect(painted.replacing(try Regex("\u{1B}\\[[0-9;]*m"), with: "") == text)
        #expect(Painter(isColoured: false).highlight(text) == text)
    }

    @Test(arguments: [(0, 3, "0 %"), (3, 3, "100 %"), (1, 3, "33 %"), (1, 1000, "<1 %"), (999, 1000, ">99 %")])
    func sharesAreHonest(part: Int, whole: Int, text: String) {
        #expect(Count.share(part, of: whole) == text)
    }

    @Test(arguments: [
        ("a == 1\nAND b == 2", "a == 1 AND b == 2"), ("name == \"a\nb\"", "name == \"a\\nb\""),
        ("name == 'a\\\nb' AND\r\nc == 1  ", "name == 'a\\nb' AND  c == 1"),
        ("#\"a\nb\" == '\r\\\\\n'", "#\"a\\nb\" == '\\r\\\\\\n'"), ("", ""), ("\n", ""),
        ("name == 'Zoë'\nOR a == '🇳🇴\n'", "name == 'Zoë' OR a == '🇳🇴\\n'"),
    ])
    func aRecalledEntryIsOneLineWithTheSameMeaning(entry: String, line: String) throws {
        #expect(RecalledLine.of(entry) == line)
        guard let predicate = try? FormatPredicate(format: entry, arguments: []) else { return }
        #expect(try FormatPredicate(format: line, arguments: []) == predicate)
    }
}
