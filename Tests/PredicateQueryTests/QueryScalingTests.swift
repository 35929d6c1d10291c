import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// A query that is eight times as long takes some eight times as long: no work grows with the square of its values.
@Suite(.serialized) struct QueryScalingTests {
    /// A query that grows with the number of its values.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let format: @Sendable (Int) -> String

        var testDescription: String { name }
    }

    private static func list(_ count: Int, _ separator: String = ", ", _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: separator)
    }

    static let shapes: [Shape] = [
        Shape(name: "values") { count in list(count) { "k\($0)" } },
        Shape(name: "names") { count in list(count) { "k\($0) AS n\($0)" } + " ORDER BY " + list(count) { "n\($0)" } },
        Shape(name: "order") { count in "* ORDER BY " + list(count) { "k\($0) DESC" } },
        Shape(name: "unknown order") { count in "a ORDER BY " + list(count) { "x\($0)" } },
        Shape(name: "limit of each") { count in list(count) { "k\($0)" } + " LIMIT 1 BY " + list(count) { "k\($0)" } },
        Shape(name: "different groups") { count in
            "DISTINCT " + list(count) { "k\($0)" } + " GROUP BY " + list(count) { "k\($0)" }
        },
        Shape(name: "groups") { count in "count() AS c GROUP BY " + list(count) { "k\($0)" } },
        Shape(name: "aggregates") { count in
            list(count) { "sum(k\($0))" } + " ORDER BY " + list(count) { "sum(k\($0))" }
        },
        Shape(name: "computed of groups") { count in
            list(count) { "k\($0) + 1 AS n\($0)" } + " GROUP BY " + list(count) { "k\($0)" }
        },
        Shape(name: "having") { count in
            list(count) { "sum(k\($0)) AS s\($0)" } + " HAVING " + list(count, " AND ") { "s\($0) > 1" }
        },
    ]

    private static let count = 200

    private func expectLinear<Subject>(
        _ shape: Shape, _ work: String, _ prepare: (String) throws -> Subject, _ body: (Subject) throws -> Void
    ) throws {
        let (small, large) = (try prepare(shape.format(Self.count)), try prepare(shape.format(8 * Self.count)))
        let ratio = try growth({ try body(small) }, { try body(large) })
        #expect(ratio < 20, "\(shape.name): \(work) takes \(Int(ratio)) times as long for eight times the size")
    }

    private static let objects: [[String: PredicateValue]] = {
        let values = (0..<8 * count).map { ("k\($0)", PredicateValue.integer(Int64($0))) }
        return Array(repeating: Dictionary(values) { first, _ in first }, count: 2)
    }()

    private static let schema: SQLSchema = {
        let keys = (0..<8 * count).map { ("k\($0)", SQLAttribute(.integer)) } + [("a", SQLAttribute(.integer))]
        return SQLSchema([SQLEntity("Item", table: "item", attributes: Dictionary(keys) { first, _ in first })])
    }()

    @Test(arguments: shapes) func textAndChecks(_ shape: Shape) throws {
        try expectLinear(shape, "parsing", { $0 }) { _ = try FormatQuery($0) }
        try expectLinear(shape, "printing", { try FormatQuery($0) }) { _ = $0.description }
        try expectLinear(shape, "the rules", { try FormatQuery($0) }) { try $0.validate() }
        try expectLinear(shape, "checks", { try FormatQuery($0) }) { _ = $0.check() }
        var policy = PredicatePolicy.untrusted
        policy.limits = .standard
        policy.keys = .only(Set(Self.objects[0].keys).union(["a"]))
        try expectLinear(shape, "the policy", { try FormatQuery($0) }) { try? policy.check($0) }
    }

    @Test(arguments: shapes) func results(_ shape: Shape) throws {
        try expectLinear(shape, "evaluation", { try FormatQuery($0) }) { query in
            _ = try? Self.objects.results(of: query)
        }
        let compiler = SQLCompiler(schema: Self.schema)
        try expectLinear(shape, "SQL", { try FormatQuery($0) }) { query in
            _ = try? compiler.compile(query, entity: "Item")
        }
    }
}
