import Foundation
import Observation
import PredicateEvaluation
import PredicateSyntax
import Synchronization
import Testing

@Observable private final class Todo {
    var title: String
    var done = false
    @ObservationIgnored var note = "x"
    var owner: Owner?

    init(_ title: String, owner: Owner? = nil) {
        self.title = title
        self.owner = owner
    }
}

@Observable private final class Owner {
    var name = "Jo"
}

@Observable private final class Listed: KeyPathCoding {
    var done = false
    static let keys: KeyPathTable<Listed> = ["done": .key(\.done)]
}

private struct Row {
    var todo = Todo("a")
}

/// Reads of observable objects inside `withObservationTracking`.
@Suite struct ObservationTests {
    /// Returns the error of work inside a tracking closure.
    private func errorWhileTracking(_ work: () throws -> Void) -> EvaluationError.Code? {
        withObservationTracking {
            EvaluationError.thrown { try work() }?.code
        } onChange: {
        }
    }

    @Test func readingWithoutTrackingNeedsNoTable() throws {
        let todos = (0..<300).map { Todo("\($0)", owner: $0 == 7 ? Owner() : nil) }
        todos[3].done = true
        #expect(try todos.indices(matching: FormatPredicate("done == YES")) == [3])
        #expect(try todos.indices(matching: FormatPredicate("owner.name == 'Jo'")) == [7])
        let evaluator = try PredicateEvaluator(FormatPredicate("title BEGINSWITH '2'"))
        #expect(try todos.filter { try evaluator.evaluate(with: $0) }.count == 111)
    }

    @Test func aReadThatTrackingWouldMissIsAnError() throws {
        let todos = (0..<300).map { Todo("\($0)", owner: Owner()) }
        let evaluator = try PredicateEvaluator(FormatPredicate("done == NO"))
        #expect(try todos.count(matching: evaluator) == 300)
        #expect(errorWhileTracking { _ = try todos.count(matching: evaluator) } == .untrackedKey("done", of: "Todo"))
        for _ in 0..<3 {
            let code = errorWhileTracking { _ = try evaluator.evaluate(with: todos[0]) }
            #expect(code == .untrackedKey("done", of: "Todo"))
        }
        let inner = try FormatPredicate("owner.name == 'Jo'")
        #expect(errorWhileTracking { _ = try inner.evaluate(with: todos[0]) } == .untrackedKey("owner", of: "Todo"))
        let nested = try FormatPredicate("todo.title == 'a'")
        #expect(errorWhileTracking { _ = try [Row()].count(matching: nested) } == .untrackedKey("title", of: "Todo"))
        let mirrored = ReflectedObject.mirrored(.object(ReflectedObject(todos[0])))
        #expect(errorWhileTracking { _ = try mirrored.evaluated(evaluator) } == .untrackedKey("done", of: "Todo"))
        #expect(try todos.count(matching: evaluator) == 300)
    }

    @Test func theErrorNamesTheCure() {
        let error = EvaluationError(.untrackedKey("done", of: "Todo"))
        #expect(error.hints.first?.contains("conform Todo to KeyPathCoding") == true)
    }

    @Test func whatIsNotTrackedCanBeRead() throws {
        let predicate = try FormatPredicate("note == 'x'")
        let holds = withObservationTracking {
            try? predicate.evaluate(with: Todo("a") as Any)
        } onChange: {
        }
        #expect(holds == true)
    }

    @Test func aTableIsTracked() throws {
        let objects = (0..<10_000).map { _ in Listed() }
        let evaluator = try PredicateEvaluator(FormatPredicate("done == NO"))
        for index in [0, 9_999] {
            let changes = Mutex(0)
            let count = withObservationTracking {
                try? objects.count(matching: evaluator)
            } onChange: {
                changes.withLock { $0 += 1 }
            }
            #expect(count == 10_000)
            objects[index].done = true
            #expect(changes.withLock { $0 } == 1)
            objects[index].done = false
        }
    }
}

extension KeyedValue {
    /// Evaluates a predicate with the value.
    fileprivate func evaluated(_ evaluator: PredicateEvaluator) throws -> Bool {
        guard case .object(let object) = self else { return false }
        return try evaluator.evaluate(with: object as Any)
    }
}
