import Foundation

/// Arithmetic of the language: never wraps, never traps.
///
/// Integers past 64 bits and decimals past their 38 digits of magnitude throw ``EvaluationError/Code/integerOverflow``;
/// an integer or a decimal divided by zero throws ``EvaluationError/Code/divisionByZero``. Doubles follow IEEE 754, and
/// powers throw nothing.
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

    /// The product of two decimals. An exponent takes one byte, and Foundation traps on a product whose exponent does not
    /// fit: such a product is nearer to 0 than any decimal.
    private static func product(_ left: Decimal, _ right: Decimal) throws(EvaluationError) -> Number {
        guard left.exponent + right.exponent >= -128 else { return .decimal(0) }
        return try checked(left * right, left, right)
    }

    /// `a / b`: between integers the fraction is cut off.
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

    /// `modulus:by:(a, b)`: has the sign of a.
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

    /// `a ** b`: an integer or a decimal to a whole power of 0 or more keeps its kind where that holds the result, every other
    /// result is a double. [NSP-163] [NSP-175]
    package func power(_ other: Number) -> Number {
        if !isDouble, !other.isDouble, let exponent = other.exactInteger, exponent >= 0,
            let result = try? repeated(exponent)
        {
            return result
        }
        return .double(Self.realPower(doubleValue, other.doubleValue))
    }

    /// The power of two doubles. Not-a-number stays that, even to the power of 0, as in SQL, where it is NULL.
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

    /// The product of `count` times this number, by squaring.
    private func repeated(_ count: Int64) throws(EvaluationError) -> Number {
        var result = Number.integer(1)
        var square = self
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { result = try result.multiplied(by: square) }
            rest >>= 1
            // The last square is not used, so it must not overflow either.
            if rest > 0 { square = try square.multiplied(by: square) }
        }
        return result
    }

    private static func checked(_ result: (partialValue: Int64, overflow: Bool)) throws(EvaluationError) -> Number {
        guard !result.overflow else { throw EvaluationError(.integerOverflow) }
        return .integer(result.partialValue)
    }

    /// Checks a result: not-a-number made of numbers is an overflow.
    private static func checked(
        _ result: Decimal, _ left: Decimal, _ right: Decimal
    ) throws(EvaluationError) -> Number {
        if result.isNaN && !left.isNaN && !right.isNaN { throw EvaluationError(.integerOverflow) }
        return .decimal(result)
    }
}
