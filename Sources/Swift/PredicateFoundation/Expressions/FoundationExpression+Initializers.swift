#if !canImport(Darwin)
    public import Foundation
    internal import PredicateConversion
    import PredicateEvaluation
    public import PredicateSyntax

    extension FoundationExpression {
        /// Makes an expression from a value: `NSExpression(try FormatExpression("price * 1.19"))`
        public convenience init(_ expression: FormatExpression) {
            self.init(expression.node)
        }

        private convenience init(_ node: ExpressionNode) {
            self.init(core: ExpressionCore(FormatExpression(node)))
        }

        /// Parses a format string: `NSExpression(format: "price * %@", 1.19)`
        ///
        /// A format that does not parse stops the program with a message that shows the position and a hint;
        /// ``init(validating:_:)`` throws instead.
        public convenience init(format expressionFormat: String, _ args: Any?...) {
            self.init(format: expressionFormat, values: args)
        }

        /// Parses a format string with an array of arguments: `NSExpression(format: "%K * 2", argumentArray: ["price"])`
        public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
            self.init(format: expressionFormat, values: arguments)
        }

        private convenience init(format: String, values: [Any?]) {
            do throws(PredicateFormatError) {
                let arguments = values.map(PredicateValue.init(argument:))
                self.init(try FormatExpression(format: format, arguments: arguments).node)
            } catch {
                PredicateSettings.stop(error.description)
            }
        }

        /// `21`, `"jo"`, `nil`: a value of any type. A nil optional that is passed as a value of the type `Any` is
        /// `<null>`, as on Apple's platforms.
        public convenience init(forConstantValue obj: Any?) {
            // Objective-C receives nil within an `Any` as `NSNull`.
            if let obj, let optional = obj as? any OptionalValue, optional.some == nil {
                self.init(.constantValue(.nullObject))
            } else {
                self.init(.constantValue(PredicateValue(argument: obj)))
            }
        }

        /// `SELF`
        public class func expressionForEvaluatedObject() -> FoundationExpression {
            object(of: FormatExpression(.evaluatedObject))
        }

        /// `ANYKEY`: each attribute of the object in turn, as one side of a comparison [NSP-179]
        public class func expressionForAnyKey() -> FoundationExpression {
            object(of: FormatExpression(.anyKey))
        }

        /// `$limit`
        public convenience init(forVariable string: String) {
            self.init(.variable(string))
        }

        /// `dept.name`, `friends.@count`; the key `self` is the object itself
        public convenience init(forKeyPath keyPath: String) {
            self.init(.keyPath(KeyPathExpression(keys: keyPath)))
        }

        /// `dept.name`: `NSExpression(forKeyPath: \Person.dept.name)`
        ///
        /// The name of a key path is the name of its property, or the name in the type's table of keys. A key path
        /// to a computed property, or to a property of a class that is not final, has no name unless the table has it,
        /// and stops the program.
        public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
            guard let keys = KeyPathNames.keys(of: keyPath) else {
                PredicateSettings.stop("\(MisuseError(unnamed: keyPath))")
            }
            self.init(.keyPath(KeyPathExpression(keys.map(KeyPathExpression.Component.key))))
        }

        /// `sum(prices)`: `NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "prices")])`
        ///
        /// An unknown function, neither of the language nor in ``PredicateSettings/registry``, is an evaluation
        /// error.
        public convenience init(forFunction name: String, arguments parameters: [Any]) {
            self.init(ExpressionNode(function: name, parameters.map(ExpressionNode.init(parameter:))))
        }

        /// `FUNCTION(name, "stringByAppendingString:", "!")`: a message that is registered in
        /// ``PredicateSettings/registry`` [NSP-125]
        public convenience init(
            forFunction target: FoundationExpression, selectorName name: String, arguments parameters: [Any]?
        ) {
            let arguments = (parameters ?? []).map(ExpressionNode.init(parameter:))
            self.init(.message(MessageExpression(target: target.node, selector: name, arguments: arguments)))
        }

        /// `{18, age}`: the values of expressions as an array
        public convenience init(forAggregate subexpressions: [Any]) {
            self.init(.aggregate(of: subexpressions.map(ExpressionNode.init(parameter:))))
            isAggregate = true
        }

        /// `a UNION b`
        public convenience init(forUnionSet left: FoundationExpression, with right: FoundationExpression) {
            self.init(.set(SetExpression(left.node, .union, right.node)))
        }

        /// `a INTERSECT b`
        public convenience init(forIntersectSet left: FoundationExpression, with right: FoundationExpression) {
            self.init(.set(SetExpression(left.node, .intersect, right.node)))
        }

        /// `a MINUS b`
        public convenience init(forMinusSet left: FoundationExpression, with right: FoundationExpression) {
            self.init(.set(SetExpression(left.node, .minus, right.node)))
        }

        /// `SUBQUERY(friends, $f, $f.age > 21)`
        public convenience init(
            forSubquery expression: FoundationExpression, usingIteratorVariable variable: String,
            predicate: Foundation.NSPredicate
        ) {
            self.init(
                .subquery(SubqueryExpression(expression.node, variable: variable, predicate: predicate.node)))
        }

        /// `TERNARY(age > 17, "adult", "child")`
        public convenience init(
            forConditional predicate: Foundation.NSPredicate, trueExpression: FoundationExpression,
            falseExpression: FoundationExpression
        ) {
            self.init(
                .conditional(
                    ConditionalExpression(predicate.node, true: trueExpression.node, false: falseExpression.node)))
        }

        /// A value that a closure computes from the object, the expressions and the context. It prints as
        /// `BLOCK(<"NSExpression">)`, equals only itself, and can be neither archived nor compiled to SQL. [NSP-178]
        public convenience init(block: @escaping Block, arguments: [FoundationExpression]?) {
            let arguments = arguments ?? []
            self.init(FormatExpression(foreign: { block($0, arguments, $1) }).node)
            self.block = (block, arguments)
        }
    }

    extension ExpressionNode {
        /// Makes a parameter of a function: an expression, or any other value as a constant.
        init(parameter value: Any) {
            switch value {
            case let expression as FoundationExpression: self = expression.node
            default: self = .constantValue(PredicateValue(argument: value))
            }
        }
    }
#endif
