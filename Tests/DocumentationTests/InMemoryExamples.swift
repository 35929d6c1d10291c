import Foundation
import Observation
import Predicates
import Testing

/// The guide InMemory.
struct InMemoryExamples {
    @Observable final class Todo: KeyPathCoding {
        var title = ""
        var isDone = false
        static let keys: KeyPathTable<Todo> = ["title": .key(\.title), "isDone": .key(\.isDone)]
    }

    private let people = [Person(name: "Joanna", age: 30), Person(name: "jörg", age: 17), Person(name: "Ann", age: 70)]
    private let person = Person(name: "Joanna", age: 30)

    @Test func evaluators() throws {
        let results = try example {
            let evaluator = try PredicateEvaluator(try FormatPredicate("age >= $AGE"))
            try evaluator.evaluate(with: person, variables: ["AGE": 18])
            let pensioners = try people.count(matching: evaluator, variables: ["AGE": 65])
            pensioners
        }
        #expect(results.texts == ["true", "1"])
    }

    @Test func functions() throws {
        var registry = EvaluationRegistry.standard
        registry.registerFunction("initials:") { arguments in
            guard case .value(.string(let name))? = arguments.first else { return .null }
            return .value(.string(String(name.split(separator: " ").compactMap(\.first))))
        }
        let initials = try PredicateEvaluator(FormatPredicate("initials:(name) == 'JD'"), registry: registry)
        #expect(try initials.evaluate(with: ["name": "Jane Doe"]))
    }

    @Test func viewsAreUpdated() throws {
        let todos = [Todo(), Todo()]
        let open = try FormatPredicate("isDone == NO")
        let changes = Locked(0)
        let count = withObservationTracking {
            try? todos.filtered(using: open).count
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        todos[1].isDone = true
        #expect(count == 2 && changes.withLock { $0 } == 1)
        #expect(try todos.filtered(using: open).count == 1)
    }

    /// Plain values cross to a task, where variables are made of them.
    @Test func variablesOfATask() async throws {
        let (people, values) = (people, ["AGE": 65] as [String: PredicateValue])
        let evaluator = try PredicateEvaluator(try FormatPredicate("age >= $AGE"))
        let count = try await Task { try people.count(matching: evaluator, variables: PredicateVariables(values)) }
            .value
        #expect(count == 1)
    }

    @Test func closures() throws {
        let adult = FormatPredicate(name: "adult") { object, _ in (object.hostObject as? Person)?.isAdult == true }
        let some = try people.filtered(using: adult && FormatPredicate("name BEGINSWITH[c] 'j'"))
        #expect(some.map(\.name) == ["Joanna"])
    }
}

extension Person {
    fileprivate var isAdult: Bool { age > 17 }
}
