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
    }

    @Test func fieldsAreListedInTheOrderOfFirstUse() throws {
        let fields = Fields(
            try FormatPredicate(
                "a.b > $x AND SUBQUERY(c, $i, $i.d == e AND $x > 1).@count == sum:(f) AND FUNCTION(g, 'upper') == SELF.h"
            ).node)
        #expect(fields.keyPaths == ["a.b", "c", "e", "f", "g", "h"])
        #expect(fields.variables == ["x"])
        #expect(fields.functions == ["sum:", "upper"])
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

    @Test func stringsThatLookAlikeAreDifferentConstants() {
        #expect(PredicateValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(PredicateValue.bool(true) == .integer(1))
        #expect(PredicateValue.bool(true).hashValue == PredicateValue.integer(1).hashValue)
        #expect(PredicateValue.integer(2) != .double(2))
        #expect(PredicateValue.double(.nan) == .double(.nan))
        #expect(PredicateValue.null != .nullObject)
    }
}
