import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Arithmetic, bits and statistics.
@Suite struct FunctionsNumberTests {
    @Test(
        arguments: [
            ("1 + 1", 2), ("5 - 7", -2), ("3 * 4", 12), ("1 / 2", 0), ("1.0 / 2", 0.5), ("7 / -2", -3),
            ("2 ** 10", 1024),
            ("2 ** -1", 0.5), ("2.0 ** 3.0", 8.0), ("-(1 + 2)", -3), ("((24 - 18) / 87) * 100", 0), ("YES + 1", 2),
            ("modulus:by:(7, 3)", 1), ("modulus:by:(-7, 3)", -1), ("1.0 / 0", .double(.infinity)), ("abs(-2)", 2),
            ("abs(-2.5)", 2.5), ("floor(2.7)", 2.0), ("floor(-1.5)", -2.0), ("floor(7)", 7), ("ceiling(1.5)", 2.0),
            ("ceiling(-1.5)", -1.0), ("trunc(-1.5)", -1.0), ("trunc(1.5)", 1.0), ("sqrt(9)", 3.0), ("exp(0)", 1.0),
            ("ln(1)", 0.0), ("log(1000)", 3.0), ("noindex(513)", 513), ("noindex('x')", "x"), ("5 & 3", 1),
            ("5 | 3", 7),
            ("5 ^ 3", 6), ("1 << 3", 8), ("256 >> 4", 16), ("-1 >> 70", -1), ("1 << 64", 0),
            ("1 << 63", .integer(.min)),
            ("~5", -6), ("~0", -1), ("5.0 & 4", 4), ("12.845 * 1 + 2", 14.845),
        ] as [(String, PredicateValue)])
    func numbers(_ format: String, expected: PredicateValue) throws {
        let result = try value(of: format)
        #expect(isExactly(result, expected), "\(result)")
    }

    @Test(
        arguments: [
            ("sum({1, 2, 2, 3, 4, 7, 9})", 28), ("sum(1, 2, 3)", 6), ("sum({})", 0), ("sum({1, 2.5})", 3.5),
            ("sum({1, nil})", 1), ("sum(5)", 5), ("sum(a)", .null), ("average({1, 2, 2, 3, 4, 7, 9})", 4.0),
            ("average(1, 2)", 1.5), ("count({1, 2, nil})", 3), ("count(a)", .null), ("count(1, 2)", 2),
            ("count({})", 0),
            ("min({3, 1, 2})", 1), ("max({3, 1, 2})", 3), ("min({'b', 'a'})", "a"), ("max(1, 2.5)", 2.5),
            ("median({5, 1, 3})", 3), ("median({4, 1, 3, 2})", 2.5), ("median(7)", 7),
            ("mode({1, 2, 2, 3, 3})", [2, 3]),
            ("mode({1, 1.0, 2})", [1]), ("mode({})", []), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", 2.0), ("stddev(3)", 0.0),
        ] as [(String, PredicateValue)])
    func statistics(_ format: String, expected: PredicateValue) throws {
        let result = try value(of: format, for: [:] as [String: Int])
        #expect(isExactly(result, expected), "\(result)")
    }

    @Test func statisticsOfDecimals() throws {
        let prices: PredicateValue = [.decimal(Decimal(string: "0.1") ?? 0), .decimal(Decimal(string: "0.2") ?? 0)]
        #expect(isExactly(try value(of: "sum(%@)", [prices]), .decimal(Decimal(string: "0.3") ?? 0)))
        #expect(isExactly(try value(of: "average(%@)", [prices]), .decimal(Decimal(string: "0.15") ?? 0)))
    }

    @Test func statisticsOfKeys() throws {
        let rows = [["a": 1], ["a": 2]]
        #expect(isExactly(try value(of: "sum(a)", for: rows), 3))
        #expect(isExactly(try value(of: "max(SELF.a)", for: rows), 2))
        #expect(isExactly(try value(of: "average(prices)", for: ["prices": [1, 3]]), 2.0))
    }

    @Test(
        arguments: [
            ("9223372036854775807 + x", .integerOverflow, 2), ("-9223372036854775807 - x - x", .integerOverflow, 4),
            ("9223372036854775807 * 2", .integerOverflow, 2),
            ("-(-9223372036854775807 - x)", .integerOverflow, 3), ("x / 0", .divisionByZero, 2),
            ("modulus:by:(x, 0)", .divisionByZero, 2), ("'1' + x", .notANumber(found: FoundValue("1")), 0),
            ("x + 'A'", .notANumber(found: FoundValue("A")), 1),
            ("x + missing", .notANumber(found: FoundValue(PredicateValue.null)), 1),
            ("sqrt('x')", .notANumber(found: FoundValue("x")), 0),
            ("x << 1.5", .notAnInteger(found: FoundValue(1.5)), 1),
            (
                "x << -1",
                .argumentKind(function: "leftshift:by:", expected: "a count of 0 or more", found: FoundValue(-1)), 1
            ),
            ("sum({1, 'a'})", .notANumber(found: FoundValue("a")), 1),
            ("max({})", .emptyCollection(function: "max:"), 1),
            ("average({nil})", .emptyCollection(function: "average:"), 1),
            ("median({})", .emptyCollection(function: "median:"), 1),
            ("max({1, 'a'})", .incomparable(left: FoundValue("a"), right: FoundValue(1)), 1),
            ("randomn(0)", .argumentKind(function: "randomn:", expected: "a number above 0", found: FoundValue(0)), 0),
            ("uppercase(x)", .argumentKind(function: "uppercase:", expected: "a string", found: FoundValue(1)), 0),
        ] as [(String, EvaluationError.Code, Int)])
    func errors(_ format: String, code: EvaluationError.Code, node: Int) throws {
        let evaluator = try ExpressionEvaluator(FormatExpression(format))
        let error = evaluationError { try evaluator.value(with: ["x": 1]) }
        #expect(error == EvaluationError(code, node: node))
    }

    @Test(
        arguments: [
            ("sqrt(1, 2)", 1...1, 2), ("now(1)", 0...0, 1), ("modulus:by:(1)", 2...2, 1), ("sum()", 1...Int.max, 0),
            ("random(5)", 0...0, 1),
        ] as [(String, ClosedRange<Int>, Int)])
    func argumentCounts(_ format: String, expected: ClosedRange<Int>, found: Int) throws {
        let error = evaluationError { try ExpressionEvaluator(FormatExpression("(\(format))")) }
        guard case .argumentCount(_, expected, found) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func randomNumbers() throws {
        for _ in 0..<100 {
            #expect(try holds("random() BETWEEN {0, 1} AND random() != 1"))
            #expect(try holds("randomn(3) IN {0, 1, 2}"))
        }
        let dice = try ExpressionEvaluator(FormatExpression("random()"))
        #expect(!isEqual(try dice.value(.null), try dice.value(.null)))
    }

    @Test func time() throws {
        let clock = try PredicateEvaluator(FormatPredicate("now() > $before AND now() < $after"))
        let before = Date(timeIntervalSinceNow: -5)
        #expect(try clock.evaluate(.null, variables: ["before": before, "after": Date(timeIntervalSinceNow: 5)]))
    }

    @Test func distances() throws {
        let format = "distanceToLocation:fromLocation:(a, b)"
        let paris: [String: Any] = ["latitude": 48.8566, "longitude": 2.3522]
        let london: [String: Any] = ["coordinate": ["latitude": 51.5074, "longitude": -0.1278]]
        let metres = try value(of: format, for: ["a": paris, "b": london]).predicateValue.flatMap(Number.init)?
            .doubleValue
        #expect(abs((metres ?? 0) - 343_556) < 100)
        #expect(isExactly(try value(of: format, for: ["a": [10, 20], "b": [10, 20]]), 0.0))
        #expect(isExactly(try value(of: format, for: ["a": [10, 20]]), .null))
        let error = errorCode { try value(of: format, for: ["a": [1, 2], "b": "Rome"] as [String: Any]) }
        guard case .argumentKind(_, "a location", FoundValue("Rome")) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func texts() throws {
        #expect(isExactly(try value(of: "uppercase('straße')"), "STRASSE"))
        #expect(isExactly(try value(of: "lowercase('ÉTÉ')"), "été"))
        #expect(isExactly(try value(of: "length('a😀')"), 3))
        #expect(isExactly(try value(of: "uppercase(a)"), .null))
    }

    @Test func functionsOfTheHost() throws {
        var registry = EvaluationRegistry.standard
        registry.registerFunction("mgl_round:") { arguments in
            guard case .value(.double(let number)) = arguments.first else { throw HostFailure() }
            return .value(.integer(Int64(number.rounded())))
        }
        #expect(isExactly(try value(of: "1 + mgl_round(3.7)", registry: registry), 5))
        #expect(isExactly(try value(of: "mgl_round:(3.2)", registry: registry), 3))
        let unknown = evaluationError { try value(of: "1 + mgl_ruond(3.7)", registry: registry) }
        #expect(unknown == EvaluationError(.unknownFunction("mgl_ruond", nearMisses: ["mgl_round"]), node: 2))
        let failed = evaluationError { try value(of: "1 + mgl_round('x')", registry: registry) }
        let expected = EvaluationError.HostError(name: "mgl_round", description: "HostFailure()")
        #expect(failed == EvaluationError(.host(expected), node: 2))
        #expect(failed?.underlyingError is HostFailure)
    }
}
