import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Bulk updates and deletions.
@Suite struct StoreChangeTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    @Test func updateReports() throws {
        let first = try FormatPredicate("priority == 1")
        #expect(try store.update("Task", ["note": "x"], where: first) == .nothing)
        #expect(try store.update("Task", ["note": "x"], where: first, returning: .count) == .count(3))
        guard
            case .primaryKeys(let keys) = try store.update("Task", ["note": "y"], where: first, returning: .primaryKeys)
        else {
            Issue.record("expected keys")
            return
        }
        #expect(Set(keys) == [.integer(2), .integer(5), .integer(6)])
        #expect(try list.ids("note == 'y'") == [2, 5, 6])
        #expect(try store.update("Task", ["note": nil], where: first, returning: .count) == .count(3))
        #expect(try list.ids("note == nil") == [2, 3, 4, 5, 6])
    }

    @Test func valuesOfEveryType() throws {
        let ann = try #require(try store.fetchOne("Person", where: FormatPredicate(matching: ["name": "Ann"])))
        let values: [String: (any PredicateValueConvertible)?] = [
            "title": "O'Brien\"; --", "dueDate": Date(-1.5), "doNotAlert": true, "priority": 9, "effort": 2,
            "uuid": UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"), "price": Decimal(string: "0.10"),
            "image": Data(), "created": Date(0.25), "owner": ann, "list": nil,
        ]
        try store.update("Task", values, where: FormatPredicate("id == 4"))
        let task = try #require(try list.tasks(4).first)
        for (key, value) in values where !["owner", "list", "effort"].contains(key) {
            #expect(task[key] == value?.predicateValue, "\(key)")
        }
        #expect(task["effort"] == .double(2))
        #expect(try task.related("owner") == [ann])
        #expect(try task.related("list").isEmpty)
        try store.update("Task", ["owner": SQLObjectID("Person", key: .integer(2))], where: FormatPredicate("id == 4"))
        #expect(try list.ids("owner.name ==[d] 'zoe' OR owner.name == 'Zoë'") == [2, 4, 5])
    }

    @Test func predicatesThatJoinTables() throws {
        let count = try store.update(
            "Task", ["priority": 5], where: FormatPredicate("owner.name == 'Ann' OR ANY tags.name == 'fun'"),
            returning: .count)
        #expect(count == .count(3))
        #expect(try list.ids("priority == 5") == [1, 2, 3])
        #expect(
            try store.delete("Task", where: FormatPredicate("list.name == 'Home'"), returning: .primaryKeys)
                == .primaryKeys([.integer(1), .integer(2)]))
        #expect(try store.fetchAll("Task").map(\.number) == [3, 4, 5, 6])
    }

    /// Rows that change do not change which rows the predicate selects. [NSP-383]
    @Test func predicatesThatReadTheRowsThatChange() throws {
        let sum = try FormatPredicate("list.tasks.@sum.priority == 3")
        #expect(try list.ids("list.tasks.@sum.priority == 3") == [1, 2])
        #expect(try store.update("Task", ["priority": 0], where: sum, returning: .count) == .count(2))
        #expect(try list.ids("priority == 0") == [1, 2])
        let several = try FormatPredicate("list.tasks.@count > 1")
        #expect(try store.delete("Task", where: several, returning: .count) == .count(5))
        #expect(try store.fetchAll("Task").map(\.number) == [4])
    }

    /// The set of a side of OR is made before the first row is deleted.
    @Test func deletionsDoNotChangeTheSetsOfTheirCondition() throws {
        let format = "priority == 1 OR ANY list.tasks.priority == 1 OR list.tasks.@count > 99"
        let (selected, all) = (try list.ids(format), try store.fetchAll("Task").map(\.number))
        #expect(selected.count > 3)
        #expect(
            try store.delete("Task", where: FormatPredicate(format), returning: .count) == .count(selected.count))
        #expect(try store.fetchAll("Task").map(\.number) == all.filter { !selected.contains($0) })
    }

    @Test func deletionReports() throws {
        #expect(try store.delete("Task", where: FormatPredicate("priority == 99"), returning: .count) == .count(0))
        #expect(try store.delete("Task", where: FormatPredicate("priority == 1"), returning: .count) == .count(3))
        #expect(try store.delete("Task", where: FormatPredicate("TRUEPREDICATE")) == .nothing)
        #expect(try store.fetchCount(PredicateFetchRequest("Task")) == 0)
    }

    @Test func residualsAreErrors() throws {
        let predicate = try FormatPredicate("title.capitalizedString == 'Sleep'")
        guard case .compilation? = storeError({ try store.delete("Task", where: predicate) })?.code,
            case .compilation? = storeError({ try store.update("Task", ["note": "x"], where: predicate) })?.code
        else {
            Issue.record("expected a refusal")
            return
        }
        #expect(try store.fetchAll("Task").count == 6)
    }

    @Test func valuesOfWrongKinds() throws {
        let all = try FormatPredicate("TRUEPREDICATE")
        let cases: [([String: (any PredicateValueConvertible)?], String)] = [
            (["priority": "high"], "'priority' takes an integer, not a string"),
            (["dueDate": 5], "'dueDate' takes a date, not an integer"),
            (["doNotAlert": 2], "'doNotAlert' takes a Boolean, not an integer"), (["titel": "x"], "did you mean title"),
            (["tags": 1], "'tags' has no column"),
            (["owner": 5], "'owner' takes an SQLObjectID of Person, not an integer"),
            (["dueDate": Date(.nan)], "'dueDate' takes a date, not a date that is NaN"),
            (["effort": Double.nan], "'effort' takes a double, not NaN"),
        ]
        for (values, words) in cases {
            let error = storeError { try store.update("Task", values, where: all) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        #expect(
            storeError { try store.update("Task", ["title": nil], where: all) }?.code
                == .missingValue(key: "title", entity: "Task"))
        #expect(try list.ids("title == 'Sleep'") == [4])
    }

    @Test func changesAreAtomic() throws {
        try store.connection.execute(
            """
            CREATE UNIQUE INDEX one_priority ON task (priority) WHERE priority > 100;
            CREATE TRIGGER guard BEFORE DELETE ON task WHEN old.id = 5 BEGIN SELECT RAISE(ABORT, 'not this one'); END;
            """)
        let all = try FormatPredicate("TRUEPREDICATE")
        #expect(storeError { try store.update("Task", ["priority": 200], where: all) }?.result == .constraint)
        #expect(try list.ids("priority == 200") == [])
        let error = storeError { try store.delete("Task", where: all) }
        #expect(error?.message == "not this one")
        #expect(try store.fetchAll("Task").count == 6)
    }

    @Test func readOnlyConnections() throws {
        let reader = try ObjectStore(StoreConnection(store.connection.path), schema: ToDoList.schema)
        #expect(
            storeError { try reader.delete("Task", where: FormatPredicate("TRUEPREDICATE")) }?.code
                == .readOnlyConnection)
        #expect(try reader.fetchAll("Task").count == 6)
    }
}
