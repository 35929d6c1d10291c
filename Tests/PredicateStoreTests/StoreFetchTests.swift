import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Fetching and counting.
@Suite struct StoreFetchTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    @Test func dueTasks() throws {
        let due = """
            dueDate >= %@ AND dueDate <= %@ AND doNotAlert == NO AND (lastAlertDate == nil OR lastAlertDate < %@)
            """
        #expect(try list.ids(due, Date(500), Date(2500), Date(1600)) == [1, 2])
        #expect(try list.ids(due, Date(500), Date(2500), Date(1400)) == [1])
        #expect(try list.ids(due, Date(0), Date(3000), Date(3000)) == [1, 2, 3, 5])
        #expect(try list.ids(due, Date(4000), Date(5000), Date(0)) == [])
        let request = PredicateFetchRequest("Task", try FormatPredicate(due, Date(500), Date(2500), Date(1600)))
        #expect(try store.queryPlan(of: request).contains("USING INDEX task_due (due_date>? AND due_date<?)"))
    }

    @Test func predicates() throws {
        #expect(try list.ids("title BEGINSWITH[cd] 'call zoe'") == [2])
        #expect(try list.ids("NOT priority == 1") == [1, 3, 4])
        #expect(try list.ids("priority != 1") == [1, 3, 4])
        #expect(try list.ids("owner.name ==[d] 'Zoe'") == [2, 5])
        #expect(try list.ids("owner == nil") == [4, 6])
        #expect(try list.ids("ANY tags.name == 'fun'") == [1, 2])
        #expect(try list.ids("ALL tags.name == 'fun'") == [2, 3, 4, 5, 6])
        #expect(try list.ids("tags.@count > 1") == [1])
        #expect(try list.ids("SUBQUERY(list.tasks, $t, $t.priority == 1).@count == 2") == [3, 5, 6])
        #expect(try list.ids("title MATCHES '.* .*'") == [1, 2, 3, 5])
        #expect(try list.ids("note LIKE '*100%'") == [1])
        #expect(try list.ids("uuid == %@", UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89")) == [1])
        #expect(try list.ids("price == %@", Decimal(string: "1.1")) == [1])
        #expect(try list.ids("image == %@", Data([0, 255])) == [1])
        #expect(try list.ids("created > CAST('2016-03-01', 'NSDate')") == [1])
    }

    /// Properties of values, equal in SQL and in memory.
    @Test(
        arguments: [
            ("effort.doubleValue > 2", [1]), ("effort.boolValue == YES", [1]), ("priority.boolValue == NO", []),
            ("priority.boolValue == YES", [1, 2, 4, 5, 6]), ("doNotAlert.boolValue == YES", [6]),
            ("priority.doubleValue == 1", [2, 5, 6]), ("priority.stringValue == '3'", [4]),
            ("title.description == 'Sleep'", [4]),
            ("count(tags) == 2", [1]), ("sum(tags.id) == 3", [1]), ("sum(tags.id) == 2", [2]),
            ("dueDate.timeIntervalSince1970 > 978309200", [3]), ("uuid.UUIDString BEGINSWITH '137D'", [1]),
        ] as [(String, [Int64])])
    func properties(format: String, expected: [Int64]) throws {
        #expect(try list.ids(format) == expected)
        let predicate = try FormatPredicate(format)
        let all = try store.fetchAll("Task", where: FormatPredicate("TRUEPREDICATE"))
        #expect(try all.filter { try predicate.evaluate(with: $0) }.map(\.number).sorted() == expected)
    }

    /// The primary keys of the rows that SQL selects, which must be those that evaluation in memory selects.
    private func numbers(_ format: String, _ script: String) throws -> [Int64] {
        let store = try ObjectStore(TemporaryDirectory().database("other.sqlite", script))
        let predicate = try FormatPredicate(format)
        let found = try store.fetchAll("t", where: predicate).map(\.number).sorted()
        let all = try store.fetchAll("t", where: FormatPredicate("TRUEPREDICATE"))
        #expect(
            all.filter { (try? predicate.evaluate(with: $0)) ?? false }.map(\.number).sorted() == found, "\(format)")
        return found
    }

    /// Columns without text affinity: SQLite converts a text that looks like a number.
    @Test(
        arguments: [
            ("name BEGINSWITH '42'", [1]), ("name LIKE '4*t'", [1]), ("name > '5'", [2]), ("start < '12'", [1]),
            ("start IN {'17:00', '3'}", [2]), ("start BETWEEN {'08', '10'}", [1]), ("start == '17:00'", [2]),
            ("NOT start == '9'", [1, 2]), ("name ==[c] 'main'", [2]),
        ] as [(String, [Int64])])
    func textsBesideOtherAffinities(format: String, expected: [Int64]) throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, start TIME, name STRING);
            INSERT INTO t VALUES (1, '09:30', '42nd Street'), (2, '17:00', 'Main');
            """
        #expect(try numbers(format, script) == expected)
    }

    /// SQLite stores NaN as NULL, which must not become nil.
    @Test(
        arguments: [
            ("TERNARY(n < 10, sqrt(x), nil) == nil", []), ("TERNARY(n < 10, sqrt(x), y) == y", []),
            ("TERNARY(n < 10, sqrt(x), y) + 1 != 3", [2, 3]),
            ("TERNARY(n > 100, y, sqrt(x)).boolValue == YES", [1, 2]),
            ("sqrt(x).boolValue == YES", [1, 2]), ("(z - z).boolValue == NO", [1]), ("(z - z).boolValue == YES", [2]),
        ] as [(String, [Int64])])
    func nanIsNotNil(format: String, expected: [Int64]) throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL NOT NULL, n INTEGER NOT NULL, y REAL, z REAL);
            INSERT INTO t VALUES (1, 4, 4, NULL, 1), (2, -4, -4, NULL, 9e999), (3, 0, 0, 2, NULL);
            """
        #expect(try numbers(format, script) == expected)
    }

    /// An element of a list that is an error is one of the whole comparison, as in memory. [NSP-385]
    @Test func errorsInLists() throws {
        #expect(try list.ids("id IN {3, priority * 2}") == [2])
        #expect(try list.ids("id IN {3, 6 / (priority - 1)}") == [])
        #expect(try list.ids("priority IN {2, abs:(-1 * priority - 9223372036854775806)}") == [])
    }

    @Test func sortingAndPages() throws {
        func titles(_ request: PredicateFetchRequest) throws -> [Int64] { try store.fetchAll(request).map(\.number) }
        let byPriority = [SortKey("priority"), SortKey("title", ascending: false)]
        #expect(try titles(PredicateFetchRequest("Task", sortKeys: byPriority)) == [3, 6, 5, 2, 1, 4])
        #expect(try titles(PredicateFetchRequest("Task", sortKeys: [SortKey("priority", ascending: false)])).last == 3)
        let nilLast = [SortKey("priority", nils: .last), SortKey("id")]
        #expect(try titles(PredicateFetchRequest("Task", sortKeys: nilLast)) == [2, 5, 6, 1, 4, 3])
        let nilFirst = [SortKey("list.name", ascending: false, nils: .first), SortKey("id")]
        #expect(try titles(PredicateFetchRequest("Task", sortKeys: nilFirst)) == [4, 3, 5, 6, 1, 2])
        #expect(try titles(PredicateFetchRequest("Task", sortKeys: byPriority, limit: 2, offset: 1)) == [6, 5])
        #expect(try titles(PredicateFetchRequest("Task", sortKeys: byPriority, offset: 4)) == [1, 4])
        #expect(try titles(PredicateFetchRequest("Task", limit: 0)) == [])
        #expect(try titles(PredicateFetchRequest("Task", limit: 2)) == [1, 2])
        #expect(
            try titles(PredicateFetchRequest("Task", sortKeys: [SortKey("owner.name"), SortKey("id")]))
                == [4, 6, 1, 3, 2, 5])
        #expect(
            try titles(PredicateFetchRequest("Person", sortKeys: [SortKey("name", options: [.caseInsensitive])])) == [
                1, 2,
            ])
        #expect(
            storeError { _ = try store.fetchCursor(PredicateFetchRequest("Task", limit: -1)) }?.code
                == .negativeLimit(-1))
        #expect(
            storeError { _ = try store.fetchCount(PredicateFetchRequest("Task", offset: -2)) }?.code
                == .negativeOffset(-2))
    }

    @Test func countsAndExistence() throws {
        let adults = try FormatPredicate("priority >= $LEAST")
        func request(_ least: Int64, limit: Int? = nil, offset: Int? = nil) -> PredicateFetchRequest {
            PredicateFetchRequest("Task", adults, variables: ["LEAST": least], limit: limit, offset: offset)
        }
        #expect(try store.fetchCount(request(1)) == 5)
        #expect(try store.fetchCount(request(2)) == 2)
        #expect(try store.fetchCount(request(1, limit: 3)) == 3)
        #expect(try store.fetchCount(request(1, limit: 3, offset: 4)) == 1)
        #expect(try store.fetchCount(request(1, offset: 9)) == 0)
        #expect(try store.fetchCount(PredicateFetchRequest("Task")) == 6)
        #expect(try store.exists(request(3)))
        #expect(try !store.exists(request(4)))
        #expect(try !store.exists(request(1, offset: 5)))
        #expect(try store.exists(request(1, offset: 4)))
        #expect(try !store.exists(request(1, limit: 0)))
        #expect(try store.exists(request(1, limit: 3, offset: 2)))
    }

    @Test func objectsByValues() throws {
        #expect(try store.fetchAll("Task").count == 6)
        #expect(
            try store.fetchAll("Task", where: FormatPredicate(matching: ["priority": 1])).map(\.number) == [2, 5, 6])
        #expect(try store.fetchAll("Task", where: FormatPredicate(matching: ["priority": nil])).map(\.number) == [3])
        #expect(
            try store.fetchAll("Task", where: FormatPredicate(matching: ["priority": 1, "doNotAlert": true])).map(
                \.number) == [6])
        #expect(
            try store.fetchAll(
                "Task", where: FormatPredicate(matching: ["priority": 3, "title": "Silent"], combinedWith: .or)
            ).map(\.number)
                == [4, 6])
        #expect(try store.fetchAll("Task", where: FormatPredicate(matching: [:])).count == 6)
        #expect(try store.fetchAll("Task", where: FormatPredicate(matching: [:], combinedWith: .or)).isEmpty)
        let ann = try #require(try store.fetchOne("Person", where: FormatPredicate(matching: ["name": "Ann"])))
        #expect(try store.fetchAll("Task", where: FormatPredicate(matching: ["owner": ann])).map(\.number) == [1, 3])
    }

    @Test func singleObject() throws {
        #expect(try store.fetchOne("Task", where: FormatPredicate("title == 'Sleep'"))?.number == 4)
        #expect(try store.fetchOne("Task", where: FormatPredicate("title == 'sleep'")) == nil)
        #expect(try store.fetchOne("Task", where: FormatPredicate(matching: ["priority": 3]))?.number == 4)
        #expect(
            storeError { _ = try store.fetchOne("Task", where: FormatPredicate(matching: ["priority": 1])) }?.code
                == .severalObjects(entity: "Task"))
    }

    @Test func residualsAreEvaluatedInMemory() throws {
        let predicate = try FormatPredicate(
            "priority >= 1 AND title.capitalizedString BEGINSWITH $PREFIX AND owner == %@",
            SQLObjectID("Person", key: .integer(2)))
        var request = PredicateFetchRequest("Task", predicate, variables: ["PREFIX": "Call"])
        guard case .compilation? = storeError({ _ = try store.fetchCursor(request) })?.code else {
            Issue.record("expected a refusal")
            return
        }
        request.allowsResidual = true
        #expect(try store.fetchAll(request).map(\.number) == [2])
        #expect(try store.fetchCount(request) == 1)
        #expect(try store.exists(request))
        // The page counts the rows that match the residual.
        let capital = try FormatPredicate("title.capitalizedString MATCHES '.* .*'")
        let page = PredicateFetchRequest(
            "Task", capital, sortKeys: [SortKey("id")], limit: 2, offset: 1, keys: ["title"], allowsResidual: true)
        #expect(try store.fetchAll(page).map(\.number) == [2, 3])
        #expect(try store.fetchCount(page) == 2)
        let failing = PredicateFetchRequest(
            "Task", try FormatPredicate("title.capitalizedString < 3"), allowsResidual: true)
        guard case .evaluation? = storeError({ _ = try store.fetchAll(failing) })?.code else {
            Issue.record("expected the evaluator's error")
            return
        }
    }

    @Test func streamingWhileOtherQueriesRun() throws {
        let tasks = try store.fetchCursor(PredicateFetchRequest("Task", sortKeys: [SortKey("id")]))
        var names: [String] = []
        while let task = try tasks.next() {
            let owner = try task.related("owner").first
            if case .string(let name)? = owner?["name"] { names.append(name) }
        }
        #expect(names == ["Ann", "Zoë", "Ann", "Zoë"])
        #expect(try tasks.next() == nil)
    }

    @Test func severalTasksAtOnce() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let predicate = try FormatPredicate("id > %@ AND ANY list.tasks.priority == 1", number % 4)
                    for _ in 0..<20 {
                        let found = try store.fetchAll("Task", where: predicate)
                        #expect(found.allSatisfy { $0["title"] != nil && $0.value(forKey: "owner") != nil })
                        try store.update("Task", ["effort": Double(number)], where: FormatPredicate("id == 5"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.fetchOne("Task", where: FormatPredicate(matching: ["id": 5]))?["effort"] != .null)
    }

    /// A text that is not a date is an error for its row, not nil: no comparison with it holds.
    @Test(
        arguments: [
            ("CAST(t, 'NSDate') == nil", [3]), ("CAST(t, 'NSDate') != nil", [1]), ("CAST(t, 'NSDate') <= nil", [3]),
            ("CAST(t, 'NSDate') != CAST(0, 'NSDate')", [1, 3]), ("CAST(t, 'NSDate') == d", [3]),
            ("CAST(t, 'NSDate') < CAST('2020-01-01', 'NSDate')", [1]), ("CAST(s, 'NSDate') == nil", []),
        ] as [(String, [Int64])])
    func castsThatFail(format: String, ids: [Int64]) throws {
        let connection = try TemporaryDirectory().database(
            "store.sqlite",
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, t TEXT, s TEXT NOT NULL, d REAL);
            INSERT INTO t VALUES (1, '2016-03-02', 'x', NULL), (2, 'x', 'x', NULL), (3, NULL, 'x', NULL);
            """)
        let schema = SQLSchema(
            table: "t", columns: ["t": .string, "s": .string, "d": .date(.since2001)])
        let query = try SQLCompiler(schema: schema).compile(try FormatPredicate(format), entity: "t")
        let found = try connection.rows(of: query.select).all()
        #expect(found == ids.map { [.integer($0)] }, "\(query.where.text)")
    }
}
