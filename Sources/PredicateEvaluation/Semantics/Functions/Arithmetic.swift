import Foundation
import PredicateSyntax

/// Functions of numbers: `modulus:by:(a, 2)`, `sqrt(a)`, `floor(a)`, `random()`.
///
/// nil or any other value instead of a number throws `notANumber`. Functions of real numbers follow IEEE 754:
/// the root of −1 is not a number, the logarithm of 0 is −∞.
enum Arithmetic {
    /// A function of two numbers: `a ** b`.
    static func binary(
        _ operation: @escaping @Sendable (Number, Number) throws(EvaluationError) -> Number
    ) -> FunctionBody {
        { (arguments) throws(Fault) in
            let left = try arguments.argument(0).requiredNumber(operand: 0)
            let right = try arguments.argument(1).requiredNumber(operand: 1)
            return try faulting { () throws(EvaluationError) in .value(try operation(left, right).predicateValue) }
        }
    }

    /// A function of one number: `-a`.
    static func unary(_ operation: @escaping @Sendable (Number) throws(EvaluationError) -> Number) -> FunctionBody {
        { (arguments) throws(Fault) in
            let number = try arguments.argument(0).requiredNumber(operand: 0)
            return try faulting { () throws(EvaluationError) in .value(try operation(number).predicateValue) }
        }
    }

    /// A function of one real number: `sqrt(a)`.
    static func real(_ operation: @escaping @Sendable (Double) -> Double) -> FunctionBody {
        { (arguments) throws(Fault) in
            .value(.double(operation(try arguments.argument(0).requiredNumber(operand: 0).doubleValue)))
        }
    }

    /// `floor(a)`, `ceiling(a)`, `trunc(a)`: an integer stays one, a double or a decimal stays what it is.
    static func rounding(_ rule: FloatingPointRoundingRule) -> FunctionBody {
        unary { (number) throws(EvaluationError) in
            switch number {
            case .integer: number
            case .double(let value): .double(value.rounded(rule))
            case .decimal(let value): .decimal(value.rounded(rule))
            }
        }
    }

    static func decimalLogarithm(_ value: Double) -> Double { Foundation.log10(value) }
    static func naturalLogarithm(_ value: Double) -> Double { Foundation.log(value) }
    static func exponential(_ value: Double) -> Double { Foundation.exp(value) }

    /// `random()`: a double, 0 ≤ result < 1.
    static let random: FunctionBody = { (_) throws(Fault) in .value(.double(Double.random(in: 0..<1))) }

    /// `randomn(6)`: an integer, 0 ≤ result < 6. Throws `argumentKind` for a bound that is not above 0.
    static let randomBelow: FunctionBody = { (arguments) throws(Fault) in
        let bound = try arguments.argument(0).requiredInteger(operand: 0)
        guard bound > 0 else {
            let found = PredicateValue.integer(bound).found
            throw Fault(.argumentKind(function: "randomn:", expected: "a number above 0", found: found), operand: 0)
        }
        return .value(.integer(Int64.random(in: 0..<bound)))
    }
}

extension Decimal {
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> Decimal {
        var result = Decimal()
        var copy = self
        let towardZero: Decimal.RoundingMode = isSignMinus ? .up : .down
        NSDecimalRound(&result, &copy, 0, rule == .down ? .down : rule == .up ? .up : towardZero)
        return result
    }
}

extension [KeyedValue] {
    /// The argument at a position; planning has checked that it exists.
    func argument(_ position: Int) -> KeyedValue {
        indices.contains(position) ? self[position] : .null
    }
}
