import Foundation
import PredicateReference
import PredicateSyntax
import Testing

/// The judge of random queries, judged by answers that were worked out by hand.
struct ReferenceQueryTests {
    private static func answer(
        _ function: ReferenceTotals.Function, _ values: [PredicateValue]
    ) -> ReferenceCell {
        var query = ReferenceQuery()
        query.grouping = .init([], [.init("x", function, .key("x"))])
        return query.answer(over: values.map { ["x": $0] }).rows[0][0]
    }

    private static func decimal(_ text: String) -> PredicateValue {
        Decimal(string: text).map(PredicateValue.decimal) ?? .null
    }

    /// [NSP-510]
    @Test func valuesAreInOneOrder() {
        let groups: [[PredicateValue]] = [
            [.null], [.double(-.infinity)], [-1, .double(-1)], [.double(.nan)],
            [0, .bool(false), .double(-0.0), Self.decimal("0")], [.double(.leastNonzeroMagnitude)],
            [.double(0.1), Self.decimal("0.1")], [Self.decimal("0.1000000000000000000000000000001")],
            [1, .bool(true), .double(1)], [9_007_199_254_740_992, .double(9_007_199_254_740_992)],
            [9_007_199_254_740_993, Self.decimal("9007199254740993")],
            [Self.decimal("12345678901234567890123456789012345678")],
            [Self.decimal("12345678901234567890123456789012345679")], [.double(.infinity)],
            [.date(Date(timeIntervalSinceReferenceDate: -1))], [.date(Date(timeIntervalSinceReferenceDate: 0))],
            [""], ["10"], ["9"], ["Z"], ["a"], ["é"], ["\u{FF38}"], ["😀"], [.array([1])],
        ]
        let values = groups.enumerated().flatMap { place, group in group.map { (place, ReferenceCell($0)) } }
        for (place, left) in values {
            for (other, right) in values {
                #expect(ReferenceOrder().order(left, right) == (place - other).signum(), "\(left) \(right)")
            }
        }
    }

    /// [NSP-511]
    @Test func equalityKnowsBooleans() {
        let one = [PredicateValue.integer(1), .double(1), Self.decimal("1.0")].map { ReferenceCell($0) }
        #expect(one.allSatisfy { ReferenceEquality.isSame($0, one[0]) })
        let different: [PredicateValue] = [
            1, .bool(true), "1", .array([1]), .array([.bool(true)]), .null, .double(.nan),
        ]
        for (index, left) in different.enumerated() {
            for (other, right) in different.enumerated() {
                let isSame = ReferenceEquality.isSame(ReferenceCell(left), ReferenceCell(right))
                #expect(isSame == (index == other), "\(left) \(right)")
            }
        }
        #expect(ReferenceEquality.isSame(ReferenceCell(.array([1])), ReferenceCell(.array([.double(1)]))))
    }

    /// [NSP-512]
    @Test(
        arguments: [
            (.sum, [.double(1e16), 1, .double(-1e16)], .double(1)), (.sum, [.integer(.max), 1, -1], .integer(.max)),
            (.sum, [.integer(.max), 1], .double(0x1p63)), (.sum, [.bool(true), .null, 2], 3), (.sum, [.null], .null),
            (.sum, [.double(1e300), .double(1e-300), .double(-1e300)], .double(1e-300)),
            (.sum, [.double(.infinity), .double(1)], .double(.infinity)),
            (
                .sum, [decimal("12345678901234567890123456.789012345678"), 1],
                decimal("12345678901234567890123457.789012345678")
            ),
            (.sum, [decimal("0.1"), decimal("0.2"), .double(0)], .double(0.3)),
            (.average, [1, 2], .double(1.5)), (.average, Array(repeating: .double(0.1), count: 10), .double(0.1)),
            (.median, [3, 1, 2], 2), (.median, [1, 2], .double(1.5)), (.median, [.double(.nan), 1], .double(.nan)),
            (.percentile(25), [1, 2, 3, 4], .double(1.75)), (.percentile(100), [3, 1], .double(3)),
            (.deviation, [2, 4, 4, 4, 5, 5, 7, 9], .double(2)), (.maximum, [2, "1", .bool(true)], "1"),
            (.minimum, [1, .bool(true), .double(.nan)], .double(.nan)), (.count, [1, .null, .array([1, 2])], 3),
            (.countDistinct, [1, .double(1), .bool(true), "1"], 3), (.joined("; "), ["a", 1, .double(2)], "a; 1; 2.0"),
        ] as [(ReferenceTotals.Function, [PredicateValue], PredicateValue)])
    func totalsAreExact(function: ReferenceTotals.Function, values: [PredicateValue], expected: PredicateValue) {
        let found = Self.answer(function, values)
        #expect(ReferenceEquality.isSame(found, ReferenceCell(expected)), "\(function) \(values): \(found)")
    }

    /// [NSP-513]
    @Test func clausesFollowOneAnother() {
        let rows: [[String: PredicateValue]] = [
            ["a": "x", "n": 1], ["a": "y", "n": 2], ["a": "x", "n": 3], ["a": .null, "n": 4], ["a": "y", "n": 2],
        ]
        func values(_ change: (inout ReferenceQuery) -> Void) -> [String] {
            var query = ReferenceQuery()
            query.items = [.init("n", .key("n"))]
            change(&query)
            return query.answer(over: rows).rows.map { $0.map { "\($0.predicateValue)" }.joined(separator: " ") }
        }
        let descending = ReferenceQuery.OrderItem(.key("n"), isDescending: true)
        #expect(values { $0.isDistinct = true } == ["1", "2", "3", "4"])
        #expect(values { ($0.isDistinct, $0.order, $0.limit) = (true, [descending], 2) } == ["4", "3"])
        #expect(values { $0.firsts = (1, [.key("a")]) } == ["1", "2", "4"])
        #expect(values { ($0.firsts, $0.order) = ((1, [.key("a")]), [descending]) } == ["4", "3", "2"])
        #expect(values { $0.order = [.init(.key("a")), descending] } == ["4", "3", "1", "2", "2"])
        #expect(values { ($0.offset, $0.limit) = (1, 2) } == ["2", "3"])
        #expect(values { $0.last = 2 } == ["4", "2"])
        let groups = values { $0.grouping = .init([.init("a", .key("a"))], [.init("s", .sum, .key("n"))]) }
        #expect(groups == ["nil 4", "\"x\" 4", "\"y\" 4"])
    }

    /// `a9 < a10`, with folds too
    @Test func digitsAreComparedByValue() {
        let rows = ["a10", "A9", "a9b", "b1", "a"].map { ["x": PredicateValue.string($0)] }
        var query = ReferenceQuery()
        query.items = [.init("x", .key("x"))]
        var order = ReferenceQuery.OrderItem(.key("x"))
        (order.isNumeric, order.options) = (true, .caseInsensitive)
        query.order = [order]
        let found = query.answer(over: rows).rows.map { $0[0].predicateValue }
        #expect(found == ["a", "A9", "a9b", "a10", "b1"])
    }
}
