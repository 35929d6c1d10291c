extension FunctionExpression {
    /// The name of a function.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Name: Sendable {
        /// `sum:(a)`, `a + b`
        case predefined(FunctionExpression.Predefined)
        /// `mgl_round:(a)`: a function of the host, which must be registered when an evaluator is made.
        case custom(String)

        /// Makes the name of a function, with or without its last colon.
        ///
        /// `sum`, `sum:`, `modulus:by:`
        public init(_ name: String) {
            self = FunctionExpression.Predefined(name: name).map(Self.predefined) ?? .custom(name)
        }

        /// `sum:`, `mgl_round:`
        public var name: String {
            switch self {
            case .predefined(let function): function.rawValue
            case .custom(let name): name
            }
        }
    }
}

extension FunctionExpression.Name: Hashable {
    public static func == (left: FunctionExpression.Name, right: FunctionExpression.Name) -> Bool {
        switch (left, right) {
        case (.predefined(let left), .predefined(let right)): left == right
        case (.custom(let left), .custom(let right)): left.hasSameCodePoints(as: right)
        case (.predefined, .custom), (.custom, .predefined): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        name.hashCodePoints(into: &hasher)
    }
}

extension FunctionExpression {
    /// A function that the language defines.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Predefined: String, Hashable, Sendable, CaseIterable {
        /// `sum:({1, 2})`
        case sum = "sum:"
        /// `count:({1, 2})`
        case count = "count:"
        /// `min:({1, 2})`
        case min = "min:"
        /// `max:({1, 2})`
        case max = "max:"
        /// `average:({1, 2})`
        case average = "average:"
        /// `median:({1, 2, 3})`
        case median = "median:"
        /// `mode:({1, 2, 2})`: an array of all modes
        case mode = "mode:"
        /// `stddev:({1, 2})`
        case stddev = "stddev:"
        /// `a + b`
        case add = "add:to:"
        /// `a - b`
        case subtract = "from:subtract:"
        /// `a * b`
        case multiply = "multiply:by:"
        /// `a / b`
        case divide = "divide:by:"
        /// `modulus:by:(a, b)`
        case modulus = "modulus:by:"
        /// `sqrt:(a)`
        case sqrt = "sqrt:"
        /// `log:(a)`: to base 10
        case log = "log:"
        /// `ln:(a)`: to base e
        case ln = "ln:"
        /// `a ** b`
        case power = "raise:toPower:"
        /// `exp:(a)`
        case exp = "exp:"
        /// `floor:(a)`
        case floor = "floor:"
        /// `ceiling:(a)`
        case ceiling = "ceiling:"
        /// `abs:(a)`
        case abs = "abs:"
        /// `trunc:(a)`
        case trunc = "trunc:"
        /// `-a`
        case negate = "negate:"
        /// `uppercase:(a)`
        case uppercase = "uppercase:"
        /// `lowercase:(a)`
        case lowercase = "lowercase:"
        /// `random()`
        case random = "random"
        /// `randomn:(a)`: 0 ≤ result < a
        case randomn = "randomn:"
        /// `now()`
        case now = "now"
        /// `a & b`
        case bitwiseAnd = "bitwiseAnd:with:"
        /// `a | b`
        case bitwiseOr = "bitwiseOr:with:"
        /// `a ^ b`
        case bitwiseXor = "bitwiseXor:with:"
        /// `a << b`
        case leftShift = "leftshift:by:"
        /// `a >> b`
        case rightShift = "rightshift:by:"
        /// `~a`
        case onesComplement = "onesComplement:"
        /// `noindex:(a)`: the argument itself
        case noindex = "noindex:"
        /// `length:(a)`
        case length = "length:"
        /// `distanceToLocation:fromLocation:(a, b)`: metres
        case distance = "distanceToLocation:fromLocation:"
    }
}

extension FunctionExpression.Predefined {
    /// Makes the function that a format string calls by this name. The last colon is optional; names are
    /// case-sensitive.
    package init?(name: String) {
        guard let function = Self(rawValue: name) ?? Self(rawValue: name + ":") ?? Self.withoutColon(name) else {
            return nil
        }
        self = function
    }

    /// `now:()` and `random:()`.
    private static func withoutColon(_ name: String) -> Self? {
        guard name.last == ":", let function = Self(rawValue: String(name.dropLast())) else { return nil }
        return function.arity.upperBound == 0 ? function : nil
    }

    /// The allowed numbers of arguments.
    package var arity: ClosedRange<Int> {
        switch self {
        case .random, .now: 0...0
        case .sqrt, .log, .ln, .exp, .floor, .ceiling, .abs, .trunc, .negate, .uppercase, .lowercase, .randomn,
            .onesComplement, .noindex, .length:
            1...1
        case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
            .rightShift, .distance:
            2...2
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev: 1...Int.max
        }
    }
}

// MARK: - Binary operators

/// An operator between two values or two collections: the one place for its spelling, its meaning and its precedence.
///
/// The cases are listed from the loosest to the tightest. All are left-associative and bind tighter than a
/// comparison. [NSP-046]
package enum BinaryOperator: Hashable, Sendable, CaseIterable {
    case union, intersect, minus
    case bitwiseOr
    case bitwiseXor
    case bitwiseAnd
    case leftShift, rightShift
    case add, subtract
    case multiply, divide
    case power

    /// The kind of node that the operator makes.
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

    /// Makes the operator with which a function is written; nil if there is none.
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
