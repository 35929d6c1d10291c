import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@testable import PredicateQuery

/// The order and the equality of values, and exact sums. [NSP-510] [NSP-511] [NSP-512]
struct OrderTests {
    private static let ascending: [PredicateValue] = [
        .null, .double(-.infinity), .integer(-1), .double(.nan), .double(0), .double(.leastNonzeroMagnitude),
        .double(0.1), .decimal(decimal("0.10000000000000000000000000000000000001")), .bool(true),
        .decimal(decimal("1234567890123.4567")), .decimal(decimal("1234567890123.4568")), .integer(1 << 53),
        .integer(1 << 53 + 1), .double(0x1p53 + 2), .integer(.max), .double(0x1p63), .double(.infinity),
        .date(Date(timeIntervalSinceReferenceDate: -1)), .date(Date(timeIntervalSinceReferenceDate: .nan)),
        .date(Date(timeIntervalSinceReferenceDate: 0)), .string(""), .string("10"), .string("9"), .string("a"),
        .string("가"), .array([.integer(1)]), .array([.integer(2)]),
    ]

    private static func decimal(_ digits: String) -> Decimal { Decimal(string: digits) ?? .nan }

    @Test func totalOrder() {
        for (index, value) in Self.ascending.enumerated() {
            for (other, against) in Self.ascending.enumerated() {
                let order = OrderedValue(value).compare(OrderedValue(against))
                #expect(order.signum() == (index - other).signum(), "\(value) against \(against)")
                let (left, right) = (
                    OrderedValue.Prefix(OrderedValue(value)), OrderedValue.Prefix(OrderedValue(against))
                )
                if left != right { #expect((left < right) == (index < other), "\(value) against \(against)") }
            }
        }
    }

    @Test(
        arguments: [
            ([.integer(1), .double(1), .decimal(1)], true), ([.double(0), .double(-0.0), .integer(0)], true),
            ([.double(0.1), .decimal(decimal("0.10"))], true), ([.bool(true), .integer(1)], false),
            ([.double(.nan), .double(-.nan)], true), ([.integer(1 << 53 + 1), .double(0x1p53)], false),
            ([.string("é"), .string("e\u{301}")], false), ([.null, .nullObject], true),
            ([.array([.integer(1)]), .array([.double(1)])], true), ([.string("1"), .integer(1)], false),
            ([.double(0x1p70), .decimal(decimal("1180591620717411303424"))], true),
        ] as [([PredicateValue], Bool)])
    func equality(_ values: [PredicateValue], _ isOne: Bool) {
        let keys = Set(values.map { GroupKeys.bytes(of: [$0]) })
        #expect(keys.count == (isOne ? 1 : values.count))
    }

    @Test(
        arguments: [
            ([], [], "a10", "a9", -1), ([.caseInsensitive], [], "B", "a", 1), ([], [.numeric], "a10", "a9", 1),
            ([], [.numeric], "a01", "a1", 0), ([.caseInsensitive], [.numeric], "A9", "a10", -1),
            ([], [.numeric], "a0", "a", 1), ([], [.numeric], "a-1", "a1", -1), ([], [.numeric], "a1b", "a1:", 1),
        ] as [(ComparisonOptions, [NumericRuns], String, String, Int)])
    func strings(_ options: ComparisonOptions, _ runs: [NumericRuns], _ left: String, _ right: String, _ sign: Int) {
        let order = ValueOrder(SortKey("x", options: options, isNumeric: !runs.isEmpty))
        #expect(order.compare(order.value(.string(left)), order.value(.string(right))).signum() == sign)
    }

    enum NumericRuns { case numeric }

    @Test func nilPlacement() {
        let last = ValueOrder(SortKey("x", nils: .last))
        #expect(last.compare(.null, .text("a")) > 0)
        let descending = ValueOrder(SortKey("x", ascending: false))
        #expect(descending.compare(.null, .text("a")) > 0)
        #expect(descending.compare(.text("b"), .text("a")) < 0)
    }

    @Test(
        arguments: [
            ([.double(0.1), .double(0.2), .double(0.3)], .double(0.6)),
            ([.double(1e16), .double(1), .double(-1e16)], .double(1)),
            ([.double(1e308), .double(1e308), .double(-1e308), .double(1e-300)], .double(1e308)),
            ([.double(1e308), .double(1e308)], .double(.infinity)),
            ([.integer(.max), .integer(.max), .integer(-.max)], .integer(.max)),
            ([.integer(.max), .integer(1)], .double(0x1p63)),
            ([.integer(1 << 53 + 1), .double(1)], .double(0x1p53 + 2)),
            ([.double(1), .double(0x1p-53), .double(0x1p-106)], .double(1 + 0x1p-52)),
            ([.decimal(decimal("0.1")), .integer(1)], .decimal(decimal("1.1"))),
            ([.bool(true), .bool(true)], .integer(2)),
            ([.double(-0.0)], .double(0)),
        ] as [([PredicateValue], PredicateValue)])
    func sums(_ values: [PredicateValue], _ sum: PredicateValue) {
        for values in [values, values.reversed()] {
            var total = ExactTotal()
            for value in values {
                let isNumber = total.add(value)
                #expect(isNumber)
            }
            #expect(GroupKeys.bytes(of: [total.sum]) == GroupKeys.bytes(of: [sum]), "\(values): \(total.sum)")
        }
    }

    @Test func randomSumsDoNotDependOnTheOrder() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let values = (0..<50).map { _ in
                Double(
                    sign: .random(using: &random) ? .plus : .minus, exponent: .random(in: -1074...960, using: &random),
                    significand: .random(in: 1..<2, using: &random))
            }
            let sums = (0..<4).map { _ in
                var total = ExactTotal()
                for value in values.shuffled(using: &random) + values.map(-) { total.add(value) }
                return total.sum
            }
            #expect(sums.allSatisfy { $0 == .double(0) }, "\(values)")
        }
    }

    @Test func statistics() {
        func list(_ numbers: [Double]) -> NumberList {
            var list = NumberList()
            for number in numbers { list.add(number) }
            return list
        }
        #expect(list([2, 4, 4, 4, 5, 5, 7, 9]).deviation == .double(2))
        #expect(list([15, 20, 35, 40, 50]).percentile(40) == .double(29))
        #expect(list([1]).percentile(99) == .double(1))
        #expect(list([]).percentile(50) == .null)
        #expect(list([4, 1]).median == .double(2.5))
    }
}
