import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Types that declare no keys, beside types of the same form with a table of key paths: the same people and questions.
enum TypeSuites {
    static var all: [Suite] {
        [
            suite("types-batch", "count(matching:) of types without a table, beside the same with one", isBatch: true),
            suite("types-single", "evaluate(with:) of types without a table, one by one", isBatch: false),
        ]
    }

    /// The people as values of two types, measured.
    private typealias Measured = @Sendable (_ people: [Person], _ trial: Trial) throws -> [Variant]

    private static var kinds: [(name: String, measure: Measured)] {
        [
            ("struct", { try $1.compare($0.map(Plain.init), $0) }),
            ("optional", { try $1.compare($0.map(Gaps.init), $0.map(TableGaps.init)) }),
            ("enum", { try $1.compare($0.map(Staged.init), $0.map(TableStaged.init), Trial.enumFormat) }),
            ("nested", { try $1.compare($0.map(Outer.init), $0.map(TableOuter.init), Trial.nestedFormat) }),
            ("generic", { try $1.compare($0.map { Box($0.age, $0.name) }, $0) }),
            ("final class", { try $1.compare($0.map(Last.init), $0.map(TableLast.init)) }),
            ("open class", { try $1.compare($0.map(Parent.init), $0.map(TableLast.init)) }),
            ("subclass", { try $1.compare($0.map(Child.init), $0.map(TableLast.init)) }),
            (
                "decoded",
                {
                    try $1.compare(
                        JSONDecoder().decode([Coded].self, from: JSONEncoder().encode($0.map(Coded.init))), $0)
                }
            ),
        ]
    }

    private static func suite(_ name: String, _ summary: String, isBatch: Bool) -> Suite {
        Suite(name: name, summary: summary) { context in
            context.scales.filter { $0 <= 100_000 }.flatMap { scale in
                kinds.map { kind in
                    Group(suite: name, name: kind.name, scale: scale, unit: "object") {
                        let people = context.data.people(scale)
                        return try kind.measure(
                            people, Trial(isBatch: isBatch, expected: people.count(where: Trial.truth)))
                    }
                }
            }
        }
    }

    private struct Trial {
        var isBatch: Bool
        var expected: Int

        static let format = "age >= 21 AND name BEGINSWITH[c] 'jo'"
        static let enumFormat = "stage == 'grown' AND name BEGINSWITH[c] 'jo'"
        static let nestedFormat = "inner.age >= 21 AND inner.name BEGINSWITH[c] 'jo'"

        static func truth(_ person: Person) -> Bool {
            person.age >= 21 && person.name.lowercased().hasPrefix("jo")
        }

        /// Values without a table, and values of a type of the same form with one.
        func compare<Value>(
            _ values: [Value], _ tabled: [some KeyValueCoding], _ format: String = format
        ) throws -> [Variant] {
            [try variant(values, format), try table(tabled, format)]
        }

        private func variant<Value>(_ values: [Value], _ format: String) throws -> Variant {
            let evaluator = try PredicateEvaluator(FormatPredicate(format))
            return Variant("no table", operations: values.count, expected: expected) {
                if isBatch { return try values.count(matching: evaluator) }
                var count = 0
                for value in values where try evaluator.evaluate(with: value) { count += 1 }
                return count
            }
        }

        private func table<Value: KeyValueCoding>(_ values: [Value], _ format: String) throws -> Variant {
            let evaluator = try PredicateEvaluator(FormatPredicate(format))
            return Variant("table", .baseline, operations: values.count, expected: expected) {
                if isBatch { return try values.count(matching: evaluator) }
                var count = 0
                for value in values where try evaluator.evaluate(with: value) { count += 1 }
                return count
            }
        }
    }
}

// MARK: - Types without a table

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

// MARK: - Types with a table

private struct TableGaps: KeyPathCoding {
    var age: Int?
    var name: String?

    static let keys: KeyPathTable<TableGaps> = ["age": .key(\.age), "name": .key(\.name)]

    init(_ person: Person) { (name, age) = (person.name, person.age) }
}

private struct TableStaged: KeyPathCoding {
    enum Stage: String, KeyedValueConvertible {
        case young, grown
    }

    var stage: Stage
    var name: String

    static let keys: KeyPathTable<TableStaged> = ["stage": .key(\.stage), "name": .key(\.name)]

    init(_ person: Person) { (name, stage) = (person.name, person.age >= 21 ? .grown : .young) }
}

private struct TableOuter: KeyPathCoding {
    var id = 0
    var inner: Person

    static let keys: KeyPathTable<TableOuter> = ["id": .key(\.id), "inner": .key(\.inner)]

    init(_ person: Person) { inner = person }
}

private final class TableLast: KeyPathCoding {
    let age: Int
    let name: String

    static let keys: KeyPathTable<TableLast> = ["age": .key(\.age), "name": .key(\.name)]

    init(_ person: Person) { (name, age) = (person.name, person.age) }
}
