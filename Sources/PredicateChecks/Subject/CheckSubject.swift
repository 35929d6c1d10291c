import PredicateSyntax

/// The input of all checks: the predicate with its source ranges, and what is known about keys.
package struct CheckSubject {
    package let predicate: FormatPredicate
    package let format: String
    package let root: PlacedNode
    /// The nodes, parents first.
    package let nodes: [PlacedNode]
    package let comparisons: [PlacedComparison]
    package let tokens: [FormatToken]
    /// What data or a model say about keys; nil if there are neither.
    package let keys: (any KeyKnowledge)?
    /// Evaluates comparisons of constants.
    package let judge: any PredicateJudge
    package let variables: [String: PredicateValue]
    private let bytes: [UInt8]
    /// The source ranges of specifiers whose arguments are not given.
    private let unknown: SourceRanges

    init(
        _ predicate: FormatPredicate, hasArguments: Bool, keys: (any KeyKnowledge)?,
        variables: [String: PredicateValue], judge: any PredicateJudge
    ) {
        self.predicate = predicate
        self.keys = keys
        self.variables = variables
        self.judge = judge
        format = predicate.source?.text ?? predicate.predicateFormat
        bytes = Array(format.utf8)
        root = PlacedNode.root(of: predicate)
        nodes = root.all
        comparisons = nodes.compactMap(PlacedComparison.init)
        tokens = FormatToken.tokens(of: format)
        unknown = SourceRanges(hasArguments ? [] : tokens.filter { $0.kind == .specifier }.map(\.range))
    }

    /// Returns true if a part of the predicate stands for an argument that is not given.
    package func isUnknown(_ node: PlacedNode) -> Bool {
        guard let range = node.range else { return false }
        return unknown.overlap(range)
    }

    /// Returns the constant at a node; nil for other nodes, and for arguments that are not given.
    package func constant(_ node: PlacedNode) -> PredicateValue? {
        isUnknown(node) ? nil : node.expression?.constant
    }

    /// Returns the text of a source range.
    package func source(_ range: Range<Int>) -> String {
        let clamped = range.clamped(to: 0..<bytes.count)
        return String(decoding: bytes[clamped], as: UTF8.self)
    }

    /// Returns the source of a node; the canonical text for a predicate without a source.
    package func source(of node: PlacedNode) -> String {
        node.range.map(source) ?? node.text
    }
}
