import Foundation
import PredicateData
import Testing

/// Slips on a command line, each with what the error must say.
struct SlipTests {
    private static let people = """
        name,age,city,joined,paid
        Ann,34,Rome,2020-01-05,true
        Bob,22,Bonn,2021-03-07,false

        """
    private static let users = "id,name\n1,Ann\n2,Bob\n"
    private static let orders = "id,user\n7,1\n8,3\n"

    private func run(_ words: [String]) throws -> Outcome {
        var outcome = Outcome.success("")
        let files = ["people.csv": Self.people, "users.csv": Self.users, "orders.csv": Self.orders]
        try withFiles(files) { paths in
            let folder = (paths["people.csv"] ?? "").dropLast("people.csv".count)
            let words = words.map { $0.replacing(/(people|users|orders)\.csv/) { folder + $0.output.0 } }
            outcome = predicate(words, source: silence)
            outcome.error = outcome.error.replacing(folder, with: "")
        }
        return outcome
    }

    /// A file that is taken as the value of an option is not passed over for standard input.
    @Test(arguments: ["median", "sort", "sum", "avg", "min", "max", "keys", "count-by", "group-by", "path", "offset"])
    func filesAreNotValues(option: String) throws {
        let outcome = try run(["filter", "--\(option)", "people.csv"])
        #expect(outcome.status == 2)
        let placeholder =
            option == "path" ? "KEY.KEY" : option == "offset" ? "N" : option == "sort" ? "KEY,-KEY" : "KEY,..."
        let cure = "hint: write the value before the file: predicate filter --\(option) \(placeholder) people.csv\n"
        #expect(
            outcome.error.hasPrefix(
                "error: --\(option) takes \(placeholder), found the file 'people.csv', and there is no file to read\n"
                    + cure), "\(outcome.error)")
    }

    @Test func filesMayBeValuesOfArguments() throws {
        try withFiles(["people.csv": Self.people]) { paths in
            let file = paths["people.csv"] ?? ""
            let outcome = predicate("filter", "-c", "name != %@", "--arg", file, input: Self.people)
            #expect(outcome == .success("2\n"))
            let counted = predicate("filter", "--count-by", file, "-", input: "a,b\n1,2\n")
            #expect(!counted.error.contains("there is no file to read"), "\(counted.error)")
        }
    }

    @Test(arguments: [
        (["filter", "-c", "age > 3", "--zone", "Berlin", "people.csv"], "hint: did you mean Europe/Berlin?\n"),
        (["filter", "-c", "age > 3", "--zone", "new york", "people.csv"], "hint: did you mean America/New_York?\n"),
        (
            ["filter", "--values", "IDS=users.csv:id", "age > 3", "people.csv"],
            "hint: write the variable in the predicate: key IN $IDS\n"
        ),
        (
            ["filter", "--values", "IDS=users.csv:id", "age == $IDS", "people.csv"],
            "note: $IDS is a list; write age IN $IDS\n"
        ),
        (
            ["filter", "-k", "count(*)", "people.csv"],
            "hint: --count prints the number of matches, --count-by KEY that of each value\n"
        ),
        (["filter", "--sum", "*", "people.csv"], "hint: name the columns: --sum KEY,...\n"),
        (["filter", "--count-by", "year::", "people.csv"], "hint: year is a function of dates: year(KEY)\n"),
        (["filter", "name == \"Ann", "people.csv"], "hint: close the string: \"Ann\"\n"),
        (["filter", "-k", "\"Ann", "people.csv"], "hint: close the string: \"Ann\"\n"),
        (["filter", "name == 'Ann AND age > 3", "people.csv"], "hint: close the string: 'Ann'\n"),
        (
            ["filter", "joined > '2020-13-01'", "people.csv"],
            "error: \"2020-13-01\" is not a date: there is no month 13\n"
        ),
        (
            ["filter", "joined == '2021-02-30'", "people.csv"],
            "error: \"2021-02-30\" is not a date: this month has 28 days\n"
        ),
        (
            ["filter", "joined IN {'2021-02-28', '2021-13'}", "people.csv"],
            "error: \"2021-13\" is not a date: there is no month 13\n"
        ),
        (
            ["filter", "joined < '2021-02-28T25:00:00'", "people.csv"],
            "there is no hour 25\nhint: write a date as \"2026-12-31\""
        ),
        (
            ["filter", "--group-by", "city", "--max", "joined", "--having", "max_age > 3", "people.csv"],
            "hint: --max age makes the column max_age\n"
        ),
        (
            ["filter", "--group-by", "city", "--having", "max(age) > 3", "people.csv"],
            "hint: --max age makes the column max_age\n"
        ),
        (
            ["filter", "--lookup", "user=users.csv:id", "user.nmae == 'Ann'", "orders.csv"],
            "error: --lookup user: no record of users.csv has the key 'nmae'\nhint: did you mean name?\n"
        ),
        (
            ["filter", "--lookup", "user=users.csv:id", "-k", "user.nam", "orders.csv"],
            "has the key 'nam'\nhint: did you mean name?\n"
        ),
        (["filter", "foo(name) == 1", "people.csv"], "hint: predicate help functions lists the functions"),
        (
            ["filter", "--group-by", "city", "--sort", "max_age", "people.csv"],
            "hint: --max age makes the column max_age\n"
        ),
        (["filter", "-k", "name,age people.csv"], "found the file 'people.csv', and there is no file to read\n"),
        (["explain", "age > 3"], "error: expected a file after the format\n"),
        (["explain", "people.csv"], "hint: predicate explain 'age > 21' people.csv\n"),
        (
            ["filter", "age > 3", "-f", "json", "people.csv"],
            "people.csv:1: error: expected a value (column 1)\nhint: the file looks like CSV: leave out --format\n"
        ),
        (["sql", "age > 3", "--types", "age=int"], "error: --types needs --table NAME\n"),
        (["people.csv", "age > 30"], "hint: the predicate comes before the files: predicate filter"),
        (["filter", "-k", "name,", "age people.csv"], "hint: a list with spaces needs quotes: --keys 'name, age'\n"),
        (["filter", "-k", "foo(name)", "people.csv"], "unknown function 'foo'\n  foo(name)\n  ^~~~~~~~~\n"),
        (["filter", "-k", "age years", "people.csv"], "hint: write AS before a name: age AS years\n"),
        (
            ["filter", "-k", "$name", "people.csv"],
            "error: the variable $name has no value\nhint: a key has no $: name\n"
        ),
        (["filter", "--sort", "+age", "people.csv"], "hint: write --sort age\n"),
        (["filter", "-o", "out.csv", "people.csv"], "hint: the shell writes a file: --output csv > out.csv\n"),
        (["filter", "-o", "xlsx", "people.csv"], "hint: write csv, which spreadsheet programs open\n"),
        (
            ["filter", "--group-by", "city", "--having", "avg(age) > 3", "people.csv"],
            "--avg age makes the column avg_age"
        ),
        (
            ["filter", "--group-by", "city", "--avg", "age", "--having", "age > 3", "people.csv"],
            "hint: write avg_age\n"
        ),
        (
            ["filter", "--lookup", "city=users.csv", "people.csv"],
            "hint: --lookup user=users.csv:id makes user the record"
        ),
        (["filter", "--values", "users.csv", "id IN $X", "orders.csv"], "hint: --values IDS=users.csv:id makes $IDS"),
        (["filter", "joined > now() - 7d", "people.csv"], "hint: ago:(7, \"days\") is a week ago"),
        (["filter", "joined >= today()", "people.csv"], "hint: write date:truncatedTo:(now(), \"day\")"),
        (["filter", "left(name, 3) == 'Ann'", "people.csv"], "hint: write FUNCTION(x, \"substringToIndex:\", 3)"),
        (
            ["filter", "name MATCHES '\\bAnn\\b.*'", "people.csv"],
            "in a string, \\b is a backspace, not a word boundary"
        ),
        (["filter", "age > 3", "*.csv"], "the shell replaces * and ? outside of quotes only\n"),
        (["validate", "age > 3", "people.csv"], "hint: write predicate check FORMAT FILE\n"),
        (["format", "age>3"], "hint: write predicate parse FORMAT\n"),
        (["count", "people.csv"], "hint: predicate filter --count does this: predicate help filter\n"),
        (["select", "name", "people.csv"], "hint: predicate filter --keys does this: predicate help filter\n"),
        (["help", "--sort"], "hint: predicate help filter explains --sort\n"),
        (
            [
                "sql", "TRUEPREDICATE", "--table", "t", "--types", "age=int,price=float", "--group-by", "age", "--sum",
                "price", "--dialect", "postgresql",
            ],
            "hint: the least, the greatest and the count are exact; predicate filter adds the doubles of a SQLite file\n"
        ),
    ])
    func slipsAreUnderstood(words: [String], text: String) throws {
        let outcome = try run(words)
        #expect(outcome.status > 0)
        #expect(outcome.error.contains(text), "\(outcome.error)")
        #expect(outcome.error.components(separatedBy: "error: ").count <= 2, "\(outcome.error)")
    }

    /// An option or a predicate without a command filters.
    @Test(arguments: [
        ["--count", "age > 30", "people.csv"], ["-c", "age > 30", "people.csv"], ["age > 30", "-c", "people.csv"],
    ])
    func optionsFilter(words: [String]) throws {
        #expect(try run(words) == .success("1\n"))
        #expect(predicate(["-v"], source: silence).error.contains("unknown option '-v'"))
        #expect(predicate(["--versoin"], source: silence).error.contains("did you mean --version?"))
    }

    @Test(arguments: [
        (
            ["-c", "n > 1"], "{\"a\": {\"n\": 1}, \"b\": {\"n\": 2}}",
            "--path '*' reads the members in it, whose keys are @key"
        ),
        (
            ["-c", "n > 1"], "{\"v\": 2, \"p\": {\"a\": {\"n\": 1}, \"b\": {\"n\": 2}}}",
            "--path 'p.*' reads the members"
        ),
        ([".items[] | select(.n > 1)"], "{\"items\": []}", "--path items reads the elements of this list as records"),
        (["--path", "$.items[*]", "n > 1"], "{\"items\": [{\"n\": 2}]}", "did you mean items?"),
        (
            ["--count-by", "labels.name"], "{\"labels\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}",
            "'labels.name' is a list, and each list is a group; for its elements write --path labels.name --count-by SELF\n"
        ),
        (
            ["a + b == \"x\""], "{\"a\": \"3\", \"b\": \"4\"}",
            "FUNCTION(a, \"stringByAppendingString:\", \"…\") joins strings"
        ),
        (["dur > 2"], "{\"dur\": \"3ms\"}", "write dur.doubleValue for the number at the beginning of a string"),
    ])
    func slipsInDocumentsAreUnderstood(words: [String], json: String, text: String) throws {
        let outcome = predicate(["filter"] + words, source: MemorySource(json))
        #expect(outcome.error.contains(text), "\(outcome.error)")
    }

    /// In JSON, a type of a key that nothing reads is noted; in CSV it is an error if there is no such column.
    @Test func typesOfOtherKeysAreNoted() {
        let json = "{\"age\": \"3\"}\n"
        #expect(
            predicate("filter", "age != nil", "--types", "agee=integer", input: json)
                == Outcome(
                    status: 0, output: json,
                    error: "note: (standard input): --types has 'agee', which nothing reads; did you mean age?\n"))
        #expect(predicate("filter", "age == 3", "--types", "age=integer", input: json) == .success(json))
        #expect(
            predicate("filter", "-k", "a.b", "--types", "a.b=date", input: "{\"a\": {}}\n").error
                == "note: (standard input): no matching record has the key 'a.b'\n")
    }

    @Test func typesOfOtherToolsAreTypesOfSQL() throws {
        #expect(try run(["sql", "age > 3", "--table", "t", "--types", "age=int,name=text"]).status == 0)
    }

    /// An error that every record has is shown once, with the number of the others.
    @Test func oneErrorForAllRecordsIsShownOnce() throws {
        let rows = "name\n" + String(repeating: "Ann\n", count: 30)
        let sum = predicate("filter", "-f", "csv", "--sum", "name", input: rows)
        #expect(
            sum.error
                == "(standard input):2: error: 'name' is not a number: it is the string \"Ann\"\nerror: 29 further errors are of this kind\n"
        )
        let condition = predicate("filter", "-f", "csv", "name > 3", input: rows).error
        #expect(condition.hasSuffix("error: 29 further errors are of this kind\n"))
        #expect(condition.components(separatedBy: "(standard input):").count == 2)
        let rare = "{\"n\": 4}\n{\"n\": 4}\n{\"n\": \"a\"}\n"
        let mixed = predicate("filter", "n > 3", input: String(repeating: rare, count: 5)).error
        #expect(mixed.components(separatedBy: "(standard input):").count == 6, "\(mixed)")
        let few = predicate("filter", "-f", "csv", "name > 3", input: "name\nAnn\nBob\nCid\n").error
        #expect(few.components(separatedBy: "(standard input):").count == 4, "\(few)")
        let others = predicate(
            "filter", "n > 3 AND a BEGINSWITH 'x'", input: "[{\"n\": \"a\"}, {\"n\": \"b\"}, {\"n\": 4, \"a\": 1}]"
        ).error
        #expect(others.components(separatedBy: "(standard input):").count == 4, "\(others)")
    }

    /// A property of a string is a value, as in a predicate.
    @Test func propertiesOfStringsAreValues() throws {
        #expect(try run(["filter", "-k", "name.length", "people.csv"]) == .success("name.length\n3\n3\n"))
        #expect(try run(["filter", "--count-by", "city.length AS n", "people.csv"]) == .success("n,count\n4,2\n"))
        #expect(
            predicate("filter", "-k", "a.length,b.length", input: "{\"a\": \"xy\", \"b\": {\"length\": 9}}\n")
                == .success("{\"a.length\":2,\"b.length\":9}\n"))
    }

    @Test func lookupsHaveTheirKeys() throws {
        let words = ["filter", "--lookup", "user=users.csv:id", "-k", "id,user.name", "orders.csv"]
        #expect(try run(words) == .success("id,user.name\n7,Ann\n8,\n"))
        let none = try run(["filter", "--lookup", "user=users.csv:id", "user.name == 'Zoë'", "orders.csv"])
        #expect(none == Outcome(status: 1, output: "id,user\n", error: ""))
    }
}
