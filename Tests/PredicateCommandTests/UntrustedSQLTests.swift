import Foundation
import PredicateStore
import Testing

/// `--untrusted` bounds statements: `filter` on SQLite files, `sql`, `update` and `delete`. [NSP-420] [NSP-423]
struct UntrustedSQLTests {
    private static func script(_ count: Int) -> String {
        """
        CREATE TABLE org (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT NOT NULL, org_id INTEGER REFERENCES org(id));
        INSERT INTO org VALUES (1, 'a');
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
        INSERT INTO user SELECT n, 'user ' || n, 1 FROM numbers;
        """
    }

    private func filter(_ store: String, _ table: String, _ format: String, _ options: String...) -> Outcome {
        predicate(["filter", format, store, "--table", table] + options, source: silence)
    }

    @Test func nestedSubqueriesAreRefused() throws {
        let format =
            "SUBQUERY(user,$a,SUBQUERY(user,$b,SUBQUERY(user,$c,SUBQUERY(user,$d,$d.name==$a.name AND $d.name==$b.name"
            + " AND $d.name=='zz').@count>0).@count>0).@count>0).@count>0"
        try withStore(Self.script(200), [:]) { store, _ in
            let outcome = filter(store, "org", format, "--untrusted")
            #expect(outcome.status == 2 && outcome.output.isEmpty)
            #expect(outcome.error.hasPrefix("error: expected at most 10000 steps for one object\n"))
            #expect(outcome.error.contains("hint: avoid a SUBQUERY inside another one"))
        }
    }

    /// Two nested loops over 5,000 rows: the compiler allows them, and the steps end them.
    @Test func aStatementEndsAtItsSteps() throws {
        let format = "SUBQUERY(user, $a, SUBQUERY(user, $b, $a.id * $b.id < 0).@count > 0).@count > 0"
        try withStore(Self.script(5_000), [:]) { store, _ in
            for options in [["-c"], ["-q"], []] {
                let outcome = predicate(
                    ["filter", format, store, "--table", "org", "--untrusted"] + options, source: silence)
                #expect(outcome.status == 2 && outcome.output.isEmpty, "\(options)")
                #expect(outcome.error.contains("expected at most 100000000 steps of a statement"), "\(options)")
                #expect(outcome.error.contains("\nhint: add a condition that an index can serve"), "\(options)")
            }
        }
    }

    @Test func rowsThatWerePrintedRemain() throws {
        try withStore(Self.script(5_000), [:]) { store, _ in
            let format = "SUBQUERY(org.user, $b, $b.id * id < 0).@count == 0"
            let outcome = filter(store, "user", format, "--untrusted", "-k", "id")
            #expect(outcome.status == 2)
            #expect(outcome.output.hasPrefix("{\"id\":1}\n{\"id\":2}\n"))
            #expect(outcome.output.hasSuffix("}\n"))
            #expect(outcome.error.contains("expected at most 100000000 steps of a statement"))
            #expect(filter(store, "user", "id > 4998", "--untrusted", "-c") == .success("2\n"))
        }
    }

    @Test func setupHasTheTimeLimitOfTheDatabase() {
        func setup(_ dialect: String, _ options: String...) -> String {
            let words = ["sql", "age > 3", "--table", "people", "--types", "age=integer", "--dialect", dialect]
            return predicate(words + options, source: silence).output
        }
        #expect(setup("postgresql", "--untrusted").contains("setup      SET statement_timeout = 5000\n"))
        #expect(setup("mariadb", "--untrusted").contains("SET SESSION max_statement_time = 5.000\n"))
        #expect(setup("mysql", "--untrusted", "--json").contains("SET SESSION max_execution_time = 5000"))
        for dialect in ["postgresql", "mariadb", "mysql"] { #expect(!setup(dialect).contains("_time")) }
    }
}
