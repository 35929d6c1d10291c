import Foundation
import PredicateData
import PredicateSession
import PredicateStore
import Synchronization
import Testing

/// A session over a stored table of which it holds only the first rows: its answers are those of a session that holds all rows.
@Suite struct StreamedTableTests {
    /// What a test changes while a session runs, and what the session has reported.
    private final class Conditions: Sendable {
        let isCancelled = Atomic(false)
        let version = Atomic(0)
        let tasks = Mutex<[String]>([])
    }

    private static func session(
        holding count: Int, _ conditions: Conditions = Conditions(), written: WrittenFiles = WrittenFiles()
    ) -> Session {
        var environment = SessionEnvironment()
        environment.open = { (path) throws(DataError) in OpenedFile(source: try FileSource(path: path), size: 1) }
        environment.create = { (path) throws(DataError) in try written.create(path) }
        environment.version = { _ in FileVersion([conditions.version.load(ordering: .relaxed)]) }
        environment.isCancelled = { conditions.isCancelled.load(ordering: .relaxed) }
        environment.progress = { progress in conditions.tasks.withLock { $0.append(progress.task) } }
        var settings = SessionSettings(width: 200, isColoured: false, showsTime: false)
        settings.mostSampled = count
        return Session(settings: settings, environment: environment)
    }

    private static func withStore(_ script: String, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try StoreConnection(path, SQLiteOptions(.create)).execute(script)
        try body(path)
    }

    /// The members of teams in cities. The indexes have other orders than the tables, and the codes of items a third one.
    private static let script = """
        CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT, city_id INTEGER REFERENCES city(id));
        CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, amount REAL, born DATE, code BLOB,
            team_id INTEGER REFERENCES team(id));
        CREATE TABLE item(code TEXT PRIMARY KEY, n INTEGER);
        CREATE INDEX person_name ON person(name, amount);
        CREATE INDEX item_n ON item(n DESC, code);
        INSERT INTO city VALUES (1, 'Paris'), (2, 'Rome'), (3, NULL);
        WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 19)
            INSERT INTO team SELECT i, 'team ' || i, NULLIF(i % 4, 0) FROM c;
        WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 89)
            INSERT INTO person SELECT i, CASE i * 7 % 5 WHEN 0 THEN NULL WHEN 1 THEN 'jo' WHEN 2 THEN 'Zo' || char(233)
                WHEN 3 THEN 'Ann' ELSE 'al ' || i END, CASE i % 6 WHEN 0 THEN NULL ELSE i % 13 * 1.5 END,
                '2024-0' || (i % 9 + 1) || '-1' || (i % 10), CASE i % 3 WHEN 0 THEN x'01FF' END, NULLIF(i % 21, 20)
            FROM c;
        WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 89)
            INSERT INTO item SELECT 'c' || (i * 37 % 90), i % 17 FROM c;
        """

    private static let questions = [
        ":table person", "amount * 2", "id > 40", "amount > 1", "name == nil", "name ==[c] 'JO'",
        "born > CAST('2024-05-01', 'NSDate')", "team.name == 'team 3'", "team.city.name == 'Paris' AND amount > 3",
        "team.city.name == nil", "nmae == 1", ":sort nope", ":limit 5", "TRUEPREDICATE", ":more", ":more 4",
        ":sort -amount,name", ":more", ":columns id, amount * 2 AS double, team.city.name AS city", ":sort double",
        ":columns --", ":sort --", ":count-by name", ":group team.city.name, count(), max(born), joined(id, '-')",
        ":sum amount BY name", ":median id", ":show 77", ":show 90", ":show 91", ":why 60", ":why 91",
        "id > 50 AND name == 'jo' OR amount < 0", ":explain", ":explain 71", ":explain id > 100 AND amount > 2",
        ":sql", "id == 88", ":write a.csv", "id > 80", ":write b.jsonl", ":sort -name", ":write c.csv", ":sort --",
        "amount + 'x' == 1", ":sum name", ":table team", ":columns id, name", "ANY person.amount > 15",
        "person.@count > 4", ":explain city.name == 'Rome' AND ANY person.name == 'jo'", ":table item", "n > 3",
        ":more 100", ":show 50", ":sort n", ":more 100", "code == 'c89'", ":why 89",
    ]

    @Test func answersAreThoseOfASessionThatHoldsAll() throws {
        try Self.withStore(Self.script) { path in
            let (held, streamed) = (WrittenFiles(), WrittenFiles())
            let (whole, part) = (
                Self.session(holding: 1_000, written: held), Self.session(holding: 13, written: streamed)
            )
            for session in [whole, part] { #expect(session.load(file: path).text.hasPrefix("4 tables in ")) }
            for question in Self.questions {
                let (expected, found) = (whole.reply(to: question).text, part.reply(to: question).text)
                #expect(Self.lines(found) == Self.lines(expected), "\(question):\n\(found)\n---\n\(expected)")
            }
            #expect(held.files == streamed.files && held.files.count == 3)
        }
    }

    /// The lines that do not say how many objects are held, nor which of their values reach a clause.
    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter {
            !$0.contains("note: ") && !$0.contains(" table ") && !($0.hasPrefix("  ") && $0.contains(" is "))
        }
    }

    @Test func onlyTheFirstRowsAreHeld() throws {
        try Self.withStore(Self.script) { path in
            let session = Self.session(holding: 20)
            _ = session.load(file: path)
            #expect(
                session.reply(to: ":table person").text.hasPrefix(
                    "90 objects in table person: keys and types of the first 20 objects; each question reads the whole table\n"
                        + "keys: id, name, amount, born, code"))
            #expect(session.reply(to: ":keys").text.hasSuffix("\nfrom the first 20 objects"))
            #expect(session.reply(to: ":sample 2").text.hasSuffix("\nof the first 20 objects"))
            #expect(session.reply(to: "id").text.hasSuffix("\n… 80 more objects"))
            #expect(session.reply(to: ":show 91").text.hasSuffix("\nhint: objects are numbered from 1 to 90"))
            #expect(session.reply(to: ":table team").text.hasPrefix("20 objects from table team\n"))
        }
    }

    private static let numbers = """
        CREATE TABLE number(id INTEGER PRIMARY KEY);
        WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 9000)
            INSERT INTO number SELECT i FROM c;
        """

    @Test func questionsAreCancelled() throws {
        try Self.withStore(Self.numbers) { path in
            let conditions = Conditions()
            let session = Self.session(holding: 20, conditions)
            #expect(session.load(file: path).text.hasPrefix("9,000 objects in table number: "))
            #expect(conditions.tasks.withLock { $0.isEmpty })
            conditions.isCancelled.store(true, ordering: .relaxed)
            for line in ["id > 20", ":explain", ":why 8999", ":count-by id", ":show 9000"] {
                #expect(session.reply(to: line).text == "error: stopped", "\(line)")
            }
            #expect(conditions.tasks.withLock { Set($0) } == ["reading number"])
            conditions.isCancelled.store(false, ordering: .relaxed)
            #expect(session.reply(to: "id > 20").text.hasPrefix("8,980 of 9,000 objects match\n"))
            #expect(session.reply(to: ":show 9000").text == "object 9000\n  id  9000")
        }
    }

    @Test func aChangedFileIsNotMixed() throws {
        try Self.withStore(Self.numbers) { path in
            let conditions = Conditions()
            let session = Self.session(holding: 20, conditions)
            _ = session.load(file: path)
            conditions.version.store(1, ordering: .relaxed)
            #expect(
                session.reply(to: "id > 20").text
                    == "error: \(path) has changed since it was loaded\nhint: :load \(path) reads it as it is now")
            _ = session.reply(to: ":load \(path)")
            #expect(session.reply(to: "id > 20").text.hasPrefix("8,980 of 9,000"))
        }
    }
}
