import Foundation
import PredicateStore
import Predicates
import Testing

struct StoreExamples {
    private static let schema = SQLSchema([
        SQLEntity(
            "Task",
            attributes: ["title": .init(.string), "due": .init(.date(.since2001)), "isDone": .init(.boolean)],
            relationships: [
                "owner": .toOne("Person", column: "owner"),
                "tags": .manyToMany("Tag", joinTable: "task_tag", sourceColumn: "task", targetColumn: "tag"),
            ]),
        SQLEntity("Person", attributes: ["name": .init(.string)]),
        SQLEntity("Tag", attributes: ["name": .init(.string)]),
    ])

    private static func makeTables(_ path: String) throws {
        try StoreConnection(path, SQLiteOptions(.create)).execute(
            """
            CREATE TABLE Person(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE Tag(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE Task(
                id INTEGER PRIMARY KEY, title TEXT, due REAL, isDone INTEGER NOT NULL DEFAULT 0,
                owner INTEGER REFERENCES Person(id));
            CREATE TABLE task_tag(
                task INTEGER REFERENCES Task(id), tag INTEGER REFERENCES Tag(id), PRIMARY KEY(task, tag));
            INSERT INTO Person VALUES (1, 'Ann');
            INSERT INTO Tag VALUES (1, 'urgent');
            INSERT INTO Task VALUES (1, 'Pay rent', 10, 0, 1), (2, 'Sleep', NULL, 0, 1);
            """)
    }

    @Test func versionsAndRulesOfAFile() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT, version INTEGER NOT NULL DEFAULT 1);
            CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, task_id INTEGER REFERENCES task (id));
            INSERT INTO task (id, title) VALUES (1, 'Sleep');
            INSERT INTO note (text, task_id) VALUES ('at night', 1);
            """)

        var schema = try connection.schema()
        schema["task"]?.versionKey = "version"
        schema["task"]?.relationships["note"]?.deleteRule = .cascade

        let store = try ObjectStore(connection, schema: schema)
        let task = try #require(try store.fetchAll("task").first)
        #expect(try store.update(task, ["title": "Rest"])["version"] == 2)
        try store.delete("task", where: FormatPredicate("id == 1"))
        #expect(try store.fetchCount(PredicateFetchRequest("note")) == 0)
    }

    @Test func tasks() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try Self.makeTables(path)
        let store = try ObjectStore(
            StoreConnection(path, SQLiteOptions(.readWrite, journal: .wal)), schema: Self.schema)
        let due = PredicateFetchRequest("Task", sortKeys: [SortKey("due")])

        let (count, tasks) = try await store.read { reader in
            (try reader.fetchCount(due), try reader.fetchAll(due))
        }
        try await store.write { store in
            _ = try store.insert("Task", ["title": "Write report", "owner": tasks.first?.related("owner").first])
        }
        #expect(count == 2 && tasks.count == 2)

        let shown = Shown()
        func show(_ tasks: [StoredObject]) { shown.add(tasks.count) }
        let loop = Task {
            for try await tasks in store.changes(of: due) {
                show(tasks)
            }
        }
        while shown.counts.isEmpty { await Task.yield() }
        try store.delete("Task", where: FormatPredicate("title == 'Sleep'"))
        while shown.counts.count < 2 { await Task.yield() }
        loop.cancel()
        try await loop.value
        #expect(shown.counts == [3, 2])
    }

    @Test func fetchingAndChanging() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try Self.makeTables(path)
        let (schema, today) = (Self.schema, Date(timeIntervalSinceReferenceDate: 20))
        let (nextMonth, isLate) = (today + 30 * 86400, try FormatPredicate("due < %@", today))

        let store = try ObjectStore(StoreConnection(path, SQLiteOptions(.readWrite, journal: .wal)), schema: schema)
        let ann = try #require(try store.fetchAll(PredicateFetchRequest("Person")).first)
        let urgent = try #require(try store.fetchAll(PredicateFetchRequest("Tag")).first)

        // Objects in order, one page of them. Each relationship is prefetched with one statement.
        let due = PredicateFetchRequest(
            "Task", try FormatPredicate("due <= %@ AND isDone == NO", today),
            sortKeys: [SortKey("due", nils: .last), SortKey("title", options: .caseInsensitive)], limit: 20,
            prefetching: ["owner", "tags"])
        let tasks = try store.fetchAll(due)

        // Values, distinct rows, groups with aggregates and HAVING.
        let titles = try store.fetchDictionaries(due, ["title", ResultKey("owner.name", as: "owner"), "tags.@count"])
        let busy = try store.fetchDictionaries(
            PredicateFetchRequest("Task", sortKeys: [SortKey("tasks", ascending: false)]),
            ["owner.name", .count(as: "tasks"), .maximum("due", as: "latest")],
            .grouped(by: ["owner.name"], having: try FormatPredicate("tasks > 3 AND latest < %@", today)))

        // Insert, update and delete. A conflict is an error that names the object.
        let task = try store.insert("Task", ["title": "Buy milk", "owner": ann, "tags": [urgent]])
        let done = try store.update(task, ["isDone": true])
        try store.delete(done)  // by the delete rules of the schema

        // One row at a time, in little memory. Leaving the loop or cancelling the task stops the statement.
        for try await task in try store.reader().stream(PredicateFetchRequest("Task")) {
            print(task)
        }

        // A change that runs once.
        try store.transaction { () throws(StoreError) in
            guard try store.metadata(for: "moved") == nil else { return }
            try store.update("Task", ["due": nextMonth], where: isLate)
            try store.setMetadata(true, for: "moved")
        }

        if case .count(let moved) = try store.update("Task", ["due": nextMonth], where: isLate, returning: .count) {
            print(moved)
        }
        #expect(tasks.count == 1 && busy.isEmpty)
        #expect(titles.first?["owner"] == .string("Ann"))
        #expect(try store.fetchCount(PredicateFetchRequest("Task", try FormatPredicate("due == %@", nextMonth))) == 1)
        #expect(try store.metadata(for: "moved") == true.predicateValue)
    }
}

/// The numbers of objects that a loop has shown.
private final class Shown: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: [Int] = []
    var counts: [Int] { lock.withLock { numbers } }
    func add(_ count: Int) { lock.withLock { numbers.append(count) } }
}
