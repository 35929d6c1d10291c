import Foundation
import PredicateData
import PredicateJSON
import PredicateSQL
import PredicateSession
import PredicateSyntax
import Testing

/// `predicate sql`: text for people, one object for programs.
struct SQLCommandTests {
    private func sql(_ arguments: String...) -> Outcome {
        predicate(["sql"] + arguments, source: silence)
    }

    private let flat = ["--table", "people", "--types", "name=string,age=integer"]

    @Test func textShowsConditionValuesAndStatement() {
        let outcome = predicate(
            ["sql", "age >= %@ AND name ==[cd] %@", "-a", "18", "-a", "José"] + flat, source: silence)
        let expected = """
            where      t0."age" >= ?1 AND predicates2_compare(t0."name", ?2, 'cd') = 0
            bindings   1  bigint  18
                       2  text    "jose"
            select     SELECT t0."id" FROM "people" AS t0 WHERE t0."age" >= ?1 AND predicates2_compare(t0."name", ?2, 'cd') = 0
            calls      predicates2_compare

            """
        #expect(outcome == .success(expected))
        #expect(sql("age == nil", "--table", "t", "--types", "age=integer").output.contains("bindings   (none)\n"))
    }

    /// [NSP-440]
    @Test func indexes() throws {
        let statement = #"CREATE INDEX IF NOT EXISTS "index(people.age)" ON "people" ("age")"#
        let arguments = ["sql", "age >= 18 AND name CONTAINS 'x'", "--index"] + flat
        #expect(predicate(arguments, source: silence).output.hasSuffix("index      \(statement)\n"))
        let value = try JSONReader.parse(Array(predicate(arguments + ["--json"], source: silence).output.utf8))
        #expect(value["indexes"] == [.string(statement)])
        #expect(predicate(arguments + ["--dialect", "duckdb"], source: silence).output.contains("index      (none)\n"))
        #expect(!predicate(["sql", "age >= 18"] + flat, source: silence).output.contains("index"))
    }

    @Test func jsonIsOneObject() throws {
        let outcome = sql(
            "name == $N AND age > 3 AND ok == YES AND h < 1.5 AND photo == %@", "--set", "N=x", "-a", "data:AQI=",
            "--table", "t", "--types", "name=string,age=integer", "--types", "ok=boolean,h=double,photo=data", "--json")
        let value = try JSONReader.parse(Array(outcome.output.utf8))
        let condition = #"t0."name" = ?1 AND t0."age" > ?2 AND t0."ok" = ?3 AND t0."h" < ?4 AND t0."photo" = ?5"#
        let text = value["where"]?.text ?? ""
        #expect(text.replacing(" COLLATE BINARY", with: "") == condition)
        #expect(
            value["bindings"] == [
                ["type": "text", "value": "x"], ["type": "bigint", "value": 3], ["type": "boolean", "value": true],
                ["type": "double", "value": 1.5], ["type": "blob", "value": "AQI="],
            ])
        #expect(value["parameters"] == "numbered")
        #expect(value["select"] == .string("SELECT t0.\"id\" FROM \"t\" AS t0 WHERE " + text))
        #expect(value["dialect"] == "sqlite" && value["entity"] == "t")
        #expect(value["calls"] == [] && value["setup"] == [] && value["prelude"] == [] && value["residual"] == .null)
        #expect(outcome.status == 0 && outcome.error == "")
    }

    @Test func jsonNamesTheFunctionsToRegister() throws {
        let format = "name ==[cd] 'x' AND name LIKE '?a*b'"
        let outcome = predicate(["sql", format, "--json"] + flat, source: silence)
        let value = try JSONReader.parse(Array(outcome.output.utf8))
        #expect(value["calls"] == ["predicates2_compare", "predicates2_like"])
        let other = predicate(["sql", format, "--json", "--dialect", "postgresql"] + flat, source: silence)
        #expect(try JSONReader.parse(Array(other.output.utf8))["calls"] == [])
        #expect(predicate(["sql", format, "--json", "--dialect", "postgres"] + flat, source: silence).status == 0)
    }

    /// [NSP-350]
    @Test func parametersOfSparkStandInTheirOrderOrHaveNames() throws {
        let format = "age BETWEEN {18, 65} AND name == 'Jo'"
        let spark = [format, "--dialect", "spark", "--json"] + flat
        let ordered = try JSONReader.parse(Array(predicate(["sql"] + spark, source: silence).output.utf8))
        #expect(ordered["parameters"] == "positional")
        #expect(ordered["where"]?.text?.contains("t0.`name` = ?") == true)
        #expect(
            ordered["bindings"] == [
                ["type": "bigint", "value": 18], ["type": "bigint", "value": 65], ["type": "text", "value": "Jo"],
            ])
        let named = try JSONReader.parse(Array(predicate(["sql", "--named"] + spark, source: silence).output.utf8))
        #expect(named["parameters"] == "named")
        #expect(named["where"]?.text?.contains("t0.`name` = :p3") == true)
        #expect(
            named["bindings"] == [
                ["name": "p1", "type": "bigint", "value": 18], ["name": "p2", "type": "bigint", "value": 65],
                ["name": "p3", "type": "text", "value": "Jo"],
            ])
        let other = predicate(["sql", "--named", format, "--dialect", "duckdb"] + flat, source: silence)
        #expect(other.status == 2 && other.error.contains("--named needs --dialect spark"))
    }

    @Test func aSchemaFileOrTheTablesOfAFile() throws {
        try withStore { store, paths in
            let schema = paths["schema.json"] ?? ""
            let byEntity = sql("fullName == 'al'", "--schema", schema, "--entity", "Person")
            #expect(byEntity.output.contains(#"FROM "person" AS t0 WHERE"#))
            #expect(byEntity == sql("fullName == 'al'", "--schema", schema, "--table", "PERSON"))
            let found = sql(
                "ANY phone.number == '555' AND boss.name == 'José'", "--schema", store, "--entity", "person")
            #expect(found.status == 0)
            #expect(found.output.contains(#"t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1"#))
        }
    }

    /// A colon or an equals sign with a mark after it is one character, and divides all the same.
    @Test func valuesMayBeginWithCombiningMarks() {
        let mark = "\u{323}x"
        let typed = predicate(["sql", "name == %@", "-a", "string:\(mark)"] + flat, source: silence)
        #expect(typed.output.contains("text  \"\(mark)\""))
        #expect(predicate(["sql", "name == $V", "--set", "V=\(mark)"] + flat, source: silence) == typed)
    }

    @Test func postgresHasItsOwnPlaceholdersSetupAndPrelude() throws {
        let outcome = predicate(
            ["sql", "name ==[c] 'JO'", "--dialect", "postgresql", "--json"] + flat, source: silence)
        let value = try JSONReader.parse(Array(outcome.output.utf8))
        #expect(value["where"]?.text?.contains("$1::text") == true)
        #expect(value["setup"] == ["SET TIME ZONE 'UTC'"])
        guard case .array(let prelude)? = value["prelude"] else { throw CancellationError() }
        // The fold, and the function that names the marks.
        #expect(prelude.count == 2)
        let text = predicate(["sql", "name ==[cd] 'JO'", "--dialect", "PostgreSQL"] + flat, source: silence).output
        #expect(text.contains("prelude    CREATE OR REPLACE FUNCTION"))
        #expect(text.utf8.count < 2000)
    }

    @Test func theRestIsAnErrorOrAResidual() {
        let format = "name.capitalizedString == 'Jo' AND age > 3"
        let refused = predicate(["sql", format] + flat, source: silence)
        #expect(refused.status == 2)
        #expect(refused.output == "")
        #expect(
            refused.error == """
                error: SQL cannot express this exactly
                  name.capitalizedString == 'Jo' AND age > 3
                  ^~~~~~~~~~~~~~~~~~~~~~ capitalizedString is not a relationship, and as a property it exists only in memory
                hint: with --residual, SQL selects more rows, and the rest of the predicate is evaluated in memory

                """)
        let text = predicate(["sql", format, "--residual"] + flat, source: silence)
        #expect(text.output.hasPrefix("where      t0.\"age\" > ?1\n"))
        #expect(text.output.hasSuffix("residual   name.capitalizedString == \"Jo\"\n"))
        let json = predicate(["sql", format, "--residual", "-j"] + flat, source: silence)
        #expect(json.output.contains(#""residual":"name.capitalizedString == \"Jo\"""#))
    }

    @Test(arguments: [
        (["a == 1"], "expected a schema\nhint: give --schema FILE, or --table"),
        (["a == 1", "--table", "t"], "expected a schema"),
        (["a == 1", "b"] + ["--table", "t", "--types", "a=integer"], "expected one format, found 'b' too"),
        (["a == 1", "--table", "t", "--entity", "t"], "--entity and --table both select a table"),
        (["a == 1", "--table", "t", "--types", "a"], "--types takes NAME=TYPE,..., found 'a'"),
        (["a == 1", "--table", "t", "--types", "a=whole"], "--types: expected integer, double"),
        (["a == 1", "--table", "t", "--types", "a=date:unix"], "--types: expected since2001, since1970"),
        (["a == 1", "--schema", "x", "--types", "a=date"], "--types needs --table, and no --schema"),
        (
            ["a == 1", "--dialect", "sqlit"] + ["--table", "t", "--types", "a=integer"],
            "--dialect takes " + SQLEngine.list() + ", found 'sqlit'\nhint: did you mean sqlite?"
        ),
        (
            ["long == 1", "--table", "t", "--types", "a=integer"],
            "expected a key of t, found 'long'\n  long == 1\n  ^~~~\nhint: the keys are a"
        ),
        (["a == $B", "--table", "t", "--types", "a=integer"], "the variable $B has no value\nhint: --set B=VALUE"),
        (["a ==", "--table", "t", "--types", "a=integer"], "expected"),
        (["a == 1", "--schema", "/nowhere/x.json"], "--schema: cannot open '/nowhere/x.json'"),
    ])
    func errorsAreExplained(_ arguments: [String], _ message: String) {
        let outcome = predicate(["sql"] + arguments, source: silence)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.error.hasPrefix("error: \(message)"), "\(outcome.error)")
    }

    @Test func aSchemaThatIsWrongNamesThePlace() throws {
        let wrong = Library.schema.replacing("\"to\": \"Phone\"", with: "\"to\": \"Phon\"")
        let broken = "{\"entities\": {\n  \"Person\" {}}}"
        try withFiles(["a.json": wrong, "b.txt": broken, "c.json": Library.schema]) { paths in
            let unknown = sql("age > 1", "--schema", paths["a.json"] ?? "", "--entity", "Person").error
            #expect(unknown.contains("a.json: expected an entity of the schema, found 'Phon' at entities.Person"))
            #expect(unknown.contains("hint: did you mean Phone?"))
            let place = sql("age > 1", "--schema", paths["b.txt"] ?? "").error
            #expect(place.contains("b.txt:2: expected ':' after the key (column 12)\nhint: a schema is JSON"))
            let several = sql("age > 1", "--schema", paths["c.json"] ?? "").error
            #expect(several.contains("more than one entity\nhint: the entities are Person, Phone\nhint: --entity NAME"))
            let entity = sql("age > 1", "--schema", paths["c.json"] ?? "", "--entity", "Persn").error
            #expect(entity.contains("there is no entity 'Persn'\nhint: did you mean Person?"))
        }
    }

    @Test(arguments: ["sql", "schema", "filter"])
    func helpFitsATerminal(topic: String) {
        let page = predicate("help", topic)
        #expect(page.status == 0 && page == predicate(topic, "--help"))
        let lines = page.output.split(separator: "\n")
        #expect(lines.filter { $0.count > 79 || $0.hasSuffix(" ") } == [])
    }
}

extension PredicateValue {
    subscript(key: String) -> PredicateValue? {
        if case .dictionary(let members) = self { members[key] } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
