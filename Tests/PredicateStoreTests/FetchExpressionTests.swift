import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// `FETCH` from a store, and `[l]`: in SQL as in memory. [NSP-182] [NSP-183] [NSP-184]
@Suite struct FetchExpressionTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    private static func request(
        _ entity: String, _ format: String? = nil, _ arguments: (any PredicateValueConvertible)?...,
        sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) throws -> PredicateFetchRequest {
        let values = arguments.map { $0?.predicateValue ?? .null }
        let predicate = try format.map { try FormatPredicate(format: $0, arguments: values) }
        return PredicateFetchRequest(entity, predicate, sortKeys: sortKeys, limit: limit, offset: offset)
    }

    private func memory(_ format: String, _ arguments: [PredicateValue]) throws -> [Int64] {
        let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: arguments))
        return try store.fetchAll("Task").filter { try evaluator.evaluate(with: $0) }.map(\.number).sorted()
    }

    /// The rows of SQL, of memory, and of the residual.
    private func check(_ format: String, _ request: PredicateFetchRequest, _ expected: [Int64]) throws {
        #expect(try list.ids(format, request, store.context) == expected, "\(format)")
        let arguments = [request.predicateValue, store.context.predicateValue]
        #expect(try memory(format, arguments) == expected, "\(format)")
        let whole = try FormatPredicate(format: "(\(format)) AND title.capitalizedString != '-'", arguments: arguments)
        let residual = PredicateFetchRequest("Task", whole, allowsResidual: true)
        #expect(try store.fetchAll(residual).map(\.number).sorted() == expected, "\(format)")
    }

    @Test func rows() throws {
        let zoe = try Self.request("Person", "name ==[d] 'Zoe'")
        let urgent = try Self.request("Task", "priority == 1")
        try check("owner IN FETCH(%@, %@, NO)", zoe, [2, 5])
        try check("NOT owner IN FETCH(%@, %@, NO)", zoe, [1, 3, 4, 6])
        try check("FETCH(%@, %@) CONTAINS owner", zoe, [2, 5])
        try check("ANY FETCH(%@, %@, NO) == owner", zoe, [2, 5])
        try check("ALL FETCH(%@, %@, NO) == owner", zoe, [2, 5])
        try check("SELF IN FETCH(%@, %@, NO)", urgent, [2, 5, 6])
        try check("ANY list.tasks IN FETCH(%@, %@, NO)", urgent, [1, 2, 3, 5, 6])
        try check("SUBQUERY(FETCH(%@, %@, NO), $t, $t.owner == nil).@count == 1 AND id < 3", urgent, [1, 2])
        try check("owner IN FETCH(%@, %@, NO) UNION {}", zoe, [2, 5])
    }

    @Test func counts() throws {
        let urgent = try Self.request("Task", "priority == 1")
        try check("FETCH(%@, %@, YES) == 3 AND id < 3", urgent, [1, 2])
        try check("FETCH(%@, %@, YES) > id", urgent, [1, 2])
        try check("FETCH(%@, %@, NO).@count == id", urgent, [3])
        try check("FETCH(%@, %@, NO)[SIZE] == id", urgent, [3])
        try check("FETCH(%@, %@, NO).@sum.id > id * 4", urgent, [1, 2, 3])
        try check("FETCH(%@, %@, NO).@max.id == id", urgent, [6])
        try check("FETCH(%@, %@, YES) - 1 == id", try Self.request("Person"), [1])
        try check("FETCH(%@, %@, YES) == 0", try Self.request("Person", "name == 'nobody'"), [1, 2, 3, 4, 5, 6])
    }

    @Test func pages() throws {
        let byTitle = [SortKey("title")]
        let first = try Self.request("Task", "priority == 1", sortKeys: byTitle, limit: 2)
        try check("SELF IN FETCH(%@, %@, NO)", first, [2, 5])
        try check("NOT SELF IN FETCH(%@, %@, NO)", first, [1, 3, 4, 6])
        try check("FETCH(%@, %@, YES) == id", first, [2])
        try check("SELF IN FETCH(%@, %@, NO)", try Self.request("Task", sortKeys: byTitle, offset: 4), [3, 4])
        try check("SELF IN FETCH(%@, %@, NO)", try Self.request("Task", limit: 3, offset: 1), [2, 3, 4])
        let byOwner = [SortKey("owner.name", ascending: false, options: .caseInsensitive)]
        try check("SELF IN FETCH(%@, %@, NO)", try Self.request("Task", sortKeys: byOwner, limit: 2), [2, 5])
        try check("SELF IN FETCH(%@, %@, NO)", try Self.request("Task", limit: 0), [])
    }

    /// Stored objects, variables and other fetches in the predicate of a request.
    @Test func argumentsOfRequests() throws {
        let ann = try #require(try store.fetchAll("Person", where: FormatPredicate("name == 'Ann'")).first)
        try check("SELF IN FETCH(%@, %@, NO)", try Self.request("Task", "owner == %@", ann), [1, 3])
        var least = try Self.request("Task", "priority >= $least")
        least.variables = ["least": 2]
        try check("SELF IN FETCH(%@, %@, NO)", least, [1, 4])
        let zoe = try Self.request("Person", "name ==[d] 'Zoe'")
        let nested = try Self.request("List", "ANY tasks.owner IN FETCH(%@, %@, NO)", zoe, store.context)
        try check("list IN FETCH(%@, %@, NO)", nested, [1, 2, 3, 5, 6])
        let format = try FormatPredicate("SELF IN FETCH($r, $s, $n)")
        let values: PredicateVariables = ["r": least.predicateValue, "s": store.context.predicateValue, "n": false]
        #expect(try store.fetchCount(PredicateFetchRequest("Task", format, variables: values)) == 2)
        let matching = try FormatPredicate("SELF IN FETCH(%@, %@, NO)", least, store.context)
        #expect(try store.delete("Task", where: matching) == .nothing)
        #expect(try store.fetchCount(PredicateFetchRequest("Task")) == 4)
    }

    // MARK: Text and refusals

    private func error(_ format: String, _ arguments: [PredicateValue]) -> SQLCompilationError? {
        let found = storeError {
            _ = try store.fetchCursor(
                PredicateFetchRequest("Task", try FormatPredicate(format: format, arguments: arguments)))
        }
        guard case .compilation(let error)? = found?.code else { return nil }
        return error
    }

    @Test func subqueries() throws {
        let compiler = SQLCompiler(schema: ToDoList.schema)
        func text(_ format: String, _ request: PredicateFetchRequest) throws -> String {
            try compiler.compile(FormatPredicate(format, request, SQLFetchContext()), entity: "Task").where.text
        }
        let zoe = try Self.request("Person", "name == 'Zoë'")
        let membership = try text("owner IN FETCH(%@, %@, NO)", zoe)
        #expect(
            membership == """
                EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."name" COLLATE BINARY = ?1 AND t1."id" = t0."owner_id")
                """)
        let count = try text("FETCH(%@, %@, YES) > 3", zoe)
        #expect(
            count == """
                (SELECT COUNT(*) FROM "person" AS t1 WHERE t1."name" COLLATE BINARY = ?1) > ?2
                """)
        let page = try Self.request("Person", sortKeys: [SortKey("name")], limit: 1)
        #expect(
            try text("owner IN FETCH(%@, %@, NO)", page).contains("IN (SELECT t2.\"id\" FROM \"person\" AS t2 ORDER BY")
        )
    }

    @Test func refusedWithAPlace() throws {
        let (request, context) = (PredicateFetchRequest("Person").predicateValue, store.context.predicateValue)
        func check(
            _ format: String, _ arguments: [PredicateValue], _ code: SQLCompilationError.Code, _ place: String
        ) {
            let found = error(format, arguments)
            #expect(found?.code == code, "\(format)")
            let range = found.map { Array($0.text.utf8)[$0.range] } ?? []
            #expect(String(decoding: range, as: UTF8.self) == place, "\(format)")
        }
        typealias Code = SQLCompilationError.Code
        check("owner IN FETCH(%@, %@, NO)", ["x", context], .expected(.fetchRequest, found: .string), "%@")
        check("owner IN FETCH(title, %@, NO)", [context], .notExpressible(.fetchArgument), "title")
        check("owner IN FETCH(%@, nil, NO)", [request], .expected(.fetchContext, found: .null), "nil")
        check("owner IN FETCH(%@, %@, 2)", [request, context], .expected(.yesOrNo, found: .integer), "2")
        check("id IN FETCH(%@)", [request], .expected(.arguments(3), found: .other("1")), "FETCH(%@)")
        let other = MemoryFetchContext(["Person": [StoredObject]()]).predicateValue
        check("owner IN FETCH(%@, %@, NO)", [request, other], .notExpressible(.fetchContext), "%@")
        check(
            "title IN FETCH(%@, %@, NO).name", [request, context], .notExpressible(.fetchedKeys),
            "FETCH(%@, %@, NO).name")
        check(
            "FETCH(%@, %@, NO)[FIRST].name == 'x'", [request, context], .notExpressible(.order),
            "FETCH(%@, %@, NO)[FIRST]")
        let unknown = PredicateFetchRequest("Persn").predicateValue
        check(
            "owner IN FETCH(%@, %@, NO)", [unknown, context], .unknownEntity("Persn", nearMisses: ["Person"]), "%@")
        let hard = try Self.request("Person", "name.capitalizedString == 'Jo'").predicateValue
        check(
            "id > 1 AND owner IN FETCH(%@, %@, NO)", [hard, context],
            .notExpressible(.property("capitalizedString")), "%@")
        check("owner IN FETCH(%@, %@, NO)", [hard, context], .notExpressible(.property("capitalizedString")), "%@")
    }

    /// Requests in requests are run, or refused where SQLite's parser or the limit of levels ends.
    @Test(arguments: [nil, 6])
    func nests(limit: Int?) throws {
        var (request, run, refused) = (try Self.request("Task", "priority == 1", limit: limit), 0, 0)
        for _ in 0..<40 {
            let format = "id < 9 AND (id > 0 OR NOT SELF IN FETCH(%@, %@, NO)) AND SELF IN FETCH(%@, %@, NO)"
            let predicate = try FormatPredicate(format, urgent(), store.context, request, store.context)
            request = PredicateFetchRequest("Task", predicate, limit: limit)
            var found: [Int64] = [2, 5, 6]
            let error = storeError { found = try store.fetchAll(request).map(\.number) }
            #expect(found == [2, 5, 6])
            switch error?.code {
            case nil: run += 1
            case .compilation(let error)?:
                refused += 1
                switch error.code {
                case .notExpressible(.depth), .nestingTooDeep: break
                default: Issue.record("\(error.code)")
                }
            case let code?: Issue.record("\(code)")
            }
        }
        #expect(run > 2 && refused > 0)
    }

    private func urgent() throws -> PredicateFetchRequest { try Self.request("Task", "priority == 1") }

    /// Of another store, objects in memory, and a request that SQL cannot say: the residual asks the context.
    @Test func residuals() throws {
        var hard = try Self.request("Person", "name.capitalizedString == 'Zoë'")
        hard.allowsResidual = true
        let memory = MemoryFetchContext(["Person": try store.fetchAll("Person")])
        for context in [store.context.predicateValue, memory.predicateValue] {
            let predicate = try FormatPredicate(
                format: "id > 2 AND owner IN FETCH(%@, %@, NO)", arguments: [hard.predicateValue, context])
            let request = PredicateFetchRequest("Task", predicate, allowsResidual: true)
            #expect(try store.fetchAll(request).map(\.number) == [5])
        }
        let other = try ToDoList().store
        #expect(store == list.store && store != other)
    }

    @Test func locales() throws {
        func localized(_ locale: String) throws -> ObjectStore {
            let context = PredicateContext(locale: Locale(identifier: locale))
            return try ObjectStore(store.connection, schema: ToDoList.schema, context: context)
        }
        let (german, swedish) = (try localized("de"), try localized("sv"))
        try store.connection.execute("INSERT INTO person VALUES (3, 'Örn')")
        let predicate = try FormatPredicate("id > 0 AND name <[l] 'z'")
        func names(_ store: ObjectStore) throws -> [PredicateValue?] {
            try store.fetchAll(PredicateFetchRequest("Person", predicate, allowsResidual: true)).map { $0["name"] }
        }
        #expect(try names(german) == ["Ann", "Örn"])
        #expect(try names(swedish) == ["Ann"])
        #expect(try names(store) == ["Ann", "Zoë"])
        let refused = storeError { _ = try german.fetchCursor(PredicateFetchRequest("Person", predicate)) }
        guard case .compilation(let error)? = refused?.code else {
            Issue.record("[l] with a locale is refused")
            return
        }
        #expect(error.code == .notExpressible(.collation("de")))
        #expect(String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self) == "name <[l] 'z'")
        let sorted = PredicateFetchRequest("Person", sortKeys: [SortKey("name", options: .localeSensitive)])
        #expect(storeError { _ = try german.fetchCursor(sorted) } != nil)
        #expect(try store.fetchAll(sorted).count == 3)
        #expect(try german.fetchAll("Person", where: FormatPredicate("name LIKE[cl] 'a*'")).count == 1)
    }
}
