/// A predicate made from a format string, from nodes or by operators: the type that programs hold.
///
/// `try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 18, "jo")`
///
/// Two predicates are equal when their trees are, whatever their format strings.
public struct FormatPredicate: Sendable {
    /// The tree.
    public let node: PredicateNode
    /// The format string and the source range of every node; nil for a predicate that was not parsed.
    public let source: PredicateSourceMap?

    /// Makes a predicate of a tree.
    public init(_ node: PredicateNode) {
        self.init(node, source: nil)
    }

    init(_ node: PredicateNode, source: PredicateSourceMap?) {
        self.node = node
        self.source = source
    }

    /// Parses a format string.
    ///
    /// `try FormatPredicate("%K == %@ AND age > %d", "name", "jo", 18)`
    ///
    /// Arguments replace the specifiers from left to right; an argument is never parsed as format.
    /// - Throws: ``PredicateFormatError`` with the source range and a hint.
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
            try parser.parseFormat()
        }
        source = PredicateSourceMap(predicate: format, arguments, options)
    }

    /// The predicate with other constants in the places of its own: source ranges still hold.
    package func mappingConstants(_ transform: (PredicateValue) -> PredicateValue) -> FormatPredicate {
        FormatPredicate(node.mappingConstants(transform), source: source)
    }

    /// The predicate with a tree of the same shape: source ranges still hold.
    package func replacingTree(_ node: PredicateNode) -> FormatPredicate { FormatPredicate(node, source: source) }

    /// The predicate as text, in the canonical spelling of Apple's `predicateFormat`.
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
    /// `%@` in quotes is text and no specifier. The list ends at the first lexical error.
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
