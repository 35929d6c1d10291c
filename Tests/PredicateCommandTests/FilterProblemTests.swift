import PredicateCommand
import PredicateData
import Testing

struct FilterProblemTests {
    private let mixed = "{\"a\": 1}\n{bad\n{\"a\": \"x\"}\n{\"a\": \"y\"}\n{\"a\": 2}\n"

    @Test func badRecordsAreReportedAndPassedOver() {
        let outcome = predicate("filter", "a > 0", input: mixed)
        #expect(outcome.status == 2)
        #expect(outcome.output == "{\"a\": 1}\n{\"a\": 2}\n")
        let lines = outcome.error.split(separator: "\n").map(String.init)
        #expect(lines.first == "(standard input):2: error: expected a key in double quotes (column 2)")
        #expect(lines.dropFirst().first?.hasPrefix("(standard input):3: error: ") == true)
        #expect(lines.contains("  a > 0"))
        #expect(lines.contains { $0.hasPrefix("  ^~~~~ ") })
        #expect(lines.last?.hasPrefix("(standard input):4: error: expected two values") == true)
    }

    @Test func aBrokenFirstLineIsALine() {
        let outcome = predicate("filter", "a > 0", input: "{\"a\": 1 \"b\": 2}\n{\"a\": 2}\n{\"a\": 3}\n")
        #expect(outcome.status == 2)
        #expect(outcome.output == "{\"a\": 2}\n{\"a\": 3}\n")
        #expect(outcome.error == "(standard input):1: error: expected ',' or the closing bracket (column 9)\n")
    }

    /// Headers without the column, and the hint for each.
    @Test(arguments: [
        ("aa,xyz\n1,2\n", "csv", "did you mean aa?"),
        (" a , b \n1,2\n", "csv", "spaces are part of a column's name: write #\" a \""),
    ])
    func whyThereIsNoColumn(input: String, format: String, reason: String) {
        let outcome = predicate("filter", "-f", format, "a == 1", input: input)
        #expect(outcome.error == "note: (standard input): there is no column 'a'; it is nil in every row; \(reason)\n")
    }

    /// `k.x` is the member x of k, and the name of a column.
    @Test func aNameMayHaveADot() {
        let reason = "the dot is part of a name: write #\"k.x\""
        let csv = predicate("filter", "k.x == 1", input: "k.x,age\n1,2\n")
        #expect(csv.error == "note: (standard input): there is no column 'k'; it is nil in every row; \(reason)\n")
        let json = predicate("filter", "k.x == 1", input: "{\"k.x\": 1}\n")
        #expect(json.error == "note: (standard input): no record has the key 'k'; \(reason)\n")
        let quoted = predicate("filter", "'k.x' == 1", input: "k.x,age\n1,2\n")
        #expect(quoted.error.hasSuffix("in quotes, k.x is a string, not a key; write #\"k.x\"\n"))
        #expect(predicate("filter", "#\"k.x\" == 1", "--count", input: "k.x,age\n1,2\n") == .success("1\n"))
    }

    @Test func strictStopsAtTheFirst() {
        let outcome = predicate("filter", "--strict", "a > 0", input: mixed)
        #expect(outcome.status == 2)
        #expect(outcome.output == "{\"a\": 1}\n")
        #expect(outcome.error == "(standard input):2: error: expected a key in double quotes (column 2)\n")
        let array = predicate("filter", "--strict", "a > 0", input: "[{\"a\": 1}, {\"a\": \"x\"}, {\"a\": 2}]")
        #expect(array.output == "[{\"a\": 1}]\n")
    }

    @Test func aMatchCountsMoreThanAnErrorWhenQuiet() {
        #expect(predicate("filter", "-q", "a == 2", input: mixed).status == 0)
        #expect(predicate("filter", "-q", "a == 3", input: mixed).status == 2)
        #expect(predicate("filter", "-c", "a == 2", input: mixed).status == 2)
    }

    @Test func invertDoesNotSelectErrors() {
        #expect(predicate("filter", "-v", "a > 1", input: mixed).output == "{\"a\": 1}\n")
    }

    @Test func manyProblemsAreCounted() {
        let input = String(repeating: "{bad\n{\"a\": \"x\"}\n", count: 50)
        let lines = predicate("filter", "-f", "jsonl", "a > 0", input: input).error.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("(standard input):") }.count == 10)
        #expect(lines.last == "error: 50 records could not be read, 50 records could not be evaluated")
    }

    /// A file of another format ends with the first error and its cure. [NSP-468]
    @Test func aFileOfAnotherFormatIsNotReadOn() throws {
        let rows = (1...30).map { "\($0),n\($0)\n" }.joined()
        try withFiles(["a.csv": "id,name\n" + rows, "b.jsonl": "id\tname\n" + rows.replacing(",", with: "\t")]) {
            paths in
            let csv = predicate(["filter", "-f", "jsonl", "id > 3", paths["a.csv"] ?? ""], source: silence)
            #expect(csv.status == 2 && csv.output.isEmpty)
            #expect(
                csv.error == """
                    \(paths["a.csv"] ?? ""):1: error: expected a value (column 1)
                    hint: the file looks like CSV: leave out --format
                    error: \(paths["a.csv"] ?? ""): none of its first 10 records can be read

                    """)
            let named = predicate(["filter", "id > 3", paths["b.jsonl"] ?? ""], source: silence)
            #expect(
                named.error.contains("hint: the file looks like TSV: read it with --format tsv\n"), "\(named.error)")
        }
    }

    /// Errors of all records are counted; those before a record that can be read are reported. [NSP-468]
    @Test func alikeErrorsAreCounted() {
        let rows = (1...30).map { "\($0),n\n" }.joined()
        let all = predicate("filter", "-f", "jsonl", "id > 3", input: rows)
        #expect(all.error.split(separator: "\n").count == 2)
        #expect(all.error.hasSuffix("\nerror: 29 further records could not be read\n"), "\(all.error)")
        let some = predicate("filter", "-f", "jsonl", "id > 3", input: "a,b\nc,d\ne,f\ng,h\n{\"id\": 4}\n")
        #expect(some.output == "{\"id\": 4}\n")
        #expect(some.error.split(separator: "\n").count == 4, "\(some.error)")
        #expect(predicate("filter", "-f", "jsonl", "id > 3", input: "a,b\nc\n").error.split(separator: "\n").count == 2)
    }

    @Test func filesThatDoNotOpenDoNotStopTheOthers() throws {
        try withFiles(["a.jsonl": "{\"a\": 1}\n"]) { paths in
            let outcome = predicate("filter", "a == 1", "/no/such/file", paths["a.jsonl"] ?? "")
            #expect(outcome.status == 2)
            #expect(outcome.output == "{\"a\": 1}\n")
            #expect(outcome.error == "error: cannot open '/no/such/file': No such file or directory\n")
        }
    }

    @Test func missingColumnsAreNoted() {
        let outcome = predicate("filter", "agee > 18", input: "name,age\njo,21\n")
        #expect(outcome.status == 1)
        #expect(
            outcome.error
                == "note: (standard input): there is no column 'agee'; it is nil in every row; did you mean age?\n")
        #expect(predicate("filter", "-q", "agee > 18", input: "name,age\njo,21\n").error == "")
    }

    @Test func chosenColumnsAreSuggested() {
        let input = "name,age\njo,21\n"
        #expect(predicate("filter", "age > 1", "-k", "nmae", input: input).error.contains("hint: did you mean name?"))
        #expect(predicate("filter", "age > 1", "-k", "age, name", input: input) == .success("age,name\n21,jo\n"))
    }

    /// A key that no record has is noted wherever it stands; one that some record has is not.
    @Test func slipsInKeysOfJSONAreNoted() {
        let input = #"{"name": "jo", "tags": [{"id": 1}]}"# + "\n" + #"{"nmae": "al"}"# + "\n"
        let error = { (words: String...) in predicate(["filter"] + words, source: MemorySource(input)).error }
        #expect(error("nmae == 'jo'") == "")
        let note = "note: (standard input): no record has the key "
        #expect(error("today == nil") == note + "'today'\n")
        #expect(error("naem == 1 OR name != nil") == note + "'naem'; did you mean name?\n")
        #expect(error("ANY tags.idd == 1") == note + "'tags.idd'; did you mean tags.id?\n")
        #expect(error("SUBQUERY(tags, $t, $t.idd == 1).@count > 0") == note + "'tags.idd'; did you mean tags.id?\n")
        #expect(error("tags.@count > 0") == "")
        #expect(error("name != nil", "-k", "nam").contains("no matching record has the key 'nam'; did you mean name?"))
        #expect(error("name != nil", "--sort", "nam").contains("no matching record has the key 'nam'"))
        #expect(error("-q", "naem == 'jo'") == "")
        #expect(error("naem == nil", "--first") == "")
    }

    @Test func columnsAreGivenTypes() {
        let hint = "hint: column 'born' is a date"
        let input = "name,born\njo,2024-01-31\n"
        #expect(predicate("filter", "born > 5", input: input).error.contains(hint + "\n"))
        let cure = hint + "; --types 'born=string' reads it as a string\n"
        #expect(predicate("filter", "born > 'x'", input: input).error.contains(cure))
        #expect(predicate("filter", "born > '2023-01-01'", input: input) == .success(input))
        #expect(predicate("filter", "born IN {'2024-01-31', '2024-02-01'}", input: input) == .success(input))
        #expect(predicate("filter", "-t", "born=string", "born BEGINSWITH '2024'", input: input) == .success(input))
        #expect(predicate("filter", "-t", "born=date", "born > CAST('2023-01-01', 'NSDate')", input: input).error == "")
        #expect(!predicate("filter", "born > 5", input: #"{"born": "x"}"#).error.contains(hint))
        #expect(!predicate("filter", "size + 1 > 5", input: "name,born\njo,\n").error.contains(hint))
        #expect(!predicate("filter", "my-born > 5", input: input).error.contains(hint))
    }

    /// Hints name an option only where it helps.
    @Test func hintsAboutTypesAreTrue() {
        let error = { (input: String, words: String...) in
            predicate(["filter"] + words, source: MemorySource(input)).error
        }
        let mixed = "name,weight\njo,5\nal,x\n"
        let reason = "column 'weight' is text, since 'x' is not a number; --types 'weight=double' reports such cells"
        #expect(error(mixed, "weight > 1").contains("hint: " + reason))
        #expect(error(mixed, "weight > 1", "-t", "weight=double").contains("'x' is not a valid double"))
        #expect(error(mixed, "name > 1").contains("hint: column 'name' is text\n"))
        let zips = error("zip\n99999\n", "-f", "csv", "zip BEGINSWITH '9'")
        #expect(zips.contains("--types 'zip=string' reads it as a string"))
        let note = "note: (standard input): "
        let never = "a number and a string are never equal; remove the quotes: 99999; --types 'zip=string'\n"
        #expect(error("zip\n99999\n", "-f", "csv", "zip == '99999'") == note + "zip == \"99999\": " + never)
        #expect(error("zip\n99999\n", "-f", "csv", "zip == '99999'", "-t", "zip=string") == "")
        #expect(error(mixed, "weight == 5").contains("a string and a number are never equal"))
        #expect(error(mixed, "weight == 5").contains("; --types 'weight=double'\n"))
        #expect(!error(mixed, "name == 5").contains("--types"))
    }

    /// JSON has no types for UUIDs and dates: where nothing matches, the option is named that gives them one.
    @Test func typesOfJSONAreNoted() {
        let input = #"{"id": "137decc8-b300-4954-a233-f89909f4fd89", "due": "2024-01-31"}"# + "\n"
        let filter = { (words: String...) in predicate(["filter"] + words, source: MemorySource(input)) }
        let id = ["-a", "uuid:137DECC8-B300-4954-A233-F89909F4FD89"]
        #expect(filter("id == %@", id[0], id[1]).error.contains("a string and a UUID are never equal"))
        #expect(filter("id == %@", id[0], id[1]).error.contains("; --types 'id=uuid'\n"))
        #expect(filter("id == %@", id[0], id[1], "-t", "id=uuid") == .success(input))
        #expect(filter("id == '137DECC8-B300-4954-A233-F89909F4FD89'", "-t", "id=uuid") == .success(input))
        #expect(!filter("id == 5").error.contains("--types"))
        #expect(
            filter("due < now()").error.contains("hint: --types 'due=date' reads ISO 8601 strings of 'due' as dates"))
        #expect(filter("due < now()", "-t", "due=date") == .success(input))
    }

    @Test func theHeaderMayStandBelowATitle() {
        let input = "# made today\n\nname;weight\njo;5\n"
        let note =
            "note: (standard input): lines 1 to 2 are titles, so the table begins below them; --skip 0 reads line 1 as"
            + " the header\n"
        #expect(
            predicate("filter", "-f", "csv", "weight > 1", input: input)
                == Outcome(status: 0, output: "name;weight\njo;5\n", error: note))
        let later = "note: (standard input): line 3 looks like the header; --skip 2 starts there\n"
        #expect(predicate("filter", "--skip", "0", "weight > 1", input: input).error.hasPrefix(later))
        #expect(predicate("filter", "--skip", "2", "weight > 1", input: input) == .success("name;weight\njo;5\n"))
        #expect(predicate("filter", "--skip", "9", "weight > 1", input: input).status == 1)
        #expect(predicate("filter", "--skip", "-1", "weight > 1", input: input).error.contains("--skip takes a number"))
        #expect(predicate("filter", "-n", "--skip", "2", "weight > 1", input: input).output.contains("4:jo;5"))
    }

    @Test func carriageReturnsMayEndLines() {
        let input = "name,age\rjo,21\ral,1\r"
        #expect(predicate("filter", "-f", "csv", "age > 1", input: input) == .success("name,age\njo,21\n"))
        #expect(predicate("filter", "-f", "csv", "a == 2", input: "\"a\rb\",a\r1,1\r3,2").output == "\"a\nb\",a\n3,2\n")
        #expect(predicate("filter", "-f", "tsv", "name == 'jo'", input: "name\rjo\r").output == "name\njo\n")
        #expect(predicate("filter", "-f", "csv", "a == 'x'", input: "\"a\rb\",a\r\n1,x\r\n").status == 0)
    }

    @Test func filesWithoutRecordsAreAnEmptyArray() {
        #expect(predicate("filter", "-f", "csv", "-o", "json", "a == 1", input: "").output == "[]\n")
    }

    @Test func wordsInTheWrongOrderAreUnderstood() throws {
        try withFiles(["people.csv": "age\n21\n"]) { paths in
            let path = paths["people.csv"] ?? ""
            #expect(predicate("filter", path, "age > 1", input: "").error.contains("hint: the predicate comes before"))
            #expect(predicate("age > 21", path) == Outcome(status: 1, output: "age\n", error: ""))
        }
        #expect(
            predicate("filter", "age", ">", "1", input: "").error.contains("hint: put the whole predicate in quotes"))
        #expect(predicate("age > 1", input: "age,name\n1,Al\n2,Jo\n") == .success("age,name\n2,Jo\n"))
        #expect(predicate("age >", input: "").error.hasPrefix("error: expected a value"))
        #expect(predicate("filter", "no.csv", input: "").error.hasSuffix("hint: there is no file 'no.csv'\n"))
    }

    @Test func wrongPredicatesAreShown() {
        let format = predicate(["filter", "age >="], source: silence)
        #expect(format.status == 2)
        #expect(format.error.hasPrefix("error: expected a value"))
        let pattern = predicate(["filter", "name MATCHES \"(\""], source: silence)
        #expect(pattern.status == 2)
        #expect(pattern.error.contains("\n  name MATCHES \"(\"\n               ^~~"))
    }

    @Test func aReaderThatGoesAwayIsNoError() {
        let outcome = predicateWriting(errno: 32, ["filter", "a == 1"], source: Endless("{\"a\": 1}\n"))
        #expect(outcome == .success(""))
        #expect(predicateWriting(errno: 32, ["--help"], source: silence) == .success(""))
        #expect(predicateWriting(errno: 32, ["parse", "--help"], source: silence) == .success(""))
    }

    @Test func aFullDiskIsAnError() {
        let outcome = predicateWriting(errno: 28, ["filter", "a == 1"], source: MemorySource("{\"a\": 1}\n"))
        #expect(outcome == Outcome(status: 2, output: "", error: "error: cannot write: No space left on device\n"))
    }

    @Test func outputIsSentBeforeMoreIsWaitedFor() {
        let output = Capture()
        let source = Watched(["{\"a\": 1}\n", "{\"a\": 2}\n", ""]) { output.text }
        let status = CommandLineTool.run(
            arguments: ["filter", "a > 0"], input: source, output: output.append, errorOutput: Capture().append)
        #expect(status == 0)
        #expect(source.seen == ["", "{\"a\": 1}\n", "{\"a\": 1}\n{\"a\": 2}\n"])
    }

    @Test func aHundredThousandRecordsAreCounted() {
        let input = (0..<100_000).map { "{\"id\": \($0), \"name\": \"user \($0)\"}\n" }.joined()
        let outcome = predicate("filter", "-c", "id >= 50000 AND name ENDSWITH '7'", input: input)
        #expect(outcome == .success("5000\n"))
    }

    @Test func wholeRecordsAndIndexesWork() {
        let values = "1\n2\n[3, 4]\n"
        #expect(predicate("filter", "SELF == 2", input: values) == .success("2\n"))
        #expect(predicate("filter", "SELF.@count == 2", input: "[3, 4]\n{\"a\": 1, \"b\": 2}\n").status == 0)
        #expect(predicate("filter", "-c", "SELF['a'] == 1", input: "{\"a\": 1, \"b\": 2}\n") == .success("1\n"))
        #expect(predicate("filter", "-c", "TRUEPREDICATE", input: "a,b\n1,2\n") == .success("1\n"))
    }
}

/// What newcomers wrote on a command line, each with what the output must say.
struct NewcomerTests {
    private static let people = "name,age,joined,price\nJohn,30,2020-01-05,3.5\nAnn,,2021-02-03,4\n"

    @Test(arguments: [
        (["name == John"], "there is no column 'John'; it is nil in every row; a string needs quotes: \"John\""),
        (["name IN {John, \"Al\"}"], "a string needs quotes: \"John\""),
        (["joined > 2020-01-01"], "write \"2020-01-01\": 2020-01-01 is read as arithmetic\n"),
        (["joined > DATE '2020-01-01'"], "write a date without DATE: \"2020-01-01\"\n"),
        (["YEAR(joined) = 2020"], "write year(joined)\n"), (["joined.month == 5"], "hint: write month(joined)\n"),
        (["joined > 2020"], "hint: write \"2020-01-01\": 2020 is a number\n"),
        (["joined > '31.12.2020'"], "hint: write a date with the year first: \"2024-12-31\"\n"),
        (["joined > today"], "write date:truncatedTo:(now(), \"day\") for the beginning of today\n"),
        (
            ["joined > CURRENT_TIMESTAMP"],
            "there is no column 'CURRENT_TIMESTAMP'; it is nil in every row; write now()\n"
        ),
        (["name != undefined"], "write nil for a missing value, \"undefined\" for a string\n"),
        (["df.age > 3"], "write the column alone: age\n"),
        (["town == 'Rome'"], "it is nil in every row; the columns are name, age, joined, price\n"),
        (["age > $age"], "--set age=VALUE sets it; a key has no $: age\n"),
        (["age > 3 ORDER BY age"], "hint: --sort KEY sorts, --sort -KEY in descending order\n"),
        (["age > 3 LIMIT 5"], "hint: --first N prints the first matches\n"),
        (["age.x > 3"], "a number has no such key\nnote"), (["age > 3", "--json"], "hint: write --output json\n"),
        (["age > 3", "--output-file", "x"], "hint: the shell writes a file: > FILE\n"),
        (["age > 3", "--sum", "joined"], "'joined' is not a number: it is the date 2020-01-05T00:00:00Z\n"),
        (["price > @avg.price"], "hint: --avg price prints it"), (["age - 1 > 5"], "write age != nil AND"),
        (["'age' > 3"], "write a key without quotes: age"),
        (["exists(name)"], "hint: write name != nil\n"), (["age", "people.csv"], "put the whole predicate in quotes"),
        (["jo-ined IN {'a'}"], "hint: did you mean joined?"), (["name == 'J'", "-a", "4"], "%@ or %K\n"),
        (["age > 3", "-t", "agee=integer"], "error: (standard input): there is no column 'agee'; did you mean age?\n"),
    ])
    func whatIsMeantIsSaid(_ words: [String], _ text: String) {
        let files = words.last == "people.csv" ? [] : ["-"]
        let outcome = predicate(["filter"] + words + files, source: MemorySource(Self.people))
        #expect(outcome.error.contains(text), "\(outcome.error)")
        // What check finds is noted in its own words.
        let errors = outcome.error.split(separator: "\n").filter { !$0.hasPrefix("note: ") }
        #expect(!errors.contains { $0.firstMatch(of: /NS(String|Number|Date)/) != nil }, "\(errors)")
    }

    @Test func allLinesAreSkipped() {
        let outcome = predicate("filter", "age > 3", "--skip", "100", input: Self.people)
        #expect(
            outcome == Outcome(status: 1, output: "", error: "note: (standard input): --skip skips all of its lines\n"))
    }

    /// A cure may name a class where the language has no other word.
    @Test func datesAreSubtractedAsNumbers() {
        let outcome = predicate("filter", "now() - 7 > joined", input: Self.people)
        #expect(outcome.error.contains("CAST(b, \"NSNumber\") - CAST(a, \"NSNumber\") for the seconds"))
        #expect(outcome.error.contains("ago(7, \"days\") for a week ago\n"))
        let cured = "CAST(now(), \"NSNumber\") - CAST(joined, \"NSNumber\") > 86400 AND joined < ago(7, \"days\")"
        #expect(predicate("filter", cured, "-c", input: Self.people) == .success("2\n"))
    }

    @Test func typesHaveTheNamesOfOtherTools() {
        for (types, matches) in [("age=int,price=float", "1\n"), ("name=text,age=str", "0\n"), ("age=bigint", "1\n")] {
            let words = ["filter", "age == 30", "-c", "-t", types, "-"]
            #expect(predicate(words, source: MemorySource(Self.people)).output == matches)
        }
        let outcome = predicate("filter", "paid == YES", "-c", "-t", "paid=bool", "-f", "csv", input: "paid,x\nyes,1\n")
        #expect(outcome.output == "1\n")
    }

    @Test func aFileIsWhatItsNameSays() throws {
        try withFiles(["x.parquet": "no text of any kind", "y.duckdb": "nothing"]) { files in
            let parquet = predicate("filter", "a == 1", files["x.parquet"] ?? "").error
            #expect(
                parquet.hasSuffix("x.parquet: expected text, found Parquet: save it as CSV or JSON\n"), "\(parquet)")
            let database = predicate("filter", "a == 1", files["y.duckdb"] ?? "").error
            #expect(database.contains("found a DuckDB file"), "\(database)")
        }
    }

    @Test func thePathOfADocumentIsSuggested() {
        let document = "{\"total_count\": 1, \"incomplete_results\": false, \"items\": [{\"a\": 1}]}"
        func error(_ path: String) -> String { predicate("filter", "a == 1", "--path", path, input: document).error }
        #expect(
            error("wrong")
                == "error: (standard input): there is no value at the path 'wrong'; the keys are total_count, incomplete_results, items\n"
        )
        #expect(error("itens").hasSuffix("; did you mean items?\n"))
    }

    @Test(arguments: [
        (Array("PAR1\u{15}".utf8), "found Parquet: save it as CSV or JSON"),
        ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], "found a program"),
        ([0xA1, 0x12, 0x80, 0, 0, 1, 2, 3] + Array("DUCK".utf8) + [0], "found a DuckDB file"),
        (Array("%PDF-1.7\n".utf8), "found PDF"), ([0x89, 0x50, 0x4E, 0x47], "found an image"),
        ([0x61, 0, 0x0A, 0], "found binary data"),
    ])
    func otherFilesAreNamed(_ bytes: [UInt8], _ text: String) {
        let outcome = predicate(["filter", "a == 1", "-"], source: MemorySource(bytes))
        #expect(outcome.error.contains(text), "\(outcome.error)")
        #expect(outcome.status == 2)
    }
}
