import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation
import PredicateSyntax

/// The work on a format string before any object is evaluated: parsing, printing, planning.
enum FormatSuites {
    static var all: [Suite] { [parsing, longParsing, printing, planning, ready] }

    private static var parsing: Suite {
        suite("parse", "format strings to trees") { predicate in
            try checkPrint(predicate)
            let nodes = try predicate.parsed().source?.ranges.count ?? 0
            let shape = try predicate.parsed().node.shape
            return Variant("tree", operations: 1, expected: nodes) {
                try predicate.parsed().node.shape == shape ? nodes : 0
            }
        }
    }

    /// Time for each byte must stay the same, however long the format.
    private static var longParsing: Suite {
        Suite(name: "parse-long", summary: "formats of 1 kB to 1 MB, ns per byte: must stay level") { _ in
            [1_000, 10_000, 100_000, 1_000_000].flatMap { length in
                LongFormat.all.map { long in
                    Group(suite: "parse-long", name: long.name, scale: length, unit: "byte") {
                        let format = long.format(length)
                        let nodes = try FormatPredicate(format).source?.ranges.count ?? 0
                        guard nodes > length / 100 else {
                            throw BenchmarkError.usage("\(nodes) nodes in \(length) bytes")
                        }
                        let shape = try FormatPredicate(format).node.shape
                        return [
                            Variant("tree", operations: format.utf8.count, expected: nodes) {
                                try FormatPredicate(format).node.shape == shape ? nodes : 0
                            }
                        ]
                    }
                }
            }
        }
    }

    private static var printing: Suite {
        suite("print", "trees to canonical format strings") { predicate in
            let parsed = try predicate.parsed()
            return Variant("format", operations: 1, expected: predicate.printed.utf8.count) {
                parsed.predicateFormat.utf8.count
            }
        }
    }

    private static var planning: Suite {
        suite("plan", "trees to evaluators") { predicate in
            let parsed = try predicate.parsed()
            return Variant("evaluator", operations: 1, expected: 1) {
                try PredicateEvaluator(parsed).predicate == parsed ? 1 : 0
            }
        }
    }

    /// All the work between a format and the first evaluation.
    private static var ready: Suite {
        suite("ready", "format strings to evaluators: parsed and planned") { predicate in
            let shape = try predicate.parsed().node.shape
            return Variant("evaluator", operations: 1, expected: shape) {
                try PredicateEvaluator(predicate.parsed()).predicate.node.shape
            }
        }
    }

    private static func suite(
        _ name: String, _ summary: String, _ variant: @escaping (WorkloadPredicate) throws -> Variant
    ) -> Suite {
        Suite(name: name, summary: summary) { _ in
            WorkloadPredicate.all.map { predicate in
                Group(suite: name, name: predicate.id, scale: 1, unit: "format") { [try variant(predicate)] }
            }
        }
    }

    /// The tree says what the format says: it prints as was written down by hand.
    private static func checkPrint(_ predicate: WorkloadPredicate) throws {
        let printed = try predicate.parsed().predicateFormat
        guard printed == predicate.printed else {
            throw BenchmarkError.usage("\(predicate.id) prints \(printed) where \(predicate.printed) was expected")
        }
    }
}

/// A predicate joined to itself by OR until the format is so long.
private struct LongFormat {
    var name: String
    var part: String

    static let all = [
        LongFormat(name: "P10", part: "(\(WorkloadPredicate.all.first { $0.id == "P10" }?.format ?? "TRUEPREDICATE"))"),
        // Dense: a node for every byte and a half.
        LongFormat(name: "short", part: "a<1"),
        // Few nodes: most of it is one text after another.
        LongFormat(name: "texts", part: #"name == "\#(String(repeating: "lorem ipsum ", count: 8))""#),
    ]

    func format(_ length: Int) -> String {
        Array(repeating: part, count: max(1, length / (part.utf8.count + 4))).joined(separator: " OR ")
    }
}
