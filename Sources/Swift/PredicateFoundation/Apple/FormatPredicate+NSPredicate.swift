#if canImport(Darwin)
    public import Foundation
    public import PredicateEvaluation
    public import PredicateSyntax

    extension FormatPredicate {
        /// Makes the value of an NSPredicate, for SQL and for policies:
        /// `try SQLCompiler(…).compile(FormatPredicate(predicate), entity: "Person")`
        ///
        /// The public properties of Apple's classes give the tree. A closure, or any other part without such properties,
        /// becomes a leaf that evaluators call and SQL refuses. [NSP-178]
        public init(_ predicate: NSPredicate) { self.init(predicate.node) }
    }

    extension FormatExpression {
        /// Makes the value of an NSExpression.
        public init(_ expression: NSExpression) { self.init(expression.node) }
    }

    /// `try people.filtered(using: predicate)`: sequences accept an NSPredicate and evaluate it as a batch.
    extension NSPredicate: EvaluablePredicate {
        public func evaluator() throws(EvaluationError) -> PredicateEvaluator {
            try PredicateCore(FormatPredicate(self)).evaluator
        }
    }

    extension NSPredicate {
        /// The tree. Parts without public properties become leaves that call them.
        var node: PredicateNode {
            if let compound = self as? NSCompoundPredicate, let parts = compound.subpredicates as? [NSPredicate] {
                return .compound(CompoundPredicate(LogicalType(compound.compoundPredicateType), parts.map(\.node)))
            }
            if let node = (self as? NSComparisonPredicate)?.comparison { return node }
            switch predicateFormat {
            case "TRUEPREDICATE": return .constant(true)
            case "FALSEPREDICATE": return .constant(false)
            default:
                let call: ForeignBlock.Call = { self.evaluate(with: $0, substitutionVariables: $1) }
                return FormatPredicate(foreign: call).node
            }
        }
    }

    extension NSComparisonPredicate {
        fileprivate var comparison: PredicateNode? {
            PredicateNode(
                leftExpression.node, operatorNumber: predicateOperatorType.rawValue,
                selector: customSelector.map(NSStringFromSelector), rightExpression.node,
                modifier: comparisonPredicateModifier.rawValue, options: options.rawValue)
        }
    }

    extension NSExpression {
        /// The tree. Parts without public properties become leaves that call them.
        var node: ExpressionNode {
            switch expressionType {
            case .constantValue: .constantValue(PredicateValue(argument: constantValue))
            case .evaluatedObject: .evaluatedObject
            case .variable: .variable(variable)
            case .keyPath: .keyPath(KeyPathExpression(keys: keyPath))
            case .function: call
            case .unionSet: .set(SetExpression(left.node, .union, right.node))
            case .intersectSet: .set(SetExpression(left.node, .intersect, right.node))
            case .minusSet: .set(SetExpression(left.node, .minus, right.node))
            case .subquery: subquery
            case .aggregate: (collection as? [NSExpression]).map { .aggregate(of: $0.map(\.node)) } ?? leaf
            case .anyKey: .anyKey
            case .block: leaf
            case .conditional:
                .conditional(ConditionalExpression(predicate.node, true: `true`.node, false: `false`.node))
            // A symbolic index, recognized by its name, or a kind that Apple adds later.
            @unknown default: IndexExpression.SymbolicIndex(rawValue: description).map(ExpressionNode.symbol) ?? leaf
            }
        }

        private var leaf: ExpressionNode {
            FormatExpression(foreign: { self.expressionValue(with: $0, context: $1) }).node
        }

        private var subquery: ExpressionNode {
            guard let elements = collection as? NSExpression else { return leaf }
            return .subquery(SubqueryExpression(elements.node, variable: variable, predicate: predicate.node))
        }

        /// A function of the language, a key path of a variable, or a message: FUNCTION.
        private var call: ExpressionNode {
            let parameters = arguments ?? []
            if function == "valueForKeyPath:", parameters.count == 1 {
                return .keyPath(KeyPathExpression(base: operand.node, keys: parameters[0].keys))
            }
            let made = ExpressionNode(function: function, parameters.map(\.node))
            guard case .function(let call) = made, case .custom(let name) = call.function else { return made }
            return .message(MessageExpression(target: operand.node, selector: name, arguments: call.arguments))
        }

        /// The keys of a constant string, or of a key path that is an argument.
        private var keys: String {
            if case .constantValue = expressionType, let text = constantValue as? String { text } else { description }
        }
    }
#endif
