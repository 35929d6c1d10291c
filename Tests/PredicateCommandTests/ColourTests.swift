import Foundation
import PredicateData
import Testing

/// The colours of what `filter` writes: keys, values, headings, and the strings that the predicate looks for.
struct ColourTests {
    private func filter(_ words: String..., input: String) -> String {
        predicate(["filter", "--color", "always"] + words, source: MemorySource(input)).output
    }

    private static let marks = [
        ("[1;31m", "<"), ("[32m", "«"), ("[1;34m", "‹"), ("[1m", "^"), ("[36m", "#"), ("[0m", "|"),
    ]

    /// Text in which `<` begins a match, `^` a heading, other marks strings, keys and numbers, and `|` ends all.
    private func marked(_ text: String) -> String {
        Self.marks.reduce(text) { $0.replacing("\u{1B}" + $1.0, with: $1.1) }
    }

    private let rows = "name,city\nJohn John,\"Johnstown, J\"\nJo,John\n"

    @Test(arguments: [
        ("name CONTAINS 'John'", #"<John| <John|,"Johnstown, J""#),
        ("name BEGINSWITH[c] 'john'", #"<John| John,"Johnstown, J""#),
        ("name ENDSWITH 'ohn'", #"John J<ohn|,"Johnstown, J""#),
        ("name LIKE 'J*n'", #"<J|ohn Joh<n|,"Johnstown, J""#),
        ("name == 'John John'", #"<John John|,"Johnstown, J""#),
        ("name IN {'Jo', 'John John'}", #"<John John|,"Johnstown, J""# + "\n<Jo|,John"),
        ("city CONTAINS 'n, J'", #"John John,"Johnstow<n, J|""#),
        ("NOT name CONTAINS 'x'", #"John John,"Johnstown, J""# + "\nJo,John"),
        ("name CONTAINS[d] 'Jóh'", #"<Joh|n <Joh|n,"Johnstown, J""#),
        ("name CONTAINS 'John' AND city CONTAINS 'st'", #"<John| <John|,"John<st|own, J""#),
        ("name CONTAINS 'Jo' AND name CONTAINS 'oh'", #"<Joh|n <Joh|n,"Johnstown, J""#),
        ("name MATCHES 'J.* .*'", #"John John,"Johnstown, J""#),
    ])
    func soughtPartsOfRows(format: String, lines: String) {
        #expect(marked(filter(format, input: rows)) == "^name|,^city|\n\(lines)\n")
    }

    @Test func soughtPartsOfJSON() {
        let json = "{\"a\":{\"name\":\"John\",\"n\":1},\"tags\":[\"John\",\"x\"]}\n"
        #expect(
            marked(filter("a.name CONTAINS 'oh'", input: json))
                == "{‹\"a\"|:{‹\"name\"|:«\"J<oh|«n\"|,‹\"n\"|:#1|},‹\"tags\"|:[«\"John\"|,«\"x\"|]}\n")
        #expect(marked(filter("'x' IN tags", input: json)).contains("«\"<x|«\"|"))
        #expect(marked(filter("-v", "a.name CONTAINS 'xy'", input: json)).contains("«\"John\"|"))
    }

    @Test func soughtPartsOfLines() {
        let lines = "an error\nfine\nerrors: error\n"
        #expect(
            marked(filter("-f", "lines", "SELF CONTAINS 'error'", input: lines))
                == "an <error|\n<error|s: <error|\n")
        #expect(!predicate("filter", "-f", "lines", "SELF CONTAINS 'error'", input: lines).output.contains("\u{1B}"))
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
