/// A format string and where in it each node of the tree stands.
///
/// Nodes are numbered children before parents, left before right: the order in which a parser finishes them. The tree
/// itself carries no positions, so equal predicates stay equal however they were written.
///
/// The map of a parsed format knows the format only, since places are wanted for few predicates: it reads the format once
/// more whenever it is asked.
public struct PredicateSourceMap: Sendable {
    public let text: String
    private let places: Places
    private let options: FormatOptions

    private enum Places: Sendable {
        case known([Range<Int>])
        /// Those that parsing finds, with the arguments of the format.
        case predicate([PredicateValue])
        case expression([PredicateValue])
    }

    /// Whether a parser with the limits of these options made the tree as it is.
    @inline(__always)
    fileprivate func isParsed(within limits: FormatOptions) -> Bool {
        switch places {
        case .known: false
        case .predicate, .expression: options.hasLimits(of: limits)
        }
    }

    /// A range of UTF-8 offsets for each node, by its number.
    ///
    /// Takes as long as parsing the format: keep them where many places are needed.
    public var ranges: [Range<Int>] {
        switch places {
        case .known(let ranges): ranges
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
        places = .known(ranges)
        options = .standard
    }

    /// The map of a format that was parsed as a predicate.
    init(predicate format: String, _ arguments: [PredicateValue], _ options: FormatOptions) {
        text = format
        places = .predicate(arguments)
        self.options = options
    }

    /// The map of a format that was parsed as an expression.
    init(expression format: String, _ arguments: [PredicateValue], _ options: FormatOptions) {
        text = format
        places = .expression(arguments)
        self.options = options
    }

    /// The place of a node, nil when the map does not know it.
    ///
    /// Takes as long as ``ranges``.
    public func range(ofNode number: Int) -> Range<Int>? {
        let ranges = ranges
        return ranges.indices.contains(number) ? ranges[number] : nil
    }
}

extension FormatPredicate {
    /// Whether a parser with the limits of these options made the tree as it is.
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
