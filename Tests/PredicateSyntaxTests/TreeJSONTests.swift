import Foundation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Trees as JSON, for user interfaces.
@Suite struct TreeJSONTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func tree(_ json: String, _ policy: PredicatePolicy = .unrestricted) throws -> PredicateNode {
        let decoder = JSONDecoder()
        decoder.userInfo[.predicatePolicy] = policy
        return try decoder.decode(PredicateNode.self, from: Data(json.utf8))
    }

    private func refusal(_ json: String, _ policy: PredicatePolicy = .unrestricted) -> PredicateArchiveError? {
        PredicateArchiveError.thrown { try tree(json, policy) }
    }

    @Test(arguments: [
        ("TRUEPREDICATE", #"{"constant":true}"#),
        ("age >= 21", #"{"left":{"key":"age"},"operator":">=","right":{"int":21}}"#),
        (
            #"ANY tags.name BEGINSWITH[cd] "jo""#,
            #"{"left":{"key":"tags.name"},"operator":"BEGINSWITH","options":"cd","quantifier":"ANY","right":{"string":"jo"}}"#
        ),
        (
            "NOT a == 1",
            #"{"not":{"left":{"key":"a"},"operator":"==","right":{"int":1}}}"#
        ),
        (
            "SELF == $x OR a.@count > 1",
            #"{"or":[{"left":{"self":true},"operator":"==","right":{"variable":"x"}},"#
                + #"{"left":{"key":"a.@count"},"operator":">","right":{"int":1}}]}"#
        ),
        (
            "a BETWEEN {b, 3}",
            #"{"left":{"key":"a"},"operator":"BETWEEN","right":{"list":[{"key":"b"},{"int":3}]}}"#
        ),
        (
            "a + 1 == TERNARY(b == 2, c, nil)",
            #"{"left":{"arguments":[{"key":"a"},{"int":1}],"function":"add:to:"},"operator":"==","#
                + #""right":{"else":{"nil":true},"if":{"left":{"key":"b"},"operator":"==","right":{"int":2}},"then":{"key":"c"}}}"#
        ),
        (
            "SUBQUERY(friends, $f, $f.age > 1).@count > 2",
            #"{"left":{"key":"@count","of":{"as":"f","subquery":{"key":"friends"},"#
                + #""where":{"left":{"key":"age","of":{"variable":"f"}},"operator":">","right":{"int":1}}}},"#
                + #""operator":">","right":{"int":2}}"#
        ),
        (
            #"CAST(born, "NSString") == "x""#,
            #"{"left":{"format":"CAST(born, \"NSString\")"},"operator":"==","right":{"string":"x"}}"#
        ),
        ("a isKind: 1", #"{"left":{"key":"a"},"operator":"isKind:","right":{"int":1}}"#),
    ])
    func aNodeIsAnObjectWhoseKindIsAMember(format: String, expected: String) throws {
        let node = try FormatPredicate(format).node
        #expect(try json(node) == expected)
        #expect(try tree(expected) == node)
    }

    @Test func aFormatIsReadAnywhere() throws {
        let mixed =
            #"{"and": ["age > 1", {"operator": "==", "left": "name", "right": {"format": "%@", "arguments": [{"string": "x"}]}}]}"#
        #expect(try tree(mixed) == FormatPredicate("age > 1 AND name == 'x'").node)
        #expect(try tree(#""age > 1""#) == FormatPredicate("age > 1").node)
    }

    @Test(arguments: CodableTests.values)
    func everyConstantIsReadBack(value: PredicateValue) throws {
        let node = try FormatPredicate(format: "a == %@ AND NOT b IN[c] %@", arguments: [value, .array([value])]).node
        #expect(try tree(json(node)) == node)
    }

    @Test(arguments: [
        ("{}", "kind", ""), (#"{"and": [], "or": []}"#, "kind", ""),
        (#"{"not": {"left": {"key": "a"}}}"#, "kind", "not"),
        (#"{"not": {"constant": true}, "nmae": 1}"#, "member", ""),
        (#"{"operator": "==", "left": {"key": "a", "nmae": 1}, "right": {"int": 1}}"#, "member", "left"),
        (#"{"operator": "==", "left": {"key": "a"}, "right": {"int": 1, "nmae": 2}}"#, "member", "right"),
        (#"{"operator": "==", "left": {"key": "a"}, "right": {"int": 1, "string": "x"}}"#, "member", "right"),
        (#"{"and": ["a == 1", {"operator": "=>=", "left": "a", "right": "b"}]}"#, "word", "and[1].operator"),
        (#"{"operator": "==", "left": "a", "right": "b", "options": "cx"}"#, "word", "options"),
        (#"{"operator": "==", "left": "a", "right": "b", "quantifier": "SOME"}"#, "word", "quantifier"),
    ])
    func whatNoNodeHasIsAnErrorWithItsPlace(json: String, kind: String, place: String) throws {
        let error = try #require(refusal(json))
        switch error.code {
        case .kind: #expect(kind == "kind")
        case .member: #expect(kind == "member")
        case .word: #expect(kind == "word")
        default: Issue.record("\(error)")
        }
        #expect(error.text == place)
        #expect(!error.hints.isEmpty)
    }

    @Test func aMissingPartAndAValueOfAnotherTypeAreErrors() {
        #expect(throws: DecodingError.self) { try tree(#"{"operator": "==", "left": {"key": "a"}}"#) }
        #expect(throws: DecodingError.self) { try tree(#"{"and": 1}"#) }
        #expect(throws: DecodingError.self) { try tree("21") }
        #expect(throws: PredicateFormatError.self) { try tree(#"{"not": "a =="}"#) }
    }

    @Test func depthHasALimit() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"not":"#, count: levels) + #"{"constant":true}"#
                + String(repeating: "}", count: levels)
        }
        #expect(try tree(nested(19), .untrusted).predicateFormat.hasPrefix("NOT"))
        #expect(refusal(nested(20), .untrusted)?.code == .nesting(limit: 20))
        #expect(refusal(nested(150))?.code == .nesting(limit: 100))
        #expect(throws: (any Error).self) { try tree(nested(100_000)) }
        let list = String(repeating: #"{"list":["#, count: 150) + String(repeating: "]}", count: 150)
        #expect(refusal(#"{"operator": "==", "left": \#(list), "right": "a"}"#)?.code == .nesting(limit: 100))
    }

    @Test func aTreeThatIsTooDeepIsNotEncoded() {
        let deep = (0..<150).reduce(PredicateNode.constant(true)) { node, _ in
            .compound(CompoundPredicate(.not, [node]))
        }
        #expect(PredicateArchiveError.thrown { try json(deep) }?.code == .nesting(limit: 100))
    }

    @Test func aTreeMustPassThePolicy() {
        #expect(throws: PredicateFormatError.self) {
            try tree(#"{"operator": "==", "left": {"function": "mine:", "arguments": []}, "right": "a"}"#, .untrusted)
        }
        let long = #"{"or": [\#(Array(repeating: #""a == 1""#, count: 600).joined(separator: ","))]}"#
        #expect(PredicateFormatError.thrown { try tree(long, .untrusted) }?.code == .exceeds(.nodes, limit: 1000))
        let text = String(repeating: "x", count: 10_000)
        #expect(throws: PredicateFormatError.self) {
            try tree(#"{"operator": "==", "left": {"key": "a"}, "right": {"string": "\#(text)"}}"#, .untrusted)
        }
    }

    /// No parser makes these trees, but a client may.
    @Test(arguments: [
        #"{"function": "add:to:", "arguments": []}"#, #"{"function": "add:to:", "arguments": [{"int": 1}]}"#,
        #"{"function": "", "arguments": []}"#, #"{"key": ""}"#, #"{"key": "a..b"}"#, #"{"variable": ""}"#,
        #"{"list": []}"#,
        #"{"function": "negate:", "arguments": [1, 2]}"#, #"{"subquery": "a", "as": "", "where": {"and": []}}"#,
    ])
    func oddTreesAreReadAndPrinted(expression: String) throws {
        let json = #"{"operator": "==", "left": \#(expression), "right": {"int": 1}}"#
        guard let node = try? tree(json) else { return }
        #expect(!node.predicateFormat.isEmpty)
        #expect(!TreeDump(node).description.isEmpty)
        #expect(try tree(self.json(node)) == node)
    }
}
