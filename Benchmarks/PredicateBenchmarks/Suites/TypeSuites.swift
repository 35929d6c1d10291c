import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Types that declare no keys, beside a struct with a table of key paths: the same people and the same question.
enum TypeSuites {
    static var all: [Suite] {
        [
            suite("types-batch", "count(matching:) of types without a table, beside a struct with one", isBatch: true),
            suite("types-single", "evaluate(with:) of types without a table, one by one", isBatch: false),
        ]
    }

    /// The people as values of a type, measured.
    private typealias Measured = @Sendable (_ people: [Person], _ trial: Trial) throws -> Variant

    private static var kinds: [(name: String, measure: Measured)] {
        [
            ("struct", { try $1.variant($0.map(Plain.init)) }),
            ("optional", { try $1.variant($0.map(Gaps.init)) }),
            ("enum", { try $1.variant($0.map(Staged.init), "stage == 'grown' AND name BEGINSWITH[c] 'jo'") }),
            ("nested", { try $1.variant($0.map(Outer.init), "inner.age >= 21 AND inner.name BEGINSWITH[c] 'jo'") }),
            ("generic", { try $1.variant($0.map { Box($0.age, $0.name) }) }),
            ("final class", { try $1.variant($0.map(Last.init)) }),
            ("open class", { try $1.variant($0.map(Parent.init)) }),
            ("subclass", { try $1.variant($0.map(Child.init)) }),
            (
                "decoded",
                { try $1.variant(JSONDecoder().decode([Coded].self, from: JSONEncoder().encode($0.map(Coded.init)))) }
            ),
        ]
    }

    private static func suite(_ name: String, _ summary: String, isBatch: Bool) -> Suite {
        Suite(name: name, summary: summary) { context in
            context.scales.filter { $0 <= 100_000 }.flatMap { scale in
                kinds.map { kind in
                    Group(suite: name, name: kind.name, scale: scale, unit: "object") {
                        let people = context.data.people(scale)
                        let trial = Trial(isBatch: isBatch, expected: people.count(where: Trial.truth))
                        return [try kind.measure(people, trial), try trial.table(people)]
                    }
                }
            }
        }
    }

    private struct Trial {
        var isBatch: Bool
        var expected: Int

        static let format = "age >= 21 AND name BEGINSWITH[c] 'jo'"

        static func truth(_ person: Person) -> Bool {
            person.age >= 21 && person.name.lowercased().hasPrefix("jo")
        }

        func variant<Value>(_ values: [Value], _ format: String = format) throws -> Variant {
            let evaluator = try PredicateEvaluator(FormatPredicate(format))
            return Variant("no table", operations: values.count, expected: expected) {
                if isBatch { return try values.count(matching: evaluator) }
                var count = 0
                for value in values where try evaluator.evaluate(with: value) { count += 1 }
                return count
            }
        }

        func table(_ people: [Person]) throws -> Variant {
            let evaluator = try PredicateEvaluator(FormatPredicate(Self.format))
            return Variant("table", .baseline, operations: people.count, expected: expected) {
                if isBatch { return try people.count(matching: evaluator) }
                var count = 0
                for person in people where try evaluator.evaluate(with: person) { count += 1 }
                return count
            }
        }
    }
}

// MARK: - Types

private struct Plain {
    var name: String
    var age: Int
    var score: Double

    init(_ person: Person) { (name, age, score) = (person.name, person.age, person.score) }
}

private struct Gaps {
    var age: Int?
    var name: String?

    init(_ person: Person) { (name, age) = (person.name, person.age) }
}

private struct Staged {
    enum Stage: String {
        case young, grown
    }

    var stage: Stage
    var name: String

    init(_ person: Person) { (name, stage) = (person.name, person.age >= 21 ? .grown : .young) }
}

private struct Outer {
    var id = 0
    var inner: Plain

    init(_ person: Person) { inner = Plain(person) }
}

private struct Box<Number, Text> {
    var age: Number
    var name: Text

    init(_ age: Number, _ name: Text) { (self.age, self.name) = (age, name) }
}

private final class Last {
    let age: Int
    let name: String

    init(_ person: Person) { (name, age) = (person.name, person.age) }
}

private class Parent {
    var age: Int
    var name: String

    init(_ person: Person) { (name, age) = (person.name, person.age) }
}

private final class Child: Parent {
    var score: Double

    override init(_ person: Person) {
        score = person.score
        super.init(person)
    }
}

private struct Coded: Codable {
    var age: Int
    var name: String

    init(_ person: Person) { (name, age) = (person.name, person.age) }
}
