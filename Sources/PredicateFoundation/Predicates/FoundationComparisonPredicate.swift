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

        /// Compares two expressions by a selector that ``PredicateSettings/registry`` knows: `self isKindOfClass: %@`
        ///
        /// A selector that it does not know is an error of the evaluation.
        public init(
            leftExpression lhs: FoundationExpression, rightExpression rhs: FoundationExpression,
            customSelector selector: Selector
        ) {
            let comparison = ComparisonPredicate(lhs.node, .customSelector(selector.name), rhs.node)
            super.init { _, _ in false }
            core = PredicateCore(FormatPredicate(.comparison(comparison)))
        }

        /// A predicate that always has this result, as that of ``FoundationPredicate``.
        public override init(value: Bool) { super.init(value: value) }

        /// A predicate that a closure decides, as that of ``FoundationPredicate``.
        public override init(block: @escaping (Any?, [String: Any]?) -> Bool) { super.init(block: block) }

        /// The operator; `customSelector` also for `UTI-EQUALS` and `UTI-CONFORMS-TO`, which have no number.
        open var predicateOperatorType: Operator { parts.type }

        /// `ANY`, `ALL` or neither.
        open var comparisonPredicateModifier: Modifier { parts.modifier }

        /// What stands left of the operator.
        open var leftExpression: FoundationExpression { parts.left }

        /// What stands right of the operator.
        open var rightExpression: FoundationExpression { parts.right }

        /// The letters in brackets: `[cd]`
        open var options: Options { parts.options }

        /// The selector of a comparison that has one: `isKindOfClass:`
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

    /// The parts of a comparison, whatever its operator compares.
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
                // What a comparison made of a constant or of a closure compares: its result with true.
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
#endif
