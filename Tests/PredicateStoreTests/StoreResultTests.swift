import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Identities, dictionaries, distinct rows and groups of a store.
@Suite struct StoreResultTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    @Test func identities() throws {
        let request = PredicateFetchRequest(
            "Task", try FormatPredicate("priority == 1"), sortKeys: [SortKey("title", ascending: false)], limit: 2)
        #expect(try store.fetchIDs(request) == [6, 5].map { SQLObjectID("Task", key: .integer($0)) })
        var residual = PredicateFetchRequest("Task", try FormatPredicate("title.capitalizedString == 'Call Zoë'"))
        residual.allowsResidual = true
        #expect(try store.fetchIDs(residual) == [SQLObjectID("Task", key: 2)])
    }

    @Test func valuesOfObjects() throws {
        let rows = try store.fetchDictionaries(
            PredicateFetchRequest(
                "Task", sortKeys: [SortKey("owner.name", nils: .last), SortKey("id")], limit: 2, offset: 1),
            ["title", ResultKey("owner.name", as: "who"), "owner", "dueDate", "tags.@count", "effort"])
        #expect(
            rows == [
                [
                    "title": "Write report", "who": "Ann", "owner": SQLObjectID("Person", key: 1).predicateValue,
                    "dueDate": .date(Date(3000)), "tags.@count": 0, "effort": .null,
                ],
                [
                    "title": "Call Zoë", "who": "Zoë", "owner": SQLObjectID("Person", key: 2).predicateValue,
                    "dueDate": .date(Date(2000)), "tags.@count": 1, "effort": .null,
                ],
            ])
    }

    @Test func distinctRows() throws {
        let byOwner = PredicateFetchRequest(
            "Task", sortKeys: [SortKey("owner.name", nils: .last), SortKey("priority")], limit: 4)
        let rows = try store.fetchDictionaries(byOwner, ["owner.name", "priority"], .distinct)
        #expect(rows.map { $0["owner.name"] } == ["Ann", "Ann", "Zoë", .null])
        #expect(rows.map { $0["priority"] } == [.null, 2, 1, 1])
        let unsorted = try store.fetchDictionaries(PredicateFetchRequest("Task"), ["priority"], .distinct)
        #expect(Set(unsorted.map { $0["priority"] }) == [.null, 1, 2, 3])
        #expect(unsorted.count == 4)
        // The order of distinct rows is one of their values.
        let bySize = PredicateFetchRequest("Task", sortKeys: [SortKey("title")])
        #expect(storeError { _ = try store.fetchDictionaries(bySize, ["priority"], .distinct) }?.text == "title")
    }

    @Test func groups() throws {
        let rows = try store.fetchDictionaries(
            PredicateFetchRequest("Task", sortKeys: [SortKey("tasks", ascending: false), SortKey("list.name")]),
            [
                "list.name", .count(as: "tasks"), .sum("priority", as: "sum"), .average("priority", as: "mean"),
                .maximum("dueDate", as: "last"), .count("lastAlertDate", as: "alerts"),
                .countDistinct("owner", as: "owners"),
            ], .grouped(by: ["list.name"]))
        #expect(
            rows == [
                [
                    "list.name": "Work", "tasks": 3, "sum": 2, "mean": 1.0, "last": .date(Date(3000)),
                    "alerts": 1, "owners": 2,
                ],
                [
                    "list.name": "Home", "tasks": 2, "sum": 3, "mean": 1.5, "last": .date(Date(2000)), "alerts": 1,
                    "owners": 2,
                ],
                [
                    "list.name": .null, "tasks": 1, "sum": 3, "mean": .double(3), "last": .null, "alerts": 0,
                    "owners": 0,
                ],
            ])
    }

    @Test func conditionsOnGroups() throws {
        func names(_ format: String, _ arguments: PredicateValue..., variables: PredicateVariables = [:]) throws
            -> [PredicateValue]
        {
            let having = try FormatPredicate(format: format, arguments: arguments)
            return try store.fetchDictionaries(
                PredicateFetchRequest("Task", variables: variables),
                ["list", .count(as: "n"), .minimum("title", as: "least")],
                .grouped(by: ["list", "list.name"], having: having)
            ).map { $0["least"] ?? .null }
        }
        #expect(try names("n > 1") == ["Buy milk", "Old thing"])
        #expect(try names("n > $LEAST", variables: ["LEAST": 2]) == ["Old thing"])
        #expect(try names("list.name BEGINSWITH[c] 'h' OR n == 1") == ["Sleep", "Buy milk"])
        #expect(try names("list == nil") == ["Sleep"])
        #expect(try names("list == %@", SQLObjectID("List", key: 2).predicateValue) == ["Old thing"])
        let home = try #require(try store.fetchOne("List", where: FormatPredicate("name == 'Home'")))
        #expect(try names("list == %@", home.predicateValue) == ["Buy milk"])
        #expect(try names("ANY list.tasks.priority == 2") == ["Buy milk"])
        #expect(try names("least.length > 8") == ["Old thing"])
        let both = try store.fetchDictionaries(
            PredicateFetchRequest("Task", try FormatPredicate("priority == 1")), [.count(as: "n")],
            .grouped(by: [], having: FormatPredicate("n BETWEEN {3, 4}")))
        #expect(both == [["n": 3]])
    }

    @Test func aggregatesOfNothing() throws {
        let none = PredicateFetchRequest("Task", try FormatPredicate("title == 'none'"))
        let results: [ResultKey] = [
            .count(as: "n"), .sum("priority", as: "sum"), .average("priority", as: "mean"),
            .minimum("title", as: "first"),
        ]
        #expect(
            try store.fetchDictionaries(none, results, .grouped(by: []))
                == [["n": 0, "sum": .null, "mean": .null, "first": .null]])
        #expect(try store.fetchDictionaries(none, results, .grouped(by: ["priority"])).isEmpty)
        #expect(try store.fetchDictionaries(none, ["title"], .distinct).isEmpty)
    }

    /// The collation of a column decides neither what is one group nor what is the least text.
    @Test func textsDifferByCodePoints() throws {
        let connection = try list.directory.database(
            "other.sqlite",
            """
            CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE);
            INSERT INTO word (text) VALUES ('b'), ('B'), ('a'), ('A'), ('b'), (NULL), (NULL), ('b ');
            """)
        let words = try ObjectStore(connection)
        let rows = try words.fetchDictionaries(
            PredicateFetchRequest("word", sortKeys: [SortKey("text")]), ["text", .count(as: "n")],
            .grouped(by: ["text"]))
        #expect(rows.map { $0["text"] } == [.null, "A", "B", "a", "b", "b "])
        #expect(rows.map { $0["n"] } == [2, 1, 1, 1, 2, 1])
        #expect(
            try words.fetchDictionaries(PredicateFetchRequest("word"), ["text"], .distinct).count == 6)
        #expect(
            try words.fetchDictionaries(
                PredicateFetchRequest("word"),
                [.minimum("text", as: "a"), .maximum("text", as: "z"), .countDistinct("text", as: "n")],
                .grouped(by: [])) == [["a": "A", "z": "b ", "n": 5]])
    }

    /// [NSP-417] [NSP-418]
    @Test func expressionsAndTheirGroups() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE sale (id INTEGER PRIMARY KEY, price REAL, qty INTEGER, at DATETIME);
            INSERT INTO sale VALUES (1, 0.1, 3, '2024-01-31T12:00:00Z'), (2, 0.2, 1, '2024-01-01'),
                (3, NULL, 5, '2024-02-29T23:59:59Z'), (4, 1.5, 2, NULL);
            """)
        let store = try ObjectStore(connection, context: .ofAgreement)
        let month = ResultKey(try FormatExpression("date:truncatedTo:(at, 'month')"), as: "month")
        let total = try FormatExpression("price * qty")
        let rows = try store.fetchDictionaries(
            PredicateFetchRequest("sale", sortKeys: [SortKey("month", nils: .last)]),
            [
                month, .count(as: "n"), .aggregate(.sum, of: total, as: "sum"),
                .aggregate(.average, of: total, as: "mean"), .aggregate(.median, of: total, as: "median"),
                .aggregate(.median, of: try FormatExpression("qty * 2"), as: "middle"),
            ], .grouped(by: ["month"]))
        let january = 0.1 * 3.0
        let expected: [[String: PredicateValue]] = [
            [
                "month": .date(Date(timeIntervalSinceReferenceDate: 725_760_000)), "n": 2,
                "sum": .double(january + 0.2),
                "mean": .double((january + 0.2) / 2), "median": .double(0.2 / 2 + january / 2), "middle": 4.0,
            ],
            [
                "month": .date(Date(timeIntervalSinceReferenceDate: 728_438_400)), "n": 1, "sum": .null,
                "mean": .null, "median": .null,
                "middle": 10,
            ],
            ["month": .null, "n": 1, "sum": 3.0, "mean": 3.0, "median": 3.0, "middle": 4],
        ]
        #expect(rows == expected)
        let values = try store.fetchDictionaries(
            PredicateFetchRequest("sale", sortKeys: [SortKey("total", ascending: false)]),
            [ResultKey(total, as: "total"), ResultKey(try FormatExpression("weekday:(at)"), as: "day")])
        #expect(values.map { $0["total"] } == [3.0, .double(january), 0.2, .null])
        #expect(values.map { $0["day"] } == [.null, 4, 2, 5])
        #expect(try store.fetchAll("sale", where: FormatPredicate("year(at) == 2024 AND hour(at) > 11")).count == 2)
    }

    @Test func sumsPast64BitsAreDoubles() throws {
        try store.update("Task", ["priority": Int64.max], where: FormatPredicate("id < 3"))
        let sum = try store.fetchDictionaries(
            PredicateFetchRequest("Task"), [.sum("priority", as: "n")],
            .grouped(by: [], having: try FormatPredicate("n > 9223372036854775807")))
        #expect(sum == [["n": .double(0x1p64)]])
    }

    @Test func errorsHaveAPlace() throws {
        func error(
            _ results: [ResultKey], _ rows: ResultRows = .all,
            _ request: PredicateFetchRequest = PredicateFetchRequest("Task")
        )
            -> StoreError?
        {
            storeError { _ = try store.fetchDictionaries(request, results, rows) }
        }
        #expect(error(["titel"])?.text == "titel")
        #expect(error(["title"])?.code == nil)
        let having = error([.count(as: "n")], .grouped(by: [], having: try FormatPredicate("n > 1 AND m == 2")))
        #expect(having?.text == "n > 1 AND m == 2")
        #expect(having?.range == 10..<11)
        #expect(error(["title"], .all, PredicateFetchRequest("Task", limit: -1))?.code == .negativeLimit(-1))
        let residual = PredicateFetchRequest(
            "Task", try FormatPredicate("title.capitalizedString == 'A'"), allowsResidual: true)
        guard case .compilation? = error(["title"], .all, residual)?.code else {
            Issue.record("a residual has no results")
            return
        }
    }

    /// An index serves the groups and the order of what is counted.
    @Test func plans() throws {
        let plan = try store.queryPlan(
            of: PredicateFetchRequest("Task"), ["list", .count(as: "n")], .grouped(by: ["list"]))
        #expect(plan == "SCAN t0 USING COVERING INDEX task_list")
    }
}
