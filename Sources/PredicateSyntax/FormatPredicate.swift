/// A predicate made from a format string, from nodes or by operators: the type that programs hold.
///
/// `try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 18, "jo")`
///
/// Two predicates are equal when their trees are; where the text came from does not count.
public struct FormatPredicate: Sendable {
    /// What the predicate says.
    public let node: PredicateNode
    /// The format string and the place of every node in it, when there was a format string.
    public let source: PredicateSourceMap?

    /// The predicate that a tree says.
    public init(_ node: PredicateNode) {
        self.init(node, source: nil)
    }

    init(_ node: PredicateNode, source: PredicateSourceMap?) {
        self.node = node
        self.source = source
    }

    /// The predicate that a format string says.
    ///
    /// `try FormatPredicate("%K == %@ AND age > %d", "name", "jo", 18)`
    ///
    /// Arguments stand for the specifiers from left to right; none of them is ever read as format.
    /// - Throws: ``PredicateFormatError`` with the place and a hint.
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
            try parser.parseFormat()
        }
        source = PredicateSourceMap(predicate: format, arguments, options)
    }

    /// The predicate as text, in the canonical spelling: what Apple's `predicateFormat` prints.
    public var predicateFormat: String { node.predicateFormat }
}

extension FormatPredicate: Hashable, CustomStringConvertible {
    public static func == (left: FormatPredicate, right: FormatPredicate) -> Bool {
        left.node == right.node
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(node)
    }

    public var description: String { predicateFormat }
}

extension FormatPredicate {
    /// The specifiers of a format, in the order in which they draw arguments.
    ///
    /// `%@` in quotes is text and no specifier. Where the format stops dividing into tokens, the list stops too.
    package static func specifiers(in format: String) -> [FormatSpecifier] {
        var copy = format
        return copy.withUTF8 { bytes in
            let lexer = Lexer(bytes)
            var specifiers: [FormatSpecifier] = []
            var offset = 0
            while let token = try? lexer.token(at: offset), token.kind != .end {
                offset = token.end
                guard case .specifier(let kind) = token.kind else { continue }
                specifiers.append(FormatSpecifier(kind: kind, range: token.range))
            }
            return specifiers
        }
    }
}
