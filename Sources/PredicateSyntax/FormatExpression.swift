/// An expression made from a format string or from nodes.
///
/// `try FormatExpression("price * %@", 1.19)`
public struct FormatExpression: Sendable {
    /// What the expression says.
    public let node: ExpressionNode
    /// The format string and the place of every node in it, when there was a format string.
    public let source: PredicateSourceMap?

    /// The expression that a tree says.
    public init(_ node: ExpressionNode) {
        self.node = node
        self.source = nil
    }

    /// The expression that a format string says.
    ///
    /// `try FormatExpression("price * %@", 1.19)`
    ///
    /// - Throws: ``PredicateFormatError`` when the format is no expression; a predicate is none.
    public init(
        _ format: String, _ arguments: (any PredicateValueConvertible)?..., options: FormatOptions = .standard
    ) throws(PredicateFormatError) {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, options: options)
    }

    /// The same with the arguments in an array.
    public init(format: String, arguments: [PredicateValue], options: FormatOptions = .standard)
        throws(PredicateFormatError)
    {
        node = try Parser.parse(format, arguments, options) { parser throws(ParsingFailure) in
            try parser.parseExpressionFormat()
        }
        source = PredicateSourceMap(expression: format, arguments, options)
    }

    /// The expression as text, in the canonical spelling.
    public var expressionFormat: String { node.expressionFormat }
}

extension FormatExpression: Hashable, CustomStringConvertible {
    public static func == (left: FormatExpression, right: FormatExpression) -> Bool {
        left.node == right.node
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(node)
    }

    public var description: String { expressionFormat }
}
