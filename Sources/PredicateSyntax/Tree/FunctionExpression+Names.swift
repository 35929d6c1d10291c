extension FunctionExpression {
    /// The name of a function.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Name: Sendable {
        /// `sum:(a)`, `a + b`
        case predefined(FunctionExpression.Predefined)
        /// `mgl_round:(a)`: a name that only a host can know; whether it does shows when an evaluator is made
        case custom(String)

        /// The function of this name, with or without its last colon.
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
        /// `noindex:(a)`: its argument
        case noindex = "noindex:"
        /// `length:(a)`
        case length = "length:"
        /// `distanceToLocation:fromLocation:(a, b)`: metres
        case distance = "distanceToLocation:fromLocation:"
    }
}

extension FunctionExpression.Predefined {
    /// The function that a format string calls by this name: the last colon may be missing, case counts.
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

    /// The least and the greatest number of arguments.
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
