import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@Suite struct ObjectsNumberTests {
    static let tenth = Number.decimal(Decimal(string: "0.1") ?? 0)

    @Test(arguments: [
        (Number.integer(7), Number.integer(2), Number.integer(9), Number.integer(5), Number.integer(14)),
        (.integer(7), .double(0.5), .double(7.5), .double(6.5), .double(3.5)),
        (.integer(1), tenth, .decimal(Decimal(string: "1.1") ?? 0), .decimal(Decimal(string: "0.9") ?? 0), tenth),
        (.double(1), tenth, .double(1.1), .double(0.9), .double(0.1)),
    ])
    func arithmeticKeepsTheWiderKind(_ left: Number, _ right: Number, sum: Number, difference: Number, product: Number)
        throws
    {
        #expect(try left.adding(right) == sum)
        #expect(try left.subtracting(right) == difference)
        #expect(try left.multiplied(by: right) == product)
    }

    @Test func integersAreCutAndSigned() throws {
        #expect(try Number.integer(1).divided(by: .integer(2)) == .integer(0))
        #expect(try Number.integer(-7).divided(by: .integer(2)) == .integer(-3))
        #expect(try Number.integer(-7).remainder(dividingBy: .integer(2)) == .integer(-1))
        #expect(try Number.integer(.min).remainder(dividingBy: .integer(-1)) == .integer(0))
        #expect(try Number.double(1).divided(by: .integer(2)) == .double(0.5))
        #expect(try Number.double(5.5).remainder(dividingBy: .integer(2)) == .double(1.5))
        #expect(try Number.decimal(-7).remainder(dividingBy: .integer(2)) == .decimal(-1))
    }

    @Test func nothingWraps() {
        let overflow = EvaluationError(.integerOverflow)
        #expect(throws: overflow) { try Number.integer(.max).adding(.integer(1)) }
        #expect(throws: overflow) { try Number.integer(.min).subtracting(.integer(1)) }
        #expect(throws: overflow) { try Number.integer(.max).multiplied(by: .integer(2)) }
        #expect(throws: overflow) { try Number.integer(.min).divided(by: .integer(-1)) }
        #expect(throws: overflow) { try Number.integer(.min).negated() }
        #expect(throws: overflow) { try Number.integer(.min).magnitude() }
        let huge = Number.decimal(Decimal(string: "1e127") ?? 0)
        #expect(throws: overflow) { try huge.multiplied(by: huge) }
    }

    @Test(arguments: [Number.integer(0), .decimal(0)])
    func divisionByZero(_ zero: Number) {
        #expect(throws: EvaluationError(.divisionByZero)) { try Number.integer(1).divided(by: zero) }
        #expect(throws: EvaluationError(.divisionByZero)) { try Number.integer(1).remainder(dividingBy: zero) }
        #expect((try? Number.double(1).divided(by: .integer(0))) == .double(.infinity))
    }

    @Test("a power is an integer where 64 bits hold it [NSP-163] [NSP-175]") func powers() {
        #expect(Number.integer(2).power(.integer(62)) == .integer(1 << 62))
        #expect(Number.integer(-1).power(.integer(.max)) == .integer(-1))
        #expect(Number.integer(3).power(.integer(39)) == .integer(4_052_555_153_018_976_267))
        #expect(Number.integer(2).power(.integer(-1)) == .double(0.5))
        #expect(Number.integer(4).power(.double(0.5)) == .double(2))
        #expect(Number.integer(0).power(.integer(0)) == .integer(1))
        #expect(Number.integer(2).power(.integer(63)) == .double(0x1p63))
        #expect(Number.integer(-2).power(.integer(63)) == .integer(.min))
        #expect(Number.integer(10).power(.integer(20)) == .double(1e20))
        #expect(Self.tenth.power(.integer(2)).compare(.decimal(Decimal(string: "0.01") ?? 0)) == .equal)
    }

    @Test(arguments: [
        (Number.integer(8), Number.double(8), NumberOrder.equal), (.integer(1), .integer(2), .less),
        (tenth, .double(0.1), .equal), (.decimal(2), .integer(1), .greater), (.double(.nan), .integer(1), .less),
        (.decimal(.nan), .integer(1), .less), (.double(.nan), .integer(-1), .greater),
        (.decimal(.nan), .decimal(-1), .greater),
        (.double(.nan), .double(.nan), .equal), (.decimal(.nan), .double(.nan), .equal),
        (.double(.nan), .double(-0.0), .less), (.double(.infinity), .integer(.max), .greater),
        (.double(-0.0), .integer(0), .equal),
    ])
    func order(_ left: Number, _ right: Number, expected: NumberOrder) {
        #expect(left.compare(right) == expected)
    }

    @Test func exactIntegers() {
        #expect(Number.double(3).exactInteger == 3)
        #expect(Number.double(3.5).exactInteger == nil)
        #expect(Number.double(.nan).exactInteger == nil)
        #expect(Number.double(1e300).exactInteger == nil)
        #expect(Number.decimal(Decimal(string: "12.0") ?? 0).exactInteger == 12)
        #expect(Number.decimal(Decimal(string: "12.5") ?? 0).exactInteger == nil)
        #expect(Number.decimal(Decimal(string: "-9223372036854775808") ?? 0).exactInteger == .min)
        #expect(Number.decimal(Decimal(string: "9223372036854775808") ?? 0).exactInteger == nil)
        #expect(Number.decimal(.nan).exactInteger == nil)
    }

    @Test func fromAndToValues() {
        #expect(Number(.bool(true)) == .integer(1))
        #expect(Number("1") == nil)
        #expect(Number(.null) == nil)
        #expect(Number.double(2.5).predicateValue == 2.5)
        #expect(Number.decimal(Decimal(string: "0.3333333333333333") ?? 0).doubleValue == 0.3333333333333333)
        #expect(Number.double(.infinity).decimalValue.isNaN)
    }
}
