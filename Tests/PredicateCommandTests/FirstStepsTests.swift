import Foundation
import PredicateData
import Testing

/// What somebody types first, who has not read the help: the word `filter` is left out, and options of other tools.
struct FirstStepsTests {
    private static let people = """
        name,age,city,pay
        Ann,34,Rome,cash
        Bob,22,Bonn,card
        Jo,41,Rome,cash

        """

    private func run(_ words: [String], _ files: [String: String] = [:]) throws -> Outcome {
        var outcome = Outcome.success("")
        let files = files.merging(["people.csv": Self.people]) { given, _ in given }
        try withFiles(files) { paths in
            let folder = (paths["people.csv"] ?? "").dropLast("people.csv".count)
            let words = words.map { word in
                files.keys.contains { word.hasPrefix($0) }
                    ? folder + word : word.replacing("=ids.csv", with: "=\(folder)ids.csv")
            }
            outcome = predicate(words, source: silence)
            outcome.error = outcome.error.replacing(folder, with: "")
        }
        return outcome
    }

    // MARK: - Without the word filter

    @Test(arguments: [
        (["people.csv", "--count-by", "city"], "{\"city\":\"Rome\",\"count\":2}"),
        (["people.csv", "--count"], "3"), (["TRUEPREDICATE", "people.csv", "--count"], "3"),
        (["truepredicate", "people.csv", "-c"], "3"),
    ])
    func aFileAndAnOptionFilter(words: [String], line: String) throws {
        let outcome = try run(words.first == "people.csv" && words.contains("city") ? words + ["-o", "jsonl"] : words)
        #expect(outcome.status == 0 && outcome.output.hasPrefix(line + "\n"), "\(outcome)")
    }

    @Test(arguments: [
        (["name.startswith('J')", "people.csv"], "BEGINSWITH"),
        (["people.csv", "--count-bye", "city"], "did you mean --count-by?"),
        (["--count-bye", "city", "people.csv"], "did you mean --count-by?"),
        (["age", "people.csv"], "alone is not a predicate"),
        (["filtr", "people.csv"], "unknown command 'filtr'\nhint: did you mean filter?"),
        (["export", "people.csv"], "unknown command 'export'\nhint: write predicate store export"),
        (["migrat", "people.csv"], "unknown command 'migrat'\nhint: write predicate store migrate"),
        (["chekc", "age > 3", "people.csv"], "did you mean check?"),
        (["count", "people.csv"], "predicate filter --count does this"),
        (["missing(1).csv", "--count"], "there is no file 'missing(1).csv'"),
    ])
    func whatIsMeantIsUnderstoodWithoutFilter(words: [String], text: String) throws {
        let outcome = try run(words)
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.error.contains(text), "\(outcome.error)")
    }

    // MARK: - Values of options

    @Test(arguments: [
        (["filter", "--first", "three", "age > 40", "people.csv"], "--first takes a number, found 'three'"),
        (["filter", "--last", "three", "people.csv"], "--last takes a number, found 'three'"),
        (["--first", "three", "age > 40", "people.csv"], "--first takes a number, found 'three'"),
        (
            ["filter", "-n", "3", "age > 40", "people.csv"],
            "--line-number takes no value, found '3'\nhint: --first 3 prints the first matches"
        ),
        (["filter", "--count", "city", "age > 40", "people.csv"], "--count takes no value, found 'city'"),
    ])
    func aWordAfterAnOptionIsNoPredicate(words: [String], text: String) throws {
        let outcome = try run(words)
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.error.hasPrefix("error: " + text), "\(outcome.error)")
    }

    @Test func aPredicateMayFollowAnOption() throws {
        #expect(
            try run(["filter", "--first", "age > 40", "people.csv"]).output == "name,age,city,pay\nJo,41,Rome,cash\n")
        #expect(try run(["filter", "--count", "TRUEPREDICATE", "people.csv"]) == .success("3\n"))
        #expect(try run(["filter", "--count", "people.csv"]) == .success("3\n"))
    }

    // MARK: - Options that there are not

    @Test(arguments: [
        ("--percentile", "percentile("), ("--stddev", "stddev("), ("--describe", "predicate describe"),
        ("--sample", ":sample"),
        ("--pretty", "--output table"), ("--count-distinct", "--distinct -k KEY --count"), ("--reverse", "--sort -KEY"),
    ])
    func optionsOfOtherToolsHaveACure(option: String, cure: String) throws {
        let outcome = try run(["filter", option, "people.csv"])
        #expect(outcome.error.contains("hint: ") && outcome.error.contains(cure), "\(outcome.error)")
        #expect(!outcome.error.contains("put -- before"), "\(outcome.error)")
    }

    /// The words that the hints give work.
    @Test func theCuresWork() throws {
        #expect(try run(["filter", "--distinct", "-k", "city", "--count", "people.csv"]) == .success("2\n"))
        try withFiles(["people.csv": Self.people]) { paths in
            let lines = ":keys\n:sample 1\nTRUEPREDICATE\n:group city, percentile(age, 95), stddev(age)\n"
            let outcome = predicate(["repl", paths["people.csv"] ?? ""], source: MemorySource(lines))
            #expect(outcome.status == 0, "\(outcome.error)")
        }
        let grouped = ["filter", "--count-by", "city", "--having", "count > 1", "-o", "jsonl", "people.csv"]
        #expect(try run(grouped) == .success("{\"city\":\"Rome\",\"count\":2}\n"))
    }

    // MARK: - Predicates of other languages

    @Test(arguments: [
        ("COUNT(*) > 3", "hint: --count prints the number of matches, --count-by KEY --having"),
        ("labels[].name == \"bug\"", "hint: write ANY labels.name == \"bug\"\n"),
        ("[age] > 40", "hint: write a key without brackets: age\n"),
        ("[first name] == 'x'", "hint: write a key without brackets: #\"first name\"\n"),
        ("age is 40", "hint: write age == 40\n"), ("city is not 'Rome'", "hint: write city != 'Rome'\n"),
        ("age is null", "hint: write age == nil\n"), ("age IS NOT NULL", "hint: write age != nil\n"),
        ("city is in {'Rome'}", "hint: leave IS out: city in …\n"),
        ("joined after '2020-01-01'", "hint: write >\n"),
        ("name == &quot;Ann&quot;", "hint: write the character itself: \" for &quot;\n"),
        ("age &gt; 40", "hint: write the character itself: > for &gt;\n"),
    ])
    func predicatesOfOtherLanguagesHaveACure(format: String, cure: String) throws {
        let outcome = try run(["filter", format, "people.csv"])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains(cure), "\(outcome.error)")
        #expect(!outcome.error.contains("LIKE \"jo*\""), "\(outcome.error)")
    }

    // MARK: - Results that are not what was meant

    @Test(arguments: ["people.csv", "people.jsonl"])
    func aMaximumOfOneValueIsNoted(file: String) throws {
        let lines = "{\"age\": 3, \"tags\": [1]}\n{\"age\": 4, \"tags\": [2]}\n"
        let outcome = try run(["filter", "-c", "age == max(age)", file], ["people.jsonl": lines])
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("max(age) is over a list in each record"), "\(outcome.error)")
        #expect(outcome.error.contains("--max age prints the result for all records"), "\(outcome.error)")
        let list = try run(["filter", "-c", "max(tags) > 1", "people.jsonl"], ["people.jsonl": lines])
        #expect(list == .success("1\n"))
    }

    @Test func aRepeatedKeyOfAnotherFileIsNoted() throws {
        let ids = "id,x\nRome,1\nRome,2\nBonn,3\nRome,4\n"
        let outcome = try run(
            ["filter", "-c", "city.x == 1", "--lookup", "city=ids.csv:id", "people.csv"], ["ids.csv": ids])
        #expect(outcome.output == "2\n")
        #expect(
            outcome.error
                == "note: ids.csv: 2 records with the key of an earlier one, such as \"Rome\": the first counts\n")
    }

    @Test func aDifferenceInCaseIsNoted() throws {
        let outcome = try run(["filter", "pay == \"Cash\"", "people.csv"])
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("with [c] it holds for 2 of 3; write pay ==[c] \"Cash\""), "\(outcome.error)")
        #expect(try run(["filter", "pay == \"gold\"", "people.csv"]).error == "")
        #expect(try run(["filter", "-q", "pay == \"Cash\"", "people.csv"]).error == "")
    }

    // MARK: - Separated values

    @Test func quotesAroundEveryCellAreNoSignOfAHeader() {
        let outcome = predicate(
            "filter", "-c", "column1 > 500", "-f", "csv", input: "\"501\",\"40.9\"\n\"544\",\"40.8\"\n")
        #expect(outcome.output == "2\n")
        #expect(outcome.error.contains("the first row is data"))
        #expect(
            predicate("filter", "-c", "#\"501\" > 500", "-f", "csv", input: "\"501\",\"a\"\n544,b\n").output == "1\n")
        #expect(
            predicate("filter", "-c", "a > 1", "-f", "csv", input: "\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"\n").output
                == "1\n")
    }

    @Test func repeatedColumnsHaveOneNote() {
        let header = (1...46).flatMap { ["k\($0)", "k\($0)"] }
        let row = header.map { _ in "1" }
        let input = [header, row].map { $0.joined(separator: ",") + "\n" }.joined()
        let outcome = predicate("filter", "-c", "k1 == 1", "-f", "csv", input: input)
        #expect(outcome.output == "1\n")
        #expect(outcome.error.split(separator: "\n").count == 1)
        #expect(
            outcome.error.contains("the next 'k1' is read as 'k1_2'") && outcome.error.contains("43 more"),
            "\(outcome.error)")
    }

    // MARK: - Foreign keys

    /// A path over the column of a foreign key names the relationship, which works.
    @Test(arguments: [
        ["ReportsTo.LastName == \"Adams\""], ["TRUEPREDICATE", "-k", "ReportsTo.LastName"],
        ["TRUEPREDICATE", "--sort", "ReportsTo.LastName"],
    ])
    func aPathOverAForeignKeyNamesTheRelationship(words: [String]) throws {
        let script = """
            CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY, LastName TEXT, ReportsTo INTEGER REFERENCES Employee);
            INSERT INTO Employee VALUES (1, 'Adams', NULL), (2, 'Edwards', 1);
            """
        try withStore(script) { store, _ in
            let outcome = predicate(["filter"] + words + [store], source: silence)
            #expect(outcome.status == 2)
            #expect(
                outcome.error.contains("hint: write the relationship: ReportsTo_Employee.LastName\n"),
                "\(outcome.error)")
            let cured = words.map { $0.replacing("ReportsTo.", with: "ReportsTo_Employee.") }
            #expect(predicate(["filter"] + cured + [store], source: silence).status == 0)
        }
    }

    // MARK: - Dates of databases

    @Test(arguments: [
        ("duckdb", "date"), ("duckdb", "timestamp"), ("duckdb", "datetime"), ("postgresql", "timestamp"),
        ("mysql", "date"), ("mariadb", "datetime"), ("spark", "timestamp"), ("sqlite", "date"),
    ])
    func datesAreThoseOfTheDatabase(dialect: String, word: String) {
        let sql = { (type: String) in
            predicate("sql", "at >= \"2019-03-06\"", "--table", "t", "--types", "at=\(type)", "--dialect", dialect)
        }
        #expect(sql(word) == sql(dialect == "sqlite" ? "date:iso8601" : "date:timestamp"))
        #expect(sql(word).output.contains(dialect == "sqlite" ? "2019-03-04" : "2019-03-06"), "\(sql(word))")
        #expect(sql("date:since2001").output.contains("573523200"), "\(sql("date:since2001"))")
    }
}
