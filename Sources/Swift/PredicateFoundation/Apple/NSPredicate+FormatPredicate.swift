#if canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    public import PredicateSyntax

    extension NSPredicate {
        /// Makes the object for a predicate: `NSPredicate(try FormatPredicate("age >= 18"))` is a comparison.
        ///
        /// A part that Apple's classes lack, such as a function that only ``PredicateSettings`` knows, becomes a closure that
        /// evaluates it here.
        public convenience init(_ predicate: FormatPredicate) {
            if let made = Self.object(of: predicate.node) as? Self {
                self.init(replacing: made)
            } else {
                self.init(block: Self.evaluation(of: predicate.node))
            }
        }

        fileprivate static func object(of node: PredicateNode) -> NSPredicate {
            switch node {
            case .constant(let value): NSPredicate(value: value)
            case .comparison(let comparison): object(of: node, comparison, comparison.operator.archivedNumber)
            case .string(let comparison): object(of: node, comparison, comparison.operator.archivedNumber)
            case .compound(let compound):
                NSCompoundPredicate(
                    type: compound.type.foundationType, subpredicates: compound.subpredicates.map(object))
            case .block: NSPredicate(block: evaluation(of: node))
            }
        }

        private static func object<Operator>(
            of node: PredicateNode, _ comparison: OperatorComparison<Operator>, _ number: Int?
        ) -> NSPredicate {
            let left = NSExpression.object(of: comparison.leftExpression)
            let right = NSExpression.object(of: comparison.rightExpression)
            if case .customSelector(let name)? = comparison.operator as? ComparisonOperator {
                return NSComparisonPredicate(
                    leftExpression: left, rightExpression: right, customSelector: NSSelectorFromString(name))
            }
            guard let own = number.flatMap({ NSComparisonPredicate.Operator(rawValue: UInt($0)) }) else {
                return NSPredicate(block: evaluation(of: node))
            }
            return NSComparisonPredicate(
                leftExpression: left, rightExpression: right,
                modifier: NSComparisonPredicate.Modifier(rawValue: UInt(comparison.modifier.rawValue)) ?? .direct,
                type: own, options: NSComparisonPredicate.Options(rawValue: UInt(comparison.options.rawValue)))
        }

        /// Returns the closure that evaluates a tree here.
        private static func evaluation(of node: PredicateNode) -> @Sendable (Any?, [String: Any]?) -> Bool {
            let core = PredicateCore(FormatPredicate(node))
            return { object, bindings in core.evaluate(with: object, bindings: bindings) }
        }
    }

    extension NSExpression: Replaceable {}

    extension NSExpression {
        /// Makes the object for an expression: `NSExpression(try FormatExpression("price * 1.19"))`
        ///
        /// A part that Apple's class lacks becomes a closure that evaluates it here.
        public convenience init(_ expression: FormatExpression) {
            if let made = Self.object(of: expression.node) as? Self {
                self.init(replacing: made)
            } else {
                self.init(block: Self.evaluation(of: expression.node), arguments: nil)
            }
        }

        fileprivate static func object(of node: ExpressionNode) -> NSExpression {
            switch node {
            case .constantValue(let value): NSExpression(forConstantValue: KeyedValue.value(value).foundationObject)
            case .evaluatedObject: expressionForEvaluatedObject()
            case .anyKey: expressionForAnyKey()
            case .variable(let name): NSExpression(forVariable: name)
            case .keyPath(let path): object(of: path)
            case .function(let call): object(of: call)
            case .message(let message):
                NSExpression(
                    forFunction: object(of: message.target), selectorName: message.selector,
                    arguments: message.arguments.map(object))
            case .aggregate(let elements): NSExpression(forAggregate: elements.map(object))
            case .subquery(let subquery):
                NSExpression(
                    forSubquery: object(of: subquery.collection), usingIteratorVariable: subquery.variable,
                    predicate: NSPredicate.object(of: subquery.predicate))
            case .conditional(let choice):
                NSExpression(
                    forConditional: NSPredicate.object(of: choice.predicate),
                    trueExpression: object(of: choice.trueExpression),
                    falseExpression: object(of: choice.falseExpression))
            case .set(let set): object(of: set)
            case .member, .cast, .index, .symbol, .assignment, .block, .fetch:
                NSExpression(block: evaluation(of: node), arguments: nil)
            }
        }

        private static func object(of path: KeyPathExpression) -> NSExpression {
            let keys = path.keysFormat
            guard let base = path.base else { return NSExpression(forKeyPath: keys) }
            return NSExpression(
                forFunction: object(of: base), selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forConstantValue: keys)])
        }

        /// Apple's class raises an exception for a function that it lacks, and its documentation lists neither of these.
        private static func object(of call: FunctionExpression) -> NSExpression {
            switch call.function {
            case .custom, .predefined(.negate), .predefined(.length):
                NSExpression(block: evaluation(of: .function(call)), arguments: nil)
            case .predefined(let function):
                NSExpression(forFunction: function.rawValue, arguments: call.arguments.map(object))
            }
        }

        private static func object(of set: SetExpression) -> NSExpression {
            let (left, right) = (object(of: set.leftExpression), object(of: set.rightExpression))
            return switch set.operator {
            case .union: NSExpression(forUnionSet: left, with: right)
            case .intersect: NSExpression(forIntersectSet: left, with: right)
            case .minus: NSExpression(forMinusSet: left, with: right)
            }
        }

        /// Returns the closure that evaluates a tree here.
        private static func evaluation(
            of node: ExpressionNode
        ) -> @Sendable (Any?, [NSExpression], NSMutableDictionary?) -> Any {
            let core = ExpressionCore(FormatExpression(node))
            return { object, _, context in core.value(with: object, context: context) ?? NSNull() }
        }
    }
#endif
