import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Equality, order, range and membership.
@Suite struct OperatorsComparisonTests {
    /// Each operator with both sides nil, the left one, the right one; `<null>` counts as nil.
    @Test(
        arguments: [
            ("==", true, false), ("!=", false, true), ("<", false, false), (">", false, false), ("<=", true, false),
            (">=", true, false), ("IN", false, false), ("CONTAINS", false, false), ("BEGINSWITH", false, false),
            ("ENDSWITH", false, false), ("LIKE", false, false), ("MATCHES", false, false), ("BETWEEN", false, false),
            ("UTI-EQUALS", false, false), ("UTI-CONFORMS-TO", false, false), ("isEqual:", false, false),
            ("isKindOfClass:", false, nil),
        ] as [(String, Bool, Bool?)])
    func nilTable(_ spelling: String, both: Bool, one: Bool?) throws {
        for (left, right) in [(.null, .null), (.nullObject, .null), (.null, .nullObject)]
            as [(PredicateValue, PredicateValue)]
        {
            #expect(try holds("a \(spelling) b", for: ["a": left, "b": right]) == both)
            #expect(try holds("a \(spelling) %@", [right], for: ["a": left]) == both)
            #expect(try holds("%@ \(spelling) %@", [left, right]) == both)
        }
        guard let one else { return }
        for null in [.null, .nullObject] as [PredicateValue] {
            let other: PredicateValue = spelling == "BETWEEN" ? ["a", "z"] : "x"
            #expect(try holds("a \(spelling) %@", [other], for: ["a": null]) == one)
            #expect(try holds("a \(spelling) b", for: ["a": null, "b": other]) == one)
            #expect(try holds("a \(spelling) %@", [null], for: ["a": "x"]) == (spelling == "isEqual:" ? false : one))
            #expect(try holds("a \(spelling) b", for: ["a": "x", "b": null]) == one)
        }
    }

    @Test(
        arguments: [
            ("1 == 1.0", true), ("YES == 1", true), ("NO == 0", true), ("YES == 2", false), ("'1' == 1", false),
            ("'1' != 1", true), ("'1' == YES", false), ("'a' == 'A'", false), ("'a' ==[c] 'A'", true),
            ("'É' ==[cd] 'e'", true), ("'É' ==[d] 'e'", false), ("'É' ==[cdn] 'e'", false), ("'a' !=[c] 'A'", false),
            ("1 ==[cd] 1", true), ("{1, 2} == {1, 2}", true), ("{1, 2} == {1.0, 2.0}", true),
            ("{1, 2} == {2, 1}", false),
            ("{} == {}", true), ("nil == {}", false), ("2.5 == 2.5", true), ("1 != 2", true),
            ("9007199254740993 == 9007199254740992", false),
        ])
    func equality(_ format: String, expected: Bool) throws {
        #expect(try holds(format) == expected)
        // The same with neither side known beforehand.
        #expect(try onKeys(format) == expected)
    }

    @Test func equalityOfCodePoints() throws {
        #expect(try !holds("a == %@", ["é"], for: ["a": "e\u{301}"]))
        #expect(try holds("a ==[d] %@", ["é"], for: ["a": "e\u{301}"]))
    }

    @Test func equalityOfOtherKinds() throws {
        let uuid = UUID()
        #expect(try holds("a == %@", [.uuid(uuid)], for: ["a": uuid]))
        #expect(
            try holds("a == %@", [.date(.init(timeIntervalSince1970: 5))], for: ["a": Date(timeIntervalSince1970: 5)]))
        #expect(try holds("a == %@", [.set([1, 2])], for: ["a": Set([2, 1])]))
        #expect(try !holds("a == %@", [[1, 2]], for: ["a": Set([2, 1])]))
        #expect(try holds("%@ == %@", [.double(.nan), .double(.nan)]))
    }

    @Test(
        arguments: [
            ("1 < 2", true), ("2 < 1", false), ("1 <= 1", true), ("1 >= 2", false), ("1 < 1.5", true),
            ("YES > NO", true),
            ("'Aa' < 'ab'", true), ("'b' > 'a'", true), ("'Ac' <[d] 'ab'", true), ("'Ac' <[c] 'ab'", false),
            ("'a' <=[c] 'A'", true), ("'a' >=[c] 'A'", true), ("'a' <= 'A'", false), ("'é' <[d] 'f'", true),
            ("-1 < 0", true), ("9223372036854775807 > 9223372036854775806", true),
        ])
    func order(_ format: String, expected: Bool) throws {
        #expect(try holds(format) == expected)
        #expect(try onKeys(format) == expected)
    }

    @Test(
        arguments: [
            ("a < 'x'", 1), ("a < 1", "x"), ("a < b", [1]), ("a >= 1", [1]), ("a > 1.5", .uuid(UUID())),
            ("a < TRUE", .date(Date())), ("a < b", .type(.string)), ("a < 'x'", .data(Data())),
        ] as [(String, PredicateValue)])
    func noOrder(_ format: String, left: PredicateValue) throws {
        let row: [String: PredicateValue] = ["a": left, "b": left]
        guard case .incomparable = errorCode({ try holds(format, for: row) }) else {
            Issue.record("no error for \(format) on \(left)")
            return
        }
    }

    @Test("what is not a number stands below 0 [NSP-176]") func orderOfNotANumber() throws {
        for (spelling, expected) in [
            ("<", true), ("<=", true), (">", false), (">=", false), ("==", false), ("!=", true),
        ] {
            #expect(try holds("a \(spelling) 0", for: ["a": Double.nan]) == expected)
            #expect(try holds("-1 \(spelling) a", for: ["a": Double.nan]) == expected)
            #expect(try holds("a \(spelling) b", for: ["a": Double.nan, "b": 0.0]) == expected)
        }
    }

    @Test(
        arguments: [
            ("1 BETWEEN {1, 3}", true), ("3 BETWEEN {1, 3}", true), ("0 BETWEEN {1, 3}", false),
            ("4 BETWEEN {1, 3}", false), ("2 BETWEEN {3, 1}", false), ("2.5 BETWEEN {1, 3}", true),
            ("'b' BETWEEN {'a', 'c'}", true), ("'B' BETWEEN {'a', 'c'}", false), ("'B' BETWEEN[c] {'a', 'c'}", true),
            ("'d' BETWEEN {'a', 'c'}", false), ("1 BETWEEN {nil, 3}", false), ("nil BETWEEN {1, 3}", false),
            ("1 BETWEEN nil", false), ("15 BETWEEN[c] {0, 33}", true),
        ])
    func range(_ format: String, expected: Bool) throws {
        #expect(try holds(format) == expected)
        #expect(try onKeys(format) == expected)
    }

    @Test(arguments: [.integer(25), [], [1], [1, 2, 3], "ab", .set([1, 2]), ["a": 1]] as [PredicateValue])
    func notARange(_ right: PredicateValue) throws {
        let predicate = try FormatPredicate(format: "a BETWEEN %@", arguments: [right])
        let error = evaluationError { try predicate.evaluate(with: ["a": 2]) }
        guard case .notARange = error?.code else {
            Issue.record("\(String(describing: error)) for \(right)")
            return
        }
        #expect(error?.node == 1)
    }

    @Test(
        arguments: [
            ("2 IN {1, 2}", true), ("2.0 IN {1, 2}", true), ("YES IN {1, 2}", true), ("3 IN {1, 2}", false),
            ("'2' IN {1, 2}", false), ("'oh' IN 'john'", true), ("'OH' IN 'john'", false), ("'OH' IN[c] 'john'", true),
            ("'' IN 'john'", false), ("nil IN {nil}", false), ("nil IN nil", false), ("1 IN nil", false),
            ("'A' IN {'a', 'b'}", false), ("'A' IN[c] {'a', 'b'}", true), ("'É' IN[cd] {'e'}", true),
            ("10 IN[c] {20, 10}", true), ("'C' IN[c] {'a', 1}", false), ("{1, 2} IN {{1, 2}, {3}}", true),
            ("2.5 IN {1, 2.5}", true), ("'john' CONTAINS 'oh'", true), ("'john' CONTAINS 'OH'", false),
            ("'john' CONTAINS[c] 'OH'", true), ("'john' CONTAINS ''", false), ("{1, 2} CONTAINS 2", true),
            ("{'a'} CONTAINS 'A'", false), ("{'a'} CONTAINS[c] 'A'", true), ("nil CONTAINS 1", false),
            ("{nil} CONTAINS nil", false), ("{1, 'a'} CONTAINS 1.0", true), ("{1} CONTAINS '1'", false),
        ])
    func membership(_ format: String, expected: Bool) throws {
        #expect(try holds(format) == expected)
        #expect(try onKeys(format) == expected)
    }

    @Test func membershipInOtherContainers() throws {
        #expect(try holds("9 IN %@", [["one": 1, "nine": 9]]))
        #expect(try holds("9 IN a", for: ["a": ["one": 1, "nine": 9]]))
        #expect(try holds("a CONTAINS 9", for: ["a": ["one": 1, "nine": 9]]))
        #expect(try holds("a IN %@", [.set(["x", "y"])], for: ["a": "y"]))
        #expect(try holds("a IN %@", [.orderedSet(["x", "y"])], for: ["a": "y"]))
        let decimals: PredicateValue = [.decimal(Decimal(string: "0.5") ?? 0), 2]
        #expect(try holds("a IN %@", [decimals], for: ["a": 0.5]))
        #expect(try holds("a IN %@", [decimals], for: ["a": Decimal(2)]))
        let ann = Citizen(name: "Ann", age: 30)
        #expect(try holds("%@ IN friends", [.object(PredicateObject(ann))], for: ["friends": [ann]]))
    }

    @Test(
        arguments: [
            ("1 IN a", .notAContainer(found: FoundValue(10)), 1),
            ("a CONTAINS 1", .notAContainer(found: FoundValue(10)), 0),
            ("a IN 'text'", .notAString(found: FoundValue(10)), 0),
            ("'text' CONTAINS a", .notAString(found: FoundValue(10)), 1),
            ("1 IN 10", .notAContainer(found: FoundValue(10)), 1),
            ("a CONTAINS 'x'", .notAContainer(found: FoundValue(10)), 0),
        ] as [(String, EvaluationError.Code, Int)])
    func membershipErrors(_ format: String, code: EvaluationError.Code, node: Int) throws {
        let error = evaluationError { try holds(format, for: ["a": 10]) }
        #expect(error == EvaluationError(code, node: node))
    }

    /// The comparison with both constants behind keys, so that nothing is worked out beforehand.
    private func onKeys(_ format: String) throws -> Bool {
        let predicate = try FormatPredicate(format)
        guard case .comparison(var comparison) = predicate.node else {
            guard case .string(var comparison) = predicate.node else { return try predicate.evaluate(with: nil) }
            let row = try row(comparison.leftExpression, comparison.rightExpression)
            comparison.leftExpression = .keyPath(KeyPathExpression(keys: "a"))
            comparison.rightExpression = .keyPath(KeyPathExpression(keys: "b"))
            return try FormatPredicate(.string(comparison)).evaluate(with: row)
        }
        let row = try row(comparison.leftExpression, comparison.rightExpression)
        comparison.leftExpression = .keyPath(KeyPathExpression(keys: "a"))
        comparison.rightExpression = .keyPath(KeyPathExpression(keys: "b"))
        return try FormatPredicate(.comparison(comparison)).evaluate(with: row)
    }

    private func row(_ left: ExpressionNode, _ right: ExpressionNode) throws -> PredicateValue {
        let a = try ExpressionEvaluator(FormatExpression(left)).value(.null).predicateValue
        let b = try ExpressionEvaluator(FormatExpression(right)).value(.null).predicateValue
        return .dictionary(["a": a ?? .null, "b": b ?? .null])
    }
}
