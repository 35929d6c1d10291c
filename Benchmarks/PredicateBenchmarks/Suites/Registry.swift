import BenchmarkHarness
import BenchmarkWorkload
import Foundation

/// The data and scales of a run.
struct SuiteContext {
    var data: WorkloadData
    /// Numbers of objects: each suite over objects is measured at every scale.
    var scales: [Int]
}

/// Benchmarks of one kind of work.
struct Suite {
    var name: String
    /// One line for `--list`.
    var summary: String
    /// The groups, by scale and then by name; making them must cost nothing.
    var groups: (SuiteContext) throws -> [Group]
}

/// All suites, in the order in which they run at each scale. A new suite is a file beside this one and an entry here.
enum Registry {
    static var suites: [Suite] {
        FormatSuites.all + KeptSuites.all + SQLSuites.all + ObjectSuites.all + AnySuites.all + TypeSuites.all
            + FilterSuites.all
            + ConcurrentSuites.all
            + QuerySuites.all + JSONSuites.all + TextSuites.all
            + [PatternSuites.like, PatternSuites.matches]
    }
}

extension Suite {
    /// One of each kind: a number, a prefix, a disjunction with a search, a long conjunction, a list.
    static let few: Set = ["P01", "P02", "P03", "P10", "P16"]

    /// Makes a suite of all predicates, or some, at every scale up to a limit; with `fewOfMany`, of a few predicates above
    /// 100k objects.
    init(
        perPredicate name: String, _ summary: String, only ids: Set<String>? = nil, upTo limit: Int = .max,
        fewOfMany: Bool = false,
        variants: @escaping (WorkloadPredicate, WorkloadData, Int) throws -> [Variant]
    ) {
        self.init(name: name, summary: summary) { context in
            context.scales.filter { $0 <= limit }.flatMap { scale in
                let ids = fewOfMany && scale > 100_000 ? Self.few : ids
                return WorkloadPredicate.all.filter { ids?.contains($0.id) ?? true }.map { predicate in
                    Group(suite: name, name: predicate.id, scale: scale, unit: "object") {
                        try variants(predicate, context.data, scale)
                    }
                }
            }
        }
    }
}

/// The baselines that several suites are compared with.
extension Variant {
    static func inline(_ people: [Person], _ expected: Int, _ loop: @escaping InlineLoops.Loop) -> Variant {
        Variant("inline", .baseline, operations: people.count, expected: expected) {
            people.withUnsafeBufferPointer { loop($0) }
        }
    }

    static func closure<Element>(
        _ elements: [Element], _ expected: Int, named name: String = "closure", _ test: @escaping (Element) -> Bool
    ) -> Variant {
        Variant(name, .baseline, operations: elements.count, expected: expected) {
            count(elements, test)
        }
    }

    /// The loop, compiled apart from the test.
    @inline(never)
    private static func count<Element>(_ elements: [Element], _ test: (Element) -> Bool) -> Int {
        var count = 0
        elements.withUnsafeBufferPointer { elements in
            for index in elements.indices where test(elements[index]) { count += 1 }
        }
        return count
    }

    static func macro(_ people: [Person], _ expected: Int, _ macro: MacroPredicate) -> Variant {
        let expected = macro.truth.map { people.count(where: $0) } ?? expected
        return Variant("#Predicate", .baseline, operations: people.count, expected: expected) {
            var count = 0
            for person in people where try macro.predicate.evaluate(person) { count += 1 }
            return count
        }
    }
}
