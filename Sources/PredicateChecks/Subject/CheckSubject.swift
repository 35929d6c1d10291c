import PredicateSyntax

/// The input of all checks: the checked tree of a predicate, its tokens, and what it is about.
package struct CheckSubject {
    package let predicate: FormatPredicate
    package let format: String
    package let root: CheckedNode
    /// The nodes, parents first.
    package let nodes: [CheckedNode]
    package let comparisons: [CheckedComparison]
    package let tokens: [FormatToken]
    /// What the predicate is about.
    package let scope: CheckScope
    /// The values of variables.
    package let variables: [String: PredicateValue]
    /// What the pass over the tree found: keys that are not there.
    let typingFindings: [PredicateFinding]
    private let bytes: [UInt8]
    private let open: SourceRanges

    /// The parts of the format without a value are `open`.
    init(
        _ predicate: FormatPredicate, open: [OpenPart], scope: CheckScope, variables: [String: PredicateValue]
    ) {
        self.predicate = predicate
        self.scope = scope
        self.variables = variables
        let source = Self.source(of: predicate)
        format = source?.text ?? predicate.predicateFormat
        bytes = Array(format.utf8)
        var typing = Typing(scope, ranges: source?.ranges ?? [], open: open)
        root = typing.check(.predicate(predicate.node))
        typingFindings = typing.findings
        nodes = root.all
        comparisons = nodes.compactMap(CheckedComparison.init)
        tokens = FormatToken.tokens(of: format)
        self.open = SourceRanges(open.map(\.range))
    }

    /// A predicate that no format made has the source of what it prints, if that reads back.
    private static func source(of predicate: FormatPredicate) -> PredicateSourceMap? {
        if let own = predicate.source { return own }
        guard let printed = try? FormatPredicate(predicate.predicateFormat), printed == predicate else { return nil }
        return printed.source
    }

    /// The schema that the predicate is about.
    package var schema: (any PredicateSchema)? { scope.schema }

    /// The keys of the evaluated object; empty where they are not known.
    var keys: [String] {
        guard let schema, let entity = scope.subject.entity else { return [] }
        return schema.keys(of: entity)
    }

    /// `a number`, `an object of Book`
    func noun(_ type: KnownType) -> String { type.noun(schema) }

    /// True if a part of the node stands for a value that is not given.
    package func isUnknown(_ node: CheckedNode) -> Bool {
        guard let range = node.range else { return false }
        return open.overlap(range)
    }

    /// The constant at a node; nil for other nodes, and for arguments that are not given.
    package func constant(_ node: CheckedNode) -> PredicateValue? {
        isUnknown(node) ? nil : node.expression?.constant
    }

    /// The text of a source range.
    package func source(_ range: Range<Int>) -> String {
        let clamped = range.clamped(to: 0..<bytes.count)
        return String(decoding: bytes[clamped], as: UTF8.self)
    }

    /// The canonical text of a node; its source where a value in it is not given, which has the specifier.
    func written(_ node: CheckedNode) -> String { isUnknown(node) ? source(of: node) : node.text }

    /// The source of a node; the canonical text for a predicate without a source.
    package func source(of node: CheckedNode) -> String {
        node.range.map(source) ?? node.text
    }
}
