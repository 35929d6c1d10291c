/// An expression made from a format string or from nodes.
///
/// `try FormatExpression("price * %@", 1.19)`
public struct FormatExpression: Sendable {
    /// The tree.
    public let node: ExpressionNode
    /// The format string and the source range of every node; nil for an expression that was not parsed.
    public let source: PredicateSourceMap?

    /// Makes an expression of a tree.
    public init(_ node: ExpressionNode) {
        self.node = node
        self.source = nil
    }

    /// Parses a format string.
    ///
    /// `try FormatExpression("price * %@", 1.19)`
    ///
    /// - Throws: ``PredicateFormatError`` if the format is not an expression, as a predicate is not.
    public init(
        _ format: String, _ arguments: (any PredicateValueConvertible)?..., options: FormatOptions = .standard
    ) throws(PredicateFormatError) {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, options: options)
    }

    /// Parses a format string with an array of arguments.
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
