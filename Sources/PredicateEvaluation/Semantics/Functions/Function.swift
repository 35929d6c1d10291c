import Foundation
import PredicateSyntax

/// The work of a function of the language, from the values of its arguments to its result.
///
/// Planning has checked the number of arguments.
typealias FunctionBody = @Sendable (_ arguments: [KeyedValue]) throws(Fault) -> KeyedValue

extension FunctionExpression.Predefined {
    /// The work of the function: the table of all functions.
    var body: FunctionBody {
        switch self {
        case .sum: Statistics.sum
        case .count: Statistics.count
        case .min: Statistics.minimum
        case .max: Statistics.maximum
        case .average: Statistics.average
        case .median: Statistics.median
        case .mode: Statistics.mode
        case .stddev: Statistics.standardDeviation
        case .add: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.adding(b) }
        case .subtract: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.subtracting(b) }
        case .multiply: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.multiplied(by: b) }
        case .divide: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.divided(by: b) }
        case .modulus: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.remainder(dividingBy: b) }
        case .power: Arithmetic.binary { (a, b) throws(EvaluationError) in a.power(b) }
        case .negate: Arithmetic.unary { (a) throws(EvaluationError) in try a.negated() }
        case .abs: Arithmetic.unary { (a) throws(EvaluationError) in try a.magnitude() }
        case .floor: Arithmetic.rounding(.down)
        case .ceiling: Arithmetic.rounding(.up)
        case .trunc: Arithmetic.rounding(.towardZero)
        case .sqrt: Arithmetic.real { $0.squareRoot() }
        case .log: Arithmetic.real(Arithmetic.decimalLogarithm)
        case .ln: Arithmetic.real(Arithmetic.naturalLogarithm)
        case .exp: Arithmetic.real(Arithmetic.exponential)
        case .random: Arithmetic.random
        case .randomn: Arithmetic.randomBelow
        case .bitwiseAnd: Bits.binary { $0 & $1 }
        case .bitwiseOr: Bits.binary { $0 | $1 }
        case .bitwiseXor: Bits.binary { $0 ^ $1 }
        case .leftShift: Bits.leftShift
        case .rightShift: Bits.rightShift
        case .onesComplement: Bits.complement
        case .uppercase: TextFunctions.uppercase
        case .lowercase: TextFunctions.lowercase
        case .length: TextFunctions.length
        case .now: { (_) throws(Fault) in .value(.date(Date())) }
        case .distance: Location.distance
        case .noindex: { (arguments) throws(Fault) in arguments.first ?? .null }
        }
    }

    /// True if equal arguments always give an equal result, so that a call of constants can be folded.
    var isPure: Bool {
        switch self {
        case .random, .randomn, .now: false
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev, .add, .subtract, .multiply, .divide,
            .modulus, .sqrt, .log, .ln, .power, .exp, .floor, .ceiling, .abs, .trunc, .negate, .uppercase, .lowercase,
            .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noindex, .length,
            .distance:
            true
        }
    }
}
