import Foundation
import PredicateStore
import Testing

/// Errors in SQLite files and in the options for them.
struct SQLProblemTests {
    @Test func unknownTablesAndKeys() throws {
        try withStore { store, _ in
            let several = predicate("filter", "age > 1", store)
            #expect(several.status == 2)
            #expect(
                several.error.contains(
                    "more than one table\nhint: the tables are adults, person, phone, tag\nhint: --table"))
            let miss = predicate("filter", "age > 1", store, "--table", "persn").error
            #expect(miss.contains("there is no table 'persn'\nhint: did you mean person?\nhint: the tables are adults"))
            #expect(predicate("filter", "TRUEPREDICATE", store, "--table", "adults", "-c").output != "0\n")
            let key = predicate("filter", "aeg > 1", store, "--table", "person")
            #expect(
                key.error == "error: expected a key of person, found 'aeg'\n  aeg > 1\n  ^~~\nhint: did you mean age?\n"
            )
            #expect(key.status == 2 && key.output == "")
            let kind = predicate("filter", "name < 3", store, "--table", "person").error
            #expect(kind.contains("expected two values with an order"))
        }
    }

    /// What newcomers wrote, with the same answers as for records.
    @Test func whatIsMeantIsSaid() throws {
        let script = """
            CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, joined DATE, age INTEGER);
            INSERT INTO p VALUES (1, 'Jo', '2020-01-02', 3);
            """
        try withStore(script) { store, _ in
            func error(_ format: String) -> String { predicate("filter", format, store).error }
            #expect(
                error("YEAR(joined) = 2020")
                    .hasSuffix("hint: write joined >= \"2020-01-01\" AND joined < \"2021-01-01\"\n"))
            #expect(error("joined > 2020-01-01").hasSuffix("write \"2020-01-01\": 2020-01-01 is read as arithmetic\n"))
            #expect(error("len(name) > 3").contains("hint: write length(x)"))
            #expect(error("name.uppercase == 'JO'").contains("hint: write uppercase(name), or compare with [c]\n"))
            #expect(error("\"age\" > 3").contains("hint: write a key without quotes: age\n"))
            #expect(error("age > @avg.age").contains("hint: write the collection first: items.@avg.age"))
            #expect(error("FUNCTION(age = 1, 'case:', 1) == 1").contains("hint: write TERNARY(predicate, 1, 0)"))
            #expect(
                predicate("filter", "joined >= '2020-01-01' AND joined < '2021-01-01'", store, "-c").output == "1\n")
        }
    }

    /// [NSP-339]
    @Test func kindsThatAreNeverEqual() throws {
        let script = """
            CREATE TABLE thing (id INTEGER PRIMARY KEY, u UUID, age INTEGER, name TEXT);
            INSERT INTO thing VALUES (1, 'abcdef00-0000-0000-0000-000000000001', 5, 'jo');
            INSERT INTO thing VALUES (2, 'ABCDEF00-0000-0000-0000-000000000002', 7, 'al');
            CREATE TABLE code (id INTEGER PRIMARY KEY, u UUID);
            INSERT INTO code VALUES (1, 'abcdef00-0000-0000-0000-000000000001');
            """
        try withStore(script) { store, _ in
            func filter(_ words: String...) -> Outcome {
                predicate(["filter"] + words + [store, "--table", "thing", "-c"], source: silence)
            }
            let number = filter(#"age == "5""#)
            #expect(number.output == "0\n" && number.status == 1)
            let note = #"age == "5": a number and a string are never equal; remove the quotes: 5"#
            #expect(number.error == "note: \(store): \(note)\n")
            let uuid = filter("u == %@", "-a", "uuid:abcdef00-0000-0000-0000-000000000001")
            #expect(uuid.error.hasSuffix(#"a string and a UUID are never equal; write CAST(u, "NSUUID")"# + "\n"))
            // What is found needs no note, nor what has the kind.
            #expect(filter(#"age == "5" OR age == 7"#).error == "" && filter(#"name == "zoe""#).error == "")
            let sql = predicate("sql", #"age == "5""#, "--schema", store, "--entity", "thing")
            #expect(sql.error == "note: \(note)\n" && sql.status == 0)
            let text = "u == 'ABCDEF00-0000-0000-0000-000000000001'"
            #expect(predicate("filter", text, store, "--table", "code", "-c").output == "1\n")
        }
    }

    @Test func aSchemaOfAnotherFile() throws {
        try withStore(
            "CREATE TABLE persons (id INTEGER PRIMARY KEY, age INTEGER)", ["schema.json": Library.schema]
        ) { store, paths in
            let arguments = ["filter", "age > 1", store, "--schema", paths["schema.json"] ?? "", "--entity", "Person"]
            let outcome = predicate(arguments, source: silence)
            #expect(outcome.status == 2)
            #expect(outcome.error.contains("there is no table 'person'\nhint: did you mean persons?"))
            #expect(outcome.error.contains("hint: the tables are persons"))
        }
    }

    @Test func damagedFiles() throws {
        try withStore { store, _ in
            var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
            bytes.removeLast(bytes.count - 3000)
            try bytes.write(to: URL(fileURLWithPath: store))
            for arguments in [["filter", "age > 1", store, "--table", "person"], ["schema", store]] {
                let outcome = predicate(arguments, source: silence)
                #expect(outcome.status == 2 && outcome.output == "")
                #expect(outcome.error.contains("\(store): the database file is corrupt"))
            }
        }
    }

    @Test func lockedFiles() throws {
        try withStore { store, _ in
            let writer = try StoreConnection(store, SQLiteOptions(.readWrite))
            try writer.execute("BEGIN EXCLUSIVE")
            let outcome = predicate("filter", "age > 1", store, "--table", "person")
            #expect(outcome.status == 2 && outcome.output == "")
            #expect(outcome.error.contains("the file is locked by another connection"))
            try writer.execute("ROLLBACK")
        }
    }

    @Test func readingNeverWrites() throws {
        try withStore { store, _ in
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o444]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: store)
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            #expect(predicate("filter", "age > 18", store, "--table", "person", "-c") == .success("2\n"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        }
    }

    @Test func optionsForOneKindOfFile() throws {
        try withStore(Library.script, ["a.csv": "age\n3\n"]) { store, paths in
            let csv = paths["a.csv"] ?? ""
            let none = predicate("filter", "age > 1", csv, "--table", "a")
            #expect(none.status == 2)
            #expect(
                none.error.hasPrefix(
                    "error: --table needs a SQLite file or an XML store, and '\(csv)' is neither\nhint: a SQLite file"))
            #expect(
                predicate("filter", "age > 1", store, csv).error.contains(
                    "a SQLite file cannot be combined with other files"))
            #expect(
                predicate("filter", "age > 1", store, "-t", "age=string").error.hasPrefix(
                    "error: --types does not apply"))
            let missing = predicate("filter", "age > 1", csv + ".x", "--table", "a").error
            #expect(missing.hasPrefix("error: cannot open"))
            let input = predicate(["filter", "age > 1", "--residual"], source: silence)
            #expect(input.status == 2 && input.error.hasPrefix("error: --residual needs a SQLite file"))
        }
    }

    @Test func outputThatCannotBeWritten() throws {
        try withStore { store, _ in
            let arguments = ["filter", "age > 1", store, "--table", "person"]
            #expect(predicateWriting(errno: EPIPE, arguments, source: silence) == .success(""))
            let full = predicateWriting(errno: ENOSPC, arguments, source: silence)
            #expect(full.status == 2 && full.error.hasPrefix("error: "))
        }
    }

    @Test func schemaOfAFile() throws {
        try withStore { store, paths in
            let outcome = predicate("schema", store)
            #expect(outcome.status == 0)
            #expect(outcome.error == "")
            let copy = (paths["schema.json"] ?? "") + ".copy"
            try Data(outcome.output.utf8).write(to: URL(fileURLWithPath: copy))
            let filtered = ["filter", "ANY tag.word == 'new' AND age > 18", store, "-k", "id"]
            let expected = Outcome.success("{\"id\":1}\n")
            #expect(predicate(filtered + ["--schema", copy, "--entity", "person"], source: silence) == expected)
            #expect(predicate(filtered + ["--schema", store, "--table", "person"], source: silence) == expected)
            #expect(predicate("schema").error.hasPrefix("error: expected one file\nhint: for a database other"))
            let other = predicate("schema", paths["schema.json"] ?? "")
            #expect(
                other.status == 2
                    && other.error.contains("schema.json: expected 'database'\nhint: expected a SQLite file"))
            #expect(predicate("schema", store + ".x").error.contains("there is no file"))
            try Data().write(to: URL(fileURLWithPath: store + ".empty"))
            #expect(predicate("schema", store + ".empty").error == "note: \(store).empty: there are no tables in it\n")
        }
    }
}
