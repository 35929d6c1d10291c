import Foundation
import PredicateData
import PredicateJSON
import PredicateSyntax
import Testing

/// The same rows as CSV and in a SQLite file: `predicate filter` gives the same answers.
struct SameAnswerTests {
    private static let rows = """
        id,at,born,paid,city
        1,2026-01-31 23:30:00,1990-05-03,true,rome
        2,2026-02-01 00:30:00,1990-05-04,false,Rome
        3,2026-02-01T00:30:00Z,1990-05-05,true,Bonn

        """

    private static let script = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, at DATETIME, born DATE, paid BOOLEAN, city TEXT);
        INSERT INTO t VALUES (1, '2026-01-31 23:30:00', '1990-05-03', 1, 'rome'),
            (2, '2026-02-01 00:30:00', '1990-05-04', 0, 'Rome'), (3, '2026-02-01T00:30:00Z', '1990-05-05', 1, 'Bonn');
        """

    /// Runs the same words on both, and returns the outputs, which are JSON Lines.
    private func outputs(_ words: [String]) throws -> (csv: String, store: String) {
        var outputs = ("", "")
        try withStore(Self.script, ["rows.csv": Self.rows]) { store, paths in
            let arguments = ["filter"] + words + ["-o", "jsonl"]
            outputs.0 = predicate(arguments + [paths["rows.csv"] ?? ""], source: silence).output
            outputs.1 = predicate(arguments + [store], source: silence).output
        }
        return outputs
    }

    /// [NSP-494] [NSP-496]
    @Test(arguments: [
        ("at == '2026-01-31 23:30'", [1]), ("at > '2026-01'", [2, 3]), ("at == '2026-01-31T22:30:00Z'", [1]),
        ("at < '2026-02-01 01:30'", [1, 2]), ("born == '1990-05-03'", [1]), ("born <= '1990-05-04'", [1, 2]),
        ("month(at) == 1", [1]), ("at >= date:truncatedTo:('2026-02-15', 'month')", [2, 3]),
        ("born IN {'1990-05-03', '1990-05-05'}", [1, 3]), ("id < 3 AND at != nil", [1, 2]),
        ("NOT at < '2026-02-01'", [2, 3]),
    ])
    func datesAreInTheZone(format: String, ids: [Int]) throws {
        let expected = ids.map { "{\"id\":\($0)}\n" }.joined()
        let found = try outputs([format, "-k", "id", "--zone", "Europe/Berlin"])
        #expect(found.csv == expected)
        #expect(found.store == expected)
    }

    private static let documents = """
        {"id":1,"payload":{"user":{"id":5,"name":"x"},"tags":["a","b"]}}
        {"id":2,"payload":{"user":null,"tags":[]}}
        {"id":3,"payload":null}
        {"id":4,"payload":{"user":{"id":2.5,"name":"y"}}}
        {"id":5,"payload":{"items":[{"a":1},null,[{"a":2}]]}}
        {"id":6,"payload":{"items":[{"a":1},3]}}
        {"id":7,"payload":{"items":"x","user":"y"}}

        """

    /// A column of JSON objects, and the same objects in JSON Lines. [NSP-437]
    @Test(arguments: [
        ["id > 1"], ["payload.user.id == 5"], ["payload.user.name BEGINSWITH 'x' OR id == 2"], ["payload == nil"],
        ["payload.items.a != nil"], ["payload.items.a == nil"], ["payload.items.a != 1"],
        ["payload.user.id != nil"], ["payload.user.name BEGINSWITH 'y'"],
        ["5 IN payload.user"], ["'y' IN payload.user"], ["payload.user CONTAINS 'y'"],
        // Where a comparison is an error, neither it nor its negation selects the row.
        ["NOT 5 IN payload.user"], ["NOT 'y' IN payload.user"], ["NOT payload.items CONTAINS 3"],
        ["NONE payload.tags == 'b'"], ["ALL payload.items == 3"], ["NOT ALL payload.tags == 'b'"],
        ["NOT payload.user.id > 3"], ["NOT payload.user < 'x'"], ["NOT payload.user BETWEEN {1, 2}"],
        ["NOT payload.items BEGINSWITH 'y'"], ["NOT payload.user LIKE 'x*y'"], ["NOT payload.user.name MATCHES 'y+'"],
        ["NOT payload.items.a == 1"], ["NOT payload.items.a != 1 OR id == 2"], ["NOT payload.items.a == nil"],
        ["NOT (ANY payload.items > 2 OR id == 1)"], ["NOT payload.items IN 'xx'"],
        ["TERNARY(id > 6, payload.user, payload.items) == 'y'"], ["TERNARY(id > 6, payload.user, nil) == 'y'"],
        ["NOT TERNARY(id > 6, payload.user, payload.items) BEGINSWITH 'x'"],
        // Beside nil nothing is an error, whatever the kind of the member.
        ["NOT payload.items BEGINSWITH nil"], ["NOT payload.items CONTAINS nil"], ["NOT payload.items.a LIKE nil"],
        ["ANY payload.tags == 'b'"], ["payload.user == nil", "-k", "id"], ["id < 3", "-k", "payload"],
        ["TRUEPREDICATE", "-k", "id, payload.user.id AS u"],
        ["TRUEPREDICATE", "--sort", "-payload.user.id", "-k", "id"],
        ["TRUEPREDICATE", "--group-by", "payload.user.name"],
        ["TRUEPREDICATE", "--distinct", "-k", "payload.user.name"],
    ])
    func columnsOfJSONAreObjects(words: [String]) throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, payload JSON);
            INSERT INTO t VALUES (1, '{"user": {"id": 5, "name": "x"}, "tags": ["a", "b"]}'),
                (2, '{"user": null, "tags": []}'), (3, NULL), (4, '{"user": {"id": 2.5, "name": "y"}}'),
                (5, '{"items": [{"a": 1}, null, [{"a": 2}]]}'), (6, '{"items": [{"a": 1}, 3]}'),
                (7, '{"items": "x", "user": "y"}');
            """
        try withStore(script, ["rows.jsonl": Self.documents]) { store, paths in
            func lines(_ path: String?) throws -> [PredicateValue] {
                let output = predicate(["filter"] + words + ["-o", "jsonl", path ?? ""], source: silence).output
                return try output.split(separator: "\n").map { try JSONReader.parse(String($0)) }
            }
            let expected = try lines(paths["rows.jsonl"])
            #expect(!expected.isEmpty)
            #expect(try lines(store) == expected)
        }
    }

    /// Seconds are moments, whatever the zone; a string beside them is in the zone.
    @Test func momentsHaveNoZone() throws {
        let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMP); INSERT INTO t VALUES (1, 1769898600);"
        try withStore(script) { store, _ in
            let zone = ["--zone", "Europe/Berlin"]
            func count(_ format: String, _ zone: [String]) -> Outcome {
                predicate(["filter", "-c", format] + zone + [store], source: silence)
            }
            #expect(count("at == '2026-01-31T22:30:00Z'", zone) == .success("1\n"))
            #expect(count("at == '2026-01-31T23:30:00'", zone) == .success("1\n"))
            #expect(count("at == '2026-01-31T22:30:00'", []) == .success("1\n"))
        }
    }

    /// SQL that is printed reads strings as dates in UTC, so that it is refused in another zone.
    @Test func printedSQLHasNoZoneForStrings() {
        func sql(_ type: String, _ dialect: String, _ zone: String) -> Outcome {
            predicate(
                "sql", "at == '2026-01-31 23:30'", "--table", "t", "--types", "at=\(type)", "--dialect", dialect,
                "--zone", zone)
        }
        #expect(sql("date:iso8601", "sqlite", "UTC").status == 0)
        let refusal = sql("date:iso8601", "sqlite", "Europe/Berlin")
        #expect(refusal.status == 2)
        #expect(refusal.error.contains("read dates in strings, in UTC, not in Europe/Berlin"), "\(refusal.error)")
        #expect(sql("date:timestamp", "postgresql", "Europe/Berlin").output.contains("2026-01-31 22:30:00"))
        #expect(sql("date:since1970", "sqlite", "Europe/Berlin").output.contains("1769898600"))
    }

    private static let questions: [(words: [String], output: String)] = [
        (
            ["--min", "paid,born", "--max", "paid,at"],
            #"{"count":3,"min_paid":false,"min_born":"1990-05-03","max_paid":true,"max_at":"2026-02-01T00:30:00Z"}"#
        ),
        (
            ["--group-by", "paid", "--max", "born"],
            #"{"paid":false,"count":1,"max_born":"1990-05-04"}\#n{"paid":true,"count":2,"max_born":"1990-05-05"}"#
        ),
        (
            ["paid == 'true'", "-k", "id,born"],
            #"{"id":1,"born":"1990-05-03"}\#n{"id":3,"born":"1990-05-05"}"#
        ),
        (["paid IN {'false'}", "-k", "id,paid"], #"{"id":2,"paid":false}"#),
        (
            ["--group-by", "city", "--sort", "city", "--ignore-case"],
            #"{"city":"Bonn","count":1}\#n{"city":"Rome","count":1}\#n{"city":"rome","count":1}"#
        ),
        (
            ["--group-by", "city", "--max", "born", "--having", "max_born > '1990-05-04'"],
            #"{"city":"Bonn","count":1,"max_born":"1990-05-05"}"#
        ),
        (["--group-by", "city", "--max", "born", "--having", "max_born < '1990'"], ""),
        (["--count-by", "month(born) AS m", "--having", "m == 5"], #"{"m":5,"count":3}"#),
        (["--group-by", "date:truncatedTo:(born, 'month') AS m"], #"{"m":"1990-05-01","count":3}"#),
        (["--last", "-k", "born"], #"{"born":"1990-05-05"}"#),
    ]

    @Test(arguments: questions)
    func valuesAreWrittenInOneWay(words: [String], output: String) throws {
        let expected = output.isEmpty ? "" : output + "\n"
        let found = try outputs(words)
        #expect(found.csv == expected)
        #expect(found.store == expected)
    }

    /// A column of days may hold a time, which is written; a column of times has none of days.
    @Test func onlyMidnightsOfColumnsOfDaysAreDays() throws {
        let days = String(repeating: "('2020-01-01', '2020-01-01 00:00:00'), ", count: 200)
        let script =
            "CREATE TABLE t (d DATE, at DATETIME); INSERT INTO t VALUES \(days)"
            + "('2020-01-02 10:00:00', '2020-01-02 00:00:00');"
        try withStore(script) { store, _ in
            #expect(
                predicate("filter", "--distinct", "-k", "d,at", store)
                    == .success(
                        #"{"d":"2020-01-01","at":"2020-01-01T00:00:00Z"}"# + "\n"
                            + #"{"d":"2020-01-02T10:00:00Z","at":"2020-01-02T00:00:00Z"}"# + "\n"))
        }
    }
}
