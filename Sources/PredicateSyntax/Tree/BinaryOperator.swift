/// An operator between two values, or two collections: its spelling, its meaning and its precedence, once.
///
/// From the loosest to the tightest. All are left associative, and all bind tighter than a comparison. [NSP-046]
package enum BinaryOperator: Hashable, Sendable, CaseIterable {
    case union, intersect, minus
    case bitwiseOr
    case bitwiseXor
    case bitwiseAnd
    case leftShift, rightShift
    case add, subtract
    case multiply, divide
    case power

    /// The node that the operator makes of its two sides.
    enum Meaning {
        case function(FunctionExpression.Predefined)
        case set(SetExpression.Operator)
    }

    var meaning: Meaning {
        switch self {
        case .union: .set(.union)
        case .intersect: .set(.intersect)
        case .minus: .set(.minus)
        case .bitwiseOr: .function(.bitwiseOr)
        case .bitwiseXor: .function(.bitwiseXor)
        case .bitwiseAnd: .function(.bitwiseAnd)
        case .leftShift: .function(.leftShift)
        case .rightShift: .function(.rightShift)
        case .add: .function(.add)
        case .subtract: .function(.subtract)
        case .multiply: .function(.multiply)
        case .divide: .function(.divide)
        case .power: .function(.power)
        }
    }

    /// The precedence; a greater number binds tighter.
    package var precedence: Int {
        switch self {
        case .union, .intersect, .minus: 1
        case .bitwiseOr: 2
        case .bitwiseXor: 3
        case .bitwiseAnd: 4
        case .leftShift, .rightShift: 5
        case .add, .subtract: 6
        case .multiply, .divide: 7
        case .power: 9
        }
    }

    /// The precedence of `-a` and `~a`: `-2 ** 2` is −4.
    static let unaryPrecedence = 8

    /// The spelling in a format string.
    package var spelling: String {
        switch self {
        case .union: Keyword.union.rawValue
        case .intersect: Keyword.intersect.rawValue
        case .minus: Keyword.minus.rawValue
        case .bitwiseOr: Symbol.bar.rawValue
        case .bitwiseXor: Symbol.caret.rawValue
        case .bitwiseAnd: Symbol.ampersand.rawValue
        case .leftShift: Symbol.doubleLess.rawValue
        case .rightShift: Symbol.doubleGreater.rawValue
        case .add: Symbol.plus.rawValue
        case .subtract: Symbol.hyphen.rawValue
        case .multiply: Symbol.asterisk.rawValue
        case .divide: Symbol.slash.rawValue
        case .power: Symbol.doubleAsterisk.rawValue
        }
    }

    /// The operator that a function is written with, when it has one.
    init?(_ function: FunctionExpression.Predefined) {
        guard let match = Self.allCases.first(where: { $0.isWritten(for: function) }) else { return nil }
        self = match
    }

    private func isWritten(for function: FunctionExpression.Predefined) -> Bool {
        switch meaning {
        case .function(let own): own == function
        case .set: false
        }
    }
}
