import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// Members of JSON objects: `j1.a.b == 5`, `ANY j1.tags == "x"`, `"x" IN j1.a`. [NSP-437]
extension PredicateGenerator {
    mutating func member(_ depth: Int) -> PredicateNode? {
        guard let column = attribute({ $0 == .json }) else { return nil }
        if random.percent(4) { return .comparison(.init(column, equality(), .constantValue(.null))) }
        let path = column.appending(random.any(of: SampleValues.members) ?? "a")
        let inner = path.appending(random.any(of: SampleValues.members) ?? "a")
        let left = random.percent(30) ? inner : path
        switch random.below(9) {
        case 0: return .comparison(.init(left, equality(), .constantValue(.null)))
        case 1: return .string(.init(left, random.pick(.beginsWith, .endsWith), string(0), options: options()))
        case 2: return .comparison(.init(left, .in, list([constant(), constant(), constant()])))
        case 3: return .comparison(.init(left, .between, list([number(0), number(0)])))
        case 4: return .comparison(.init(constant(), .in, path, options: options()))
        case 5:
            return .comparison(
                .init(path, random.percent(50) ? equality() : relation(), constant(), modifier: random.pick(.any, .all))
            )
        case 6: return .string(.init(path, .beginsWith, string(0), modifier: .any, options: options()))
        case 7: return .string(.init(left, .like, .constantValue(.string("*a*")), options: options()))
        default: return .comparison(.init(left, relation(), constant()))
        }
    }

    private mutating func constant() -> ExpressionNode {
        switch random.below(8) {
        case 0, 1, 2: .constantValue(.string(random.any(of: SampleValues.memberTexts) ?? "a"))
        case 3: .constantValue(.bool(random.percent(50)))
        case 4: .constantValue(.double(random.any(of: SampleValues.doubles) ?? 0))
        case 5: .constantValue(.integer(random.any(of: SampleValues.integers) ?? 0))
        default: .constantValue(.integer(Int64(random.below(4))))
        }
    }
}

extension SampleValues {
    static let members = ["a", "b", "user", "tags", "é"]
    static let memberTexts = ["x", "a", "A", "é", "e\u{301}", "", "a\"b\\", "😀", "ab"]

    /// A document with members of every kind, some of them twice.
    static func document(_ random: inout RandomSource) -> String {
        if random.percent(6) { return random.any(of: ["[]", "3", "\"x\"", "null", "[{\"a\": 1}]"]) ?? "" }
        return object(&random, depth: 0)
    }

    private static func object(_ random: inout RandomSource, depth: Int) -> String {
        let members = (0..<random.below(6)).map { _ in
            "\"\(random.any(of: Self.members) ?? "a")\": \(member(&random, depth: depth + 1))"
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func member(_ random: inout RandomSource, depth: Int) -> String {
        switch random.below(12) {
        case 0, 1, 2:
            "\"\((random.any(of: memberTexts) ?? "").replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case 3, 4: String(random.below(4))
        case 5: random.any(of: ["0.1", "-0.0", "1.0", "2.5e0", "1e300", "5e-324", "0.30000000000000004"]) ?? "0"
        case 6:
            random.any(of: [
                "9007199254740993", "9007199254740992", "-9007199254740993", "9223372036854775807",
                "12345678901234567890123",
            ]) ?? "0"
        case 7: random.percent(50) ? "true" : "false"
        case 8: "null"
        case 9 where depth < 3, 10 where depth < 3:
            "[\((0..<random.below(4)).map { _ in member(&random, depth: depth + 1) }.joined(separator: ", "))]"
        case _ where depth < 3: object(&random, depth: depth)
        default: "\"a\""
        }
    }
}
