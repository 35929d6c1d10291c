import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

@testable import PredicateStore

/// The tables of statements and transactions, and the results of a fetch after each change. [NSP-501]
///
/// The limit ends a deadlock. It counts the time in which other tests keep the threads busy, so it is long.
@Suite(.timeLimit(.minutes(60))) struct ObservationTests {
    private let directory: TemporaryDirectory
    private let connection: StoreConnection
    private let store: ObjectStore

    init() throws {
        directory = try TemporaryDirectory()
        let options = SQLiteOptions(.create, journal: .wal)
        connection = try StoreConnection(directory.file(), options)
        try connection.execute(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT, owner_id INTEGER REFERENCES person ON DELETE CASCADE);
            CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
            CREATE TABLE task_tag (
                task_id INTEGER REFERENCES task, tag_id INTEGER REFERENCES tag, PRIMARY KEY (task_id, tag_id)
            ) WITHOUT ROWID;
            CREATE TABLE log (id INTEGER PRIMARY KEY, line TEXT);
            CREATE TRIGGER tagged AFTER INSERT ON tag BEGIN INSERT INTO log (line) VALUES (NEW.name); END;
            CREATE VIEW owned AS SELECT task.id, name FROM task JOIN person ON owner_id = person.id;
            INSERT INTO person VALUES (1, 'Ann'), (2, 'Bob');
            INSERT INTO task VALUES (1, 'Sleep', 1), (2, 'Eat', 2), (3, 'Run', NULL);
            INSERT INTO tag VALUES (1, 'fun');
            INSERT INTO task_tag VALUES (1, 1);
            """)
        store = try ObjectStore(connection)
    }

    // MARK: - Tables

    /// True if a change is noticed by a fetch that reads some tables.
    private func isNoticed(_ tables: Set<String>, _ change: () throws -> Void) throws -> Bool {
        let observer = ChangeObserver()
        connection.commits.add(observer)
        defer { connection.commits.remove(observer) }
        observer.beginFetch()
        observer.endFetch(reading: tables)
        try change()
        return observer.isChanged
    }

    private func isNoticed(_ tables: Set<String>, _ script: String) throws -> Bool {
        try isNoticed(tables) { try connection.execute(script) }
    }

    @Test func changesOfTables() throws {
        #expect(try isNoticed(["task"], "INSERT INTO task (title) VALUES ('Read')"))
        #expect(try isNoticed(["task"], "UPDATE task SET title = 'Rest' WHERE id = 1"))
        #expect(try isNoticed(["task"], "DELETE FROM task WHERE id = 3"))
        #expect(try isNoticed(["task"], "REPLACE INTO task VALUES (3, 'Run', NULL)"))
        #expect(try !isNoticed(["task"], "INSERT INTO person (name) VALUES ('Cem')"))
        #expect(try isNoticed(["tag", "person"], "INSERT INTO person (name) VALUES ('Dan')"))
        #expect(try !isNoticed(["task"], "SELECT * FROM task"))
        #expect(try !isNoticed(["task"], "UPDATE task SET title = 'Rest' WHERE id = 77"))
        #expect(try !isNoticed(["tag"], "INSERT INTO tag (name) VALUES ('fun') ON CONFLICT DO NOTHING"))
        #expect(try isNoticed(["tag"], "INSERT INTO tag (name) VALUES ('fun') ON CONFLICT DO UPDATE SET name = 'joy'"))
        #expect(try !isNoticed(["task"], "CREATE INDEX task_title ON task (title)"))
    }

    /// SQLite's update hook misses these.
    @Test func changesWithoutRowids() throws {
        #expect(try isNoticed(["task_tag"], "INSERT INTO task_tag VALUES (2, 1)"))
        #expect(try isNoticed(["log"], "INSERT INTO log (line) VALUES ('a'); DELETE FROM log"))
        #expect(try isNoticed(["task_tag"], "DELETE FROM task_tag"))
    }

    @Test func changesOfTriggersAndForeignKeys() throws {
        #expect(try isNoticed(["log"], "INSERT INTO tag (name) VALUES ('work')"))
        try connection.execute("PRAGMA foreign_keys = ON; DELETE FROM task_tag")
        #expect(try isNoticed(["task"], "DELETE FROM person WHERE id = 2"))
        #expect(try store.fetchCount(PredicateFetchRequest("task")) == 2)
    }

    @Test func onlyCommits() throws {
        #expect(try !isNoticed(["task"], "BEGIN; DELETE FROM task; ROLLBACK"))
        #expect(try isNoticed(["task"], "BEGIN; INSERT INTO task (title) VALUES ('Read'); COMMIT"))
        #expect(try isNoticed(["task"], "SAVEPOINT a; INSERT INTO task (title) VALUES ('Read'); RELEASE a"))
        let isNoticedInside = try store.transaction { () throws(StoreError) in
            let observer = ChangeObserver()
            connection.commits.add(observer)
            observer.endFetch(reading: ["task"])
            defer { connection.commits.remove(observer) }
            try store.insert("task", ["title": "Walk"])
            return observer.isChanged
        }
        #expect(!isNoticedInside)
        #expect(
            try !isNoticed(["tag"]) {
                _ = storeError { try connection.execute("INSERT INTO tag (name) VALUES ('fun')") }
            })
    }

    @Test func changesByEveryWay() throws {
        let another = try StoreConnection(directory.path + "/./store.sqlite", SQLiteOptions(.readWrite))
        let insert = SQLFragment("INSERT INTO task (title) VALUES ('Read') RETURNING id")
        #expect(try isNoticed(["task"]) { try another.run(insert) })
        #expect(try isNoticed(["task"]) { _ = try connection.rows(of: insert).all() })
        // The same prepared statement, again.
        for _ in 0..<3 { #expect(try isNoticed(["task"]) { try connection.run(insert) }) }
        #expect(try isNoticed(["task"]) { try store.insert("task", rows: [["title": "A"], ["title": "B"]]) })
        #expect(try isNoticed(["task"]) { try store.update("task", ["title": "A"], where: FormatPredicate("id == 1")) })
        #expect(try isNoticed(["task"]) { try store.delete("task", where: FormatPredicate("id == 1")) })
        // A statement that is already prepared changes another table after a trigger was added.
        #expect(
            try isNoticed(["log"]) {
                try connection.execute(
                    "CREATE TRIGGER t AFTER INSERT ON task BEGIN INSERT INTO log (line) VALUES (1); END")
                try connection.run(insert)
            })
        #expect(try isNoticed(["log"]) { try connection.run(insert) })
        // Other files and databases have observers of their own.
        let memory = try StoreConnection.inMemory()
        #expect(try !isNoticed(["task"]) { try memory.execute("CREATE TABLE task (id); INSERT INTO task VALUES (1)") })
    }

    @Test func tablesOfAFetch() throws {
        func tables(_ request: PredicateFetchRequest) throws -> Set<String> {
            try connection.readingTables { () throws(StoreError) in try store.fetchAll(request) }.tables
        }
        #expect(try tables(PredicateFetchRequest("task")) == ["task"])
        #expect(try tables(PredicateFetchRequest("task")) == ["task"])
        #expect(
            try tables(PredicateFetchRequest("task", FormatPredicate("owner.name == 'Ann'"))) == ["task", "person"])
        #expect(try tables(PredicateFetchRequest("task", prefetching: ["owner"])).isSuperset(of: ["task", "person"]))
        #expect(try tables(PredicateFetchRequest("owned")).isSuperset(of: ["task", "person"]))
        let count = try connection.readingTables { () throws(StoreError) in
            try store.fetchCount(PredicateFetchRequest("tag"))
        }
        #expect(count.tables == ["tag"])
    }

    // MARK: - Sequences

    private func titles(_ objects: [StoredObject]?) -> [PredicateValue?]? { objects?.map { $0["title"] } }

    @Test func nowAndAfterEachChange() async throws {
        let request = PredicateFetchRequest("task", sortKeys: [SortKey("id")])
        var changes = store.changes(of: request).makeAsyncIterator()
        #expect(titles(try await changes.next()) == ["Sleep", "Eat", "Run"])
        try store.update("task", ["title": "Rest"], where: FormatPredicate("id == 1"))
        #expect(titles(try await changes.next()) == ["Rest", "Eat", "Run"])
        // The next one waits for a change of its table.
        let store = store
        let writer = Task {
            _ = try await store.write { try $0.insert("person", ["name": "Cem"]).id }
            return try await store.write { try $0.delete("task", where: FormatPredicate("id == 2")) }
        }
        #expect(titles(try await changes.next()) == ["Rest", "Run"])
        _ = try await writer.value
    }

    @Test func otherResults() async throws {
        struct Task: Decodable { let title: String }
        let request = PredicateFetchRequest("task", sortKeys: [SortKey("id")], limit: 1)
        var values = store.changes(of: Task.self, request).makeAsyncIterator()
        #expect(try await values.next()?.map(\.title) == ["Sleep"])
        var groups = StoreChanges.count(of: "task", in: store).makeAsyncIterator()
        #expect(try await groups.next() == [["n": 3]])
        try store.insert("task", ["title": "Read"])
        #expect(try await groups.next() == [["n": 4]])
        #expect(try await values.next()?.count == 1)
    }

    /// Many commits before the loop comes back are one element, with the last state.
    @Test func commitsAreCoalesced() async throws {
        let request = PredicateFetchRequest("tag")
        var changes = store.changes(of: request).makeAsyncIterator()
        #expect(try await changes.next()?.count == 1)
        for number in 1...100 { try store.insert("tag", ["name": "tag \(number)"]) }
        #expect(try await changes.next()?.count == 101)
    }

    /// While a task commits as fast as it can, loops see growing states, and in the end the last one: 300 lines after that
    /// of the tag.
    @Test func theLastStateIsNeverMissed() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var last = -1
                    let counts = StoreChanges.count(of: "log", in: store)
                    for try await rows in counts {
                        guard case .integer(let count)? = rows.first?["n"] else { break }
                        #expect(count >= last)
                        last = Int(count)
                        if last == 301 { break }
                    }
                    #expect(last == 301)
                }
            }
            group.addTask {
                for line in 1...300 {
                    _ = try await store.write { try $0.insert("log", ["line": "\(line)"]).id }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func cancellationEndsTheLoop() async throws {
        let store = store
        let seen = Seen()
        let task = Task {
            for try await tasks in store.changes(of: PredicateFetchRequest("task")) { seen.add(tasks.count) }
            return Task.isCancelled
        }
        while seen.counts.isEmpty { await Task.yield() }
        task.cancel()
        #expect(try await task.value)
        #expect(seen.counts == [3])
    }

    @Test func anErrorEndsTheLoop() async throws {
        var changes = store.changes(of: PredicateFetchRequest("nothing")).makeAsyncIterator()
        await #expect(throws: StoreError.self) { try await changes.next() }
        #expect(try await changes.next() == nil)
        var later = store.changes(of: PredicateFetchRequest("tag")).makeAsyncIterator()
        #expect(try await later.next()?.count == 1)
        try connection.execute("DELETE FROM tag; DROP TABLE tag")
        await #expect(throws: StoreError.self) { try await later.next() }
        #expect(try await later.next() == nil)
    }

    @Test func aDatabaseInMemory() async throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute("CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT)")
        let store = try ObjectStore(connection)
        var changes = store.changes(of: PredicateFetchRequest("task")).makeAsyncIterator()
        #expect(try await changes.next()?.count == 0)
        _ = try await store.write { try $0.insert("task", ["title": "Sleep"]).id }
        #expect(try await changes.next()?.count == 1)
    }

    /// Another process sets all values to the number of a round.
    @Test func changesOfAnotherProcess() async throws {
        let directory = try TemporaryDirectory()
        let options = SQLiteOptions(.create, journal: .wal)
        let connection = try StoreConnection(directory.file(), options)
        try connection.execute(
            """
            CREATE TABLE first (id INTEGER PRIMARY KEY, value INTEGER);
            CREATE TABLE second (id INTEGER PRIMARY KEY, value INTEGER);
            INSERT INTO first VALUES (1, 0), (2, 0);
            INSERT INTO second VALUES (1, 0);
            """)
        let store = try ObjectStore(connection)
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("StoreChanger")
        child.arguments = [directory.file()]
        child.standardOutput = FileHandle.nullDevice
        var last: Int64 = -1
        for try await objects in store.changes(of: PredicateFetchRequest("first"), checkingEvery: .milliseconds(2)) {
            if last < 0 { try child.run() }
            let values = objects.map { $0["value"] }
            guard values.count == 2, case .integer(let value)? = values[0] else { break }
            #expect(values[0] == values[1])
            #expect(value >= last)
            last = value
            if last == 1_000 { break }
        }
        child.waitUntilExit()
        #expect(last == 1_000)
    }
}

extension StoreChanges where Value == [[String: PredicateValue]] {
    /// The number of an entity's objects.
    fileprivate static func count(of entity: String, in store: ObjectStore) -> Self {
        store.changes(of: PredicateFetchRequest(entity), [.count(as: "n")], .grouped(by: []))
    }
}

/// The numbers that a loop has seen.
private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: [Int] = []
    var counts: [Int] { lock.withLock { numbers } }
    func add(_ count: Int) { lock.withLock { numbers.append(count) } }
}
