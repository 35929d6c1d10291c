import PredicateAgreement
import PredicateStore
import PredicateSyntax
import Testing

/// A loop over a fetch has one object for all rows, unless somebody keeps it.
@Suite struct SpareObjectTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    private func tasks() throws -> ObjectCursor {
        try store.fetchCursor(PredicateFetchRequest("Task", sortKeys: [SortKey("id")]))
    }

    @Test("[NSP-337] every object of a loop has the values of its row")
    func valuesInALoop() throws {
        let objects = try tasks()
        var (titles, owners): ([PredicateValue], [Int64]) = ([], [])
        while let object = try objects.next() {
            titles.append(try object.value(of: "title") ?? .null)
            owners.append(try object.related("owner").first?.number ?? 0)
        }
        #expect(titles == ["Buy milk", "Call Zoë", "Write report", "Sleep", "Old thing", "Silent"])
        #expect(owners == [1, 2, 1, 0, 2, 0])
    }

    @Test("[NSP-337] objects that are kept stay as they were read")
    func keptObjects() throws {
        let objects = try tasks()
        var kept: [StoredObject] = []
        while let object = try objects.next() {
            // Every other one is let go.
            if object.number.isMultiple(of: 2) { kept.append(object) }
        }
        #expect(kept.map(\.number) == [2, 4, 6])
        #expect(kept.map { $0["title"] } == ["Call Zoë", "Sleep", "Silent"])
        #expect(kept.map { try? $0.related("owner").count } == [1, 0, 0])
    }

    @Test("[NSP-337] a weak reference to an object that is gone is nil")
    func weakReferences() throws {
        let objects = try tasks()
        weak var first: StoredObject?
        first = try objects.next()
        _ = try objects.next()
        #expect(first == nil)
    }

    @Test("[NSP-337] an object may be kept by a value, or by another task")
    func objectsInValues() async throws {
        let objects = try tasks()
        var values: [PredicateValue] = []
        var numbers: [Task<Int64, Never>] = []
        while let object = try objects.next() {
            values.append(object.predicateValue)
            numbers.append(Task { object.number })
        }
        for (index, number) in numbers.enumerated() { #expect(await number.value == Int64(index + 1)) }
        #expect(try values == tasks().all().map(\.predicateValue))
    }
}
