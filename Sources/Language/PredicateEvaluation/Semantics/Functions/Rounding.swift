import Foundation
import PredicateSyntax

extension EvaluationRegistry {
    /// Adds `round:(price, 2)`, which rounds to at most two digits after the decimal point; without a second argument, it
    /// rounds to a whole number.
    ///
    /// A number halfway between two results is rounded away from zero, judged by its decimal digits: `round(2.675, 2)` is 2.68.
    /// A double stays a double, an integer an integer and a decimal number a decimal number; NaN and infinities do not change,
    /// and nil gives nil. Negative digits round before the decimal point: `round(1250, -2)` is 1300. The digits are from −15 to
    /// 15. Other arguments throw `argumentKind`. [NSP-514]
    package mutating func registerRounding() {
        registerFunction("round:") { arguments in
            guard (1...2).contains(arguments.count) else {
                throw EvaluationError(.argumentCount(function: "round:", expected: 1...2, found: arguments.count))
            }
            let (value, digits) = (arguments.argument(0), arguments.count == 2 ? arguments.argument(1) : .value(0))
            if value.isNull || digits.isNull { return .null }
            guard let number = value.number else { throw unexpected(value, "a number") }
            guard let count = digits.number?.exactInteger, (-15...15).contains(count) else {
                throw unexpected(digits, "a whole number from -15 to 15")
            }
            return .value(number.rounded(to: Int(count)).predicateValue)
        }
    }
}

private func unexpected(_ value: KeyedValue, _ expected: String) -> EvaluationError {
    EvaluationError(.argumentKind(function: "round:", expected: expected, found: value.found))
}

extension Number {
    /// Returns the number with at most `digits` digits after the decimal point.
    fileprivate func rounded(to digits: Int) -> Number {
        switch self {
        case .integer(let value):
            guard digits < 0 else { return self }
            return Number.decimal(Decimal(value).rounded(to: digits)).exactInteger.map(Number.integer) ?? self
        case .decimal(let value): return .decimal(value.rounded(to: digits))
        case .double(let value):
            // Beyond 2^53 a double has no fraction, and beyond 10^38 a decimal number cannot hold its digits.
            guard value.isFinite, value.magnitude < (digits < 0 ? 1e38 : 0x1p53) else { return self }
            return .double(decimalValue.rounded(to: digits).nearestDouble)
        }
    }
}
