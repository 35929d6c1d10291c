#if !canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    public import PredicateSyntax

    /// One side of a comparison as a Foundation object: `NSExpression`.
    ///
    /// ```swift
    /// let total = NSExpression(format: "sum(prices) * %@", 1.19)
    /// total.expressionValue(with: order, context: nil) as? Double
    /// ```
    ///
    /// It evaluates as `FormatExpression` does, and never changes. Numbers come back as `NSNumber`, which casts to any number of
    /// Swift's. A part that an expression of its kind does not have, as `keyPath` of a constant, stops the program, or follows
    /// ``PredicateSettings/ErrorPolicy``; ``expressionType`` says which it has.
    open class FoundationExpression: NSObject, NSCopying, NSSecureCoding {
        /// The tree with its evaluator. Set again only by initializers.
        var core: ExpressionCore
        /// The closure of an expression that is nothing else, and the expressions that it is given.
        var block: (call: Block, arguments: [FoundationExpression])?
        /// True for an array that was made of expressions, though all of them are constants.
        var isAggregate = false

        /// A closure that works out a value: the object, the expressions that it was made with, and the context.
        public typealias Block = (Any?, [FoundationExpression], NSMutableDictionary?) -> Any?

        /// An expression of a kind that has no parts: `NSExpression(expressionType: .evaluatedObject)`
        ///
        /// Any other kind is for a subclass that evaluates by itself, and evaluates to nil without one.
        public init(expressionType type: ExpressionType) {
            core = ExpressionCore(FormatExpression(type.plainNode))
        }

        /// An expression without a value: the placeholder of code that sets another one later.
        public convenience override init() {
            self.init(expressionType: .constantValue)
        }

        // No designated initializer but the public ones, so that subclasses in other modules inherit them all.
        convenience init(core: ExpressionCore) {
            self.init(expressionType: .constantValue)
            self.core = core
        }

        static func object(of expression: FormatExpression) -> FoundationExpression {
            FoundationExpression(core: ExpressionCore(expression))
        }

        /// The tree; of an object of a subclass, a leaf that asks it for the value.
        var node: ExpressionNode {
            if type(of: self) == FoundationExpression.self { return core.expression.node }
            return FormatExpression(foreign: { self.expressionValue(with: $0, context: $1) }).node
        }

        /// Evaluates the expression: `expression.expressionValue(with: person, context: ["limit": 3])`
        ///
        /// The context holds values for variables by name; what `:=` assigns is set in it. [NSP-180]
        open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
            if let block { return block.call(object, block.arguments, context) }
            return core.value(with: object, context: context)
        }

        /// Nothing: a decoded expression reaches no code but what ``PredicateSettings/registry`` names.
        open func allowEvaluation() {}

        // MARK: - NSObject

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? FoundationExpression else { return false }
            return self === other || node == other.node
        }

        open override var hash: Int { core.expression.hashValue }

        /// The expression in the canonical spelling: `sum(prices) * 1.19`
        open override var description: String { core.expression.expressionFormat }

        /// The expression itself, which never changes.
        open override func copy() -> Any { copy(with: nil) }

        /// The expression itself, which never changes.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        // MARK: - NSSecureCoding

        /// True: an archive holds a format and constants, and decoding it is parsing.
        open class var supportsSecureCoding: Bool { true }

        /// Reads an expression from a keyed archive; nil if it holds none.
        public required init?(coder: NSCoder) {
            guard let expression = ArchivedTree.decode(FormatExpression.self, with: coder) else { return nil }
            core = ExpressionCore(expression)
        }

        /// Writes the expression to a keyed archive. A closure has no archived form: nothing is written, and decoding gives nil.
        open func encode(with coder: NSCoder) {
            ArchivedTree.encode(core.expression, with: coder)
        }
    }

    extension FoundationExpression {
        /// The expression as a value.
        public var formatExpression: FormatExpression { FormatExpression(node) }
    }

    /// An expression is an argument of formats: `NSPredicate(format: "%@ > 3", expression)`
    extension FoundationExpression: PredicateValueConvertible {
        public var predicateValue: PredicateValue { .expression(node) }
    }
#endif
