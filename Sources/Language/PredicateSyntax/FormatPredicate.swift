/// A predicate, parsed from a format string or built from nodes or operators. Programs create, store and pass this
/// type.
///
/// `try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 18, "jo")`
///
/// Two predicates are equal if their trees are equal, whatever their format strings.
public struct FormatPredicate: Sendable {
    /// The tree.
    public let node: PredicateNode
    /// The format string with the source range of every node; nil for a predicate that was not parsed.
    public let source: PredicateSourceMap?
    /// The evaluator, once the predicate has been evaluated.
    package let kept: KeptObject

    /// Makes a predicate from a tree.
    public init(_ node: PredicateNode) {
        self.init(node, source: nil)
    }

    /// Makes a predicate from a tree with source ranges.
    package init(_ node: PredicateNode, source: PredicateSourceMap?) {
        (self.node, self.source, kept) = (node, source, KeptObject())
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
        let node = try Parser.parse(format, arguments, options) { parser throws(ParsingFailure) in
            try parser.parseFormat()
        }
        self.init(node, source: PredicateSourceMap(format, .predicate(arguments), options))
    }

    /// Returns the predicate with each constant transformed. Source ranges stay valid.
    package func mappingConstants(_ transform: (PredicateValue) -> PredicateValue) -> FormatPredicate {
        FormatPredicate(node.mappingConstants(transform), source: source)
    }

    /// The predicate as a format string, in the canonical spelling of Apple's `predicateFormat`.
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
    /// The specifiers of a format, in the order in which they take arguments.
    ///
    /// `%@` in quotes is part of a string, not a specifier. The list ends at the first lexical error.
    package static func specifiers(in format: String) -> [FormatSpecifier] {
        var specifiers: [FormatSpecifier] = []
        for token in TolerantToken.tokens(of: format) {
            switch token.kind {
            case .token(.specifier(let kind)): specifiers.append(FormatSpecifier(kind: kind, range: token.range))
            case .token: continue
            case .error: return specifiers
            }
        }
        return specifiers
    }
}

// MARK: - Expressions

/// An expression: parsed from a format string, or built from nodes.
///
/// `try FormatExpression("price * %@", 1.19)`
public struct FormatExpression: Sendable {
    /// The tree.
    public let node: ExpressionNode
    /// The format string with the source range of every node; nil for an expression that was not parsed.
    public let source: PredicateSourceMap?
    /// The evaluator, once the expression has been evaluated.
    package let kept: KeptObject

    /// Makes an expression from a tree.
    public init(_ node: ExpressionNode) {
        self.init(node, source: nil)
    }

    /// Parses a format string.
    ///
    /// `try FormatExpression("price * %@", 1.19)`
    ///
    /// - Throws: ``PredicateFormatError`` if the format is not an expression; a predicate is not one.
    public init(
        _ format: String, _ arguments: (any PredicateValueConvertible)?..., options: FormatOptions = .standard
    ) throws(PredicateFormatError) {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, options: options)
    }

    /// Parses a format string with an array of arguments.
    public init(format: String, arguments: [PredicateValue], options: FormatOptions = .standard)
        throws(PredicateFormatError)
    {
        let node = try Parser.parse(format, arguments, options) { parser throws(ParsingFailure) in
            try parser.parseExpressionFormat()
        }
        self.init(node, source: PredicateSourceMap(format, .expression(arguments), options))
    }

    /// Makes an expression from a tree with source ranges.
    package init(_ node: ExpressionNode, source: PredicateSourceMap?) {
        (self.node, self.source, kept) = (node, source, KeptObject())
    }

    /// The expression as a format string, in the canonical spelling.
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

// MARK: - Options

/// Options for parsing a format string.
public struct FormatOptions: Hashable, Sendable {
    /// The treatment of arguments for which the format has no specifier.
    public enum SurplusArguments: Hashable, Sendable {
        /// Surplus arguments are ignored, as on Apple's platforms. [NSP-035]
        case ignored
        /// Surplus arguments are an error. This finds a `%@` in quotes and an `@K` typed for `%K`.
        case refused
    }

    /// The treatment of arguments for which the format has no specifier.
    public var surplusArguments: SurplusArguments
    /// The limits for a format and its arguments.
    public var limits: PredicateLimits {
        get { customLimits?.limits ?? .standard }
        set { customLimits = newValue == .standard ? nil : CustomLimits(newValue) }
    }

    /// Custom limits, boxed because options are stored with every predicate and most predicates have the standard
    /// limits.
    private var customLimits: CustomLimits?

    private final class CustomLimits: Sendable {
        let limits: PredicateLimits

        init(_ limits: PredicateLimits) {
            self.limits = limits
        }
    }

    /// The options of Apple's parser: surplus arguments are ignored, and the limits are ``PredicateLimits/standard``.
    public static let standard = FormatOptions()
    /// Options that make surplus arguments an error.
    public static let strict = FormatOptions(surplusArguments: .refused)

    /// Makes options for parsing.
    public init(surplusArguments: SurplusArguments = .ignored, limits: PredicateLimits = .standard) {
        self.surplusArguments = surplusArguments
        self.limits = limits
    }

    @inline(__always)
    func hasLimits(of options: FormatOptions) -> Bool {
        if customLimits == nil, options.customLimits == nil { return true }
        return limits == options.limits
    }

    public static func == (left: FormatOptions, right: FormatOptions) -> Bool {
        left.surplusArguments == right.surplusArguments && left.hasLimits(of: right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(surplusArguments)
        hasher.combine(limits)
    }
}

// MARK: - Source ranges

/// A format string and the source range of each node of its tree.
///
/// Nodes are numbered children before parents and left before right, which is the order in which a parser finishes
/// them. The tree itself has no source ranges, so predicates are equal however they were written.
///
/// The map of a parsed format holds only the format, since most ranges are never needed. Each request for ranges
/// parses the format again.
public struct PredicateSourceMap: Sendable {
    /// The format string.
    public let text: String
    private let origin: RangeOrigin
    private let options: FormatOptions

    fileprivate enum RangeOrigin: Sendable {
        case ranges([Range<Int>])
        /// The ranges are found by parsing the format with these arguments.
        case predicate([PredicateValue])
        case expression([PredicateValue])
    }

    @inline(__always)
    fileprivate func isParsed(within limits: FormatOptions) -> Bool {
        switch origin {
        case .ranges: false
        case .predicate, .expression: options.hasLimits(of: limits)
        }
    }

    /// The source range of each node as UTF-8 offsets, by node number.
    ///
    /// - Complexity: the same as parsing the format. Keep the array if many ranges are needed.
    public var ranges: [Range<Int>] {
        switch origin {
        case .ranges(let ranges): ranges
        case .predicate(let arguments):
            Parser.ranges(text, arguments, options) { parser throws(ParsingFailure) in
                _ = try parser.parseFormat()
            }
        case .expression(let arguments):
            Parser.ranges(text, arguments, options) { parser throws(ParsingFailure) in
                _ = try parser.parseExpressionFormat()
            }
        }
    }

    package init(text: String, ranges: [Range<Int>]) { self.init(text, .ranges(ranges), .standard) }

    /// Makes the map of a format that was parsed with these options.
    fileprivate init(_ text: String, _ origin: RangeOrigin, _ options: FormatOptions) {
        (self.text, self.origin, self.options) = (text, origin, options)
    }

    /// Returns the source range of a node; nil for a number that the tree does not have.
    ///
    /// - Complexity: the same as ``ranges``.
    public func range(ofNode number: Int) -> Range<Int>? {
        let ranges = ranges
        return ranges.indices.contains(number) ? ranges[number] : nil
    }
}

extension FormatPredicate {
    /// Returns true if the tree was parsed within the limits of these options.
    package func isParsed(within options: FormatOptions) -> Bool { source?.isParsed(within: options) ?? false }
}

extension PredicateSourceMap: Hashable {
    public static func == (left: PredicateSourceMap, right: PredicateSourceMap) -> Bool {
        left.text.hasSameCodePoints(as: right.text) && left.ranges == right.ranges
    }

    public func hash(into hasher: inout Hasher) {
        text.hashCodePoints(into: &hasher)
        hasher.combine(ranges)
    }
}
