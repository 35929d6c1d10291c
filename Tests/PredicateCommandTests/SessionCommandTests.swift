import PredicateCommand
import Testing

/// `predicate repl`, `predicate explain` and `predicate check` without a terminal.
struct SessionCommandTests {
    private static let people = [
        "people.jsonl": "{\"name\": \"Jo\", \"age\": 30}\n{\"name\": \"Al\", \"age\": 17}\n"
    ]

    @Test func linesAreAnsweredAndErrorsAreCounted() throws {
        try withFiles(Self.people) { paths in
            let file = paths["people.jsonl", default: ""]
            let right = predicate("repl", file, input: "age > 20\n(age > 1 AND\nage < 20)\n")
            #expect(right.status == 0)
            #expect(right.error == "")
            #expect(right.output.contains("keys: name, age\n1 of 2 objects matches\n"))
            #expect(right.output.contains("age > 1 AND age < 20\n1 of 2 objects matches\n"))
            let wrong = predicate("repl", file, input: "age >\nage > 20\n:nonsense\nage < 20")
            #expect(wrong.status == 2)
            #expect(wrong.error.hasPrefix("line 1: error: expected a value"))
            #expect(wrong.error.contains("line 3: error: unknown command ':nonsense'"))
            #expect(wrong.output.contains("1 of 2 objects matches\nobject 2\n  name  Al\n  age   17\n"))
            #expect(predicate("repl", input: ":quit\nage >\n") == .success(""))
            #expect(predicate("repl", input: "(age >\n\n").status == 2)
            #expect(predicate("repl", file + "x", input: "").status == 2)
        }
    }

    /// `explain`, `check` and `repl` have the options of `predicate filter`.
    @Test func recordsAreReadAsTheOptionsSay() throws {
        try withFiles(["a.json": #"{"r": [{"age": "3"}, {"age": "40"}]}"#, "b.txt": "age\n3\n40\n"]) { paths in
            let (document, rows) = (paths["a.json", default: ""], paths["b.txt", default: ""])
            let options = ["-p", "r", "-t", "age=integer", document]
            let explained = predicate(["explain", "age > 5"] + options, source: silence)
            #expect(explained.output.hasPrefix("1 of 2 objects matches"))
            #expect(predicate(["check", "age > 5"] + options, source: silence) == .success(""))
            #expect(predicate("repl", "-p", "r", "-t", "age=integer", document, input: "age > 5\n").status == 0)
            #expect(predicate("explain", "-f", "csv", "age > 5", rows).output.hasPrefix("1 of 2 objects matches"))
            #expect(predicate("check", "-p", "r", "-f", "csv", "age > 5", rows).status == 2)
            #expect(predicate("check", "-t", "age", "age > 5", rows).error.contains("invalid type declaration 'age'"))
        }
    }

    /// `explain`, `check` and `repl` see columns as `filter` does, and texts beside them.
    @Test func columnsHaveTheSameTypes() throws {
        let text = "id,due,paid,sum,day\n1,2024-01-31,t,$5.00,01.02.2024\n2,2024-03-01,f,(7.00),05.02.2024\n"
        let predicates = [
            "due > '2024-02-01'", "due BETWEEN {'2024-01-01', '2024-01-31'}", "paid == 't'", "paid == YES", "sum < 0",
            "sum == 5 AND due != '2024-03-01'",
        ]
        try withFiles(["a.csv": text]) { paths in
            let file = paths["a.csv", default: ""]
            for format in predicates {
                #expect(predicate("filter", "-c", format, file).output == "1\n", "\(format)")
                #expect(predicate("explain", format, file).output.hasPrefix("1 of 2 objects matches\n"), "\(format)")
                #expect(predicate("check", format, file).output == "", "\(format)")
                #expect(predicate("repl", file, input: format).output.contains("1 of 2 objects matches\n"), "\(format)")
            }
            let clause = predicate("explain", "due > '2024-02-01' AND id > 0", file, "-n", "2").output
            #expect(clause.contains("✓ due > \"2024-02-01\"  due = 2024-03-01\n"))
            let choice = "--dates 'day=dmy' or --dates 'day=mdy' reads them\n"
            for command in ["filter", "explain", "check"] {
                #expect(predicate(command, "day > '2024-02-02'", file).error.hasSuffix(choice), "\(command)")
                let read = predicate(command, "day > '2024-02-02'", "--dates", "day=dmy", file)
                #expect(read.error == "" && read.status == 0, "\(command)")
            }
            #expect(predicate("explain", "sum < 0", file).error.hasSuffix("(99.90) is -99.9\n"))
            let uuid = predicate("explain", "day == %@", "-a", "uuid:137DECC8-B300-4954-A233-F89909F4FD89", file)
            #expect(uuid.output.contains("note: ") && uuid.output.contains("--types 'day=uuid'"))
        }
    }

    @Test func clausesAreExplained() throws {
        try withFiles(Self.people) { paths in
            let file = paths["people.jsonl", default: ""]
            let whole = predicate("explain", "age > $MIN AND name == %@", "--set", "MIN=20", "-a", "jo", file)
            #expect(whole.status == 0)
            #expect(whole.error == "")
            #expect(whole.output.contains("└─ name == \"jo\"      0        1       0 ◀"))
            #expect(whole.output.contains("  name is \"Jo\""))
            let one = predicate("explain", "age > 20", file, "--object=2")
            #expect(one.output.hasPrefix("object 2\n✗ age > 20  age = 17\n"))
            #expect(predicate("explain", "age > 20", file, "--object=3").status == 2)
            #expect(predicate("explain", "age + 1", file).status == 2)
            #expect(predicate("explain", "age > %@", file).error.contains("hint: --arg VALUE"))
            #expect(predicate("explain", "age > $MIN", file).error.contains("hint: --set MIN=VALUE"))
            #expect(predicate("explain", "age > 20", file, "--table=people").error.contains("only a SQLite file"))
            #expect(predicate("explain", "age > 20").status == 2)
        }
    }

    @Test func recordsThatCannotBeReadAreAnError() throws {
        try withFiles(["bad.jsonl": "{\"age\": 30}\n{\"age\"\n{\"age\": 3}\n"]) { paths in
            let file = paths["bad.jsonl", default: ""]
            for command in ["check", "explain"] {
                let outcome = predicate(command, "age > 20", file)
                #expect(outcome.status == 2)
                #expect(outcome.error.contains(":2: "))
            }
        }
    }

    @Test func findingsDecideTheStatus() throws {
        try withFiles(Self.people) { paths in
            let file = paths["people.jsonl", default: ""]
            #expect(predicate("check", "age > 5 AND name == %@") == .success(""))
            let never = predicate("check", "age > 5 AND age < 3")
            #expect(never.status == 1)
            #expect(never.output.hasPrefix("never-holds: "))
            #expect(predicate("check", "nmae == 'Jo'").status == 0)
            #expect(predicate("check", "nmae == 'Jo'", file).output.contains("did you mean name?"))
            #expect(
                predicate("check", "--json", "age IN 10").output
                    == "{\"code\":\"in-no-collection\",\"level\":\"warning\",\"message\":\"IN takes a collection or a string, but this is a number\","
                    + "\"range\":[7,9],\"suggestion\":\"write age == 10, or put the values in braces\"}\n")
            #expect(predicate("check", "age >").status == 2)
            #expect(predicate("check", "age > 1", file + "x").status == 2)
        }
    }

    /// An object that cannot be asked makes the status 2, whichever command asks it.
    @Test(arguments: ["name.count > 3", "@avg.scores > 2", "name > 5", "name == 'Jo' AND name < 5"])
    func errorsOfEvaluationDecideTheStatus(format: String) throws {
        try withFiles(Self.people) { paths in
            let file = paths["people.jsonl", default: ""]
            for command in ["check", "explain", "filter"] {
                let outcome = predicate(command, format, file)
                #expect(outcome.status == 2, "\(command) \(format): \(outcome.output)")
            }
        }
    }

    @Test func columnsKeepTheOrderOfTheTable() throws {
        let script = """
            CREATE TABLE t(id INTEGER PRIMARY KEY, zip TEXT, "Age" INTEGER, b REAL);
            INSERT INTO t VALUES (1, 'x', 2, 3);
            """
        try withStore(script, [:]) { store, _ in
            #expect(predicate("repl", store, input: "").output.contains("keys: id, zip, Age, b"))
            #expect(predicate("filter", "id == 1", store).output == "{\"id\":1,\"zip\":\"x\",\"Age\":2,\"b\":3.0}\n")
        }
    }

    @Test func aTableOfAStoreIsChosen() throws {
        try withStore { store, _ in
            for command in ["check", "explain"] {
                let open = predicate(command, "nmae == 'al'", store)
                #expect(open.status == 2, "\(command)")
                #expect(open.error.contains("--table NAME chooses one of adults, person, "), "\(command)")
                #expect(
                    predicate(command, "nmae == 'al'", store, "--table", "persn").error.contains("did you mean person?")
                )
            }
            #expect(
                predicate("check", "nmae == 'al'", store, "--table", "person").output.contains("did you mean name?"))
            #expect(
                predicate("explain", "age > 20", store, "--table", "person").output.hasPrefix("2 of 4 objects match"))
            // Related objects are read as far as the query needs; to-many relationships are sets.
            for format in [
                "boss.boss.name == 'José'", "ANY boss.phone.number BEGINSWITH '0'", "boss.phone.@count == 1",
                "ALL boss.phone.id > 1", "ANY tag.person.boss.age == 52", "ANY phone.number == nil",
                "SUBQUERY(tag, $t, ANY $t.person.boss.name == 'José').@count > 0",
            ] {
                let count = predicate("filter", "-c", format, store, "--table", "person").output.dropLast()
                let explained = predicate("explain", format, store, "--table", "person").output
                #expect(explained.hasPrefix("\(count) of 4 objects match"), "\(format): \(count), \(explained)")
            }
            let unknown = predicate("explain", "boss.bos.name == 'x'", store, "--table", "person")
            #expect(unknown.status == 2 && unknown.error.contains("did you mean boss?"))
        }
    }

    @Test func coloursAreChosen() {
        #expect(predicate("repl", "--color", "always", input: "1 == 1").output.contains("\u{1B}["))
        #expect(!predicate("repl", "--color=never", input: "1 == 1").output.contains("\u{1B}["))
        #expect(predicate("repl", "--color", "blue").error.contains("auto, always or never"))
    }

    @Test func recordsOfAJournalAreFiltered() {
        let lines = """
            {"PRIORITY":"3","MESSAGE":"disk full","_PID":"812"}
            {"PRIORITY":"6","MESSAGE":[27,91,51],"_PID":"1"}
            {"PRIORITY":"3","MESSAGE":null,"_CMDLINE":["a","b"]}

            """
        let errors = predicate("filter", "--count", "PRIORITY == '3' AND MESSAGE CONTAINS 'disk'", input: lines)
        #expect(errors == .success("1\n"))
        #expect(predicate("filter", "-c", "CAST(PRIORITY, 'NSNumber') <= 3", input: lines) == .success("2\n"))
        #expect(predicate("filter", "-c", "PRIORITY == 3", input: lines).output == "0\n")
    }
}
