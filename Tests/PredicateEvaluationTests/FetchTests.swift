import PredicateEvaluation
import PredicateSyntax
import Testing

/// `FETCH(request, context, countOnly)` in memory. [NSP-182]
@Suite struct FetchTests {
    private static let tasks: [PredicateValue] = [
        ["id": 1, "title": "milk", "priority": 2], ["id": 2, "title": "Call", "priority": 1],
        ["id": 3, "title": "report", "priority": .null], ["id": 4, "title": "sleep", "priority": 3],
    ].map { (entries: [String: PredicateValue]) in .dictionary(entries) }
    private let context = MemoryFetchContext(["Task": tasks])

    private func fetched(_ request: PredicateFetchRequest, _ key: String = "id") throws -> KeyedValue {
        try value(of: "FETCH(%@, %@, NO).\(key)", [request.predicateValue, context.predicateValue])
    }

    @Test func objectsOfARequest() throws {
        let urgent = PredicateFetchRequest("Task", try FormatPredicate("priority <= $most"), variables: ["most": 2])
        #expect(try fetched(urgent).predicateValue == .array([1, 2]))
        #expect(try fetched(PredicateFetchRequest("Task"), "@count").predicateValue == 4)
        let inList = try FormatPredicate("SELF IN FETCH(%@, %@, NO)", urgent, context)
        #expect(try Self.tasks.map { try inList.evaluate(with: $0) } == [true, true, false, false])
        let any = try FormatPredicate("ANY FETCH(%@, %@).priority == limit", urgent, context)
        #expect(try [2, 3].map { try any.evaluate(with: ["limit": $0]) } == [true, false])
    }

    @Test func orderAndPage() throws {
        let byPriority = [SortKey("priority", ascending: false), SortKey("id")]
        #expect(
            try fetched(PredicateFetchRequest("Task", sortKeys: byPriority)).predicateValue == .array([4, 1, 2, 3]))
        #expect(
            try fetched(PredicateFetchRequest("Task", sortKeys: byPriority, limit: 2, offset: 1)).predicateValue
                == .array([1, 2]))
        let byTitle = [SortKey("title", options: .caseInsensitive)]
        #expect(try fetched(PredicateFetchRequest("Task", sortKeys: byTitle)).predicateValue == .array([2, 1, 3, 4]))
        #expect(
            try fetched(PredicateFetchRequest("Task", sortKeys: [SortKey("title")])).predicateValue
                == .array([2, 1, 3, 4]))
        let lastInBoth = [true, false].map { SortKey("priority", ascending: $0, nils: .last) }
        #expect(
            try lastInBoth.map { try fetched(PredicateFetchRequest("Task", sortKeys: [$0])).predicateValue }
                == [.array([2, 1, 4, 3]), .array([4, 1, 2, 3])])
        let first = SortKey("priority", ascending: false, nils: .first)
        #expect(try fetched(PredicateFetchRequest("Task", sortKeys: [first])).predicateValue == .array([3, 4, 1, 2]))
        #expect(try fetched(PredicateFetchRequest("Task", limit: 0)).predicateValue == .array([]))
        #expect(try fetched(PredicateFetchRequest("Task", offset: 9)).predicateValue == .array([]))
    }

    @Test func counts() throws {
        let arguments = [PredicateFetchRequest("Task", limit: 3).predicateValue, context.predicateValue]
        #expect(try holds("FETCH(%@, %@, YES) == 3", arguments))
        #expect(try holds("FETCH(%@, %@, many) == 3", arguments, for: ["many": true]))
        let variables: PredicateVariables = ["r": PredicateFetchRequest("Task"), "c": context, "n": true]
        #expect(try holds("FETCH(%@, %@, NO)[SIZE] == 3 AND FETCH($r, $c, $n) > 3", arguments, variables: variables))
    }

    /// In a subquery, under a variable, for many objects at once.
    @Test func everywhere() throws {
        let format = "SUBQUERY(ids, $i, $i IN FETCH(%@, %@, NO).id).@count == 1"
        let urgent = PredicateFetchRequest("Task", try FormatPredicate("priority == 1"))
        let evaluator = try PredicateEvaluator(FormatPredicate(format, urgent, context))
        let rows: [[String: Any]] = [["ids": [1, 2]], ["ids": [1]], ["ids": [2, 3]]]
        #expect(try rows.filtered(using: evaluator).count == 2)
        let expression = try FormatExpression("FETCH(%@, %@, NO)[FIRST].title", urgent, context)
        #expect(try expression.value(with: nil).predicateValue == "Call")
    }

    private func code(_ format: String, _ arguments: [PredicateValue], for object: Any? = nil) -> EvaluationError? {
        evaluationError { try holds(format, arguments, for: object) }
    }

    @Test func errorsHaveAPlace() throws {
        let request = PredicateFetchRequest("Task").predicateValue
        let none = FoundValue(KeyedValue.null)
        #expect(
            code("FETCH(a, %@, NO) == 1", [context.predicateValue], for: [String: Any]())
                == EvaluationError(.argumentKind(function: "FETCH", expected: "a fetch request", found: none), node: 0))
        #expect(
            code("FETCH(%@, nil, NO) == 1", [request])
                == EvaluationError(.argumentKind(function: "FETCH", expected: "a fetch context", found: none), node: 1))
        #expect(
            code("FETCH(%@, %@, 2) == 1", [request, context.predicateValue])?.node == 2)
        #expect(
            code("FETCH(%@, %@, NO) == 1", [PredicateFetchRequest("Taks").predicateValue, context.predicateValue])
                == EvaluationError(.undefinedKey("Taks", of: "MemoryFetchContext", nearMisses: ["Task"]), node: 3))
        let wrong = PredicateFetchRequest("Task", try FormatPredicate("title > 3")).predicateValue
        guard case .incomparable? = code("FETCH(%@, %@) == 1", [wrong, context.predicateValue])?.code else {
            Issue.record("an error of the request's predicate is one of FETCH")
            return
        }
    }

    /// What a host's own context throws, and how it is compared.
    @Test func contextsOfHosts() throws {
        struct Broken: FetchContext {
            struct Outage: Error {}
            func objects(for request: PredicateFetchRequest) throws -> [KeyedValue] { throw Outage() }
        }
        let request = PredicateFetchRequest("Task").predicateValue
        let thrown = EvaluationError.HostError(name: "FETCH", description: "Outage()")
        #expect(code("FETCH(%@, %@, YES) == 1", [request, Broken().predicateValue])?.code == .host(thrown))
        #expect(context != MemoryFetchContext(["Task": Self.tasks]))
        let format = "FETCH(%@, %@, NO) == nil"
        let predicate = try FormatPredicate(format, PredicateFetchRequest("Task"), context)
        #expect(try predicate == FormatPredicate(format, PredicateFetchRequest("Task"), context))
    }

    /// A request that fetches for itself, and a policy that allows none.
    @Test func requestsInRequests() throws {
        let inner = PredicateFetchRequest("Task", try FormatPredicate("id > 1"))
        let outer = PredicateFetchRequest(
            "Task", try FormatPredicate("SELF IN FETCH(%@, %@, NO) AND id < 3", inner, context))
        #expect(try fetched(outer).predicateValue == .array([2]))
        #expect(throws: EvaluationError.self) {
            try PredicateEvaluator(FormatPredicate("FETCH(a, b, NO) == 1"), policy: .untrusted)
        }
    }
}
