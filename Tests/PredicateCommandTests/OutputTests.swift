import Foundation
import PredicateCommand
import PredicateData
import Testing

/// `--output`, `--sort`, `--first`, groups, `-n` and `-H`.
struct OutputTests {
    private let rows = "city,year,price,paid\nRome,2020,10,true\nParis,2021,2.5,false\nRome,2021,,true\n"
    private let lines = """
        {"city": "Rome", "price": 10, "tags": ["a", "b"], "owner": {"name": "Jo"}}
        {"city": "Paris", "price": 2.5, "note": "x, \\"y\\""}
        {"city": "Rome", "owner": {"name": "Al"}}

        """

    private func filter(_ words: String..., input: String) -> Outcome {
        predicate(["filter", "TRUEPREDICATE"] + words, source: MemorySource(input))
    }

    @Test func rowsBecomeOtherFormats() {
        #expect(
            filter("-o", "tsv", "-k", "price,city", input: rows).output == "price\tcity\n10\tRome\n2.5\tParis\n\tRome\n"
        )
        #expect(filter("-o", "lines", "-k", "city", input: rows).output == "Rome\nParis\nRome\n")
        #expect(
            filter("-o", "table", "-k", "city,price", input: rows).output
                == "city   price\nRome      10\nParis    2.5\nRome\n")
        let semicolons = "a;b\n1,5;\"x \"\"y\"\", z\"\n"
        #expect(filter("-o", "csv", input: semicolons).output == "a,b\n\"1,5\",\"x \"\"y\"\", z\"\n")
        #expect(filter("-o", "jsonl", input: semicolons).output == #"{"a":1.5,"b":"x \"y\", z"}"# + "\n")
        #expect(predicate("filter", "FALSEPREDICATE", "-o", "csv", input: rows).output == "city,year,price,paid\n")
    }

    @Test func jsonBecomesRows() {
        #expect(
            filter("-o", "csv", input: lines).output == """
                city,price,tags,owner,note
                Rome,10,"[""a"",""b""]","{""name"":""Jo""}",
                Paris,2.5,,,"x, ""y\"""
                Rome,,,"{""name"":""Al""}",

                """)
        #expect(filter("-o", "lines", "-k", "owner.name", input: lines).output == "Jo\n\nAl\n")
        #expect(filter("-o", "csv", input: "[1, \"x\"]").output == "value\n1\nx\n")
    }

    @Test func recordsAreSorted() {
        #expect(
            filter("--sort", "city,-year", "-k", "city,year", input: rows).output
                == "city,year\nParis,2021\nRome,2021\nRome,2020\n")
        #expect(filter("--sort", "-price", "--first", "2", "-k", "price", input: rows).output == "price\n10\n2.5\n")
        #expect(filter("--sort", "owner.name", "-k", "city", "--first=1", "-v", input: lines).status == 1)
        let names = filter("--sort", "-owner.name", "-o", "lines", "-k", "owner.name", input: lines)
        #expect(names.output == "Jo\nAl\n\n")
        #expect(filter("--sort", "-tags.@count", "--first", "1", "-k", "city", input: lines).output.contains("Rome"))
        let dates = "d,n\n2024-01-05,1\n2023-12-31,2\n"
        #expect(filter("--sort", "d", "-o", "lines", "-k", "n", input: dates).output == "2\n1\n")
    }

    /// With a limit only some records are held, whatever their number.
    @Test func theFirstOfManyAreThose() {
        var generator = Seeded(state: 9)
        let numbers = (0..<5000).map { _ in Int.random(in: 0..<100_000, using: &generator) }
        let input = "n\n" + numbers.map { "\($0)\n" }.joined()
        let outcome = filter("-f", "csv", "--sort", "-n", "--first", "7", input: input)
        let expected = numbers.sorted(by: >).prefix(7).map { "\($0)\n" }.joined()
        #expect(outcome.output == "n\n" + expected)
    }

    @Test func groupsAreCounted() {
        #expect(filter("--count-by", "city", input: rows).output == "city,count\nRome,2\nParis,1\n")
        #expect(
            filter("--count-by", "city", "--first", "1", "-o", "json", input: rows).output
                == "[{\"city\":\"Rome\",\"count\":2}]\n")
        #expect(
            filter("--count-by", "owner.name", "--sort", "owner.name", input: lines).output
                == #"{"owner.name":null,"count":1}"# + "\n" + #"{"owner.name":"Al","count":1}"# + "\n"
                + #"{"owner.name":"Jo","count":1}"# + "\n")
    }

    @Test func groupsHaveFigures() {
        let outcome = filter(
            "--group-by", "city", "--sum", "price", "--avg", "price", "--min", "year", "--max", "price", input: rows)
        #expect(
            outcome.output == """
                city,count,sum_price,avg_price,min_year,max_price
                Paris,1,2.5,2.5,2021,2.5
                Rome,2,10.0,10.0,2020,10.0

                """)
        #expect(filter("--sum", "price", "-o", "jsonl", input: lines).output == "{\"count\":3,\"sum_price\":12.5}\n")
        #expect(
            predicate("filter", "city == 'x'", "--sum", "price", input: lines).output
                == "{\"count\":0,\"sum_price\":null}\n")
        let big = "n\n9223372036854775807\n1\n"
        #expect(filter("-f", "csv", "--sum", "n", "-o", "lines", input: big).output == "2\t9.223372036854776e+18\n")
        let tenths = "n\n" + String(repeating: "0.1\n", count: 10)
        #expect(filter("-f", "csv", "--sum", "n", "-o", "lines", input: tenths).output == "10\t1.0\n")
    }

    /// If all operands are files, all records match.
    @Test func withoutAPredicateAllRecordsMatch() throws {
        try withFiles(["a.csv": rows, "b.csv": rows]) { paths in
            let (a, b) = (paths["a.csv"] ?? "", paths["b.csv"] ?? "")
            #expect(predicate("filter", "--count-by", "city", a) == .success("city,count\nRome,2\nParis,1\n"))
            #expect(predicate("filter", "-c", a, b) == .success("6\n"))
            #expect(predicate("filter", a, "missing.csv").status == 2)
        }
        #expect(predicate("filter", "-f", "csv", "-c", input: rows) == .success("3\n"))
        #expect(predicate("filter", "-c", "-", input: rows) == .success("3\n"))
    }

    @Test func filesAreCountedAndNamed() throws {
        try withFiles(["a.csv": rows, "b.csv": rows, "c.csv": "city\nOslo\n"]) { paths in
            let files = ["a.csv", "b.csv", "c.csv"].map { paths[$0] ?? "" }
            let run = { (words: String...) in predicate(["filter", "city == 'Paris'"] + words + files, source: silence)
            }
            #expect(run("-c").output == "2\n")
            #expect(run("-cH") == .success("\(files[0]):1\n\(files[1]):1\n\(files[2]):0\n"))
            #expect(run("-l") == .success("\(files[0])\n\(files[1])\n"))
            #expect(run("-v", "-l") == .success(files.map { $0 + "\n" }.joined()))
            #expect(run("-l", "--count-by", "city").status == 2)
        }
    }

    @Test func aSumOfTextsIsAnError() {
        let outcome = filter("--sum", "city", input: rows)
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("(standard input):2: error: 'city' is not a number: it is the string \"Rome\""))
    }

    @Test func placesComeBeforeRecords() throws {
        #expect(predicate("filter", "price > 5", "-n", input: lines).output.hasPrefix("1:{\"city\": \"Rome\""))
        #expect(
            filter("-nH", "-k", "city", input: rows).output
                == "city\n(standard input):2:Rome\n(standard input):3:Paris\n(standard input):4:Rome\n")
        #expect(
            predicate("filter", "price < 5", "-n", "-o", "jsonl", "-k", "city", input: lines).output
                == "{\"line\":2,\"city\":\"Paris\"}\n")
        #expect(
            predicate("filter", "price < 5", "-n", "-o", "csv", "-k", "city", input: lines).output
                == "line,city\n2,Paris\n")
        #expect(predicate("filter", "SELF > 1", "-n", input: "[1,\n2]").output == "2:2\n")
    }

    @Test func rowsOfAStoreAreSortedAndGrouped() throws {
        try withStore { store, _ in
            let run = { (words: String...) in
                predicate(["filter", "TRUEPREDICATE", store, "--table", "person"] + words, source: silence)
            }
            #expect(
                run("--sort", "-age", "-k", "name", "--first", "2").output
                    == "{\"name\":\"José\"}\n{\"name\":\"bo\"}\n")
            #expect(run("--count-by", "boss.name", "-o", "csv").output == "boss.name,count\nJosé,2\n,1\nal,1\n")
            #expect(
                run("--sum", "age", "--avg", "height", "-o", "csv").output
                    == "count,sum_age,avg_height\n4,109,1.7666666666666666\n")
            #expect(
                run("-o", "table", "-k", "name,age", "--sort", "id").output
                    == "name  age\nJosé   52\nal     17\n\nbo     40\n")
            #expect(run("-n").error.contains("--line-number does not apply to a SQLite file"))
            #expect(
                predicate("filter", "born > '1999-01-01'", store, "--table", "person", "-k", "name").output
                    == "{\"name\":\"bo\"}\n")
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}

/// Files in other forms than plain text in UTF-8.
struct InputTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Spreadsheets").path

    @Test func directoriesAreReadInOrder() throws {
        try withFiles(["b.jsonl": "{\"n\": 2}\n", "a.jsonl": "{\"n\": 1}\n", "c.txt": "x", ".d.jsonl": "{\"n\": 3}\n"])
        {
            paths in
            let directory = URL(fileURLWithPath: paths["a.jsonl"] ?? "").deletingLastPathComponent().path
            #expect(predicate("filter", "n > 0", directory) == .success("{\"n\": 1}\n{\"n\": 2}\n"))
        }
        try withFiles(["c.txt": "x"]) { paths in
            let directory = URL(fileURLWithPath: paths["c.txt"] ?? "").deletingLastPathComponent().path
            #expect(predicate("filter", "n > 0", directory).error.contains("there are no data files"))
        }
    }

    @Test func columnsOfSeveralFilesAreMatchedByName() throws {
        let files = [
            "a.csv": "n,m\n1,x\n", "b.csv": "m;n\ny;2\n\"z,\";3\n", "c.tsv": "m\tn\nw\t4\n", "d.csv": "n,m,o\n5,v,1\n",
        ]
        try withFiles(files) { paths in
            let run = { (names: [String], words: [String]) in
                predicate(["filter", "n > 0"] + words + names.compactMap { paths[$0] }, source: silence)
            }
            #expect(run(["a.csv", "b.csv", "c.tsv"], []) == .success("n,m\n1,x\n2,y\n3,\"z,\"\n4,w\n"))
            #expect(run(["a.csv", "d.csv"], []).error.contains("it has another column 'o'"))
            #expect(run(["d.csv", "a.csv"], []).error.contains("it has no column 'o'"))
            #expect(run(["d.csv", "a.csv"], ["-k", "m,n"]) == .success("m,n\nv,5\nx,1\n"))
        }
    }

    @Test func linesAreStrings() {
        let log = "one error\nsecond line\n\nError three"
        #expect(
            predicate("filter", "-f", "lines", "SELF CONTAINS[c] 'error'", input: log).output
                == "one error\nError three\n")
        #expect(predicate("filter", "-f", "lines", "-n", "SELF == ''", input: log).output == "3:\n")
        #expect(
            predicate("filter", "-f", "lines", "-o", "jsonl", "SELF BEGINSWITH 's'", input: log).output
                == "\"second line\"\n")
        #expect(predicate("filter", "-f", "lines", "-c", "length > 3", input: log).output == "3\n")
        let latin = predicate(
            ["filter", "-f", "lines", "SELF CONTAINS 'ü'"], source: MemorySource([0x66, 0xFC, 0x72, 10]))
        #expect(latin.output == "für\n")
        let text = predicate("filter", "SELF CONTAINS 'e'", input: log)
        #expect(text.status == 2 && text.output == "")
        #expect(text.error.contains("found plain text: use -f lines to read each line as SELF"))
    }

    @Test func aTruncatedDocumentIsNoArray() {
        let cut = predicate("filter", "a > 5", input: "[{\"a\": 1}, {\"a\"")
        #expect(cut.status == 2 && cut.output == "")
        #expect(predicate("filter", "a > 0", input: "[{\"a\": 1}, {\"a\"").output == "[{\"a\": 1}]\n")
        #expect(predicate("filter", "a > 5", input: "[{\"a\": 1}]").output == "[]\n")
    }

    @Test func compressedFilesAreUnpacked() throws {
        let url = URL(fileURLWithPath: folder + "/pandas-compressed.csv.gz")
        let bytes = Array(try Data(contentsOf: url))
        let run = { (bytes: [UInt8]) in
            predicate(["filter", "-c", "zip BEGINSWITH '1'"], source: PipeSource(bytes, piece: 3))
        }
        #expect(run(bytes) == .success("1\n"))
        let cut = run(Array(bytes.dropLast(20)))
        #expect(cut.status == 2 && cut.error.contains("the gzip data is truncated"))
        var damaged = bytes
        damaged[bytes.count - 6] ^= 0xFF
        #expect(run(damaged).error.contains("invalid gzip data"))
        // Two members, as from cat a.gz b.gz, and zeros after them.
        #expect(run(bytes + bytes).output == "2\n")
        #expect(run(bytes + [0, 0, 0, 0]).output == "1\n")
    }

    /// The types of a pipe come from its first mebibyte; what does not fit later is an error that names the cure.
    @Test func laterCellsOfAPipeAreChecked() {
        let head = "zip,pad\n" + String(repeating: "99999,\(String(repeating: "x", count: 90))\n", count: 12_000)
        let source = PipeSource(Array((head + "01234,y\n88888,z\n").utf8), piece: 65_536)
        let outcome = predicate(["filter", "-k", "zip", "zip == 88888"], source: source)
        #expect(outcome.status == 2)
        #expect(outcome.output == "zip\n88888\n")
        #expect(
            outcome.error.contains(
                "row 12001: column 'zip' is integer in all rows sampled, but '01234' is not: declare its type, as in"
                    + " --types 'zip=string'"))
        let declared = PipeSource(Array((head + "01234,y\n").utf8), piece: 65_536)
        let texts = predicate(["filter", "-t", "zip=string", "-k", "zip", "zip BEGINSWITH '0'"], source: declared)
        #expect(texts == .success("zip\n01234\n"))
    }

    /// A file is read twice, so that its last row counts as the first does.
    @Test func allRowsOfAFileCount() throws {
        let head = "zip,pad\n" + String(repeating: "99999,\(String(repeating: "x", count: 90))\n", count: 12_000)
        try withFiles(["a.csv": head + "01234,y\n"]) { paths in
            let outcome = predicate("filter", "-k", "zip", "zip BEGINSWITH '0'", paths["a.csv"] ?? "")
            #expect(outcome == .success("zip\n01234\n"))
            let count = predicate("filter", "-c", "zip == '99999'", paths["a.csv"] ?? "")
            #expect(count == .success("12000\n"))
        }
    }

    /// Rows come out as they come in if no type must be inferred.
    @Test func declaredColumnsAreNotWaitedFor() {
        let output = Capture()
        final class Watched: ByteSource {
            var pieces: [String]
            var seen: [String] = []
            let output: Capture
            init(_ pieces: [String], _ output: Capture) { (self.pieces, self.output) = (pieces, output) }
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                seen.append(output.text)
                if pieces.isEmpty { return 0 }
                let bytes = Array(pieces.removeFirst().utf8)
                buffer.copyBytes(from: bytes)
                return bytes.count
            }
        }
        let source = Watched(["a,b\n1,x\n", "2,y\n"], output)
        let status = CommandLineTool.run(
            arguments: ["filter", "-f", "csv", "-t", "a=integer", "a > 0"], input: source, output: output.append,
            errorOutput: Capture().append)
        #expect(status == 0)
        #expect(source.seen.last == "a,b\n1,x\n2,y\n")
        #expect(source.seen.contains("a,b\n1,x\n"))
    }
}

/// `predicate completion` and `predicate help --man`.
struct CompletionTests {
    private func words(_ words: String...) -> [String] {
        let outcome = predicate(["completion", "--words", "--"] + words, source: silence)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func commandsAndOptionsAreCompleted() {
        #expect(words("fi") == ["filter"])
        #expect(words("filter", "--cou") == ["--count", "--count-by"])
        #expect(words("filter", "a == 1", "-o", "t") == ["tsv", "table"])
        #expect(words("filter", "--output=js") == ["--output=jsonl", "--output=json"])
        #expect(words("completion", "") == ["bash", "zsh", "fish"])
        #expect(words("help", "ex") == ["explain"] && words("store", "ex") == ["export"])
        #expect(words("help", "store", "mi") == ["migrate"] && words("store", "migrate", "--ma") == ["--mapping"])
        #expect(words("filter", "a == 1", "") == [":files"])
        #expect(words("filter", "a == 1", "--schema", "") == [":files"])
    }

    @Test func namesHaveDescriptions() {
        func described(_ words: String...) -> String {
            predicate(["completion", "--words", "--descriptions", "--"] + words, source: silence).output
        }
        #expect(described("fil") == "filter\tPrint the records that match a predicate\n")
        #expect(described("store", "ins") == "insert\tInsert an object into a Core Data store\n")
        #expect(described("help", "nil") == "nil\tMissing values\n")
        #expect(described("filter", "--last") == "--last\tPrint only the last N matches\n")
        #expect(described("filter", "a == 1", "-o", "ts") == "tsv\n")
        #expect(
            described("filter", "--he")
                == "--header\tWhether the first row of CSV has the keys\n--help\n")
    }

    @Test func keysOfTheFileAreCompleted() throws {
        let files = [
            "p.csv": "name,age,city\njo,1,x\n", "p.jsonl": "{\"name\": 1, \"dept\": {\"head\": 2}}\n{\"x\": 1}\n",
        ]
        try withFiles(files) { paths in
            let (csv, jsonl) = (paths["p.csv"] ?? "", paths["p.jsonl"] ?? "")
            #expect(words("filter", "a == 1", csv, "-k", "") == ["name", "age", "city"])
            #expect(words("filter", "a == 1", csv, "--sort", "name,-a") == ["name,-age"])
            #expect(words("filter", "a == 1", csv, "-t", "ci") == ["city="])
            #expect(words("filter", "a == 1", csv, "-t", "city=st") == ["city=string"])
            #expect(words("explain", "a == 1", jsonl, "-t", "d") == ["dept=", "dept.head="])
            #expect(words("filter", "-f", "csv", csv, "x") == [":files"])
            let inside = ["completion", "--words", "--cursor", "2", "--", "filter", "age > 1 AND ci", csv]
            #expect(predicate(inside, source: silence).output == "age > 1 AND city\n")
            #expect(words("filter", "a == 1", jsonl, "--count-by", "") == ["name", "dept", "dept.head", "x"])
        }
        try withStore { store, _ in
            #expect(words("filter", "a == 1", store, "--table", "per") == ["person"])
            #expect(words("filter", "a == 1", store, "--table", "person", "-k", "bo") == ["born", "boss_id", "boss"])
        }
    }

    @Test func scriptsAreForThreeShells() {
        for shell in ["bash", "zsh", "fish"] {
            let outcome = predicate("completion", shell)
            #expect(outcome.status == 0 && outcome.output.contains("completion --words"))
        }
        #expect(predicate("completion", "tcsh").status == 2)
    }

    @Test func theManualHasAllPages() {
        let manual = predicate("help", "--man").output
        for command in ["FILTER", "PARSE", "SQL", "CHECK", "COMPLETION"] {
            #expect(manual.contains(".SH PREDICATE \(command)\n"))
        }
        #expect(!manual.split(separator: "\n").contains { $0.hasPrefix("'") })
        #expect(manual.components(separatedBy: "the JSON value, for %@").count == 4)
        #expect(manual.contains(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n"))
    }
}
