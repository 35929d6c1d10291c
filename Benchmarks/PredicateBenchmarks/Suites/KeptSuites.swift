import AllocationCounter
import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation
import PredicateSyntax

/// What a new predicate costs: the time until its first answer, and the memory of one that is kept.
enum KeptSuites {
    static var all: [Suite] { [first, kept] }

    /// From the format to the answer for one struct. `once` is the predicate's own call, `again` repeats it without parsing,
    /// and `kept` is an evaluator that has evaluated many.
    private static var first: Suite {
        Suite(name: "first-evaluation", summary: "a format, parsed and evaluated with one struct") { context in
            predicates.map { predicate in
                Group(suite: "first-evaluation", name: predicate.id, scale: 1, unit: "format") {
                    let person = context.data.people(1_000)[0]
                    let expected = predicate.truth(person) ? 1 : 0
                    let parsed = try predicate.parsed()
                    let evaluator = try PredicateEvaluator(parsed)
                    return [
                        Variant("evaluator", operations: 1, expected: expected) {
                            try PredicateEvaluator(predicate.parsed()).evaluate(with: person) ? 1 : 0
                        },
                        Variant("once", operations: 1, expected: expected) {
                            try predicate.parsed().evaluate(with: person) ? 1 : 0
                        },
                        Variant("again", operations: 1, expected: expected) {
                            try parsed.evaluate(with: person) ? 1 : 0
                        },
                        Variant("kept", .baseline, operations: 1, expected: expected) {
                            try evaluator.evaluate(with: person) ? 1 : 0
                        },
                    ]
                }
            }
        }
    }

    /// P02, P05 and P10 have two leaves, one with a list, and four.
    private static let predicates = WorkloadPredicate.all.filter { ["P02", "P05", "P10"].contains($0.id) }

    // MARK: - Memory

    /// The memory of predicates with their evaluators, in megabytes for 10,000 of them. The result of a run is the
    /// number of predicates that hold for one person.
    private static var kept: Suite {
        Suite(name: "kept-predicates", summary: "predicates that are kept, with their evaluators") { context in
            predicates.map { predicate in
                Group(suite: "kept-predicates", name: predicate.id, scale: 10_000, unit: "predicate") {
                    let person = context.data.people(1_000)[0]
                    let all = predicate.truth(person) ? 10_000 : 0
                    return [
                        variant("predicate", predicate, 10_000) { $0 },
                        variant("evaluator", predicate, 10_000) { try PredicateEvaluator($0) },
                        variant("evaluated once", predicate, all) { try evaluated($0, 1, person) },
                        variant("evaluated twice", predicate, all) { try evaluated($0, 2, person) },
                    ]
                }
            }
        }
    }

    private struct Evaluated {
        var evaluator: PredicateEvaluator
        var holds: Bool
    }

    private static func evaluated(
        _ predicate: FormatPredicate, _ times: Int, _ person: Person
    ) throws -> Evaluated {
        var kept = Evaluated(evaluator: try PredicateEvaluator(predicate), holds: false)
        for _ in 0..<times { kept.holds = try kept.evaluator.evaluate(with: person) }
        return kept
    }

    private static func variant<Kept>(
        _ name: String, _ predicate: WorkloadPredicate, _ expected: Int,
        _ make: @escaping (FormatPredicate) throws -> Kept
    ) -> Variant {
        var megabytes: Double?
        var variant = Variant(name, operations: 10_000, expected: expected) {
            var kept: [Kept] = []
            kept.reserveCapacity(10_000)
            let before = allocated_bytes()
            for _ in 0..<10_000 { kept.append(try make(predicate.parsed())) }
            megabytes = before == 0 ? nil : (Double(allocated_bytes()) - Double(before)) / 1e6
            return kept.count { ($0 as? Evaluated)?.holds ?? true }
        }
        variant.memory = { megabytes }
        return variant
    }
}
