import Foundation
import PredicateJSON
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// The statements of `predicate sql`, which run as they are printed. [NSP-425]
struct StatementCommandTests {
    private let script =
        Library.script + "ALTER TABLE person ADD salary DECIMAL TEXT; UPDATE person SET salary = '10.5' WHERE id = 1;"

    /// The printed statement, read from the JSON output.
    private func printed(_ words: [String], _ store: String) throws -> (report: PredicateValue, fragment: SQLFragment) {
        let outcome = predicate(["sql", "--json", "--schema", store] + words, source: silence)
        #expect(outcome.status == 0 && outcome.error == "", "\(words): \(outcome.error)")
        let report = try JSONReader.parse(Array(outcome.output.utf8))
        guard case .array(let list)? = report["bindings"] else { throw CancellationError() }
        let bindings = list.map { SQLBinding($0["value"] ?? .null) }
        return (report, SQLFragment(verbatim: report["statement"]?.text ?? "", bindings: bindings))
    }

    /// A column comes before a constant that is spelled like it.
    @Test func columnsNamedLikeConstants() throws {
        func statement(_ words: String...) -> String {
            let table = ["sql", "id > 0", "--table", "cl", "--types", "id=integer,no=integer,nil=string"]
            let lines = predicate(table + words, source: silence).output.split(separator: "\n")
            return lines.first { $0.hasPrefix("select") }.map(String.init) ?? ""
        }
        #expect(
            statement("--keys", "no,nil") == #"select     SELECT t0."no", t0."nil" FROM "cl" AS t0 WHERE t0."id" > ?1"#)
        #expect(statement("--sort", "no").hasSuffix(#"ORDER BY t0."no", t0."id""#))
        #expect(statement("--group-by", "no").contains(#"SELECT t0."no", COUNT(*) AS "count" FROM"#))
        #expect(statement("--sum", "no").contains(#"predicates_sum(t0."no")"#))
    }

    private static let selections: [(words: [String], rows: [[SQLBinding]])] = [
        (["age > 45"], [[.integer(1)]]),
        (["age > 0", "--sort", "-age"], [[.integer(1)], [.integer(4)], [.integer(2)]]),
        (["TRUEPREDICATE", "--sort", "age", "--first", "2"], [[.integer(3)], [.integer(2)]]),
        (
            ["TRUEPREDICATE", "--sort", "boss.name,-id", "--first", "2", "--offset", "1"],
            [[.integer(3)], [.integer(2)]]
        ),
        (["TRUEPREDICATE", "--first"], [[.integer(1)]]),
        (["TRUEPREDICATE", "--offset", "3"], [[.integer(4)]]),
        (["name BEGINSWITH[c] 'B' OR age == 17", "--count"], [[.integer(2)]]),
        (
            ["age > 30", "--keys", "name,boss.name,phone.@count,boss", "--sort", "name"],
            [[.text("José"), .null, .integer(1), .null], [.text("bo"), .text("al"), .integer(0), .integer(2)]]
        ),
        (["boss != nil", "-k", "boss_id", "--distinct", "--sort", "boss_id"], [[.integer(1)], [.integer(2)]]),
        (
            ["TRUEPREDICATE", "--group-by", "boss_id", "--sum", "age", "--max", "name", "--sort", "-count,boss_id"],
            [
                [.integer(1), .integer(2), .integer(17), .text("al")],
                [.null, .integer(1), .integer(52), .text("José")],
                [.integer(2), .integer(1), .integer(40), .text("bo")],
            ]
        ),
        (
            [
                "age > 0", "--group-by", "boss.name", "--having", "count == 1 AND boss.name != nil", "--sort",
                "boss.name",
            ],
            [[.text("José"), .integer(1)], [.text("al"), .integer(1)]]
        ),
        (["TRUEPREDICATE", "--sum", "age", "--min", "height"], [[.integer(4), .integer(109), .double(1.5)]]),
        (["age > 900", "--sum", "age"], [[.integer(0), .null]]),
        (
            [
                "TRUEPREDICATE", "--group-by", "boss_id", "--keys", "boss_id, avg(age) AS mean, count()", "--sort",
                "boss_id",
            ],
            [
                [.null, .double(52), .integer(1)], [.integer(1), .double(17), .integer(2)],
                [.integer(2), .double(40), .integer(1)],
            ]
        ),
        (
            ["age > 0", "--keys", "age * 2 AS twice,lowercase:(name) AS low", "--sort", "-twice", "--first", "2"],
            [[.integer(104), .text("josé")], [.integer(80), .text("bo")]]
        ),
        (["age > 0", "--sort", "-modulus:by:(age, 10)"], [[.integer(2)], [.integer(1)], [.integer(4)]]),
        (
            ["TRUEPREDICATE", "--group-by", "year(born) AS y", "--max", "age * 2 AS m", "--sort", "-y", "--first"],
            [[.integer(2001), .integer(1), .integer(80)]]
        ),
        (
            ["TRUEPREDICATE", "--avg", "age", "--median", "age", "--having", "count > 3"],
            [[.integer(4), .double(109.0 / 3), .integer(40)]]
        ),
    ]

    @Test func everySelectionRuns() throws {
        try withStore(script) { store, _ in
            let connection = try StoreConnection(store)
            for (words, rows) in Self.selections {
                let (report, fragment) = try printed(words + ["--table", "person"], store)
                #expect(try connection.rows(of: fragment).all() == rows, "\(words)")
                #expect(report["select"] == report["statement"], "\(words)")
            }
        }
    }

    @Test func changesRun() throws {
        let words = [
            "age > 30", "--table", "person", "--update", "name=a=b", "--update", "boss=3", "--update", "height=null",
            "--update", "born=2020-01-31", "--update", "photo=aGk=", "--update", "salary=0.10",
        ]
        try withStore(script) { store, _ in
            let connection = try StoreConnection(store, SQLiteOptions(.readWrite))
            let (report, update) = try printed(words, store)
            #expect(report["select"] == .null && report["columns"] == [])
            try connection.run(update)
            let columns = "name, boss_id, height, born, photo, salary"
            let changed = try connection.rows(
                of: SQLFragment(verbatim: "SELECT \(columns) FROM person WHERE boss_id = 3 ORDER BY id")
            ).all()
            let row: [SQLBinding] = [
                .text("a=b"), .integer(3), .null, .text("2020-01-31T00:00:00Z"), .blob(Data("hi".utf8)),
                .text("0.1"),
            ]
            #expect(changed == [row, row])
            let (_, delete) = try printed(
                ["ANY tag.word == 'new' AND boss.boss != nil", "--table", "person", "--delete"], store)
            try connection.run(delete)
            let left = try connection.rows(of: SQLFragment(verbatim: "SELECT id FROM person ORDER BY id")).all()
            #expect(left == [[.integer(3)], [.integer(4)]])
        }
    }

    /// `KEY:=EXPRESSION` is computed for each row, and so is an operation in place of a number; any other word is a value.
    @Test func computedChangesRun() throws {
        let words = [
            "age != nil", "--table", "person", "--update", "name := uppercase(name)", "--update", "age=age - 1",
            "--update", "height:=age * 2",
        ]
        try withStore(script) { store, _ in
            let connection = try StoreConnection(store, SQLiteOptions(.readWrite))
            let rows = SQLFragment("SELECT name, age, height FROM person WHERE age IS NOT NULL ORDER BY id")
            let before = try connection.rows(of: rows).all()
            let (_, update) = try printed(words, store)
            try connection.run(update)
            let expected = before.map { row -> [SQLBinding] in
                guard case .text(let name) = row[0], case .integer(let age) = row[1] else { return [] }
                return [.text(name.uppercased()), .integer(age - 1), .double(Double(2 * age))]
            }
            #expect(try connection.rows(of: rows).all() == expected && !expected.isEmpty && !expected.contains([]))
        }
    }

    @Test func aWordForAStringIsAString() throws {
        let flat = ["--table", "t", "--types", "name=string,age=integer"]
        let update = predicate(["sql", "age > 5", "--update", "name=age + 1"] + flat, source: silence)
        #expect(update.output.contains(#"SET "name" = ?1 WHERE"#) && update.output.contains(#""age + 1""#))
        let computed = predicate(["sql", "age > 5", "--update", "age=age + 1"] + flat, source: silence)
        #expect(computed.output.contains(#"SET "age" = COALESCE("#))
    }

    @Test func theReportNamesTheStatement() throws {
        let flat = ["--table", "people", "--types", "name=string,age=integer,born=date:iso8601"]
        let page = predicate(
            ["sql", "age > 5", "--keys", "name,born", "--sort", "-age,name", "--first", "3"] + flat, source: silence)
        let expected = """
            where      t0."age" > ?1
            bindings   1  bigint  5
                       2  bigint  3
            select     SELECT t0."name", t0."born" FROM "people" AS t0 WHERE t0."age" > ?1 \
            ORDER BY t0."age" DESC, t0."name" COLLATE BINARY, t0."id" LIMIT ?2

            """
        #expect(page == .success(expected))
        let json = predicate(["sql", "age > 5", "--keys", "name,born", "-j"] + flat, source: silence).output
        let report = try JSONReader.parse(Array(json.utf8))
        #expect(report["columns"] == [["name": "name", "type": "string"], ["name": "born", "type": "date:iso8601"]])
        let update = predicate(
            ["sql", "age > 5", "--update", "name=x", "--dialect", "mariadb"] + flat, source: silence)
        #expect(update.output.contains("bindings   1  text    \"x\"\n           2  bigint  5\n"))
        #expect(update.output.contains("update     UPDATE `people` AS t0 SET `name` = "))
        let delete = predicate(["sql", "age > 5", "--delete"] + flat, source: silence)
        #expect(delete.output.contains("\ndelete     DELETE FROM \"people\" AS t0 WHERE t0.\"age\" > ?1\n"))
    }

    /// A table in a schema, one with a dot in its name, and the keys of changed rows. [NSP-438]
    @Test func tablesHaveSchemas() {
        func sql(_ table: String, _ rest: String...) -> Outcome {
            predicate(
                ["sql", "age > 5", "--dialect", "postgresql", "--types", "age=integer", "--table", table] + rest,
                source: silence)
        }
        #expect(sql("sales.people").output.contains(#"FROM "sales"."people" AS t0 WHERE"#))
        #expect(sql(#"sales."odd.md""#).output.contains(#"FROM "sales"."odd.md" AS t0"#))
        #expect(
            sql(#""odd.md""#, "--delete", "--returning").output.contains(
                #"FROM "odd.md" AS t0 WHERE t0."age" > $1::int8 RETURNING "id""#))
        #expect(sql("a.b.c").error.contains("--table takes TABLE, SCHEMA.TABLE"))
        #expect(sql("people", "--returning").error.contains("--returning needs --update KEY=VALUE or --delete"))
    }

    /// Functions that only the order or the groups call belong to the statement too.
    @Test func functionsOfTheStatementAreNamed() throws {
        let flat = ["--table", "people", "--types", "name=string,age=integer"]
        let grouped = ["sql", "age > 5", "--group-by", "age"] + flat
        let having = grouped + ["--min", "name", "--having", "min_name ==[c] 'JO'"]
        #expect(predicate(having, source: silence).output.contains("\ncalls      predicates2_compare\n"))
        let postgresql = predicate(having + ["--dialect", "postgresql"], source: silence).output
        #expect(postgresql.contains("\nprelude    CREATE OR REPLACE FUNCTION"))
        #expect(!predicate(grouped, source: silence).output.contains("\ncalls"))
    }

    /// A Parquet file in DuckDB, for example, has no column `id`.
    @Test func thePrimaryKeyOfTypesHasAName() {
        let words = ["sql", "age > 5", "--table", "t", "--types", "age=integer,isbn=string"]
        let keyed = predicate(words + ["--primary-key", "isbn"], source: silence)
        #expect(keyed.output.contains("SELECT t0.\"isbn\" FROM \"t\" AS t0"))
        #expect(predicate(words, source: silence).output.contains("SELECT t0.\"id\" FROM"))
    }

    @Test func keysOfASchemaAreCompleted() throws {
        try withFiles(["schema.json": Library.schema]) { paths in
            let line = ["sql", "age > 1", "--schema", paths["schema.json"] ?? "", "--entity", "Person"]
            let complete = { (words: [String]) in
                predicate(["completion", "--words", "--"] + line + words, source: silence).output
            }
            #expect(complete(["--sort", "-f"]) == "-fullName\n")
            #expect(complete(["--keys", "age,b"]) == "age,boss\n")
            #expect(complete(["--table", "pho"]) == "phone\n")
        }
    }

    @Test(arguments: [
        (["--count", "--delete"], "--count and --delete are two statements\nhint: run the command once"),
        (["--keys", "age", "--update", "age=1"], "--update and --keys are two statements"),
        (["--keys", "name", "--group-by", "age"], "--keys: 'name' is neither a key of the groups nor an aggregate"),
        (["--delete", "--first", "3"], "--first cannot be combined with --delete\nhint: --delete applies to all rows"),
        (["--count", "--sort", "age"], "--sort cannot be combined with --count"),
        (["--distinct"], "--distinct needs --keys"), (["--having", "count > 1"], "--having needs --group-by"),
        (["--keys", "age", "--having", "count > 1"], "--having needs --group-by"),
        (["--first", "0"], "--first takes a number above 0, found '0'"),
        (["--offset", "-1"], "--offset takes a number from 0, found '-1'"),
        (["--keys", "age,"], "--keys takes keys separated by commas"),
        (["--keys", "@count"], "--keys takes values of a row, and @count is not one\nhint: --count selects"),
        (["--order", "age"], "unknown option '--order'\nhint: write --sort"),
        (["--limit", "3"], "unknown option '--limit'\nhint: write --first"),
        (["--skip", "3"], "unknown option '--skip'\nhint: write --offset"),
        (["--residual", "--first", "3"], "--residual is for the statement that selects all primary keys\nhint: wi"),
        (["--residual", "--delete"], "--residual is for the statement"),
        (["--update", "age"], "--update takes KEY=VALUE, found 'age'"),
        (["--update", "agee=1"], "expected a key of t, found 'agee'\nhint: did you mean age?"),
        (["--update", "age=x"], "'age' takes an integer, not a string"),
        (["--update", "age:=agee - 1"], "expected a key of t, found 'agee'\n"),
        (["--update", "age:=(age"], "expected the bracket that closes '('"),
        (["--update", "age:='x'"], "'age' takes an integer, not a string"),
        (["--update", "born=soon"], "--update born: 'soon' is not a valid date\nhint: write 2026-01-31"),
        (["--update", "age=1", "--update", "age=2"], "--update age: a key has one value, found 2"),
        (["--keys", "agee"], "expected a key of t, found 'agee'"),
        (["--sort", "agee"], "expected a key of t, found 'agee'"),
        (["--group-by", "age", "--having", "count >"], "expected a value"),
        (["--group-by", "age", "--having", "cuont > 1"], "expected a key of"),
        (["--group-by", "age", "--having", "count > %@"], "expected an argument"),
        (["--group-by", "age", "--having", "count > $x"], "the variable $x has no value\nhint: write the value"),
    ])
    func wrongOptionsAreExplained(_ options: [String], _ message: String) {
        let words = ["sql", "age > 1", "--table", "t", "--types", "age=integer,born=date"]
        let outcome = predicate(words + options, source: silence)
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.error.hasPrefix("error: \(message)"), "\(options): \(outcome.error)")
    }
}

extension SQLBinding {
    /// The value of a binding in the JSON output. A blob is the only value of these tests in base 64.
    fileprivate init(_ value: PredicateValue) {
        switch value {
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .bool(let value): self = .boolean(value)
        case .string("aGk="): self = .blob(Data("hi".utf8))
        case .string(let text): self = .text(text)
        default: self = .null
        }
    }
}
