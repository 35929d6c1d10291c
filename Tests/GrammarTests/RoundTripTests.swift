import PredicateGenerators
@testable import PredicateSyntax
import Testing

/// Print, parse, compare: every tree survives. [NSP-149]
struct RoundTripTests {
    @Test("random predicates print as formats of equal trees", arguments: 0..<4)
    func predicates(part: Int) {
        var trees = RandomTree(seed: 100 + UInt64(part))
        var findings = Findings()
        for number in 0..<3_000 {
            let tree = trees.predicate(depth: 1 + number % 3)
            guard tree.isWithin(.standard), tree.readsBack else { continue }
            findings.check(tree.predicateFormat) { try FormatPredicate(tree.predicateFormat).node == tree }
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test("random expressions print as formats of equal trees", arguments: 0..<4)
    func expressions(part: Int) {
        var trees = RandomTree(seed: 200 + UInt64(part))
        var findings = Findings()
        for number in 0..<3_000 {
            let tree = trees.expression(depth: 1 + number % 4)
            guard tree.readsBack else { continue }
            let text = "(\(tree.expressionFormat))"
            findings.check(text) { try FormatExpression(text).node == tree }
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test("every operator with every modifier and all options")
    func operators() throws {
        let comparisons: [ComparisonOperator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .between, .in,
        ]
        let (left, right) = (ExpressionNode.keyPath(KeyPathExpression(keys: "a")), ExpressionNode.variable("b"))
        for modifier in ComparisonModifier.allCases {
            for options in (0..<16).map(ComparisonOptions.init(rawValue:)) {
                for `operator` in comparisons {
                    let node = ComparisonPredicate(left, `operator`, right, modifier: modifier, options: options)
                    #expect(
                        try FormatPredicate(PredicateNode.comparison(node).predicateFormat).node == .comparison(node))
                }
                for `operator` in StringOperator.allCases {
                    let node = StringPredicate(left, `operator`, right, modifier: modifier, options: options)
                    #expect(try FormatPredicate(PredicateNode.string(node).predicateFormat).node == .string(node))
                }
            }
        }
    }

    @Test(
        "what fits the limits prints within them",
        arguments: ["NOT ", "-", "~", "(", "{", "sum(", "a + ", "f(-", "NOT ("])
    func limits(opening: String) throws {
        var findings = Findings()
        for count in stride(from: 10, through: 200, by: 19) {
            let closing = String(repeating: opening.filter { "({".contains($0) } == "(" ? ")" : "}", count: count)
            let isOpen = opening.contains("(") || opening.contains("{")
            let head = String(repeating: opening, count: count)
            let tail = isOpen ? closing : ""
            let format = opening.hasPrefix("NOT") ? "\(head)a == 1\(tail)" : "\(head)a\(tail) == 1"
            guard let predicate = try? FormatPredicate(format) else { continue }
            findings.check("\(count) times \(opening)") { try FormatPredicate(predicate.predicateFormat) == predicate }
        }
        #expect(findings.isEmpty, "\(findings)")
    }
}
