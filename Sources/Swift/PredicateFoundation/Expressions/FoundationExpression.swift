#if !canImport(Darwin)
    public import Foundation
    internal import PredicateConversion
    import PredicateEvaluation
    import PredicateSyntax

    /// An operand of a comparison as a Foundation object: `NSExpression`.
    ///
    /// ```swift
    /// let total = NSExpression(format: "sum(prices) * %@", 1.19)
    /// total.expressionValue(with: order, context: nil) as? Double
    /// ```
    ///
    /// It evaluates as `FormatExpression` does and is immutable. Numbers are returned as `NSNumber`, which casts to
    /// any Swift number type. Reading a property that expressions of this kind lack, such as `keyPath` of a constant,
    /// stops the program or follows ``PredicateSettings/ErrorPolicy``; see ``expressionType`` for the properties of
    /// each kind.
    open class FoundationExpression: NSObject, NSCopying, NSSecureCoding {
        /// The tree with its evaluator. Only initializers replace it.
        var core: ExpressionCore
        /// The closure of an expression that consists of one, and the expressions passed to it.
        var block: (call: Block, arguments: [FoundationExpression])?
        /// True for an array that was made from expressions, although all of them are constants.
        var isAggregate = false

        /// A closure that computes a value from the object, the expressions that it was made with, and the context.
        public typealias Block = (Any?, [FoundationExpression], NSMutableDictionary?) -> Any?

        /// Makes an expression of a kind without parts: `NSExpression(expressionType: .evaluatedObject)`
        ///
        /// Any other kind is for subclasses that evaluate themselves; without a subclass it evaluates to nil.
        public init(expressionType type: ExpressionType) {
            core = ExpressionCore(FormatExpression(type.plainNode))
        }

        /// Makes an expression without a value: a placeholder for code that sets another one later.
        public convenience override init() {
            self.init(expressionType: .constantValue)
        }

        // Only the public initializers are designated, so that subclasses in other modules inherit all of them.
        convenience init(core: ExpressionCore) {
            self.init(expressionType: .constantValue)
            self.core = core
        }

        static func object(of expression: FormatExpression) -> FoundationExpression {
            FoundationExpression(core: ExpressionCore(expression))
        }

        /// The tree for evaluation; for an object of a subclass, a leaf that asks the object for its value.
        var node: ExpressionNode {
            if type(of: self) == FoundationExpression.self { return core.expression.node }
            // An object that was made without a tree has the constant nil.
            let tree = core.expression.node == .constantValue(.null) ? nil : core.expression.node
            return FormatExpression(foreign: { self.expressionValue(with: $0, context: $1) }, evaluating: tree).node
        }

        /// Evaluates the expression: `expression.expressionValue(with: person, context: ["limit": 3])`
        ///
        /// The context provides values for variables by name, and receives the values that `:=` assigns. [NSP-180]
        open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
            if let block { return block.call(object, block.arguments, context) }
            return core.value(with: object, context: context)
        }

        /// Does nothing: a decoded expression can call only what is registered in ``PredicateSettings/registry``.
        open func allowEvaluation() {}

        // MARK: - NSObject

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? FoundationExpression else { return false }
            return self === other || node == other.node
        }

        open override var hash: Int { core.expression.hashValue }

        /// The expression in the canonical spelling: `sum(prices) * 1.19`
        open override var description: String { core.expression.withForeignTrees.node.foundationFormat }

        /// Returns the expression itself, which is immutable.
        open override func copy() -> Any { copy(with: nil) }

        /// Returns the expression itself, which is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        // MARK: - NSSecureCoding

        /// True: an archive holds a format and constants, and decoding it means parsing.
        open class var supportsSecureCoding: Bool { true }

        /// Reads an expression from a keyed archive; nil if the archive contains none.
        public required init?(coder: NSCoder) {
            guard let expression = ArchivedTree.decode(FormatExpression.self, with: coder) else { return nil }
            core = ExpressionCore(expression)
        }

        /// Writes the expression to a keyed archive. A closure has no archived form: nothing is written, and decoding
        /// yields nil.
        open func encode(with coder: NSCoder) {
            ArchivedTree.encode(core.expression.withForeignTrees, with: coder)
        }
    }

    extension FoundationExpression {
        /// The kind of an expression, with Apple's names and numbers.
        public enum ExpressionType: UInt, Sendable {
            /// `21`, `"jo"`, an argument
            case constantValue = 0
            /// `SELF`
            case evaluatedObject = 1
            /// `$limit`
            case variable = 2
            /// `name`, `dept.name`
            case keyPath = 3
            /// `sum(prices)`, `a + 1`, `FUNCTION(a, "name")`, `CAST(a, "NSDate")`, `a[0]`
            case function = 4
            /// `a UNION b`
            case unionSet = 5
            /// `a INTERSECT b`
            case intersectSet = 6
            /// `a MINUS b`
            case minusSet = 7
            /// `SUBQUERY(friends, $f, $f.age > 21)`
            case subquery = 13
            /// `{a, 65}`
            case aggregate = 14
            /// `ANYKEY`
            case anyKey = 15
            /// `NSExpression { object, expressions, context in … }`
            case block = 19
            /// `TERNARY(age > 17, "adult", "child")`
            case conditional = 20

            /// The node of a kind without parts.
            var plainNode: ExpressionNode {
                switch self {
                case .evaluatedObject: .evaluatedObject
                case .anyKey: .anyKey
                case .constantValue, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet, .subquery,
                    .aggregate, .block, .conditional:
                    .constantValue(.null)
                }
            }
        }

        /// The kind of the expression, which determines its properties.
        ///
        /// An array of constants in a format, `{1, 2}`, is a constant, as is an array passed for `%@`.
        public var expressionType: ExpressionType {
            switch core.expression.node {
            case .constantValue: isAggregate ? .aggregate : .constantValue
            case .symbol: .constantValue
            case .evaluatedObject: .evaluatedObject
            case .variable, .assignment: .variable
            case .keyPath: .keyPath
            case .member, .function, .message, .cast, .index, .fetch: .function
            case .aggregate: .aggregate
            case .subquery: .subquery
            case .conditional: .conditional
            case .set(let set): set.operator.expressionType
            case .anyKey: .anyKey
            case .block: .block
            }
        }
    }

    extension SetExpression.Operator {
        fileprivate var expressionType: FoundationExpression.ExpressionType {
            switch self {
            case .union: .unionSet
            case .intersect: .intersectSet
            case .minus: .minusSet
            }
        }
    }

    // The properties of an expression. Each is computed from the tree, the only storage.
    extension FoundationExpression {
        /// `21` for `21`, an array for `{1, 2}`, nil for `nil`
        public var constantValue: Any? {
            if case .constantValue(let value) = core.expression.node { return KeyedValue.value(value).foundationObject }
            if case .symbol(let symbol) = core.expression.node { return symbol.rawValue }
            return refused("a constant value", nil)
        }

        /// `dept.name` for `dept.name` and for `$person.dept.name`
        public var keyPath: String {
            guard case .keyPath(let path) = core.expression.node else { return refused("a key path", "") }
            return path.keysFormat
        }

        /// `sum:` for `sum(prices)`, `add:to:` for `a + b`, the selector of a message
        public var function: String {
            callParts?.name ?? refused("a function", "")
        }

        /// The receiver of a message, or the base of a key path: `name` for `FUNCTION(name, "length")`
        ///
        /// A function of the language has no receiver; the property is its first argument.
        public var operand: FoundationExpression {
            if case .keyPath(let path) = core.expression.node { return Self.object(of: path.base ?? .evaluatedObject) }
            guard let parts = callParts else { return refused("an operand", .expressionForEvaluatedObject()) }
            return Self.object(of: parts.target ?? parts.arguments.first ?? .evaluatedObject)
        }

        /// `{a, b}` for `a + b`: the arguments of a function, a message, an index, a cast or a closure
        public var arguments: [FoundationExpression]? {
            if let block { return block.arguments }
            guard let parts = callParts else { return refused("arguments", nil) }
            return parts.arguments.map(Self.object)
        }

        /// `limit` for `$limit`, `f` for `SUBQUERY(friends, $f, …)`
        public var variable: String {
            if case .variable(let name) = core.expression.node { return name }
            if case .subquery(let subquery) = core.expression.node { return subquery.variable }
            if case .assignment(let assignment) = core.expression.node { return assignment.variable }
            return refused("a variable", "")
        }

        /// The elements of `{a, 65}` as an array of expressions, or the collection of a SUBQUERY as an expression
        public var collection: Any {
            if case .subquery(let subquery) = core.expression.node { return Self.object(of: subquery.collection) }
            if case .aggregate(let elements) = core.expression.node { return elements.map(Self.object) }
            if isAggregate, case .constantValue(.array(let values)) = core.expression.node {
                return values.map { Self.object(of: .constantValue($0)) }
            }
            return refused("a collection", [FoundationExpression]())
        }

        /// The condition of a SUBQUERY or a TERNARY
        public var predicate: FoundationPredicate {
            if case .subquery(let subquery) = core.expression.node {
                return FoundationPredicate.object(of: FormatPredicate(subquery.predicate))
            }
            if case .conditional(let conditional) = core.expression.node {
                return FoundationPredicate.object(of: FormatPredicate(conditional.predicate))
            }
            return refused("a predicate", FoundationPredicate(value: false))
        }

        /// `a` for `a UNION b`
        public var left: FoundationExpression {
            guard case .set(let set) = core.expression.node else { return refused("a left side", self) }
            return Self.object(of: set.leftExpression)
        }

        /// `b` for `a UNION b`
        public var right: FoundationExpression {
            guard case .set(let set) = core.expression.node else { return refused("a right side", self) }
            return Self.object(of: set.rightExpression)
        }

        /// `b` for `TERNARY(a, b, c)`
        public var `true`: FoundationExpression {
            guard case .conditional(let node) = core.expression.node else { return refused("alternatives", self) }
            return Self.object(of: node.trueExpression)
        }

        /// `c` for `TERNARY(a, b, c)`
        public var `false`: FoundationExpression {
            guard case .conditional(let node) = core.expression.node else { return refused("alternatives", self) }
            return Self.object(of: node.falseExpression)
        }

        /// The closure of an expression that was made from one
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
        /// The name, target and arguments of every node that Apple's classes represent as a function.
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

    /// A use of a property that expressions of this kind lack: `keyPath` of a constant.
    struct MisuseError: Error, CustomStringConvertible {
        let description: String

        /// `this constantValue expression does not have a key path: 1`
        init(expected: String, of expression: FoundationExpression) {
            description =
                "error: this \(expression.expressionType) expression does not have \(expected): \(expression)\n"
                + "hint: check expressionType first"
        }

        /// `\Person.<computed (Bool)> of Person has no name in predicates`
        init(unnamed keyPath: AnyKeyPath) {
            let error = PredicateConversionError(.unnamed(keyPath))
            let hints = error.code.namingHints + ["or write the key as a string: NSExpression(forKeyPath: \"name\")"]
            description = (["error: \(error.title)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
        }

        init(_ description: String) {
            self.description = description
        }
    }
#endif
