import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Stored objects: key-value coding, relationships, identity.
@Suite struct StoredObjectTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    @Test func valuesHaveTheTypesOfTheSchema() throws {
        let task = try #require(try list.tasks(1).first)
        let expected: [String: PredicateValue] = [
            "id": .integer(1), "title": .string("Buy milk"), "note": .string("milk, 100%"),
            "dueDate": .date(Date(1000)),
            "lastAlertDate": .null, "doNotAlert": .bool(false), "priority": .integer(2), "effort": .double(2.5),
            "uuid": UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89")?.predicateValue ?? .null,
            "price": .decimal(Decimal(string: "1.1") ?? 0), "image": .data(Data([0, 255])),
            "created": .date(text: "2016-03-02T00:00:00Z"),
        ]
        for (key, value) in expected {
            #expect(try task.value(of: key) == value, "\(key)")
        }
        #expect(task["nonsense"] == nil)
        #expect(task["owner"] == nil)
        #expect(Set(task.allKeys) == Set(expected.keys).union(["list", "owner", "tags"]))
    }

    @Test func relationships() throws {
        let task = try #require(try list.tasks(1).first)
        #expect(try task.related("owner").map(\.number) == [1])
        #expect(try Set(task.related("tags").map(\.number)) == [1, 2])
        #expect(try task.related("list").first?.related("tasks").map(\.number).sorted() == [1, 2])
        let lonely = try #require(try list.tasks(4).first)
        #expect(try lonely.related("owner").isEmpty)
        #expect(lonely.value(forKey: "owner")?.keyedValue.isNull == true)
        #expect(storeError { _ = try task.related("tag") }?.description.contains("did you mean tags") == true)
    }

    /// Tasks share objects, whose relationships and rows are read on first access, and an evaluator.
    @Test func tasksShareObjects() async throws {
        let tasks = try store.fetchAll("Task")
        let evaluator = try PredicateEvaluator(FormatPredicate("owner.name == 'Ann' AND list.tasks.@count > 0"))
        let expected = try store.fetchAll("Task").map { try evaluator.evaluate(with: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for (object, expected) in zip(tasks, expected) {
                        let found = try evaluator.evaluate(with: object)
                        #expect(found == expected)
                        #expect(object["title"] != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func evaluation() throws {
        let tasks = try store.fetchAll("Task")
        for format in [
            "owner.name == 'Ann'", "tags.@count > 0", "ANY tags.name == 'fun'", "ALL tags.name == 'fun'",
            "list.tasks.@sum.priority > 2", "SUBQUERY(list.tasks, $t, $t != SELF).@count == 1", "owner == nil",
            "SELF IN list.tasks", "priority == nil OR list.name BEGINSWITH 'H'",
        ] {
            let predicate = try FormatPredicate(format)
            let inMemory = try tasks.filtered(using: predicate).map(\.number)
            #expect(try store.fetchAll("Task", where: predicate).map(\.number) == inMemory, "\(format)")
        }
    }

    @Test func objectsAsArguments() throws {
        let zoe = try #require(try store.fetchOne("Person", where: FormatPredicate(matching: ["name": "Zoë"])))
        let predicate = try FormatPredicate("owner == %@", zoe)
        let found = try store.fetchAll("Task", where: predicate)
        #expect(found.map(\.number) == [2, 5])
        #expect(try found.filtered(using: predicate) == found)
        #expect(try list.ids("owner.tasks CONTAINS %@", try list.tasks(5).first) == [2, 5])
        #expect(try list.ids("SELF IN %@", PredicateValue.array(list.tasks(1, 3).map(\.predicateValue))) == [1, 3])
        let byVariable = PredicateFetchRequest(
            "Task", try FormatPredicate("owner == $WHO"), variables: ["WHO": zoe.predicateValue])
        #expect(try store.fetchCount(byVariable) == 2)
    }

    @Test func identity() throws {
        let (first, second) = (try list.tasks(1), try list.tasks(1))
        #expect(first == second)
        #expect(Set(first + second).count == 1)
        let other = try #require(try store.fetchOne("Person", where: FormatPredicate(matching: ["id": 1])))
        #expect(first.first != other)
        #expect(first.first?.id == SQLObjectID("Task", key: .integer(1)))
        #expect("\(other)" == "Person 1")
    }

    @Test func selectedKeys() throws {
        let request = PredicateFetchRequest("Task", try FormatPredicate("priority == 1"), keys: ["title", "owner"])
        let tasks = try store.fetchAll(request)
        #expect(tasks.first?.allKeys == ["owner", "title"])
        #expect(tasks.first?["title"] == .string("Call Zoë"))
        #expect(tasks.first?["priority"] == nil)
        #expect(try tasks.first?.related("owner").first?["name"] == .string("Zoë"))
        let wrong = PredicateFetchRequest("Task", keys: ["titel"])
        #expect(storeError { _ = try store.fetchCursor(wrong) }?.description.contains("did you mean title") == true)
    }

    @Test func valuesOfUndeclaredKinds() throws {
        let connection = try list.directory.database(
            "odd.sqlite",
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n, b, x, d, u);
            INSERT INTO t VALUES (1, 'text', 7, 3, 'soon', '137decc8-b300-4954-a233-f89909f4fd89'),
                (2, 2.5, x'00', 'x', 12, x'0011');
            """)
        let schema = SQLSchema(
            table: "t",
            columns: ["n": .integer, "b": .boolean, "x": .double, "d": .date(.iso8601), "u": .uuid(.text)])
        let objects = try ObjectStore(connection, schema: schema).fetchAll("t")
        let keys = ["n", "b", "x", "d", "u"]
        #expect(
            keys.map { objects[0][$0] } == [
                .string("text"), .integer(7), .double(3), .string("soon"),
                .string("137decc8-b300-4954-a233-f89909f4fd89"),
            ])
        #expect(
            keys.map { objects[1][$0] } == [
                .double(2.5), .data(Data([0])), .string("x"), .date(Date(12)), .data(Data([0, 17])),
            ])
    }

    @Test func deletedRows() throws {
        let task = try #require(try list.tasks(2).first)
        let owner = try #require(try task.related("owner").first)
        try store.delete("Person", where: FormatPredicate("id == 2"))
        #expect(owner["name"] == .null)
        #expect(task["title"] == .string("Call Zoë"))
    }

    /// Random predicates evaluate to the same result for stored objects and for objects in memory.
    @Test func objectsAgreeWithMemory() throws {
        var judged = 0
        try AgreementRun(seed: 21).forEachPredicate(of: 0..<3) { bench, predicate, entity in
            let file = try #require(bench.database as? WorldFile)
            let store = try ObjectStore(file.connection, schema: bench.world.schema)
            let objects = try store.fetchAll(entity)
            let withObjects = predicate.mappingConstants { constant in
                constant.mappingObjects { object in
                    guard let id = object.base as? SQLObjectID else { return .object(object) }
                    let found = try? store.fetchAll(id.entity).first { $0.id == id }
                    return found?.predicateValue ?? .object(object)
                }
            }
            guard let evaluator = try? PredicateEvaluator(FormatPredicate(withObjects)) else { return true }
            let answers = bench.answers(predicate, about: entity)
            for object in objects {
                let number = (bench.graph.objects[entity] ?? []).first { $0.key == object.id.key }?.number ?? -1
                guard case .some(.some(let expected)) = answers[number] else { continue }
                judged += 1
                #expect(try evaluator.evaluate(.object(object)) == expected, "\(predicate.predicateFormat)")
            }
            return true
        }
        #expect(judged > 1000)
    }
}
