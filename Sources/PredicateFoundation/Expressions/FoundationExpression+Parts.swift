#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    // A part of an expression that has it. Each is computed from the tree, so that there is one truth.
    extension FoundationExpression {
        /// `21` of `21`, an array of `{1, 2}`; nil of `nil`
        public var constantValue: Any? {
            if case .constantValue(let value) = core.expression.node { return KeyedValue.value(value).foundationObject }
            if case .symbol(let symbol) = core.expression.node { return symbol.rawValue }
            return refused("a constant value", nil)
        }

        /// `dept.name` of `dept.name` and of `$person.dept.name`
        public var keyPath: String {
            guard case .keyPath(let path) = core.expression.node else { return refused("a key path", "") }
            return ExpressionNode.keyPath(KeyPathExpression(path.components)).expressionFormat
        }

        /// `sum:` of `sum(prices)`, `add:to:` of `a + b`, the selector of a message
        public var function: String {
            callParts?.name ?? refused("a function", "")
        }

        /// The receiver of a message, and what a key path begins at: `name` of `FUNCTION(name, "length")`
        ///
        /// A function of the language has no receiver, and gives its first argument.
        public var operand: FoundationExpression {
            if case .keyPath(let path) = core.expression.node { return Self.object(of: path.base ?? .evaluatedObject) }
            guard let parts = callParts else { return refused("an operand", .expressionForEvaluatedObject()) }
            return Self.object(of: parts.target ?? parts.arguments.first ?? .evaluatedObject)
        }

        /// `{a, b}` of `a + b`: the arguments of a function, a message, an index, a cast or a closure
        public var arguments: [FoundationExpression]? {
            if let block { return block.arguments }
            guard let parts = callParts else { return refused("arguments", nil) }
            return parts.arguments.map(Self.object)
        }

        /// `limit` of `$limit`, `f` of `SUBQUERY(friends, $f, …)`
        public var variable: String {
            if case .variable(let name) = core.expression.node { return name }
            if case .subquery(let subquery) = core.expression.node { return subquery.variable }
            if case .assignment(let assignment) = core.expression.node { return assignment.variable }
            return refused("a variable", "")
        }

        /// The expressions of `{a, 65}` as an array, the collection of a SUBQUERY as an expression
        public var collection: Any {
            if case .subquery(let subquery) = core.expression.node { return Self.object(of: subquery.collection) }
            if case .aggregate(let elements) = core.expression.node { return elements.map(Self.object) }
            if isAggregate, case .constantValue(.array(let values)) = core.expression.node {
                return values.map { Self.object(of: .constantValue($0)) }
            }
            return refused("a collection", [FoundationExpression]())
        }

        /// The condition of a SUBQUERY or of a TERNARY
        public var predicate: FoundationPredicate {
            if case .subquery(let subquery) = core.expression.node {
                return FoundationPredicate.object(of: FormatPredicate(subquery.predicate))
            }
            if case .conditional(let conditional) = core.expression.node {
                return FoundationPredicate.object(of: FormatPredicate(conditional.predicate))
            }
            return refused("a predicate", FoundationPredicate(value: false))
        }

        /// `a` of `a UNION b`
        public var left: FoundationExpression {
            guard case .set(let set) = core.expression.node else { return refused("a left side", self) }
            return Self.object(of: set.leftExpression)
        }

        /// `b` of `a UNION b`
        public var right: FoundationExpression {
            guard case .set(let set) = core.expression.node else { return refused("a right side", self) }
            return Self.object(of: set.rightExpression)
        }

        /// `b` of `TERNARY(a, b, c)`
        public var `true`: FoundationExpression {
            guard case .conditional(let node) = core.expression.node else { return refused("alternatives", self) }
            return Self.object(of: node.trueExpression)
        }

        /// `c` of `TERNARY(a, b, c)`
        public var `false`: FoundationExpression {
            guard case .conditional(let node) = core.expression.node else { return refused("alternatives", self) }
            return Self.object(of: node.falseExpression)
        }

        /// The closure of an expression that was made of one
        public var expressionBlock: Block {
            block?.call ?? refused("a block", { _, _, _ in nil })
        }

        private static func object(of node: ExpressionNode) -> FoundationExpression {
            object(of: FormatExpression(node))
        }

        private func refused<Part>(_ part: String, _ substitute: Part) -> Part {
            PredicateSettings.answer(substitute, for: MisuseError(expected: part, of: self))
        }
    }

    extension FoundationExpression {
        /// What is called, on what, with what: of every node that Apple's classes show as a function.
        private var callParts: (name: String, target: ExpressionNode?, arguments: [ExpressionNode])? {
            switch core.expression.node {
            case .function(let call): (call.function.name, nil, call.arguments)
            case .message(let message): (message.selector, message.target, message.arguments)
            case .cast(let cast): ("castObject:toType:", nil, [cast.expression, .constantValue(.string(cast.type))])
            case .index(let index): ("objectFrom:withIndex:", nil, [index.base, index.index])
            case .member(let member): ("valueForKeyPath:", member.base, [member.member])
            case .fetch(let arguments): ("FETCH", nil, arguments)
            case .constantValue, .symbol, .evaluatedObject, .variable, .assignment, .keyPath, .aggregate, .subquery,
                .conditional, .set, .anyKey, .block:
                nil
            }
        }
    }
#endif
