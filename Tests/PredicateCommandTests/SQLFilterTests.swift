import Foundation
import PredicateStore
import Testing

/// `predicate filter` on SQLite files.
struct SQLFilterTests {
    private func person(_ store: String, _ arguments: String...) -> Outcome {
        predicate(["filter", store, "--table", "person"].reordered(arguments), source: silence)
    }

    private let jose =
        #"{"id":1,"name":"José","age":52,"born":"1970-01-02T00:00:00Z","height":1.8,"photo":"AQI=","boss_id":null}"#
        + "\n"

    @Test func rowsAreJSONLines() throws {
        try withStore { store, _ in
            #expect(person(store, "age > 50") == .success(jose))
            #expect(person(store, "name ==[cd] 'JOSE'") == .success(jose))
            #expect(person(store, "age > 100") == Outcome(status: 1, output: "", error: ""))
            #expect(person(store, "id > 0", "--first") == .success(jose))
        }
    }

    /// The variable of a SUBQUERY stands for the elements, as the path after ANY does.
    @Test func stringsAreDatesInASubqueryToo() throws {
        let script = """
            CREATE TABLE o (id INTEGER PRIMARY KEY);
            CREATE TABLE l (id INTEGER PRIMARY KEY, o_id INTEGER REFERENCES o(id), at DATE);
            INSERT INTO o VALUES (1), (2);
            INSERT INTO l VALUES (1, 1, '2019-05-01T00:00:00Z'), (2, 2, '2021-05-01T00:00:00Z');
            """
        try withStore(script, [:]) { store, _ in
            for format in [
                "ANY l.at > '2020-01-01'", "SUBQUERY(l, $l, $l.at > '2020-01-01').@count > 0",
                "SUBQUERY(l, $l, SUBQUERY($l.o.l, $m, $m.at > '2020').@count > 0).@count > 0",
            ] {
                let outcome = predicate(["filter", format, store, "--table", "o", "-k", "id"], source: silence)
                #expect(outcome == .success("{\"id\":2}\n"), "\(format)")
            }
        }
    }

    @Test func keysAreColumnsAndPaths() throws {
        try withStore { store, _ in
            let outcome = person(store, "id >= 3", "-k", "id,name,boss.name,boss", "-o", "json")
            let expected = """
                [{"id":3,"name":null,"boss.name":"José","boss":1},
                {"id":4,"name":"bo","boss.name":"al","boss":2}]

                """
            #expect(outcome == .success(expected))
            #expect(person(store, "id > 9", "-o", "json") == Outcome(status: 1, output: "[]\n", error: ""))
            let miss = person(store, "id == 1", "-k", "boss.nmae").error
            #expect(miss.hasPrefix("error: expected a key of person, found 'nmae'\n  boss.nmae\n       ^~~~\n"))
            #expect(miss.hasSuffix("hint: did you mean name?\n"))
            #expect(person(store, "id == 1", "-k", "phone.@count").output.hasPrefix("{\"phone.@count\":"))
            #expect(
                person(store, "id == 1", "--sort", "phone").error.contains("'phone' has no column"))
        }
    }

    @Test func outputIsComputed() throws {
        try withStore { store, _ in
            let keys = "id, age * 2 AS twice, boss.name AS boss, phone.@count AS n, year(born) AS y, #\"name\" AS who"
            #expect(
                person(store, "id < 4", "-k", keys)
                    == .success(
                        #"{"id":1,"twice":104,"boss":null,"n":1,"y":1970,"who":"José"}"# + "\n"
                            + #"{"id":2,"twice":34,"boss":"José","n":1,"y":null,"who":"al"}"# + "\n"
                            + #"{"id":3,"twice":null,"boss":"José","n":0,"y":null,"who":null}"# + "\n"))
            #expect(
                person(store, "-k", "age + boss.age AS sum", "--sort", "-age + boss.age", "--first").output
                    == "{\"sum\":69}\n")
            #expect(
                person(store, "-k", "lowercase:(name) AS n", "--sort", "-n", "--last", "2").output
                    == "{\"n\":\"al\"}\n{\"n\":null}\n")
            #expect(
                person(store, "--group-by", "age > 18", "--avg", "age").status == 2)
            #expect(
                person(store, "--group-by", "boss.name AS boss", "--max", "age * 2 AS m", "--having", "count > 1")
                    .output
                    == "{\"boss\":\"José\",\"count\":2,\"m\":34}\n")
            #expect(
                person(store, "-k", "height * 2.0 AS h", "--distinct", "--digits", "1").output
                    == "{\"h\":3.6}\n{\"h\":null}\n{\"h\":3.0}\n{\"h\":4.0}\n")
            let miss = person(store, "-k", "id, agee + 1 AS next").error
            #expect(miss.contains("  agee + 1\n  ^~~~"), "\(miss)")
            #expect(miss.contains("did you mean age?"))
            #expect(person(store, "-k", "name + 1").status == 2)
        }
    }

    /// In UTC the functions of dates have SQL; in another zone they are evaluated in memory. [NSP-416] [NSP-483]
    @Test func functionsOfDatesHaveSQL() throws {
        try withStore { store, _ in
            #expect(person(store, "age > 18 AND year(born) == 1970", "-k", "id") == .success("{\"id\":1}\n"))
            let outcome = person(store, "age > 18 AND year(born) == 1970", "-k", "id", "--zone", "Europe/Rome")
            #expect(outcome.output == "{\"id\":1}\n")
            #expect(outcome.error.contains("SQL cannot express year(born) == 1970"), "\(outcome.error)")
            #expect(person(store, "born == \"1970\"", "-k", "id") == .success("{\"id\":1}\n"))
            #expect(person(store, "born > \"1970-01\"", "-k", "id") == .success("{\"id\":4}\n"))
            let sql = predicate("sql", "year(born) == 1970", "--table", "person", "--types", "born=date:since2001")
            #expect(sql.output.contains("t0.\"born\" >= ?1"), "\(sql.output)")
        }
    }

    /// One statement groups the rows, unless a row has an error to report. [NSP-419]
    @Test func groupsAreThoseOfSQL() throws {
        let script = """
            CREATE TABLE sale (id INTEGER PRIMARY KEY, city TEXT, price REAL, qty INTEGER, at DATETIME);
            INSERT INTO sale VALUES (1, 'Rome', 0.1, 3, '2024-01-31T12:00:00Z'), (2, 'Bonn', 0.2, 1, '2024-01-01'),
                (3, 'Rome', NULL, 5, '2024-02-29T23:59:59Z'), (4, NULL, 1.5, 0, NULL), (5, 'Bonn', 0.3, 4, '2024-03-01');
            """
        try withStore(script) { store, _ in
            func filter(_ words: String...) -> Outcome { predicate(["filter"] + words + [store], source: silence) }
            let months = [
                "--group-by", "month(at) AS m", "--sum", "price * qty AS s", "--median", "qty", "--avg", "qty",
            ]
            #expect(
                predicate(["filter"] + months + [store], source: silence)
                    == .success(
                        #"{"m":null,"count":1,"s":0.0,"median_qty":0,"avg_qty":0.0}"# + "\n"
                            + #"{"m":1,"count":2,"s":0.5,"median_qty":2.0,"avg_qty":2.0}"# + "\n"
                            + #"{"m":2,"count":1,"s":null,"median_qty":5,"avg_qty":5.0}"# + "\n"
                            + #"{"m":3,"count":1,"s":1.2,"median_qty":4,"avg_qty":4.0}"# + "\n"))
            let plan = predicate(["filter", "--explain-plan"] + months + [store], source: silence).output
            #expect(plan.contains("USE TEMP B-TREE FOR GROUP BY"))
            #expect(
                filter("qty > 0", "--count-by", "city", "--having", "count > 1", "--sort", "-city", "--first").output
                    == "{\"city\":\"Rome\",\"count\":2}\n")
            #expect(filter("qty > 9", "--sum", "price").status == 1)
            // A division by zero is reported, and the groups are those of memory.
            let failing = filter("--group-by", "city", "--sum", "6 / qty AS x")
            #expect(failing.status == 2, "\(failing.error)")
            #expect(failing.output.contains(#"{"city":"Rome","count":2,"x":3}"#), "\(failing.output)")
            #expect(filter("--sum", "city").status == 2)
        }
    }

    /// The statement orders the rows as memory does the same records of a file. [NSP-460]
    @Test func rowsAreOrderedBySQL() throws {
        let script = """
            CREATE TABLE shop (id INTEGER PRIMARY KEY, town TEXT);
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, width INTEGER, price REAL, made DATETIME, other,
                fine BOOLEAN, shop_id INTEGER REFERENCES shop(id));
            CREATE INDEX item_width ON item (width);
            INSERT INTO shop VALUES (1, 'Rome'), (2, 'Ulm'), (3, NULL);
            INSERT INTO item VALUES (1, 'b', 9, 0.5, '2024-01-02', 1, 1, 2),
                (2, 'B', 8, -0.0, '2024-01-02T01:00:00Z', 'x', 0, 1), (3, 'é', 7, 0.0, NULL, 2.5, NULL, 3),
                (4, NULL, NULL, 1e300, '2023-12-31', 'y', 1, NULL),
                (5, 'e\u{301}', 9, NULL, '1969-05-05T12:00:00Z', NULL, 0, 1), (6, '', -3, 2.0, '2024-01-02', 'X', 1, 2),
                (7, 'bb', 9223372036854775807, 2.5, '2024-01-03', 9, 0, 3);
            """
        let orders: [[String]] = [
            ["--sort", "width"], ["--sort", "-width,name"], ["--sort", "name", "--first", "3"],
            ["--sort", "-name", "--offset", "2", "--first", "2"], ["--sort", "price,-id"],
            ["--sort", "-made", "--last", "3"], ["--sort", "width * 2.0,id"], ["--sort", "-price / 3.0,id"],
            ["--sort", "-lowercase(name)"], ["--sort", "other"], ["--sort", "fine,-made"], ["--offset", "5"],
            ["--last", "2"], ["--last", "99"], ["--sort", "width", "--offset", "99"],
            ["--sort", "name", "--ignore-case"], ["--first", "2", "--distinct"], ["--offset", "1", "--distinct"],
        ]
        try withStore(script) { store, paths in
            let file = (paths["folder"] ?? "") + ".jsonl"
            let rows = predicate("filter", store, "--table", "item", "-o", "jsonl")
            try Data(rows.output.utf8).write(to: URL(fileURLWithPath: file))
            for order in orders {
                for condition in ["TRUEPREDICATE", "width > 5"] {
                    let ofSQL = predicate(
                        ["filter", condition, store, "--table", "item", "-k", "id"] + order, source: silence)
                    let ofMemory = predicate(["filter", condition, file, "-k", "id"] + order, source: silence)
                    #expect(ofSQL == ofMemory, "\(condition) \(order)")
                }
            }
            func plan(_ words: String...) -> String {
                predicate(["filter", store, "--table", "item", "--explain-plan"] + words, source: silence).output
            }
            #expect(plan("--sort", "width") == "SCAN t0 USING INDEX item_width\n")
            #expect(plan("--sort", "-price * 2.0").contains("USE TEMP B-TREE FOR ORDER BY"))
            #expect(plan("--sort", "shop.town").contains("USE TEMP B-TREE FOR ORDER BY"))
            #expect(plan("--sort", "width", "--ignore-case") == "SCAN t0\n")
            let towns = predicate(
                "filter", store, "--table", "item", "-k", "id,shop.town", "--sort", "-shop.town", "--first", "2")
            #expect(towns == .success("{\"id\":1,\"shop.town\":\"Ulm\"}\n{\"id\":6,\"shop.town\":\"Ulm\"}\n"))
        }
    }

    /// One statement selects different rows, as memory does of the records of a file. [NSP-461]
    @Test func differentRowsAreSelectedBySQL() throws {
        let script = """
            CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE sale (id INTEGER PRIMARY KEY, city TEXT, price REAL, qty INTEGER, at DATETIME, data BLOB,
                town_id INTEGER REFERENCES town(id));
            INSERT INTO town VALUES (1, 'Ulm'), (2, 'Bonn');
            INSERT INTO sale VALUES (9, 'Rome', 0.1, 3, '2024-01-31T12:00:00Z', x'00', 1), (2, 'rome', 0.1, 1, '2024-01-01', NULL, 2),
                (3, 'Rome', NULL, 0, '2024-01-31T12:00:00Z', x'00', 2), (4, NULL, 2.0, 3, NULL, x'01', NULL),
                (5, 'e\u{301}', 2, 4, '2024-03-01', NULL, 1), (6, 'é', 0.1, 3, '2024-01-01', NULL, 1);
            """
        let cases: [[String]] = [
            ["-k", "city"], ["-k", "price,qty"], ["-k", "at"], ["-k", "data"], ["-k", "price * 2.0 AS p"],
            ["-k", "city,qty", "--sort", "-qty,city"], ["-k", "city", "--sort", "qty"], ["-k", "qty", "--last", "2"],
            ["-k", "price * 2.0 AS p", "--sort", "-p", "--first", "2"], ["-k", "price", "--digits", "0"],
            ["-k", "city", "--sort", "city", "--ignore-case"], ["-k", "lowercase(city) AS c", "--offset", "1"],
            ["-k", "price", "--digits", "0", "--first", "1"], ["--first", "2"],
        ]
        try withStore(script) { store, paths in
            let file = (paths["folder"] ?? "") + ".jsonl"
            let rows = predicate("filter", store, "--table", "sale", "-o", "jsonl")
            try Data(rows.output.utf8).write(to: URL(fileURLWithPath: file))
            for words in cases {
                let ofSQL = predicate(["filter", "--distinct", store, "--table", "sale"] + words, source: silence)
                let ofMemory = predicate(["filter", "--distinct", file] + words, source: silence)
                #expect(ofSQL == ofMemory, "\(words)")
            }
            func sale(_ words: String..., format: String = "TRUEPREDICATE") -> Outcome {
                predicate(["filter", format, store, "--table", "sale", "--distinct"] + words, source: silence)
            }
            #expect(sale("-k", "city", "-c") == .success("5\n"))
            #expect(sale("-k", "town.name", "-c") == .success("3\n"))
            #expect(sale("-k", "city", "-c", format: "qty > 9").status == 1)
            let failing = sale("-k", "12 / qty AS x")
            #expect(failing.status == 2)
            #expect(failing.output == "{\"x\":12}\n{\"x\":null}\n{\"x\":4}\n{\"x\":3}\n")
        }
    }

    /// Strings that are no dates, and strings that are not UTF-8, are ordered and compared by memory. [NSP-460] [NSP-461]
    @Test func whatSQLReadsInAnotherWayIsLeftToMemory() throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, at DATETIME, u TEXT);
            INSERT INTO t VALUES (1, '2024-01-01', CAST(x'ff' AS TEXT)), (2, 'unknown', CAST(x'fe' AS TEXT)), (3, NULL, 'a'),
                (4, '2024-01-02', char(65533));
            """
        try withStore(script) { store, _ in
            func ids(_ words: String...) -> String {
                predicate(["filter", store, "-k", "id", "-o", "csv"] + words, source: silence).output
                    .split(separator: "\n").dropFirst().joined(separator: " ")
            }
            #expect(ids("--sort", "-at", "--first", "2") == "2 4")
            #expect(ids("--sort", "at") == "3 1 4 2")
            let texts = predicate(["filter", store, "-k", "u", "--distinct"], source: silence)
            #expect(texts.output == "{\"u\":\"\u{FFFD}\"}\n{\"u\":\"a\"}\n")
        }
    }

    /// An error of a row is reported, and memory orders the rows. [NSP-460]
    @Test func anErrorOfASortKeyIsReported() throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
            INSERT INTO t VALUES (1, 2), (2, 0), (3, 6), (4, NULL);
            """
        try withStore(script) { store, _ in
            let outcome = predicate("filter", store, "-k", "id", "--sort", "12 / a")
            #expect(outcome.status == 2)
            #expect(outcome.output == "{\"id\":2}\n{\"id\":4}\n{\"id\":3}\n{\"id\":1}\n")
            #expect(outcome.error.contains("zero"), "\(outcome.error)")
            let selected = predicate("filter", "a != 0 AND a != nil", store, "-k", "id", "--sort", "12 / a")
            #expect(selected.status == 0 && selected.output == "{\"id\":3}\n{\"id\":1}\n")
        }
    }

    @Test func countInvertFirstAndQuiet() throws {
        try withStore { store, _ in
            #expect(person(store, "age > 18", "-c") == .success("2\n"))
            // nil is not greater, so NOT holds for it.
            #expect(person(store, "age > 18", "-cv") == .success("2\n"))
            #expect(person(store, "TRUEPREDICATE", "-c", "--first", "3") == .success("3\n"))
            #expect(person(store, "age > 99", "-c") == Outcome(status: 1, output: "0\n", error: ""))
            #expect(person(store, "age > 18", "-q") == .success(""))
            #expect(person(store, "age > 99", "-q") == Outcome(status: 1, output: "", error: ""))
            #expect(person(store, "ANY phone.number BEGINSWITH '0'", "-k", "id") == .success("{\"id\":1}\n"))
            #expect(person(store, "age == $A OR age == %@", "--set", "A=17", "-a", "40", "-c") == .success("2\n"))
        }
    }

    @Test func aSchemaGivesOtherNames() throws {
        try withStore { store, paths in
            let schema = ["--schema", paths["schema.json"] ?? "", "--entity", "Person"]
            let rows = predicate(["filter", "ANY phones.number == '555'", store] + schema, source: silence)
            #expect(rows == .success("{\"id\":2,\"fullName\":\"al\",\"age\":17}\n"))
            let path = predicate(["filter", "age == 40", store, "-k", "boss.boss.fullName"] + schema, source: silence)
            #expect(path == .success("{\"boss.boss.fullName\":\"José\"}\n"))
        }
    }

    @Test func theOnlyTableNeedsNoName() throws {
        try withStore("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL);") { store, _ in
            #expect(predicate("filter", "a == 2", store) == .success("{\"a\":2,\"b\":null}\n"))
        }
        try withStore("CREATE TABLE t (a INTEGER); DROP TABLE t;") { store, _ in
            #expect(predicate("filter", "a == 2", store).error.hasSuffix(": there are no tables\n"))
        }
    }

    @Test func thePlanUsesTheIndex() throws {
        try withStore { store, _ in
            let plan = person(store, "age == 17", "--explain-plan")
            #expect(plan == .success("SEARCH t0 USING INDEX person_age (age=?)\n"))
        }
    }

    @Test func theRestIsAskedInMemory() throws {
        try withStore { store, _ in
            let format = "name.capitalizedString == 'Al' AND age < 20"
            let part = "name.capitalizedString == \"Al\""
            let note = "note: \(store): SQL cannot express \(part), which is evaluated for each row\n"
            #expect(
                person(store, format, "-k", "name") == Outcome(status: 0, output: "{\"name\":\"al\"}\n", error: note))
            #expect(person(store, format, "-q") == .success(""))
            #expect(person(store, format, "--untrusted").error.contains("hint: with --residual"))
            #expect(person(store, format, "--residual", "-k", "name") == .success("{\"name\":\"al\"}\n"))
            #expect(person(store, format, "--residual", "-c") == .success("1\n"))
            #expect(person(store, format, "--residual", "-q") == .success(""))
            #expect(person(store, format, "--residual", "-cv") == .success("3\n"))
        }
    }

    /// What is an error in memory too stays one. [NSP-426]
    @Test func aMistakeIsNotLeftToMemory() throws {
        try withStore { store, _ in
            let formats = [
                "name + 1 == 2", "name.lenght == 2", "nmae.capitalizedString == 'Al'", "agee(name) == 1",
                "name.capitalizedString == 'Al' AND size > 1",
            ]
            for format in formats {
                let outcome = person(store, format)
                #expect(outcome.status == 2 && outcome.output == "", "\(format)")
                #expect(outcome.error.hasPrefix("error: ") && !outcome.error.contains("note: "), "\(format)")
            }
        }
    }

    /// Limits, order and groups are those of the rows that the whole predicate selects. [NSP-426]
    @Test func pagesAndGroupsFollowTheResidual() throws {
        let script = """
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, width INTEGER);
            CREATE INDEX item_width ON item (width);
            INSERT INTO item VALUES (1, 'ab', 9), (2, 'Ab', 8), (3, 'ab', 7), (4, 'xy', 6), (5, 'ab', 5), (6, 'ab', 9);
            """
        let format = "name.capitalizedString == 'Ab' AND name != 'Ab' AND width > 0"
        let cases: [(options: [String], output: String)] = [
            (["-k", "id", "--first", "2"], "{\"id\":1}\n{\"id\":3}\n"),
            (["-k", "id", "--sort", "width,-id", "--first", "3"], "{\"id\":5}\n{\"id\":3}\n{\"id\":6}\n"),
            (["--group-by", "width"], #"{"width":5,"count":1}\#n{"width":7,"count":1}\#n{"width":9,"count":2}\#n"#),
            (["-c"], "4\n"), (["-cv"], "2\n"),
        ]
        try withStore(script) { store, _ in
            for (options, output) in cases {
                let outcome = predicate(["filter", format, store] + options, source: silence)
                #expect(outcome.status == 0 && outcome.output == output, "\(options)")
                #expect(outcome.error.hasPrefix("note: "), "\(options)")
                let quiet = predicate(["filter", format, store, "--residual"] + options, source: silence)
                #expect(quiet == .success(output), "\(options)")
            }
        }
    }

    @Test func rowsThatCannotBeAskedAreReported() throws {
        try withStore { store, _ in
            let all = person(store, "name + 1 == 2 OR id == 4", "--residual", "-k", "id")
            #expect(all.status == 2)
            #expect(all.error.contains("\(store): error: expected a number"))
            let strict = person(store, "name + 1 == 2", "--residual", "--strict")
            #expect(strict.status == 2)
            #expect(strict.error.components(separatedBy: "expected a number").count == 2)
        }
    }
}

extension [String] {
    /// `filter` with its format first, then the file and the options.
    fileprivate func reordered(_ arguments: [String]) -> [String] {
        Array(prefix(1)) + arguments + Array(dropFirst())
    }
}
