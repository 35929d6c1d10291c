import Foundation
import PredicateData
import Testing

/// The colours of what `filter` writes: keys, values and headings.
struct ColourTests {
    private func filter(_ words: String..., input: String) -> String {
        predicate(["filter", "--color", "always"] + words, source: MemorySource(input)).output
    }

    private static let marks = [
        ("[32m", "«"), ("[1;34m", "‹"), ("[1m", "^"), ("[36m", "#"), ("[0m", "|"),
    ]

    /// Text in which `^` begins a heading, other marks strings, keys and numbers, and `|` ends all.
    private func marked(_ text: String) -> String {
        Self.marks.reduce(text) { $0.replacing("\u{1B}" + $1.0, with: $1.1) }
    }

    @Test func headingsOfRows() {
        let rows = "name,city\nJohn,\"Rome, IT\"\n"
        #expect(marked(filter("name CONTAINS 'John'", input: rows)) == "^name,city|\nJohn,\"Rome, IT\"\n")
    }

    @Test func keysAndValuesOfJSON() {
        let json = "{\"a\":{\"name\":\"Jo\\\"hn\",\"n\":1},\"tags\":[\"x\"]}\n"
        #expect(
            marked(filter("a.n == 1", input: json))
                == "{‹\"a\"|:{‹\"name\"|:«\"Jo\\\"hn\"|,‹\"n\"|:#1|},‹\"tags\"|:[«\"x\"|]}\n")
    }

    @Test func linesHaveNoColours() {
        #expect(!filter("-f", "lines", "SELF CONTAINS 'error'", input: "an error\n").contains("\u{1B}"))
    }

    /// Without colours, and apart from them, the output is the same.
    @Test(arguments: ["csv", "tsv", "jsonl", "json", "table", "lines"])
    func coloursChangeNothingElse(format: String) {
        let rows = "name,city\n\"Jo \"\"J\"\"\",Rome\n\"a\nJo,b\",\nZoë Jo,Øst\n"
        let plain = predicate("filter", "name CONTAINS 'Jo'", "-o", format, input: rows).output
        let coloured = filter("name CONTAINS 'Jo'", "-o", format, input: rows)
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }
}
