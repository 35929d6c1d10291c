/// A format string and the source range of each node of its tree.
///
/// Nodes are numbered children before parents, left before right: the order in which a parser finishes them. The tree
/// itself has no source ranges, so that equal predicates stay equal however they were written.
///
/// The map of a parsed format keeps the format only, since most ranges are never needed: it parses the format again for
/// each request.
public struct PredicateSourceMap: Sendable {
    /// The format string.
    public let text: String
    private let origin: Origin
    private let options: FormatOptions

    private enum Origin: Sendable {
        case ranges([Range<Int>])
        /// The ranges that parsing finds, with the arguments of the format.
        case predicate([PredicateValue])
        case expression([PredicateValue])
    }

    /// True if a parser with the limits of these options made the tree.
    @inline(__always)
    fileprivate func isParsed(within limits: FormatOptions) -> Bool {
        switch origin {
        case .ranges: false
        case .predicate, .expression: options.hasLimits(of: limits)
        }
    }

    /// The source range of each node as UTF-8 offsets, by node number.
    ///
    /// - Complexity: that of parsing the format. Keep the array where many ranges are needed.
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

    package init(text: String, ranges: [Range<Int>]) {
        self.text = text
        origin = .ranges(ranges)
        options = .standard
    }

    /// The map of a format that was parsed as a predicate.
    init(predicate format: String, _ arguments: [PredicateValue], _ options: FormatOptions) {
        text = format
        origin = .predicate(arguments)
        self.options = options
    }

    /// The map of a format that was parsed as an expression.
    init(expression format: String, _ arguments: [PredicateValue], _ options: FormatOptions) {
        text = format
        origin = .expression(arguments)
        self.options = options
    }

    /// The source range of a node; nil for a number that the tree does not have.
    ///
    /// - Complexity: that of ``ranges``.
    public func range(ofNode number: Int) -> Range<Int>? {
        let ranges = ranges
        return ranges.indices.contains(number) ? ranges[number] : nil
    }
}

extension FormatPredicate {
    /// True if a parser with the limits of these options made the tree.
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
