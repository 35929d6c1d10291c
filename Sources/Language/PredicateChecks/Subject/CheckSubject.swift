import PredicateSyntax

/// The input of all checks: the checked tree of a predicate, its tokens and its scope.
package struct CheckSubject {
    package let predicate: FormatPredicate
    package let format: String
    package let root: CheckedNode
    /// The nodes, parents first.
    package let nodes: [CheckedNode]
    package let comparisons: [CheckedComparison]
    package let tokens: [FormatToken]
    /// What the predicate is about: the schema, the types of the evaluated objects and variables, and the context.
    package let scope: CheckScope
    /// The unknown keys that typing found.
    let typingFindings: [PredicateFinding]
    private let bytes: [UInt8]
    private let open: SourceRanges

    /// `open` lists the parts of the format whose values are unknown.
    package init(_ predicate: FormatPredicate, open: [OpenPart], scope: CheckScope) {
        self.predicate = predicate
        self.scope = scope
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

    /// A predicate that was not made from a format is printed, and the printed form is the source if it parses to the
    /// same predicate.
    private static func source(of predicate: FormatPredicate) -> PredicateSourceMap? {
        if let own = predicate.source { return own }
        guard let printed = try? FormatPredicate(predicate.predicateFormat), printed == predicate else { return nil }
        return printed.source
    }

    /// True for objects of a store.
    var isStored: Bool { schema?.origin == .stored }
    /// True if a Core Data store evaluates the predicate.
    var isFetch: Bool { (schema as? any FetchSchema)?.isFetch ?? false }

    /// The schema that the predicate is about.
    package var schema: (any PredicateSchema)? { scope.schema }

    /// The keys of the evaluated object; empty if they are unknown.
    var keys: [String] {
        guard let schema, let entity = scope.subject.entity else { return [] }
        return schema.keys(of: entity)
    }

    /// `a number`, `an object of Book`
    func noun(_ type: KnownType) -> String { type.noun(schema) }

    /// True if part of the node represents a value that is unknown.
    package func isUnknown(_ node: CheckedNode) -> Bool {
        guard let range = node.range else { return false }
        return open.overlap(range)
    }

    /// The constant at a node; nil for other nodes and for unknown arguments.
    package func constant(_ node: CheckedNode) -> PredicateValue? {
        isUnknown(node) ? nil : node.expression?.constant
    }

    /// The part of the format at a range.
    package func source(_ range: Range<Int>) -> String {
        let clamped = range.clamped(to: 0..<bytes.count)
        return String(decoding: bytes[clamped], as: UTF8.self)
    }

    /// The canonical form of a node; for a node with an unknown value, its source, which shows the specifier.
    func written(_ node: CheckedNode) -> String { isUnknown(node) ? source(of: node) : node.text }

    /// The source of a node; for a predicate without a source, the canonical form.
    package func source(of node: CheckedNode) -> String {
        node.range.map(source) ?? node.text
    }
}

/// A comparison in the checked predicate, whether its operator compares values or strings.
package struct CheckedComparison {
    package enum Operator: Equatable {
        case comparison(ComparisonOperator)
        case string(StringOperator)

        package var spelling: String {
            switch self {
            case .comparison(let value): value.spelling
            case .string(let value): value.spelling
            }
        }

        package var isEquality: Bool { self == .comparison(.equalTo) || self == .comparison(.notEqualTo) }

        package var isOrdering: Bool {
            [.lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo].contains { self == .comparison($0) }
        }

        /// True if the right side may be a string: `==`, `!=` and the string operators.
        var takesText: Bool {
            switch self {
            case .comparison: isEquality
            case .string: true
            }
        }
    }

    package let node: CheckedNode
    package let left: CheckedNode
    package let right: CheckedNode
    package let `operator`: Operator
    package let modifier: ComparisonModifier
    package let options: ComparisonOptions

    package init?(_ node: CheckedNode) {
        guard let predicate = node.predicate, node.children.count == 2 else { return nil }
        switch predicate {
        case .comparison(let own): self.operator = .comparison(own.operator)
        case .string(let own): self.operator = .string(own.operator)
        case .compound, .constant, .block: return nil
        }
        self.node = node
        left = node.children[0]
        right = node.children[1]
        modifier = predicate.modifier
        options = predicate.options
    }

    /// The constant string on the right side; nil for other right sides, and if the left side is certainly not a
    /// string.
    package var pattern: String? {
        let kinds = left.type.kinds
        guard kinds.isEmpty || !kinds.isDisjoint(with: [.string, .array, .dictionary, .object]) else { return nil }
        if case .string(let text)? = right.expression?.constant { return text }
        return nil
    }
}

extension ExpressionNode {
    /// True if the value is not a constant of the format.
    package var isVarying: Bool {
        switch self {
        case .constantValue, .symbol, .anyKey, .fetch: false
        case .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate, .index,
            .subquery, .conditional, .set, .assignment, .block:
            true
        }
    }
}

/// Source ranges that do not overlap, found by binary search.
package struct SourceRanges {
    private let ranges: [Range<Int>]

    package init(_ ranges: [Range<Int>]) {
        self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// True if a range of the list shares an offset with `range`.
    package func overlap(_ range: Range<Int>) -> Bool {
        let index = ranges.partitioningIndex { $0.upperBound > range.lowerBound }
        return index < ranges.count && ranges[index].overlaps(range)
    }
}
