@testable import PredicateSyntax
import Testing

/// Precedence and associativity, for every pair of operators. [NSP-041] [NSP-042] [NSP-043] [NSP-046] [NSP-047]
struct PrecedenceTests {
    private let a = Self.key("a")
    private let b = Self.key("b")
    private let c = Self.key("c")

    private static func key(_ name: String) -> ExpressionNode {
        .keyPath(KeyPathExpression(keys: name))
    }

    private func parsed(_ format: String) throws -> ExpressionNode {
        try FormatExpression(format).node
    }

    @Test("the order of the operators is that of the table", arguments: BinaryOperator.allCases)
    func table(first: BinaryOperator) throws {
        let table: [[BinaryOperator]] = [
            [.union, .intersect, .minus], [.bitwiseOr], [.bitwiseXor], [.bitwiseAnd], [.leftShift, .rightShift],
            [.add, .subtract], [.multiply, .divide], [.power],
        ]
        let level = try #require(table.firstIndex { $0.contains(first) })
        for second in BinaryOperator.allCases {
            let other = try #require(table.firstIndex { $0.contains(second) })
            #expect((first.precedence < second.precedence) == (level < other), "\(first), \(second)")
        }
    }

    @Test("two binary operators group by precedence, equal ones from the left", arguments: BinaryOperator.allCases)
    func pairs(first: BinaryOperator) throws {
        for second in BinaryOperator.allCases {
            let text = "a \(first.spelling) b \(second.spelling) c"
            let isTighter = second.precedence > first.precedence
            let expected = isTighter ? first.node(a, second.node(b, c)) : second.node(first.node(a, b), c)
            #expect(try parsed(text) == expected, "\(text)")
            #expect(try parsed("(a \(first.spelling) b) \(second.spelling) c") == second.node(first.node(a, b), c))
            #expect(try parsed("a \(first.spelling) (b \(second.spelling) c)") == first.node(a, second.node(b, c)))
        }
    }

    @Test("a unary operator takes ** and nothing looser", arguments: BinaryOperator.allCases)
    func unary(binary: BinaryOperator) throws {
        for (mark, function) in [("-", FunctionExpression.Predefined.negate), ("~", .onesComplement)] {
            func minus(_ node: ExpressionNode) -> ExpressionNode {
                .function(FunctionExpression(.predefined(function), [node]))
            }
            let left = binary == .power ? minus(binary.node(a, b)) : binary.node(minus(a), b)
            #expect(try parsed("\(mark)a \(binary.spelling) b") == left)
            #expect(try parsed("a \(binary.spelling) \(mark)b") == binary.node(a, minus(b)))
            #expect(
                try parsed("a \(binary.spelling) \(mark)b ** c")
                    == binary.node(a, minus(BinaryOperator.power.node(b, c))))
            #expect(
                try parsed("\(mark)\(mark)a \(binary.spelling) b")
                    == (binary == .power
                        ? minus(minus(binary.node(a, b))) : binary.node(minus(minus(a)), b)))
        }
    }

    @Test("an index and a dot bind tighter than every operator", arguments: BinaryOperator.allCases)
    func paths(binary: BinaryOperator) throws {
        let index = ExpressionNode.index(IndexExpression(base: b, index: c))
        #expect(try parsed("a \(binary.spelling) b[c]") == binary.node(a, index))
        #expect(try parsed("a \(binary.spelling) b.c") == binary.node(a, Self.key("b.c")))
        #expect(try parsed("b[c] \(binary.spelling) a") == binary.node(index, a))
        #expect(try parsed("b.c \(binary.spelling) a") == binary.node(Self.key("b.c"), a))
    }

    @Test("every operator binds tighter than a comparison", arguments: BinaryOperator.allCases)
    func comparisons(binary: BinaryOperator) throws {
        let operation = binary.node(a, b)
        for `operator` in ["==", "<", "IN", "LIKE[c]", "isEqual:"] {
            let (left, right) = ("a \(binary.spelling) b", "b \(binary.spelling) a")
            let node = try FormatPredicate("\(left) \(`operator`) \(right)").node
            #expect(TreeNode.predicate(node).children == [.expression(operation), .expression(binary.node(b, a))])
        }
    }

    @Test("AND binds tighter than OR, NOT tighter than both, chains are flat")
    func logic() throws {
        let expected = [
            "p OR q AND r": "p OR (q AND r)", "p AND q OR r": "(p AND q) OR r",
            "p AND q AND r": "p AND q AND r", "p OR q OR r": "p OR q OR r",
            "NOT p AND q": "(NOT p) AND q", "NOT p OR q": "(NOT p) OR q",
            "p AND NOT q": "p AND (NOT q)", "p OR NOT q": "p OR (NOT q)", "NOT NOT p": "NOT (NOT p)",
            "(p AND q) AND r": "(p AND q) AND r", "p AND (q AND r)": "p AND (q AND r)",
            "(p OR q) AND r": "(p OR q) AND r", "NOT (p AND q)": "NOT (p AND q)",
            "NOT p AND NOT q OR NOT r": "((NOT p) AND (NOT q)) OR (NOT r)",
        ]
        for (format, print) in expected {
            #expect(try FormatPredicate(clauses(format)).predicateFormat == clauses(print), "\(format)")
        }
    }

    /// A compound of comparisons for the letters.
    private func clauses(_ text: String) -> String {
        text.map { "pqr".contains($0) ? "\($0) == 1" : String($0) }.joined()
    }

    @Test("the marks of C mean what the words mean", arguments: ["p && q || r", "! p && q", "p || q && !r", "!!p"])
    func marks(format: String) throws {
        var words = format
        for (mark, word) in [("&&", "AND"), ("||", "OR"), ("!", " NOT ")] {
            words = words.replacing(mark, with: word)
        }
        #expect(try FormatPredicate(clauses(format)) == FormatPredicate(clauses(words)))
    }
}
