import Foundation
import PredicateSyntax
import Testing

struct TreeTests {
    @Test func nodesAreNumberedAsPlacesAre() throws {
        let format = "a.b + 1 > 2 AND (NONE c == -3 OR SUBQUERY(d, $x, $x.y[0] == {e, 4}).@count > f.g[1])"
        let predicate = try FormatPredicate(format)
        let source = try #require(predicate.source)
        let bytes = Array(format.utf8)
        for (number, range) in source.ranges.enumerated() {
            let node = try #require(TreeNode.predicate(predicate.node).node(number: number))
            let text = String(decoding: bytes[range], as: UTF8.self)
            switch node {
            case .predicate(.compound(let compound)) where compound.type == .not: #expect(text == "NONE c == -3")
            case .predicate(let node) where text.contains("NONE c"): #expect(text.contains("c == -3"), "\(node)")
            case .predicate(let node): #expect(try FormatPredicate(text).node == node)
            case .expression(let node): #expect(try FormatExpression(text).node == node)
            }
        }
        #expect(TreeNode.predicate(predicate.node).node(number: source.ranges.count) == nil)
        #expect(TreeNode.predicate(predicate.node).node(number: -1) == nil)
    }

    /// Made by hand: no format string says it.
    @Test func aPathWithoutKeysIsTheObject() {
        let path = ExpressionNode.keyPath(KeyPathExpression([]))
        #expect(path.expressionFormat == "SELF")
        let based = ExpressionNode.keyPath(KeyPathExpression(base: .variable("x"), []))
        #expect(based.expressionFormat == "$x")
    }

    @Test func fieldsAreListedInTheOrderOfFirstUse() throws {
        let fields = PredicateReferences(
            try FormatPredicate(
                "a.b > $x AND SUBQUERY(c, $i, $i.d == e AND $x > 1).@count == sum:(f) AND FUNCTION(g, 'upper') == SELF.h"
            ).node)
        #expect(fields.keyPaths == ["a.b", "c", "e", "f", "g", "h"])
        #expect(fields.variables == ["x"])
        #expect(fields.functions == ["sum:", "upper"])
    }

    /// Variables that a tree binds are not references, within their scope.
    @Test(
        arguments: [
            ("SUBQUERY(a, $x, SUBQUERY(b, $x, $x == 1).@count == $x.c).@count == 1", []),
            ("SUBQUERY(a, $x, $x == 1).@count == $x", ["x"]), ("($v := 1) == 1 AND $v == 1", []),
            ("($v := $v + 1) == 1", ["v"]), ("SUBQUERY(a, $x, ($x := 1) == 1).@count == $x", ["x"]),
            ("SUBQUERY(a, $x, ($v := $x) == 1).@count == $v", []),
        ])
    func variablesThatAskForAValue(_ format: String, _ names: [String]) throws {
        let predicate = try FormatPredicate(format)
        #expect(PredicateReferences(predicate.node).variables == names)
        // A template asks for the same.
        #expect((try? predicate.substituting([:])) == (names.isEmpty ? predicate : nil))
    }

    /// Two subpredicates are stored differently from more, which is not observable.
    @Test(arguments: 0..<8, [LogicalType.and, .or, .not])
    func aCompoundHoldsWhatItWasMadeOf(count: Int, type: LogicalType) throws {
        let nodes = try (0..<count).map { try FormatPredicate("a == %d", $0).node }
        let compound = CompoundPredicate(type, nodes)
        #expect(compound.type == type)
        #expect(compound.subpredicates == nodes)
        #expect(PredicateNode.compound(compound).children == nodes.map(TreeNode.predicate))
        if type != .not, count > 1 {
            let parsed = try FormatPredicate(nodes.map(\.predicateFormat).joined(separator: " \(type.spelling) "))
            #expect(parsed.node == .compound(compound))
            #expect(parsed.predicateFormat == PredicateNode.compound(compound).predicateFormat)
        }
        var grown = CompoundPredicate(type, [])
        for node in nodes { grown.subpredicates.append(node) }
        #expect(grown == compound)
        #expect(Set([grown, compound]).count == 1)
        for index in nodes.indices {
            grown.subpredicates[index] = .constant(true)
            #expect(grown != compound)
            grown.subpredicates[index] = nodes[index]
        }
        #expect(grown == compound)
        grown.subpredicates.append(.constant(true))
        #expect(grown != compound)
    }

    @Test(arguments: 0..<5)
    func aPathHoldsWhatItWasMadeOf(count: Int) throws {
        let keys = (0..<count).map { KeyPathExpression.Component.key("k\($0)") }
        for base in [nil, ExpressionNode.variable("v")] {
            for variable in -1..<count {
                var components = keys
                if variable >= 0 { components[variable] = .variable("k") }
                let path = KeyPathExpression(base: base, components)
                #expect(path.base == base)
                #expect(path.components == components)
                var changed = KeyPathExpression(components)
                changed.base = base
                #expect(changed == path)
                changed.components.append(.key("end"))
                #expect(changed != path)
                changed.components.removeLast()
                #expect(Set([changed, path]).count == 1)
                // A path that begins with a variable and has no base is no text of its own.
                if count > 0, base != nil || variable != 0 {
                    let node = ExpressionNode.keyPath(path)
                    #expect(try FormatExpression(node.expressionFormat).node == node)
                }
            }
        }
    }

    @Test(arguments: 0..<4)
    func aCallHoldsWhatItWasMadeOf(count: Int) {
        let arguments = (0..<count).map { ExpressionNode.constantValue(.integer(Int64($0))) }
        var call = FunctionExpression(.predefined(.sum), arguments)
        #expect(call.arguments == arguments)
        #expect(ExpressionNode.function(call).children == arguments.map(TreeNode.expression))
        call.function = .custom("f")
        #expect(call == FunctionExpression(.custom("f"), arguments))
        call.arguments.append(.evaluatedObject)
        #expect(call.arguments == arguments + [.evaluatedObject])
        #expect(call != FunctionExpression(.custom("f"), arguments))
    }

    /// A tree is equal to the same one made anew and to no other.
    @Test func everyKindOfNodeEqualsItselfAlone() throws {
        func trees() throws -> [PredicateNode] {
            try [
                "TRUEPREDICATE", "FALSEPREDICATE", "a == 1", "a != 1", "a ==[c] 1", "ANY a == 1", "a LIKE 'b'",
                "a LIKE[c] 'b'", "a == 1 AND b == 1", "a == 1 OR b == 1", "NOT a == 1", "a == 1 AND b == 1 AND c == 1",
                "a == 1 AND b == 1 AND c == 2", "SELF == 1", "$a == 1", "$b == 1", "a.b == 1", "a.c == 1", "b.b == 1",
                "$a.b == 1", "$a.c == 1", "$b.b == 1", "a.b.c == 1", "a.b.d == 1", "$a.b.c == 1", "$a.b.d == 1",
                "a.b[0] == 1", "a.upper('x') == 1", "-a == 1", "-b == 1", "a + b == 1", "a - b == 1", "b + b == 1",
                "a + c == 1", "now() == 1", "sum({a, b, c}) == 1", "FUNCTION(a, 'b') == 1", "FUNCTION(a, 'c') == 1",
                "CAST(a, 'NSString') == 1", "CAST(a, 'NSDate') == 1", "a IN {b, 1}", "a IN {b, 2}", "a[0] == 1",
                "a[1] == 1", "a[FIRST] == 1", "a[LAST] == 1", "SUBQUERY(a, $x, $x == 1) == 1",
                "SUBQUERY(a, $x, $x == 2) == 1", "SUBQUERY(a, $y, $x == 1) == 1", "TERNARY(a == 1, b, c) == 1",
                "TERNARY(a == 1, b, d) == 1", "(a UNION b) == 1", "(a MINUS b) == 1", "($a := 1) == 1",
                "($a := 2) == 1", "ANYKEY == 1", "FETCH(a, b, NO) == 1", "FETCH(a, b, YES) == 1",
            ].map { try FormatPredicate($0).node }
        }
        let (some, others) = (try trees(), try trees())
        for (index, node) in some.enumerated() {
            #expect(others.indices.filter { others[$0] == node } == [index])
        }
        #expect(Set(some + others).count == some.count)
    }

    @Test func namesCompareByCodePoint() throws {
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        func trees(_ name: String) -> [ExpressionNode] {
            let key = ExpressionNode.variable("a")
            return [
                .assignment(AssignmentExpression(variable: name, key)),
                .subquery(SubqueryExpression(key, variable: name, predicate: .constant(true))),
                .message(MessageExpression(target: key, selector: name)), .cast(CastExpression(key, type: name)),
                .function(FunctionExpression(.custom(name), [key])), .variable(name),
            ]
                + [[name], ["a", name], [name, "a"], ["a", "b", name]].flatMap { names in
                    let components = names.map(KeyPathExpression.Component.key)
                    return [nil, key].map { ExpressionNode.keyPath(KeyPathExpression(base: $0, components)) }
                }
        }
        for (left, right) in zip(trees(one), trees(two)) { #expect(left != right) }
        let (ones, twos) = (trees(one), trees(two))
        #expect(Set(ones + twos + ones).count == 2 * ones.count)
        let both = try FormatPredicate("$'\(one)' == $'\(two)'")
        #expect(PredicateReferences(both.node).variables.map(\.utf8.count) == [5, 6])
        #expect(throws: PredicateFormatError.self) { try both.substituting([one: 1]) }
    }

    @Test func theTreeIsDrawn() throws {
        let dump = TreeDump(try FormatPredicate("ANY a.b ==[cd] 1 OR NOT x LIKE 'y'").node)
        #expect(
            dump.description == """
                compound OR
                ├─ subpredicate: comparison ANY == [cd]
                │  ├─ left: keyPath a.b
                │  └─ right: constantValue 1
                └─ subpredicate: compound NOT
                   └─ subpredicate: string LIKE
                      ├─ left: keyPath x
                      └─ right: constantValue "y"
                """)
    }

    /// The numbers that archives hold.
    @Test func operatorsHaveTheNumbersOfArchives() {
        let comparisons: [ComparisonOperator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
        ]
        #expect(comparisons.map(\.archivedNumber) == [0, 1, 2, 3, 4, 5])
        let strings: [StringOperator] = [.matches, .like, .beginsWith, .endsWith, .contains]
        #expect(strings.map(\.archivedNumber) == [6, 7, 8, 9, 99])
        #expect(ComparisonOperator.in.archivedNumber == 10 && ComparisonOperator.between.archivedNumber == 100)
        #expect(StringOperator.utiEquals.archivedNumber == nil && StringOperator.utiConformsTo.archivedNumber == nil)
    }

    @Test func stringsThatLookAlikeAreDifferentConstants() {
        #expect(PredicateValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(PredicateValue.bool(true) == .integer(1))
        #expect(PredicateValue.bool(true).hashValue == PredicateValue.integer(1).hashValue)
        #expect(PredicateValue.integer(2) != .double(2))
        #expect(PredicateValue.double(.nan) == .double(.nan))
        #expect(Set([PredicateValue.double(.nan), .double(-.nan)]).count == 1)
        let dates = [Double.nan, -.nan, 0, -0.0].map { PredicateValue.date(Date(timeIntervalSinceReferenceDate: $0)) }
        #expect(Set(dates).count == 2)
        #expect(PredicateValue.null != .nullObject)
    }
}
