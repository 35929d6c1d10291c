import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Column tables read from a file match as its objects do.
@Suite struct StoreColumnTests {
    private let list: ToDoList

    init() throws {
        list = try ToDoList()
    }

    @Test func attributes() throws {
        let request = PredicateFetchRequest("Task", sortKeys: [SortKey("id")])
        let table = try list.store.fetchColumns(request)
        let objects = try list.store.fetchAll(request)
        #expect(table.count == 6)
        #expect(table.keyPaths.contains("dueDate") && !table.keyPaths.contains("owner"))
        for format in [
            "title BEGINSWITH[cd] 'call'", "NOT priority == 1", "priority != 1", "effort * 2 > 1", "price == nil",
            "title MATCHES '.* .*'", "note LIKE '*100%'", "dueDate > CAST(1000, 'NSDate') OR image != nil",
            "price > 1", "note CONTAINS priority", "wings == 1",
        ] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            let found = Result { () throws(EvaluationError) in try table.indices(matching: predicate) }
            let expected = Result { () throws(EvaluationError) in try objects.indices(matching: predicate) }
            #expect((try? found.get()) == (try? expected.get()), "\(format)")
        }
    }

    @Test func requests() throws {
        let predicate = try FormatPredicate("owner.name ==[d] 'Zoe'")
        let sorted = [SortKey("id")]
        let found = try list.store.fetchColumns(
            PredicateFetchRequest("Task", predicate, sortKeys: sorted, keys: ["id", "title"]))
        #expect(found.keyPaths.sorted() == ["id", "title"])
        #expect(try found.indices(matching: FormatPredicate("id == 5")) == [1])
        // A residual is evaluated for objects, page by page.
        let residual = try FormatPredicate("title.length > 3 AND priority != nil")
        var request = PredicateFetchRequest(
            "Task", residual, sortKeys: sorted, limit: 3, offset: 1, allowsResidual: true)
        let page = try list.store.fetchColumns(request)
        let objects = try list.store.fetchAll(request)
        #expect(page.count == objects.count)
        #expect((0..<page.count).map { page[$0].value(forKey: "id")?.predicateValue } == objects.map { $0["id"] })
        request.entity = "Wings"
        #expect(throws: StoreError.self) { try list.store.fetchColumns(request) }
    }
}
