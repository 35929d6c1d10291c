extension FormatPredicate {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    public static func constant(_ value: Bool) -> FormatPredicate {
        FormatPredicate(.constant(value))
    }

    /// `a == 1 AND b == 2 AND c == 3`; of no predicates: `TRUEPREDICATE`
    public static func and(_ predicates: [FormatPredicate]) -> FormatPredicate {
        joined(.and, predicates.map(\.node))
    }

    /// `a == 1 OR b == 2 OR c == 3`; of no predicates: `FALSEPREDICATE`
    public static func or(_ predicates: [FormatPredicate]) -> FormatPredicate {
        joined(.or, predicates.map(\.node))
    }

    /// `NOT a == 1`; keeps the source map of the predicate.
    public static func not(_ predicate: FormatPredicate) -> FormatPredicate {
        let node = PredicateNode.compound(CompoundPredicate(.not, [predicate.node]))
        guard let source = predicate.source else { return FormatPredicate(node) }
        let ranges = source.ranges + [0..<source.text.utf8.count]
        return FormatPredicate(node, source: PredicateSourceMap(text: source.text, ranges: ranges))
    }

    /// `a == 1 AND b == 2`; a chain of `&&` becomes one compound.
    public static func && (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        chained(.and, left, right)
    }

    /// `a == 1 OR b == 2`; a chain of `||` becomes one compound.
    public static func || (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        chained(.or, left, right)
    }

    /// `NOT a == 1`
    public static prefix func ! (predicate: FormatPredicate) -> FormatPredicate {
        not(predicate)
    }

    /// Equalities of keys and values, joined by AND or OR, in the order in which they are written.
    ///
    /// `FormatPredicate(matching: ["publisher": "BookCo", "salesRank": 482769], combinedWith: .or)` is
    /// `publisher == "BookCo" OR salesRank == 482769`; with `.not` none of them holds:
    /// `NOT (publisher == "BookCo" OR salesRank == 482769)`. A nil value stands for `nil`.
    public init(
        matching values: KeyValuePairs<String, (any PredicateValueConvertible)?>,
        combinedWith type: LogicalType = .and
    ) {
        let nodes = values.map { (PredicateKey($0.key) == $0.value).node }
        self = type == .not ? .not(Self.joined(.or, nodes)) : Self.joined(type, nodes)
    }

    /// A compound of two and more; a single predicate is itself, an empty list the constant of an empty compound.
    private static func joined(_ type: LogicalType, _ nodes: [PredicateNode]) -> FormatPredicate {
        switch nodes.count {
        case 0: .constant(type == .and)
        case 1: FormatPredicate(nodes[0])
        default: FormatPredicate(.compound(CompoundPredicate(type, nodes)))
        }
    }

    private static func chained(_ type: LogicalType, _ left: FormatPredicate, _ right: FormatPredicate)
        -> FormatPredicate
    {
        guard case .compound(var compound) = left.node, compound.type == type else {
            return joined(type, [left.node, right.node])
        }
        compound.subpredicates.append(right.node)
        return FormatPredicate(.compound(compound))
    }
}
