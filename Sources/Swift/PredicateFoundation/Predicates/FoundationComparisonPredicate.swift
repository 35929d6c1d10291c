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
            let node = type.comparison(lhs.node, rhs.node, modifier, options)
            super.init { _, _ in false }
            core = PredicateCore(FormatPredicate(node))
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
        open var predicateOperatorType: Operator { parts.type }

        /// `ANY`, `ALL` or neither.
        open var comparisonPredicateModifier: Modifier { parts.modifier }

        /// The left operand.
        open var leftExpression: FoundationExpression { parts.left }

        /// The right operand.
        open var rightExpression: FoundationExpression { parts.right }

        /// The option letters: `[cd]`
        open var options: Options { parts.options }

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

        private var parts: ComparisonParts { ComparisonParts(core.node) }
    }

    /// The parts of a comparison, for any operator.
    private struct ComparisonParts {
        var type: FoundationComparisonPredicate.Operator
        var modifier: FoundationComparisonPredicate.Modifier
        var left: FoundationExpression
        var right: FoundationExpression
        var options: FoundationComparisonPredicate.Options

        init(_ node: PredicateNode) {
            switch node {
            case .comparison(let comparison):
                self.init(comparison, number: comparison.operator.archivedNumber)
            case .string(let comparison):
                self.init(comparison, number: comparison.operator.archivedNumber)
            case .constant, .compound, .block:
                // A comparison made from a constant or a closure compares its result with true.
                let whole = ExpressionNode.constantValue(.predicate(node))
                self.init(ComparisonPredicate(whole, .equalTo, .constantValue(.bool(true))), number: nil)
                type = .equalTo
            }
        }

        private init<Operator>(_ comparison: OperatorComparison<Operator>, number: Int?) {
            type = number.flatMap { .init(rawValue: UInt($0)) } ?? .customSelector
            modifier = .init(comparison.modifier)
            left = FoundationExpression.object(of: FormatExpression(comparison.leftExpression))
            right = FoundationExpression.object(of: FormatExpression(comparison.rightExpression))
            options = .init(rawValue: UInt(comparison.options.rawValue))
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

            init(_ modifier: ComparisonModifier) {
                switch modifier {
                case .direct: self = .direct
                case .all: self = .all
                case .any: self = .any
                }
            }

            fileprivate var modifier: ComparisonModifier {
                switch self {
                case .direct: .direct
                case .all: .all
                case .any: .any
                }
            }
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

            fileprivate var options: ComparisonOptions {
                ComparisonOptions(rawValue: Int(truncatingIfNeeded: rawValue))
            }
        }
    }

    extension FoundationComparisonPredicate.Operator {
        typealias Modifier = FoundationComparisonPredicate.Modifier
        typealias Options = FoundationComparisonPredicate.Options

        /// Makes the comparison of two expressions with the operator.
        func comparison(
            _ left: ExpressionNode, _ right: ExpressionNode, _ modifier: Modifier, _ options: Options
        ) -> PredicateNode {
            switch kind {
            case .value(let comparison):
                .comparison(
                    ComparisonPredicate(left, comparison, right, modifier: modifier.modifier, options: options.options))
            case .text(let comparison):
                .string(StringPredicate(left, comparison, right, modifier: modifier.modifier, options: options.options))
            }
        }

        private enum Kind {
            case value(ComparisonOperator)
            case text(StringOperator)
        }

        private var kind: Kind {
            switch self {
            case .lessThan: .value(.lessThan)
            case .lessThanOrEqualTo: .value(.lessThanOrEqualTo)
            case .greaterThan: .value(.greaterThan)
            case .greaterThanOrEqualTo: .value(.greaterThanOrEqualTo)
            case .equalTo: .value(.equalTo)
            case .notEqualTo: .value(.notEqualTo)
            case .matches: .text(.matches)
            case .like: .text(.like)
            case .beginsWith: .text(.beginsWith)
            case .endsWith: .text(.endsWith)
            case .in: .value(.in)
            // The selector was not given. No registry contains this name, so evaluating the comparison is an error.
            case .customSelector: .value(.customSelector("customSelector"))
            case .contains: .text(.contains)
            case .between: .value(.between)
            }
        }
    }
#endif
