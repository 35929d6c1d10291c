import Foundation
import PredicateSyntax
import Testing

/// Each limit of the parser: what lies at it is read, what lies just past it is an error that says the limit.
@Suite struct ParserLimitTests {
    struct Bound: Sendable, CustomTestStringConvertible {
        let limit: PredicateLimits.Limit
        let most: Int
        let within: String
        let past: String
        var arguments: [PredicateValue] = []
        var pastArguments: [PredicateValue] = []
        var place: Range<Int>

        var testDescription: String { "\(limit): \(past)" }
    }

    static let bounds = [
        Bound(limit: .nodes, most: 7, within: "a == 1 OR b == 2", past: "a == 1 OR b == c.d[0]", place: 0..<21),
        Bound(limit: .nodes, most: 3, within: "a IN {1, 2, 3, 4}", past: "a IN {1, 2, 3, b}", place: 0..<17),
        Bound(
            limit: .arguments, most: 2, within: "a IN {%@, %@}", past: "a IN {%@, %@, %@}",
            arguments: [1, 2], pastArguments: [1, 2, 3], place: 0..<17),
        Bound(limit: .literalLength, most: 3, within: "a == 'abc'", past: "a == 'abcd'", place: 5..<11),
        Bound(limit: .literalLength, most: 3, within: "a IN {'abc'}", past: "a IN {'abcd'}", place: 6..<12),
        Bound(
            limit: .literalLength, most: 3, within: "a == %@", past: "a == %@", arguments: ["abc"],
            pastArguments: ["abcd"], place: 5..<7),
        Bound(
            limit: .literalLength, most: 3, within: "a == %@", past: "a == %@", arguments: ["é1"],
            pastArguments: ["éé"], place: 5..<7),
        Bound(
            limit: .literalLength, most: 3, within: "a == %@", past: "a == %@",
            arguments: [.data(Data([1, 2, 3]))], pastArguments: [.data(Data([1, 2, 3, 4]))], place: 5..<7),
        Bound(
            limit: .literalLength, most: 3, within: "a IN %@", past: "a IN %@", arguments: [["abc", "x"]],
            pastArguments: [["x", "abcd"]], place: 5..<7),
        Bound(limit: .pathKeys, most: 2, within: "a.b == 1", past: "a.b.c == 1", place: 0..<5),
        Bound(limit: .pathKeys, most: 1, within: "a[0].b == 1", past: "a[0].b.c == 1", place: 0..<8),
        Bound(limit: .pathKeys, most: 2, within: "$a.#b.c == 1", past: "$a.#b.c.$d == 1", place: 0..<10),
        Bound(
            limit: .pathKeys, most: 2, within: "%K == 1", past: "%K == 1", arguments: ["a.b"],
            pastArguments: ["a.b.c"], place: 0..<2),
        Bound(
            limit: .pathKeys, most: 2, within: "x.%K == 1", past: "x.%K == 1", arguments: ["a"],
            pastArguments: ["a.b"], place: 0..<4),
        Bound(limit: .literalElements, most: 2, within: "a IN {1, 2}", past: "a IN {1, 2, 3}", place: 5..<14),
        Bound(
            limit: .literalElements, most: 3, within: "a IN %@", past: "a IN %@", arguments: [[[1, 2]]],
            pastArguments: [[[1, 2, 3]]], place: 5..<7),
        Bound(
            limit: .literalElements, most: 2, within: "a == %@", past: "a == %@",
            arguments: [.dictionary(["a": 1, "b": 2])], pastArguments: [.dictionary(["a": 1, "b": [1]])],
            place: 5..<7),
    ]

    @Test(arguments: bounds) func atTheLimitAndJustPastIt(_ bound: Bound) throws {
        var options = FormatOptions()
        options.limits[bound.limit] = bound.most
        _ = try FormatPredicate(format: bound.within, arguments: bound.arguments, options: options)
        let expected = PredicateFormatError(
            .exceeds(bound.limit, limit: bound.most), text: bound.past, range: bound.place)
        #expect(throws: expected) {
            try FormatPredicate(format: bound.past, arguments: bound.pastArguments, options: options)
        }
        #expect(expected.description.contains("at most \(bound.most) \(bound.limit.unit)"))
        #expect(expected.description.contains("hint: \(bound.limit.hint)"))
    }

    @Test func anArgumentNestsAsDeeplyAsATree() throws {
        var value = PredicateValue.array([1])
        for _ in 0..<20_000 { value = .array([value]) }
        let deep = value
        #expect(throws: PredicateFormatError(.nestingTooDeep(limit: 100), text: "a == %@", range: 5..<7)) {
            try FormatPredicate(format: "a == %@", arguments: [deep])
        }
        var tree = PredicateValue.expression(.evaluatedObject)
        for _ in 0..<200 { tree = .array([.expression(.constantValue(tree))]) }
        let wrapped = tree
        #expect(throws: PredicateFormatError(.nestingTooDeep(limit: 100), text: "a == %@", range: 5..<7)) {
            try FormatPredicate(format: "a == %@", arguments: [wrapped])
        }
    }

    /// An expression passed for a specifier becomes part of the tree, and has the limits of the format.
    @Test(
        arguments: [
            (ExpressionNode.constantValue("long"), PredicateLimits.Limit.literalLength, 3),
            (.keyPath(KeyPathExpression(keys: "a.b.c")), .pathKeys, 2),
            (.aggregate([.variable("a"), .anyKey]), .nodes, 2),
        ])
    func expressionsAsArgumentsHaveLimits(_ node: ExpressionNode, _ limit: PredicateLimits.Limit, _ most: Int) {
        var limits = PredicateLimits.standard
        limits[limit] = most
        let options = FormatOptions(limits: limits)
        #expect(throws: PredicateFormatError(.exceeds(limit, limit: most), text: "a == %@", range: 5..<7)) {
            try FormatPredicate(format: "a == %@", arguments: [.expression(node)], options: options)
        }
    }

    @Test func everyLimitHasAName() {
        var limits = PredicateLimits.standard
        for (index, limit) in PredicateLimits.Limit.allCases.enumerated() { limits[limit] = index }
        #expect(PredicateLimits.Limit.allCases.map { limits[$0] } == Array(PredicateLimits.Limit.allCases.indices))
        let mirrored = Mirror(reflecting: PredicateLimits.standard).children.compactMap(\.label)
        #expect(mirrored == PredicateLimits.Limit.allCases.map(\.rawValue) + ["statementTime"])
    }
}
