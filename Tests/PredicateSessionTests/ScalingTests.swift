import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// What is eight times as long takes some eight times as long, whatever it is long with: no work grows with the square of a
/// format. [NSP-169]
///
/// The time of the processor for a format is compared with that for one eight times as long; never with a number of seconds.
@Suite(.serialized) struct ScalingTests {
    /// A format that grows.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        /// The number of elements of the shorter format.
        var count = 250
        let format: @Sendable (Int) -> String
        var arguments: @Sendable (Int) -> [PredicateValue] = { _ in [] }

        var testDescription: String { name }
    }

    static func joined(_ count: Int, _ separator: String, _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: separator)
    }

    static let shapes: [Shape] = [
        Shape(name: "OR of equalities") { count in joined(count, " OR ") { "a == \($0)" } },
        Shape(name: "AND of inequalities") { count in joined(count, " AND ") { "a != \($0)" } },
        Shape(name: "OR of two keys") { count in joined(count, " OR ") { "a == \($0) OR b > \($0)" } },
        Shape(name: "a tautology") { count in joined(count, " OR ") { "a == \($0)" } + " OR a != 0" },
        Shape(name: "duplicate clauses") { count in joined(count, " OR ") { _ in "a == 1" } },
        Shape(name: "negations") { count in joined(count, " OR ") { "NOT a == \($0)" } + " OR b == 1" },
        Shape(name: "options") { count in joined(count, " OR ") { "a ==[cw] '\($0)'" } },
        Shape(name: "patterns", count: 100) { count in joined(count, " AND ") { "s MATCHES 'a.*\($0)'" } },
        Shape(name: "LIKE") { count in joined(count, " OR ") { "s LIKE '*\($0)?'" } },
        Shape(name: "unknown keys") { count in joined(count, " AND ") { "k\($0) == x\($0)" } },
        Shape(name: "dates without quotes") { count in joined(count, " OR ") { _ in "a > 1990-05-01" } },
        Shape(name: "AND of ORs") { count in joined(count, " AND ") { "(a == \($0) OR b == \($0))" } },
        Shape(name: "integers of IN", count: 1_000) { count in "a IN {" + joined(count, ", ") { "\($0)" } + "}" },
        Shape(name: "texts of IN", count: 1_000) { count in "s IN {" + joined(count, ", ") { "'t\($0)'" } + "}" },
        Shape(name: "fractions of IN", count: 1_000) { count in "a IN {" + joined(count, ", ") { "\($0).5" } + "}" },
        Shape(name: "keys of IN") { count in "a IN {" + joined(count, ", ") { "k\($0)" } + "}" },
        Shape(name: "variables") { count in joined(count, " OR ") { "a == $v\($0)" } },
        Shape(name: "functions of the host") { count in joined(count, " OR ") { "f\($0):(a) == 1" } },
        Shape(name: "collections", count: 100) { count in
            joined(count, " OR ") { "SUBQUERY(c, $x, $x == \($0)).@count == 1" }
        },
        Shape(name: "a text", count: 10_000) { count in "s == '" + String(repeating: "x", count: count) + "'" },
        Shape(name: "arguments of a function") { count in "sum(" + joined(count, ", ") { "\($0)" } + ") > a" },
        Shape(
            name: "arguments", format: { count in joined(count, " OR ") { _ in "a == %@" } },
            arguments: { count in (0..<count).map { .integer(Int64($0)) } }),
        Shape(
            name: "open arguments", format: { count in joined(count, " OR ") { _ in "a == %@" } },
            arguments: { count in (0..<count).map { .integer(Int64($0)) } }),
    ]

    // MARK: - Measuring

    /// Eight would be linear, sixty-four the square; in between lie caches and a noisy machine.
    private static let bound = 20.0

    /// `PREDICATES_SCALE=10 swift test --filter ScalingTests` takes sizes ten times as large.
    private static let scale = ProcessInfo.processInfo.environment["PREDICATES_SCALE"].flatMap(Int.init) ?? 1

    private func expectLinear<Subject>(
        _ shape: Shape, _ work: String, _ prepare: (Int) throws -> Subject, _ body: (Subject) throws -> Void
    ) throws {
        let count = shape.count * Self.scale
        let (small, large) = (try prepare(count), try prepare(8 * count))
        let ratio = try growth({ try body(small) }, { try body(large) })
        #expect(ratio < Self.bound, "\(shape.name): \(work) takes \(Int(ratio)) times as long for eight times the size")
    }

    private static let wide: PredicateLimits = {
        var limits = PredicateLimits.standard
        limits.pathKeys = 1_000_000
        return limits
    }()

    private func predicate(_ shape: Shape, _ count: Int) throws -> FormatPredicate {
        try FormatPredicate(
            format: shape.format(count), arguments: shape.arguments(count), options: FormatOptions(limits: Self.wide))
    }

    // MARK: - Tests

    @Test(arguments: shapes) func library(_ shape: Shape) throws {
        try expectLinear(shape, "parsing", { (shape.format($0), shape.arguments($0)) }) { format, arguments in
            _ = try FormatPredicate(format: format, arguments: arguments)
        }
        try expectLinear(shape, "refusing", { (shape.format($0) + " OR a ==", shape.arguments($0)) }) {
            format, arguments in
            let error = PredicateFormatError.thrown {
                try FormatPredicate(format: format, arguments: arguments)
            }
            _ = error?.description
        }
        try expectLinear(shape, "the untrusted policy", { try predicate(shape, $0) }) { predicate in
            var policy = PredicatePolicy.untrusted
            policy.limits = .standard
            try? policy.check(predicate)
        }
        try expectLinear(shape, "printing", { try predicate(shape, $0) }) { _ = $0.predicateFormat }
        try expectLinear(shape, "source ranges", { try predicate(shape, $0) }) { _ = $0.source?.ranges }
        try expectLinear(shape, "planning", { try predicate(shape, $0) }) { _ = try? PredicateEvaluator($0) }
        let row: [String: PredicateValue] = ["a": -1, "b": -1, "s": "?"]
        try expectLinear(shape, "evaluating", { try? PredicateEvaluator(predicate(shape, $0)) }) { evaluator in
            for _ in 0..<20 { _ = try? evaluator?.evaluate(.value(.dictionary(row))) }
        }
    }

    private static let schema = SQLSchema([
        SQLEntity("Item", table: "item", attributes: ["a": .init(.integer), "b": .init(.integer), "s": .init(.string)])
    ])

    @Test(arguments: shapes) func translating(_ shape: Shape) throws {
        let compiler = SQLCompiler(schema: Self.schema)
        try expectLinear(shape, "SQL", { try predicate(shape, $0) }) { predicate in
            _ = try? compiler.compile(predicate, entity: "Item").select
        }
    }

    private func session() -> Session {
        let session = Session.forTests()
        _ = session.load(file: "scaling.jsonl")
        return session
    }

    @Test(arguments: shapes) func checking(_ shape: Shape) throws {
        let session = session()
        try expectLinear(shape, "check", { (shape.format($0), shape.arguments($0)) }) { format, arguments in
            let words = shape.name.hasPrefix("open") ? [] : arguments.map(\.description)
            for finding in try session.findings(in: format, words: words) { _ = finding.description }
        }
    }

    @Test(arguments: shapes) func explaining(_ shape: Shape) throws {
        let session = session()
        try expectLinear(shape, "explain", { (shape.format($0), shape.arguments($0)) }) { format, arguments in
            _ = try? session.explanation(of: format, words: arguments.map(\.description), object: 1)
        }
    }

    /// A path may be long where a host allows it.
    @Test func paths() throws {
        let shapes = [
            Shape(name: "keys") { "a" + String(repeating: ".b", count: $0) + " == 1" },
            Shape(name: "quoted keys") { "a" + String(repeating: ".#\"b c\"", count: $0) + " == 1" },
            Shape(name: "variables") { "a" + String(repeating: ".$b", count: $0) + " == 1" },
            Shape(name: "operators") { "a" + String(repeating: ".@b", count: $0) + " == 1" },
            Shape(
                name: "keys for %K", format: { _ in "%K == 1" },
                arguments: { count in
                    [.string("a" + String(repeating: ".b", count: count))]
                }),
        ]
        for var shape in shapes {
            shape.count = 2_000
            let options = FormatOptions(limits: Self.wide)
            try expectLinear(shape, "parsing", { (shape.format($0), shape.arguments($0)) }) { format, arguments in
                _ = try FormatPredicate(format: format, arguments: arguments, options: options)
            }
            try expectLinear(shape, "ranges and print", { try predicate(shape, $0) }) { predicate in
                _ = predicate.source?.ranges
                _ = predicate.predicateFormat
            }
            try expectLinear(shape, "the policy", { try predicate(shape, $0) }) { predicate in
                var policy = PredicatePolicy.untrusted
                policy.limits = Self.wide
                policy.keys = .only(["a.*", "x"])
                try? policy.check(predicate)
            }
            try expectLinear(shape, "evaluating", { try predicate(shape, $0) }) { predicate in
                let evaluator = try PredicateEvaluator(predicate, variables: ["b": "b"], limits: Self.wide)
                _ = try? evaluator.evaluate(.value(["a": ["b": 1]]))
            }
        }
    }

    /// The standard limits end what would only be refused later.
    @Test func longPathsAreRefusedAtOnce() throws {
        let shape = Shape(name: "a path past the limit", count: 4_000) {
            "a" + String(repeating: ".b", count: $0) + " == 1"
        }
        for limits in [PredicateLimits.standard, .untrusted] {
            try expectLinear(shape, "refusing", shape.format) { format in
                let error = PredicateFormatError.thrown {
                    try FormatPredicate(format: format, arguments: [], options: FormatOptions(limits: limits))
                }
                _ = error?.description
            }
        }
    }
}
