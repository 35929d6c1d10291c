import Foundation
import PredicateCommand
import PredicateData
import Testing

/// Files as they are: every error about a row names the line and the option that reads it.
struct AwkwardFileTests {
    private let short = "head1,head2,head3\nval01,val02\nval11,val12,val13\nval21\n"
    private let inch = "item,width\nTV,55\" wide\nradio,3\n"
    private let bare = "1|Action|2006-02-15 04:46:27\n2|Games|2006-02-15 04:46:27\n"

    private func filter(_ words: String..., input: String) -> Outcome {
        predicate(["filter", "-f", "csv"] + words, source: MemorySource(input))
    }

    @Test func commentsAfterAByteOrderMark() {
        let marked = "\u{FEFF}#h,i\na,b\n1,2\n"
        #expect(filter("--comment", "#", "TRUEPREDICATE", input: marked) == .success("a,b\n1,2\n"))
        let late = (1...60_000).map { "\($0),\($0)\n" }.joined()
        let found = filter("-c", "a == 'zz'", input: "\u{FEFF}# c\n# d\na,b\n1,2\n#x\n" + late + "#late\nzz,1\n")
        #expect(found.output == "1\n")
    }

    @Test func commentsWithinQuotes() {
        let quoted = "a,b\n1,\"x\n#y\"\n2,z\n"
        let read = predicate(["filter", "--comment", "#", "b ENDSWITH 'y'", "-c"], source: MemorySource(quoted))
        #expect(read == .success("1\n"))
    }

    /// In TSV a quote is data, so that it does not hide a comment. [NSP-492]
    @Test(arguments: [1, 7, 1000], [["-f", "tsv"], []])
    func commentsAmongQuotesOfTSV(piece: Int, format: [String]) {
        let rows = Array("# \"x\na\"\tb\n1\" wide\t2\n# no\t\"row\n3\"\t4\n#\n".utf8)
        let found = predicate(
            ["filter", "--comment", "#", "TRUEPREDICATE", "-o", "jsonl"] + format,
            source: MemorySource(rows, maximumPiece: piece))
        #expect(
            found == .success("{\"a\\\"\":\"1\\\" wide\",\"b\":2}\n{\"a\\\"\":\"3\\\"\",\"b\":4}\n"))
        let quoted = Array("a\tb\n1\t\"x\n# y\"\n# c\n".utf8)
        let read = predicate(
            ["filter", "-f", "csv", "--delimiter", "tab", "--comment", "#", "b ENDSWITH 'y'", "-c"],
            source: MemorySource(quoted, maximumPiece: piece))
        #expect(read == .success("1\n"))
    }

    @Test func headersOfOneName() {
        let rows = "a\n1,2\n3,4\n"
        #expect(
            filter("--ragged", "-o", "jsonl", "TRUEPREDICATE", input: rows)
                == .success("{\"a\":1,\"column2\":2}\n{\"a\":3,\"column2\":4}\n"))
        let broken = filter("--header", "yes", "TRUEPREDICATE", input: "size\n5\" x\n6\" y\n")
        #expect(broken.error.contains(":2: error") && broken.error.contains(":3: error"))
    }

    @Test func farMatchesOfPatterns() {
        let line = String(repeating: "a", count: 3000) + "END\n"
        let found = predicate(["filter", "--pattern", "(?<x>END)", "x != nil", "-c"], source: MemorySource(line))
        #expect(found == .success("1\n"))
    }

    @Test func pagesWithoutBounds() {
        let most = "\(Int.max)"
        for words in [["--first", most, "--offset", "1"], ["--last", most], ["--sort", "a", "--first", most]] {
            let outcome = predicate(
                ["filter", "-f", "csv", "TRUEPREDICATE"] + words, source: MemorySource("a\n1\n2\n"))
            #expect(outcome.status == 0, "\(words)")
        }
        let counted = filter("-c", "--first", "1", "TRUEPREDICATE", input: "a\n1\n2\n")
        #expect(counted == .success("1\n"))
        let median = String(repeating: "9007199254740993\n", count: 3)
        #expect(
            filter("--median", "n", "TRUEPREDICATE", input: "n\n" + median).output.contains("9007199254740993"))
    }

    @Test func raggedRows() {
        let outcome = filter("TRUEPREDICATE", input: short)
        #expect(outcome.status == 2)
        #expect(outcome.output == "head1,head2,head3\nval11,val12,val13\n")
        #expect(
            outcome.error == """
                (standard input):2: error: 2 fields, but the header has 3: --ragged reads missing fields as nil (column 1)
                (standard input):4: error: 1 field, but the header has 3: --ragged reads missing fields as nil (column 1)

                """)
        #expect(filter("--ragged", "TRUEPREDICATE", input: short) == .success(short))
        #expect(
            filter("--ragged", "head3 == nil", "-o", "jsonl", input: short)
                == .success(
                    "{\"head1\":\"val01\",\"head2\":\"val02\",\"head3\":null}\n"
                        + "{\"head1\":\"val21\",\"head2\":null,\"head3\":null}\n"))
        #expect(
            filter("--ragged", "head3 == nil", "-k", "head3,head1", input: short)
                == .success("head3,head1\n,val01\n,val21\n"))
        #expect(filter("--ragged", "head2 != nil", "-c", input: short) == .success("2\n"))
    }

    @Test func strayQuotes() {
        let outcome = filter("width != nil", input: inch)
        #expect(outcome.status == 2)
        #expect(outcome.output == "item,width\nradio,3\n")
        #expect(
            outcome.error
                == "(standard input):2: error: quote in an unquoted field: --quotes lazy reads it as it stands (column 6)\n"
        )
        #expect(filter("--quotes", "lazy", "width != nil", input: inch) == .success(inch))
        #expect(
            filter("--quotes", "lazy", "width CONTAINS '55'", "-o", "jsonl", input: inch)
                == .success("{\"item\":\"TV\",\"width\":\"55\\\" wide\"}\n"))
        #expect(
            filter("--quotes", "lazy", "width CONTAINS '55'", "-o", "csv", input: inch)
                == .success("item,width\nTV,\"55\"\" wide\"\n"))
        let spaced = "a,b\n\"x\" , \"1\"\n"
        #expect(filter("b == 1", input: spaced).error.contains("--quotes lazy reads it"))
        #expect(filter("--quotes", "lazy", "b == 1", "-o", "jsonl", input: spaced).output == "{\"a\":\"x\",\"b\":1}\n")
    }

    @Test func titlesAreFoundByThemselves() {
        let titled = "Title\na,b\n1,2\n"
        let note =
            "note: (standard input): line 1 is a title, so the table begins below it; --skip 0 reads it as the header\n"
        #expect(filter("b == 2", input: titled) == Outcome(status: 0, output: "a,b\n1,2\n", error: note))
        #expect(
            filter("--skip", "0", "TRUEPREDICATE", input: titled).error.contains(
                "2 fields, but the header has 1: --skip N starts at a header below it"))
        #expect(filter("--skip", "1", "b == 2", input: titled) == .success("a,b\n1,2\n"))
        // A header of one field less than the rows is a header, and rows that differ are no table.
        #expect(filter("TRUEPREDICATE", input: "Title\na,b\n1,2,3\n").error.contains("the header has 1"))
        #expect(filter("TRUEPREDICATE", input: "a\n1\n2\n") == .success("a\n1\n2\n"))
    }

    @Test func furtherFields() {
        let wide = "a,b\n1,2,3\n4\n5,6\n"
        #expect(
            filter("TRUEPREDICATE", input: wide).error.contains(
                "3 fields, but the header has 2: put a field that contains the delimiter in quotes, or --ragged reads"))
        #expect(
            filter("--ragged", "column3 == 3 OR b == nil", "-o", "jsonl", input: wide)
                == .success("{\"a\":1,\"b\":2,\"column3\":3}\n{\"a\":4,\"b\":null,\"column3\":null}\n"))
        #expect(filter("--ragged", "column3 == 3", "-o", "csv", input: wide) == .success("a,b,column3\n1,2,3\n"))
    }

    @Test func commentsAreSkipped() {
        let commented = "# by hand\na,b\n1,2\n# more, and \"more\n\"x\n# y\",4\n"
        #expect(
            filter("--comment", "#", "b == 4", "-n", "-o", "jsonl", input: commented)
                == .success("{\"line\":5,\"a\":\"x\\n# y\",\"b\":4}\n"))
        #expect(filter("--comment", "# ", "b == 2", input: commented) == .success("a,b\n1,2\n"))
        let single = "a\n1\n# two\n3\n"
        #expect(filter("--comment", "#", "a == nil", "-c", input: single).output == "0\n")
        #expect(filter("--comment", "#", "TRUEPREDICATE", "-c", input: single) == .success("2\n"))
        let marks = "-- x\na,b\n-,1\n--\n-- y\n"
        #expect(filter("--comment", "--", "TRUEPREDICATE", input: marks) == .success("a,b\n-,1\n"))
        #expect(
            filter("b == 1", input: "a,b\n1,1\n# c\n").error.contains("this line begins with #: --comment '#' skips"))
        let found = "# by hand\na,b\n1,2\n# more\n3,4\n"
        let note = "note: (standard input): lines that begin with # are comments and are skipped; --skip 0 reads them\n"
        #expect(filter("b > 2", input: found) == Outcome(status: 0, output: "a,b\n3,4\n", error: note))
        // A header may begin with the mark, below comments that are titles.
        #expect(filter("b == 2", input: "## v1\n#a,b\n1,2\n").output == "#a,b\n1,2\n")
        #expect(
            predicate("filter", "-f", "jsonl", "--comment", "//", "a == 2", input: "// x\n{\"a\":1}\n{\"a\":2}\n")
                == .success("{\"a\":2}\n"))
        #expect(predicate("filter", "-f", "lines", "--comment", "//", "TRUEPREDICATE", input: "").status == 2)
    }

    @Test func textsMayStandForNil() {
        let copy = "id\tname\n1\t\\N\n2\tJo\n"
        #expect(
            predicate("filter", "-f", "tsv", "name == nil", "-o", "jsonl", input: copy)
                == .success("{\"id\":1,\"name\":null}\n"))
        #expect(predicate("filter", "-f", "tsv", "name == nil", input: copy).output == "id\tname\n1\t\\N\n")
        let dashes = "a,b\n-,1\n\"-\",2\nx,-\n"
        #expect(
            filter("--nil", "-", "a == nil", "-o", "jsonl", input: dashes) == .success("{\"a\":null,\"b\":1}\n"))
        #expect(filter("--nil", "-", "b > 1", input: dashes) == .success("a,b\n\"-\",2\n"))
        #expect(filter("--nil=none", "--nil=x", "a == nil AND b == nil", "-c", input: "a,b\nx,none\n").output == "1\n")
    }

    @Test func quotesMayBeOrdinary() {
        let open = "a,b\n\"x,1\ny,2\n"
        #expect(
            filter("b == 2", input: open).error.contains(
                "this quoted field has no closing quote: --quotes none reads quotes as ordinary characters"))
        #expect(filter("--quotes", "none", "b == 1", input: open) == .success("a,b\n\"x,1\n"))
        #expect(filter("--quotes", "none", "a == '\"x'", "-k", "b", input: open) == .success("b\n1\n"))
    }

    @Test func utf16WithoutAMark() throws {
        let text = "name,age\nJo,3\nÄl,9\n"
        for isBig in [false, true] {
            let bytes = text.utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBig ? [high, low] : [low, high]
            }
            let outcome = predicate(["filter", "-f", "csv", "age > 3"], source: MemorySource(bytes, maximumPiece: 3))
            #expect(outcome == .success("name,age\nÄl,9\n"))
        }
    }

    @Test func numbersOfPython() {
        let lines = "{\"a\": NaN, \"b\": 1}\n{\"a\": 2.5, \"b\": Infinity}\n{\"a\": 3, \"b\": -Infinity}\n"
        #expect(
            predicate("filter", "a > 1 AND b < 0", input: lines) == .success("{\"a\": 3, \"b\": -Infinity}\n"))
        #expect(predicate("filter", "b > 1", "-k", "b", input: lines) == .success("{\"b\":Infinity}\n"))
        #expect(predicate("filter", "a != nil", "-c", input: lines) == .success("3\n"))
        #expect(predicate("filter", "a > 1", "-f", "jsonl", input: "{\"a\": Nan}\n").status == 2)
    }

    @Test func rowsWithoutAHeader() {
        let note =
            "note: (standard input): the first row is data, so the keys are column1 and so on;"
            + " --header yes reads it as their names\n"
        #expect(
            filter("column1 < 3", input: bare) == Outcome(status: 0, output: bare, error: note))
        #expect(filter("--header", "no", "column1 > 1", "-k", "column2", input: bare) == .success("Games\n"))
        #expect(
            filter("--header", "no", "column1 > 1", "-o", "csv", input: bare)
                == .success("column1,column2,column3\n2,Games,2006-02-15 04:46:27\n"))
        #expect(filter("--header", "yes", "TRUEPREDICATE", "-c", input: bare) == .success("1\n"))
        #expect(filter("--header", "no", "TRUEPREDICATE", input: "name\nJo\n") == .success("name\nJo\n"))
        #expect(filter("--header", "no", "column1 == 'Jo'", "-n", input: "name\nJo\n") == .success("2:Jo\n"))
        #expect(
            filter("--header", "maybe", "a > 1", input: bare).error.contains("--header takes yes or no, found 'maybe'"))
        #expect(predicate("filter", "--header", "no", "column2 == 'y'", input: "x y\n").status == 1)
    }

    /// Values keep their text in JSON, unless it is no JSON.
    @Test func valuesKeepTheirText() {
        let rows =
            "n,d,when,sum,ok\n1.10,1e5,2026-11-01T00:30:00+02:00,\"$1,234.50\",TRUE\n10,-0.50,2026-11-02,5,FALSE\n"
        #expect(
            filter("TRUEPREDICATE", "-o", "jsonl", input: rows).output == """
                {"n":1.10,"d":1e5,"when":"2026-11-01T00:30:00+02:00","sum":1234.5,"ok":true}
                {"n":10,"d":-0.50,"when":"2026-11-02","sum":5,"ok":false}

                """)
        #expect(filter("n > 5", "-o", "json", "-k", "n", input: rows).output == "[{\"n\":10}]\n")
        #expect(filter("a > 1", "-o", "jsonl", input: "a;b\n1.234,5;007\n").output == "{\"a\":1234.5,\"b\":\"007\"}\n")
        #expect(
            filter("TRUEPREDICATE", "-o", "jsonl", input: "a,b\n25.12.2024,x\n").output
                == "{\"a\":\"2024-12-25\",\"b\":\"x\"}\n")
        #expect(
            filter("TRUEPREDICATE", "-o", "jsonl", input: "a,b\n\"x \"\"y\"\"\",\n\"\",2\n").output
                == "{\"a\":\"x \\\"y\\\"\",\"b\":null}\n{\"a\":\"\",\"b\":2}\n")
    }
}

/// Names that no record has.
struct UnknownNameTests {
    private let rows = "name,age,city\nJo,21,Rome\nAl,35,Oslo\n"
    private let lines = "{\"name\": \"Jo\", \"age\": 21}\n{\"name\": \"Al\"}\n"

    @Test(arguments: [
        (["--sum", "nope"], "nope", "the columns are name, age, city"),
        (["--count-by", "cty"], "cty", "did you mean city?"),
        (["--group-by", "city", "--avg", "agee"], "agee", "did you mean age?"),
        (["--min", "age.x"], "age.x", "the columns are name, age, city"),
        (["--sort", "-agee"], "agee", "did you mean age?"),
        (["--sort", "age:desc"], "age:desc", "write --sort -age"),
        (["--sort", "age asc"], "age asc", "write --sort age"),
    ])
    func areErrorsInColumns(options: [String], name: String, hint: String) {
        for format in ["csv", "tsv"] {
            let input = format == "csv" ? rows : rows.replacingOccurrences(of: ",", with: "\t")
            let outcome = predicate(
                ["filter", "TRUEPREDICATE", "-f", format] + options, source: MemorySource(input))
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error == "error: (standard input): there is no column '\(name)'\nhint: \(hint)\n")
        }
    }

    @Test func areNilInJSON() {
        let sum = predicate("filter", "TRUEPREDICATE", "--sum", "nope", input: lines)
        #expect(sum.output == "{\"count\":2,\"sum_nope\":null}\n")
        #expect(sum.error == "note: (standard input): no matching record has the key 'nope'\n")
        let sort = predicate("filter", "TRUEPREDICATE", "--sort", "age:desc", input: lines)
        #expect(sort.error.hasSuffix("has the key 'age:desc'; write --sort -age\n"))
        #expect(
            predicate("filter", "TRUEPREDICATE", "--sum", "age", input: lines)
                == .success("{\"count\":2,\"sum_age\":21}\n"))
    }

    @Test func groupsAreSortedByTheirColumns() {
        let outcome = predicate(
            "filter", "-f", "csv", "TRUEPREDICATE", "--count-by", "city", "--sort", "age", input: rows)
        #expect(outcome.status == 2)
        #expect(
            outcome.error == "error: the groups have no column 'age' to sort by\nhint: their columns are city, count\n")
    }

    /// Paths through arrays and collection operators are written as predicates read them.
    @Test func pathsThroughArraysAreWritten() {
        let input =
            "{\"labels\": [{\"name\": \"bug\", \"n\": 1.10}, {\"n\": 2}], \"tags\": [\"a\", \"b\"]}\n"
            + "{\"labels\": [], \"tags\": []}\n{\"a\": 1}\n"
        let run = { (words: String...) in
            predicate(["filter", "TRUEPREDICATE"] + words, source: MemorySource(input))
        }
        #expect(
            run("-k", "labels.name,labels.n")
                == .success(
                    "{\"labels.name\":[\"bug\",null],\"labels.n\":[1.10,2]}\n{\"labels.name\":[],\"labels.n\":[]}\n"
                        + "{\"labels.name\":null,\"labels.n\":null}\n"))
        #expect(run("-k", "tags.@count", "-o", "lines") == .success("2\n0\n\n"))
        #expect(
            run("-k", "tags.@count,labels.@max.n")
                == .success(
                    "{\"tags.@count\":2,\"labels.@max.n\":2}\n{\"tags.@count\":0,\"labels.@max.n\":null}\n"
                        + "{\"tags.@count\":null,\"labels.@max.n\":null}\n"))
        #expect(run("-k", "labels.name", "-o", "csv").output == "labels.name\n\"[\"\"bug\"\",null]\"\n[]\n\n")
        let unknown = run("-k", "labels.nam")
        #expect(unknown.error.hasSuffix("no matching record has the key 'labels.nam'; did you mean labels.name?\n"))
        #expect(unknown.output.hasPrefix("{\"labels.nam\":[null,null]}\n"))
        let empty = predicate("filter", "TRUEPREDICATE", "-k", "labels.nam", input: "{\"labels\": []}\n")
        #expect(empty == .success("{\"labels.nam\":[]}\n"))
    }
}
