import Foundation
import PredicateSyntax

/// A numeric value: the operand of arithmetic, `@sum` and ordering.
///
/// `1 + 2`, `2.5 * 3`, `prices.@sum.self`
///
/// There are three kinds; Booleans are the integers 0 and 1. Two integers give an integer, an integer and a decimal
/// give a decimal, a double and any other number give a double.
package enum Number: Hashable, Sendable {
    /// `42`, `YES`
    case integer(Int64)
    /// `2.5`
    case double(Double)
    /// `CAST("1.10", "NSDecimalNumber")`
    case decimal(Decimal)

    /// Makes a number from a numeric value; nil for every other value.
    package init?(_ value: PredicateValue) {
        switch value {
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .bool(let value): self = .integer(value ? 1 : 0)
        case .decimal(let value): self = .decimal(value)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return nil
        }
    }

    /// The number as plain data.
    package var predicateValue: PredicateValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        }
    }

    /// The nearest double.
    package var doubleValue: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.nearestDouble
        }
    }

    /// The number as an integer; nil for a fraction, an infinity, NaN, and a number that does not fit in 64 bits.
    package var exactInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.exactInteger
        }
    }

    /// The number as a decimal; a double is converted by its shortest representation.
    package var decimalValue: Decimal {
        switch self {
        case .integer(let value): Decimal(value)
        case .double(let value): value.isFinite ? Decimal(string: "\(value)") ?? .nan : .nan
        case .decimal(let value): value
        }
    }

    /// Two numbers in their common kind.
    package enum CommonPair {
        case integers(Int64, Int64)
        case doubles(Double, Double)
        case decimals(Decimal, Decimal)
    }

    package func paired(with other: Number) -> CommonPair {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): .integers(left, right)
        case (.double, _), (_, .double): .doubles(doubleValue, other.doubleValue)
        case (.decimal, _), (_, .decimal): .decimals(decimalValue, other.decimalValue)
        }
    }
}

extension Number {
    /// Compares by value: `8 == 8.0`, `YES == 1`.
    ///
    /// An integer and a double are compared as doubles. NaN equals itself, and is ordered between the negative
    /// numbers and 0. [NSP-176]
    package func compare(_ other: Number) -> NumberOrder {
        switch paired(with: other) {
        case .integers(let left, let right): left < right ? .less : left == right ? .equal : .greater
        case .doubles(let left, let right): NumberOrder(left, right)
        case .decimals(let left, let right): Self.compare(left, right)
        }
    }

    private static func compare(_ left: Decimal, _ right: Decimal) -> NumberOrder {
        if left.isNaN || right.isNaN { return NumberOrder(left.sign, right.sign) }
        return left < right ? .less : left == right ? .equal : .greater
    }
}

extension Decimal {
    /// A double that has the same order relative to NaN as this decimal.
    fileprivate var sign: Double { isNaN ? .nan : self < 0 ? -1 : 1 }

    /// The number as an integer; nil if it does not fit in 64 bits.
    var exactInteger: Int64? {
        guard !isNaN, truncated == self else { return nil }
        return Int64(truncated.description)
    }

    /// The number without its fraction.
    var truncated: Decimal { rounded(to: 0, isSignMinus ? .up : .down) }

    /// Returns the number with at most `digits` digits after the decimal point; by default, halfway cases are rounded away from
    /// zero.
    package func rounded(to digits: Int, _ mode: RoundingMode = .plain) -> Decimal {
        var (result, copy) = (Decimal(), self)
        NSDecimalRound(&result, &copy, digits, mode)
        return result
    }
}

/// Arithmetic of the language, which never wraps and never traps.
///
/// Integers that exceed 64 bits and decimals that exceed their 38 digits throw
/// ``EvaluationError/Code/integerOverflow``; an integer or a decimal divided by zero throws
/// ``EvaluationError/Code/divisionByZero``. Doubles follow IEEE 754, and powers never throw.
extension Number {
    /// `a + b`
    package func adding(_ other: Number) throws(EvaluationError) -> Number {
        switch paired(with: other) {
        case .integers(let left, let right): try Self.checked(left.addingReportingOverflow(right))
        case .doubles(let left, let right): .double(left + right)
        case .decimals(let left, let right): try Self.checked(left + right, left, right)
        }
    }

    /// `a - b`
    package func subtracting(_ other: Number) throws(EvaluationError) -> Number {
        switch paired(with: other) {
        case .integers(let left, let right): try Self.checked(left.subtractingReportingOverflow(right))
        case .doubles(let left, let right): .double(left - right)
        case .decimals(let left, let right): try Self.checked(left - right, left, right)
        }
    }

    /// `a * b`
    package func multiplied(by other: Number) throws(EvaluationError) -> Number {
        switch paired(with: other) {
        case .integers(let left, let right): try Self.checked(left.multipliedReportingOverflow(by: right))
        case .doubles(let left, let right): .double(left * right)
        case .decimals(let left, let right): try Self.product(left, right)
        }
    }

    /// Returns the product of two decimals. An exponent has one byte, and Foundation traps if the exponent of a
    /// product does not fit: such a product is closer to 0 than any decimal.
    private static func product(_ left: Decimal, _ right: Decimal) throws(EvaluationError) -> Number {
        guard left.exponent + right.exponent >= -128 else { return .decimal(0) }
        return try checked(left * right, left, right)
    }

    /// `a / b`: a quotient of integers is truncated.
    package func divided(by other: Number) throws(EvaluationError) -> Number {
        switch paired(with: other) {
        case .integers(_, 0): throw EvaluationError(.divisionByZero)
        case .integers(let left, let right): return try Self.checked(left.dividedReportingOverflow(by: right))
        case .doubles(let left, let right): return .double(left / right)
        case .decimals(let left, let right):
            if right.isZero { throw EvaluationError(.divisionByZero) }
            return try Self.checked(left / right, left, right)
        }
    }

    /// `modulus:by:(a, b)`: the result has the sign of a.
    package func remainder(dividingBy other: Number) throws(EvaluationError) -> Number {
        switch paired(with: other) {
        case .integers(_, 0): throw EvaluationError(.divisionByZero)
        case .integers(_, -1): return .integer(0)
        case .integers(let left, let right): return .integer(left % right)
        case .doubles(let left, let right): return .double(left.truncatingRemainder(dividingBy: right))
        case .decimals(let left, let right):
            if right.isZero { throw EvaluationError(.divisionByZero) }
            return try Self.checked(left - (left / right).truncated * right, left, right)
        }
    }

    /// `a ** b`: an integer or a decimal to a whole power of 0 or more keeps its kind if that can represent the
    /// result; every other result is a double. [NSP-163] [NSP-175]
    package func power(_ other: Number) -> Number {
        if !isDouble, !other.isDouble, let exponent = other.exactInteger, exponent >= 0,
            let result = try? repeated(exponent)
        {
            return result
        }
        return .double(Self.realPower(doubleValue, other.doubleValue))
    }

    /// Returns the power of two doubles. NaN to the power of 0 is NaN, as in SQL, where it is NULL.
    private static func realPower(_ base: Double, _ exponent: Double) -> Double {
        base.isNaN || exponent.isNaN ? .nan : Foundation.pow(base, exponent)
    }

    /// `-a`
    package func negated() throws(EvaluationError) -> Number {
        switch self {
        case .integer(let value): try Self.checked(Int64(0).subtractingReportingOverflow(value))
        case .double(let value): .double(-value)
        case .decimal(let value): .decimal(-value)
        }
    }

    /// `abs:(a)`
    package func magnitude() throws(EvaluationError) -> Number {
        switch self {
        case .integer(let value): value < 0 ? try negated() : self
        case .double(let value): .double(value.magnitude)
        case .decimal(let value): .decimal(value.magnitude)
        }
    }

    /// True for a floating-point number.
    var isDouble: Bool {
        switch self {
        case .double: true
        case .integer, .decimal: false
        }
    }

    /// Returns this number to the power of `count`, by squaring.
    private func repeated(_ count: Int64) throws(EvaluationError) -> Number {
        var result = Number.integer(1)
        var square = self
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { result = try result.multiplied(by: square) }
            rest >>= 1
            // The last square is not used, so its overflow does not matter.
            if rest > 0 { square = try square.multiplied(by: square) }
        }
        return result
    }

    private static func checked(_ result: (partialValue: Int64, overflow: Bool)) throws(EvaluationError) -> Number {
        guard !result.overflow else { throw EvaluationError(.integerOverflow) }
        return .integer(result.partialValue)
    }

    /// Checks a result: NaN from operands that are numbers is an overflow.
    private static func checked(
        _ result: Decimal, _ left: Decimal, _ right: Decimal
    ) throws(EvaluationError) -> Number {
        if result.isNaN && !left.isNaN && !right.isNaN { throw EvaluationError(.integerOverflow) }
        return .decimal(result)
    }
}

// MARK: - Totals

/// A running total: integers are added exactly, in any order, until a number of another kind follows.
package struct NumberTotal {
    private var integers: Int128 = 0
    private var others: Number?

    package init() {}

    package mutating func add(_ number: Number) throws(EvaluationError) {
        if case .integer(let integer) = number, others == nil {
            integers += Int128(integer)
        } else {
            others = try (others ?? whole).adding(number)
        }
    }

    /// Returns the sum. Throws `integerOverflow` for integers whose sum exceeds 64 bits.
    package func sum() throws(EvaluationError) -> Number {
        if let others { return others }
        guard let integer = Int64(exactly: integers) else { throw EvaluationError(.integerOverflow) }
        return .integer(integer)
    }

    /// Returns the sum divided by a count: a decimal if the sum is one, otherwise a double. The sum of integers may
    /// exceed 64 bits.
    package func average(of count: Int) throws(EvaluationError) -> Number {
        let count = Number.integer(Int64(count))
        if case .decimal? = others { return try whole.divided(by: count) }
        return .double(whole.doubleValue / count.doubleValue)
    }

    private var whole: Number { others ?? Int64(exactly: integers).map(Number.integer) ?? .double(Double(integers)) }
}
