#if !canImport(Darwin)
    import Foundation
    import PredicateSyntax

    /// Two expressions with an operator between them: `NSComparisonPredicate`.
    ///
    /// ```swift
    /// NSComparisonPredicate(
    ///     leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: "jo"),
    ///     modifier: .direct, type: .beginsWith, options: [.caseInsensitive])
    /// ```
    open class FoundationComparisonPredicate: FoundationPredicate {
        /// Compares two expressions: `name BEGINSWITH[c] "jo"`
        public init(
            leftExpression lhs: FoundationExpression, rightExpression rhs: FoundationExpression,
            modifier: Modifier = .direct, type: Operator, options: Options = []
        ) {
            let node = PredicateNode(
                lhs.node, operatorNumber: type.rawValue, selector: nil, rhs.node, modifier: modifier.rawValue,
                options: options.rawValue)
            super.init { _, _ in false }
            if let node { core = PredicateCore(FormatPredicate(node)) }
        }

        /// Compares two expressions with a selector that is registered in ``PredicateSettings/registry``: `self
        /// isKindOfClass: %@`
        ///
        /// An unregistered selector is an evaluation error.
        public init(
            leftExpression lhs: FoundationExpression, rightExpression rhs: FoundationExpression,
            customSelector selector: Selector
        ) {
            let comparison = ComparisonPredicate(lhs.node, .customSelector(selector.name), rhs.node)
            super.init { _, _ in false }
            core = PredicateCore(FormatPredicate(.comparison(comparison)))
        }

        /// Makes a predicate that always has this result, as in ``FoundationPredicate``.
        public override init(value: Bool) { super.init(value: value) }

        /// Makes a predicate that a closure decides, as in ``FoundationPredicate``.
        public override init(block: @escaping (Any?, [String: Any]?) -> Bool) { super.init(block: block) }

        /// The operator. It is `customSelector` for `UTI-EQUALS` and `UTI-CONFORMS-TO` too, which have no number.
        open var predicateOperatorType: Operator {
            let number: Int?
            switch core.node {
            case .comparison(let comparison): number = comparison.operator.archivedNumber
            case .string(let comparison): number = comparison.operator.archivedNumber
            case .constant, .compound, .block: return .equalTo
            }
            return number.flatMap { Operator(rawValue: UInt($0)) } ?? .customSelector
        }

        /// `ANY`, `ALL` or neither.
        open var comparisonPredicateModifier: Modifier {
            Modifier(rawValue: UInt(core.node.modifier.rawValue)) ?? .direct
        }

        /// The left operand.
        open var leftExpression: FoundationExpression { .object(of: FormatExpression(sides.left)) }

        /// The right operand.
        open var rightExpression: FoundationExpression { .object(of: FormatExpression(sides.right)) }

        /// The operands. A comparison made from a constant or a closure compares its result with true.
        private var sides: (left: ExpressionNode, right: ExpressionNode) {
            core.node.sides ?? (.constantValue(.predicate(core.node)), .constantValue(.bool(true)))
        }

        /// The option letters: `[cd]`
        open var options: Options { Options(rawValue: UInt(core.node.options.rawValue)) }

        /// The selector of a comparison with a selector: `isKindOfClass:`
        open var customSelector: Selector? {
            if case .comparison(let comparison) = core.node, case .customSelector(let name) = comparison.operator {
                return Selector(name)
            }
            return nil
        }

        override class func accepts(_ node: PredicateNode) -> Bool {
            switch node {
            case .comparison, .string: true
            case .compound, .constant, .block: false
            }
        }
    }

    extension FoundationComparisonPredicate {
        /// The operator of a comparison, with Apple's names and numbers.
        public enum Operator: UInt, Sendable {
            /// `age < 21`
            case lessThan = 0
            /// `age <= 21`
            case lessThanOrEqualTo = 1
            /// `age > 21`
            case greaterThan = 2
            /// `age >= 21`
            case greaterThanOrEqualTo = 3
            /// `age == 21`
            case equalTo = 4
            /// `age != 21`
            case notEqualTo = 5
            /// `name MATCHES "j.*n"`
            case matches = 6
            /// `name LIKE "j*n"`
            case like = 7
            /// `name BEGINSWITH "jo"`
            case beginsWith = 8
            /// `name ENDSWITH "jo"`
            case endsWith = 9
            /// `name IN {"jo", "al"}`
            case `in` = 10
            /// `self isKindOfClass: %@`
            case customSelector = 11
            /// `name CONTAINS "jo"`
            case contains = 99
            /// `age BETWEEN {18, 65}`
            case between = 100
        }

        /// The quantifier of a comparison whose left operand is a collection.
        public enum Modifier: UInt, Sendable {
            /// `age > 21`
            case direct = 0
            /// `ALL ages > 21`
            case all = 1
            /// `ANY ages > 21`
            case any = 2
        }

        /// The option letters in brackets after an operator: `name ==[cd] "jo"`
        public struct Options: OptionSet, Hashable, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) {
                self.rawValue = rawValue
            }

            /// `[c]`: ignores case
            public static let caseInsensitive = Options(rawValue: 1)
            /// `[d]`: ignores diacritics
            public static let diacriticInsensitive = Options(rawValue: 2)
            /// `[n]`: compares literally; overrides `[c]` and `[d]` [NSP-078]
            public static let normalized = Options(rawValue: 4)
        }
    }
#endif
