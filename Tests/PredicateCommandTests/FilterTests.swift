import Testing

struct FilterTests {
    private let lines = """
        {"name": "jo", "age": 21, "dept": {"name": "sales"}}
        {"name": "al", "age": 17}
        {"name": "bo",  "age": 40, "dept": {"name": "it"}}

        """
    private let rows = "name,age,city\njo,21,\"Paris, FR\"\nal,17,Rome\n\"b \"\"o\",40,\n"

    @Test func linesComeOutAsTheyWere() {
        let expected = """
            {"name": "jo", "age": 21, "dept": {"name": "sales"}}
            {"name": "bo",  "age": 40, "dept": {"name": "it"}}

            """
        #expect(predicate("filter", "age > 18", input: lines) == .success(expected))
    }

    @Test func nothingMatchesIsStatusOne() {
        #expect(predicate("filter", "age > 100", input: lines) == Outcome(status: 1, output: "", error: ""))
        #expect(predicate("filter", "age > 100", input: "") == Outcome(status: 1, output: "", error: ""))
    }

    @Test func missingKeysAreNil() {
        #expect(predicate("filter", "-c", "dept.name == nil", input: lines) == .success("1\n"))
    }

    @Test func jsonArraysStayValid() {
        let input = #"[{"a": 1}, {"a": 2}, {"a": 3}]"#
        #expect(predicate("filter", "a > 1", input: input) == .success("[{\"a\": 2},\n{\"a\": 3}]\n"))
        #expect(predicate("filter", "a > 9", input: input) == Outcome(status: 1, output: "[]\n", error: ""))
        #expect(predicate("filter", "a > 9", "-f", "json").output == "[]\n")
    }

    @Test func rowsKeepTheirQuotesAndHeader() {
        #expect(
            predicate("filter", "TRUEPREDICATE", "--types", "age=integer", input: rows) == .success(rows))
        let expected = "name,age,city\njo,21,\"Paris, FR\"\n"
        #expect(predicate("filter", "city CONTAINS ','", input: rows) == .success(expected))
        let none = predicate("filter", "FALSEPREDICATE", input: rows)
        #expect(none == Outcome(status: 1, output: "name,age,city\n", error: ""))
    }

    @Test func typesSayWhatColumnsHold() {
        #expect(predicate("filter", "-c", "age == '040'", input: "name,age\njo,040\nal,5\n") == .success("1\n"))
        #expect(predicate("filter", "-c", "age == 40", "-t", "age=integer", input: rows) == .success("1\n"))
        #expect(
            predicate("filter", "-c", "age == 40", "-t", "name=string", "-t", "age=double", input: rows).status == 0)
        let unknown = predicate("filter", "age == 40", "--types", "aeg=integer", input: rows)
        #expect(unknown.status == 2)
        #expect(unknown.error.hasPrefix("error: (standard input): there is no column 'aeg'; did you mean age?"))
        let mismatch = predicate("filter", "name == 0", "--types", "name=integer", input: rows)
        #expect(mismatch.status == 2)
        #expect(mismatch.error.hasPrefix("(standard input):2: error: column 'name' has the type integer, but 'jo'"))
    }

    /// What is declared a double is one in JSON too, also where it is written without a fraction.
    @Test func wholeNumbersOfJSONAreDoublesWhereDeclared() {
        let input = "{\"f\":5}\n{\"f\":4}\n{\"f\":-0}\n"
        let selected = "{\"f\":5}\n"
        #expect(predicate("filter", "-t", "f=double", "f / 2 == 2.5", input: input) == .success(selected))
        #expect(predicate("filter", "-c", "-t", "f=double", "1 / f < 0", input: input) == .success("1\n"))
        #expect(predicate("filter", "-c", "f / 2 == 2", input: input) == .success("2\n"))
    }

    @Test func tabsAreAFormatToo() {
        let input = "name\tage\njo\t21\nal\t17\n"
        #expect(predicate("filter", "age < 18", input: input) == .success("name\tage\nal\t17\n"))
    }

    @Test func invertSelectsTheOthers() {
        #expect(
            predicate("filter", "--invert", "age > 18", "-k", "name", input: lines) == .success("{\"name\":\"al\"}\n"))
    }

    @Test func countIsOverAllFiles() throws {
        try withFiles(["a.jsonl": lines, "b.csv": rows]) { paths in
            let outcome = predicate("filter", "--count", "name == 'jo'", paths["a.jsonl"] ?? "", paths["b.csv"] ?? "")
            #expect(outcome == .success("2\n"))
        }
        #expect(
            predicate("filter", "--count", "age > 100", input: lines) == Outcome(status: 1, output: "0\n", error: ""))
    }

    @Test func firstStopsReading() {
        let endless = Endless("{\"a\": 1}\n")
        #expect(predicate(["filter", "a == 1", "--first", "2"], source: endless).output == "{\"a\": 1}\n{\"a\": 1}\n")
        #expect(predicate(["filter", "--first", "a == 1"], source: endless).output == "{\"a\": 1}\n")
        #expect(predicate(["filter", "--first=3", "-c", "a == 1"], source: endless) == .success("3\n"))
        #expect(predicate("filter", "--first", "a > 1", input: "[{\"a\": 2}, {\"a\": 3}]").output == "[{\"a\": 2}]\n")
    }

    @Test func quietStopsAtTheFirstMatch() {
        #expect(predicate(["filter", "-q", "a == 1"], source: Endless("{\"a\": 1}\n")) == .success(""))
        #expect(predicate("filter", "-q", "name == nil", input: rows) == Outcome(status: 1, output: "", error: ""))
    }

    @Test func keysChooseMembersAndColumns() {
        let members = predicate("filter", "age > 18", "--keys", "dept.name,age", input: lines)
        #expect(members == .success("{\"dept.name\":\"sales\",\"age\":21}\n{\"dept.name\":\"it\",\"age\":40}\n"))
        let columns = predicate("filter", "age < 30", "--keys", "city,name", input: rows)
        #expect(columns.output == "city,name\n\"Paris, FR\",jo\nRome,al\n")
        let unknown = predicate("filter", "age < 30", "--keys", "town", input: rows)
        #expect(
            unknown
                == Outcome(
                    status: 2, output: "",
                    error: "error: (standard input): there is no column 'town'\nhint: the columns are name, age, city\n"
                ))
    }

    @Test func outputConvertsToJSON() {
        let objects = predicate("filter", "city != nil", "--output", "json", input: rows)
        let jo = #"{"name":"jo","age":21,"city":"Paris, FR"}"#
        let al = #"{"name":"al","age":17,"city":"Rome"}"#
        #expect(objects == .success("[\(jo),\n\(al)]\n"))
        #expect(predicate("filter", "city != nil", "-o", "jsonl", input: rows) == .success("\(jo)\n\(al)\n"))
        let chosen = predicate("filter", "age < 30", "-o", "jsonl", "-k", "city", input: rows)
        #expect(chosen.output == "{\"city\":\"Paris, FR\"}\n{\"city\":\"Rome\"}\n")
        #expect(predicate("filter", "age < 30", "-o", "jsonl", "-k", "town", input: rows).status == 2)
    }

    @Test func documentsBecomeLines() {
        let input = "[\n  {\n    \"a\": \"x \\\" y\\\\\",\n    \"b\": [1, 2]\n  }\n]"
        let outcome = predicate("filter", "b[0] == 1", "--output", "jsonl", input: input)
        #expect(outcome == .success("{\"a\":\"x \\\" y\\\\\",\"b\":[1,2]}\n"))
        #expect(
            predicate("filter", "age == 17", "-o", "json", input: lines).output == "[{\"name\": \"al\", \"age\": 17}]\n"
        )
    }

    @Test func pathLeadsIntoADocument() {
        let input = #"{"total": 2, "result": {"items": [{"a": 1}, {"a": 2}]}}"#
        #expect(predicate("filter", "--path", "result.items", "a == 2", input: input) == .success("[{\"a\": 2}]\n"))
        let missing = predicate("filter", "--path", "result.rows", "a == 2", input: input)
        #expect(missing.status == 2)
        #expect(
            missing.error.contains(
                "error: (standard input): there is no value at the path 'result.rows'; the keys are "))
    }

    @Test func aForgottenPathIsPointedOut() {
        let input = #"{"total": 2, "items": [{"a": 1}, {"a": 2}]}"#
        let outcome = predicate("filter", "a == 2", input: input)
        #expect(outcome.status == 1)
        #expect(outcome.error == "note: (standard input): this is one record; --path items reads the records in it\n")
        #expect(predicate("filter", "total == 2", input: input).error == "")
        let dotted = predicate("filter", "a == 2", input: #"{"v1.0": [{"a": 1}, {"a": 2}]}"#).error
        #expect(dotted == "note: (standard input): this is one record; --path v1\\.0 reads the records in it\n")
    }

    @Test func argumentsAndVariablesHaveValues() {
        #expect(predicate("filter", "-c", "%K > %@", "-a", "age", "--arg", "18", input: lines) == .success("2\n"))
        #expect(predicate("filter", "-c", "age > $MIN", "--set", "MIN=18", input: lines) == .success("2\n"))
        #expect(predicate("filter", "-c", "name == $N", "--set", "$N=string:jo", input: lines) == .success("1\n"))
        #expect(predicate("filter", "-c", "name == $N", "--set", "N=key:dept.name", input: lines).output == "0\n")
        let missing = predicate("filter", "age > %@", "18", input: lines)
        #expect(missing.error.hasSuffix("hint: --arg VALUE passes an argument\n"))
    }

    @Test func namesDecideTheFormatUnlessAnOptionDoes() throws {
        try withFiles(["a.csv": "name\n{}\n", "b.data": "{\"a\": 1}\n"]) { paths in
            let csv = paths["a.csv"] ?? ""
            #expect(predicate("filter", "name == '{}'", csv) == .success("name\n{}\n"))
            #expect(predicate("filter", "a == 1", paths["b.data"] ?? "") == .success("{\"a\": 1}\n"))
            #expect(predicate("filter", "a == 1", "--format", "jsonl", csv).status == 2)
            #expect(
                predicate("filter", "a == 1", "--path", "x", csv).error.contains("--path is for JSON documents only"))
        }
    }

    @Test func severalFilesBecomeOneOutput() throws {
        let files = [
            "a.csv": "n,m\n1,2\n", "b.csv": "n,m\n3,4\n", "c.csv": "m\n5\n", "d.json": "[{\"n\": 6}]",
            "e.json": "[{\"n\":7}]",
        ]
        try withFiles(files) { paths in
            func run(_ options: String..., names: [String]) -> Outcome {
                predicate(["filter", "n > 0"] + options + names.compactMap { paths[$0] }, source: silence)
            }
            #expect(run(names: ["a.csv", "b.csv"]) == .success("n,m\n1,2\n3,4\n"))
            #expect(run(names: ["d.json", "e.json"]) == .success("[{\"n\": 6},\n{\"n\":7}]\n"))
            let other = run(names: ["a.csv", "c.csv"])
            #expect(other.status == 2)
            #expect(other.output == "n,m\n1,2\n")
            #expect(other.error.contains("its columns differ from those of the first file"))
            #expect(run(names: ["a.csv", "d.json"]).error.contains("this is json, but the first file is csv"))
            #expect(run(names: ["d.json", "a.csv"]).error.contains("this is csv, but the first file is json"))
            let converted = run("-o", "jsonl", names: ["d.json", "a.csv"])
            #expect(converted == .success("{\"n\":6}\n{\"n\":1,\"m\":2}\n"))
            #expect(run("-o", "jsonl", "-k", "n", names: ["d.json", "a.csv"]).error.contains("--keys cannot be used"))
        }
    }

    /// Properties of the record need the whole record, not only the keys in the predicate.
    @Test(arguments: [
        "@count == 2", "@allKeys.@count == 2", "SELF.self.y == 2", "'y' IN @allKeys", "2 IN SELF.@allValues",
        "x == 1 AND SELF.@count == 2", "#self.y == 2",
    ])
    func propertiesOfTheRecord(format: String) {
        for (kind, input) in [("jsonl", "{\"x\":1,\"y\":2}\n{\"x\":1}\n"), ("csv", "x,y\n1,2\n")] {
            #expect(predicate("filter", "-c", "-f", kind, format, input: input).output == "1\n", "\(kind)")
        }
        let own = predicate("filter", "-f", "jsonl", "count <= 7", input: "{\"count\":7,\"y\":2}\n{\"y\":2}\n")
        #expect(own == .success("{\"count\":7,\"y\":2}\n"))
    }
}
