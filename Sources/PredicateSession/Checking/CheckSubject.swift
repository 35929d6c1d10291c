import PredicateEvaluation
import PredicateSyntax

/// A comparison of the checked predicate, with an operator of either family.
struct PlacedComparison {
    enum Operator: Equatable {
        case comparison(ComparisonOperator)
        case string(StringOperator)

        var spelling: String {
            switch self {
            case .comparison(let value): value.spelling
            case .string(let value): value.spelling
            }
        }

        var isEquality: Bool { self == .comparison(.equalTo) || self == .comparison(.notEqualTo) }

        var isOrdering: Bool {
            [.lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo].contains { self == .comparison($0) }
        }
    }

    let node: PlacedNode
    let left: PlacedNode
    let right: PlacedNode
    let `operator`: Operator
    let modifier: ComparisonModifier
    let options: ComparisonOptions

    init?(_ node: PlacedNode) {
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

    /// The constant text on the right side; nil for other right sides.
    var pattern: String? {
        if case .string(let text)? = right.expression?.constant { text } else { nil }
    }
}

/// The input of all checks: the predicate with its source ranges, and the facts about the data.
struct CheckSubject {
    let predicate: FormatPredicate
    let format: String
    let root: PlacedNode
    /// The nodes, parents first.
    let nodes: [PlacedNode]
    let comparisons: [PlacedComparison]
    let tokens: [FormatToken]
    let data: KeyStatistics?
    let table: ObjectTable
    let variables: [String: PredicateValue]
    private let bytes: [UInt8]
    /// The source ranges of specifiers whose arguments are not given.
    private let unknown: SourceRanges

    init(
        _ predicate: FormatPredicate, hasArguments: Bool, table: ObjectTable, data: KeyStatistics?,
        variables: [String: PredicateValue]
    ) {
        self.predicate = predicate
        self.table = table
        self.data = table.isEmpty ? nil : data
        self.variables = variables
        format = predicate.source?.text ?? predicate.predicateFormat
        bytes = Array(format.utf8)
        root = PlacedNode.root(of: predicate)
        nodes = root.all
        comparisons = nodes.compactMap(PlacedComparison.init)
        tokens = FormatToken.tokens(of: format)
        unknown = SourceRanges(hasArguments ? [] : tokens.filter { $0.kind == .specifier }.map(\.range))
    }

    /// Returns true if a part of the predicate stands for an argument that is not given.
    func isUnknown(_ node: PlacedNode) -> Bool {
        guard let range = node.range else { return false }
        return unknown.overlap(range)
    }

    /// Returns the constant at a node; nil for other nodes, and for arguments that are not given.
    func constant(_ node: PlacedNode) -> PredicateValue? {
        isUnknown(node) ? nil : node.expression?.constant
    }

    /// Returns the text of a source range.
    func source(_ range: Range<Int>) -> String {
        let clamped = range.clamped(to: 0..<bytes.count)
        return String(decoding: bytes[clamped], as: UTF8.self)
    }
}

/// Source ranges that do not overlap, found by binary search.
struct SourceRanges {
    private let ranges: [Range<Int>]

    init(_ ranges: [Range<Int>]) {
        self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// True if one of them shares an offset with a range.
    func overlap(_ range: Range<Int>) -> Bool {
        var (from, to) = (0, ranges.count)
        while from < to {
            let middle = (from + to) / 2
            if ranges[middle].upperBound <= range.lowerBound { from = middle + 1 } else { to = middle }
        }
        return from < ranges.count && ranges[from].overlaps(range)
    }
}
