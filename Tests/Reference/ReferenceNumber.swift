import Foundation
import PredicateSyntax

/// A number of the language, for the reference.
package enum ReferenceNumber {
    /// `42`, `YES`
    case integer(Int64)
    /// `2.5`
    case double(Double)
    /// `CAST("1.10", "NSDecimalNumber")`
    case decimal(Decimal)

    var value: PredicateValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        }
    }

    /// The nearest floating-point number; a decimal goes by its digits.
    var asDouble: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description) ?? .nan
        }
    }

    /// The nearest decimal; a floating-point number goes by its shortest spelling.
    var asDecimal: Decimal {
        switch self {
        case .integer(let value): Decimal(value)
        case .double(let value): value.isFinite ? Decimal(string: "\(value)") ?? .nan : .nan
        case .decimal(let value): value
        }
    }

    /// The number as a 64-bit integer; nil if it is none.
    var asInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.isNaN || value.whole(.towardZero) != value ? nil : Int64(value.description)
        }
    }

    private var isDouble: Bool {
        if case .double = self { true } else { false }
    }

    /// Below, at or above 0 as this number is below, at or above the other. [NSP-080] [NSP-176]
    func order(_ other: ReferenceNumber) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.double, _), (_, .double): return Self.order(asDouble, other.asDouble)
        case (.decimal, _), (_, .decimal):
            let (left, right) = (asDecimal, other.asDecimal)
            // Any number of the same sign stands the same way to what is no number.
            if left.isNaN || right.isNaN { return Self.order(asDouble, other.asDouble) }
            return left < right ? -1 : left > right ? 1 : 0
        }
    }

    /// By three regions: the negative numbers, what is not a number, and all others. [NSP-176]
    static func order(_ left: Double, _ right: Double) -> Int {
        let (region, other) = (left.isNaN ? 1 : left < 0 ? 0 : 2, right.isNaN ? 1 : right < 0 ? 0 : 2)
        if region != other || region == 1 { return (region - other).signum() }
        return left < right ? -1 : left > right ? 1 : 0
    }
}

/// Arithmetic: integers stay integers, a decimal beside one a decimal, a double beside anything a double. [NSP-130]
extension ReferenceNumber {
    /// An operation in each of the three kinds.
    private func combined(
        _ other: ReferenceNumber, _ integers: (Int64, Int64) throws(ReferenceError) -> Int64,
        _ doubles: (Double, Double) -> Double, _ decimals: (Decimal, Decimal) throws(ReferenceError) -> Decimal
    ) throws(ReferenceError) -> ReferenceNumber {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return .integer(try integers(left, right))
        case (.double, _), (_, .double): return .double(doubles(asDouble, other.asDouble))
        case (.decimal, _), (_, .decimal):
            let (left, right) = (asDecimal, other.asDecimal)
            let result = try decimals(left, right)
            if result.isNaN, !left.isNaN, !right.isNaN { throw ReferenceError(.integerOverflow) }
            return .decimal(result)
        }
    }

    /// An integer, unless it does not fit: then an error, never a wrap. [NSP-131]
    private static func fitting(_ result: (partialValue: Int64, overflow: Bool)) throws(ReferenceError) -> Int64 {
        if result.overflow { throw ReferenceError(.integerOverflow) }
        return result.partialValue
    }

    func plus(_ other: ReferenceNumber) throws(ReferenceError) -> ReferenceNumber {
        try combined(
            other, { (a, b) throws(ReferenceError) in try Self.fitting(a.addingReportingOverflow(b)) }, { $0 + $1 },
            { (a, b) in a + b })
    }

    func minus(_ other: ReferenceNumber) throws(ReferenceError) -> ReferenceNumber {
        try combined(
            other, { (a, b) throws(ReferenceError) in try Self.fitting(a.subtractingReportingOverflow(b)) },
            { $0 - $1 }, { (a, b) in a - b })
    }

    /// A product of decimals that is smaller than any of them is 0.
    func times(_ other: ReferenceNumber) throws(ReferenceError) -> ReferenceNumber {
        try combined(
            other, { (a, b) throws(ReferenceError) in try Self.fitting(a.multipliedReportingOverflow(by: b)) },
            { $0 * $1 }, { (a, b) in a.exponent + b.exponent < -128 ? 0 : a * b })
    }

    /// [NSP-130] [NSP-132]
    func over(_ other: ReferenceNumber) throws(ReferenceError) -> ReferenceNumber {
        try combined(
            other,
            { (a, b) throws(ReferenceError) in
                if b == 0 { throw ReferenceError(.divisionByZero) }
                return try Self.fitting(a.dividedReportingOverflow(by: b))
            }, { $0 / $1 },
            { (a, b) throws(ReferenceError) in
                if b.isZero { throw ReferenceError(.divisionByZero) }
                return a / b
            })
    }

    /// With the sign of the dividend. [NSP-161]
    func remainder(_ other: ReferenceNumber) throws(ReferenceError) -> ReferenceNumber {
        try combined(
            other,
            { (a, b) throws(ReferenceError) in
                if b == 0 { throw ReferenceError(.divisionByZero) }
                return b == -1 ? 0 : a % b
            }, { $0.truncatingRemainder(dividingBy: $1) },
            { (a, b) throws(ReferenceError) in
                if b.isZero { throw ReferenceError(.divisionByZero) }
                return a - (a / b).whole(.towardZero) * b
            })
    }

    /// Whole and not negative exponents keep an integer an integer and a decimal a decimal, where these hold the result; all
    /// else is `pow`. [NSP-163] [NSP-175]
    func power(_ other: ReferenceNumber) -> ReferenceNumber {
        if !isDouble, !other.isDouble, let exponent = other.asInteger, exponent >= 0, let exact = try? product(exponent)
        {
            return exact
        }
        let (base, exponent) = (asDouble, other.asDouble)
        return .double(base.isNaN || exponent.isNaN ? .nan : pow(base, exponent))
    }

    private func product(_ count: Int64) throws(ReferenceError) -> ReferenceNumber {
        var (result, square, rest) = (ReferenceNumber.integer(1), self, count)
        while rest > 0 {
            if rest % 2 == 1 { result = try result.times(square) }
            rest /= 2
            if rest > 0 { square = try square.times(square) }
        }
        return result
    }

    func negated() throws(ReferenceError) -> ReferenceNumber {
        switch self {
        case .integer(let value): .integer(try Self.fitting(Int64(0).subtractingReportingOverflow(value)))
        case .double(let value): .double(-value)
        case .decimal(let value): .decimal(-value)
        }
    }

    func absolute() throws(ReferenceError) -> ReferenceNumber {
        switch self {
        case .integer(let value): value < 0 ? try negated() : self
        case .double(let value): .double(abs(value))
        case .decimal(let value): .decimal(abs(value))
        }
    }

    func rounded(_ rule: FloatingPointRoundingRule) -> ReferenceNumber {
        switch self {
        case .integer: self
        case .double(let value): .double(value.rounded(rule))
        case .decimal(let value): .decimal(value.whole(rule))
        }
    }
}

extension Decimal {
    /// The decimal without a fraction.
    fileprivate func whole(_ rule: FloatingPointRoundingRule) -> Decimal {
        var (result, copy) = (Decimal(), self)
        let mode: Decimal.RoundingMode = rule == .up || rule == .towardZero && self < 0 ? .up : .down
        NSDecimalRound(&result, &copy, 0, mode)
        return result
    }
}
