import PredicateGenerators
import PredicateQuery
import PredicateSyntax

/// Queries at random whose clauses fit together, with odd names and keys.
struct RandomQuery {
    private var random: RandomSource
    private var trees: RandomTree
    private var values: RandomValue

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
        trees = RandomTree(seed: seed &+ 1)
        values = RandomValue(random: RandomSource(seed: seed &+ 2))
    }

    private static let words = [
        "limit", "desc", "last", "where", "as", "numeric", "distinct", "group", "order", "from",
    ]

    mutating func query() -> FormatQuery {
        var query = random.oneIn(2) ? grouped() : plain()
        if random.oneIn(2) { query.predicate = predicate() }
        query.isDistinct = random.oneIn(3)
        query.page = random.oneIn(4) ? .last(random.below(5)) : page()
        return query
    }

    private mutating func plain() -> FormatQuery {
        let keys = random.oneIn(3) ? nil : distinct((0...random.below(3)).map { _ in value() })
        var sortKeys: [SortKey] = []
        for _ in 0..<random.below(3) { sortKeys.append(sorted(ResultKey(value().name))) }
        for _ in 0..<random.below(2) { sortKeys.append(sorted(value())) }
        return FormatQuery(keys, limitByKey: limit([value()]), sortKeys: sortKeys)
    }

    private mutating func grouped() -> FormatQuery {
        let groups = distinct((0..<random.below(3)).map { _ in value() })
        let keys = distinct(groups.filter { _ in random.oneIn(2) } + (0...random.below(3)).map { _ in aggregate() })
        let names = keys.map(\.name).filter { KeyPathExpression(keys: $0).components.count == 1 }.map { ResultKey($0) }
        let having = names.first.map {
            FormatPredicate(.comparison(ComparisonPredicate($0.node, .greaterThan, .constantValue(.integer(3)))))
        }
        return FormatQuery(
            keys, groupedBy: groups, having: having, limitByKey: names.first.flatMap { limit([$0]) },
            sortKeys: names.map { sorted($0) })
    }

    private mutating func limit(_ keys: [ResultKey]) -> FormatQuery.LimitByKey? {
        random.oneIn(3) ? .init(random.below(4), by: keys) : nil
    }

    private mutating func page() -> FormatQuery.Page {
        .first(limit: random.oneIn(2) ? random.below(20) : nil, offset: random.oneIn(2) ? random.below(20) : 0)
    }

    private func distinct(_ keys: [ResultKey]) -> [ResultKey] {
        var seen: Set<String> = []
        return keys.filter { seen.insert($0.name).inserted }
    }

    private mutating func predicate() -> FormatPredicate {
        if random.oneIn(4) { return PredicateKey(random.one(of: Self.words)) > 3 }
        while true {
            let node = trees.predicate(depth: 2)
            if node.readsBack { return FormatPredicate(node) }
        }
    }

    private mutating func expression() -> FormatExpression {
        if random.oneIn(4) { return FormatExpression(.keyPath(KeyPathExpression(keys: random.one(of: Self.words)))) }
        while true {
            let node = trees.expression(depth: 2)
            if node.readsBack { return FormatExpression(node) }
        }
    }

    private mutating func name() -> String {
        switch random.below(4) {
        case 0: random.one(of: Self.words)
        case 1: String((values.text() + "x").drop { $0 == "$" })
        default: "r\(random.below(50))"
        }
    }

    private mutating func value() -> ResultKey {
        random.oneIn(4) ? ResultKey(name()) : ResultKey(expression(), as: name())
    }

    private mutating func aggregate() -> ResultKey {
        let aggregates: [ResultKey.Aggregate] = [
            .count, .countDistinct, .sum, .average, .minimum, .maximum, .median, .standardDeviation, .percentile(95),
            .percentile(99.5), .joined(separator: values.text()),
        ]
        let aggregate = random.one(of: aggregates)
        switch random.below(4) {
        case 0: return .count(as: name())
        case 1: return ResultKey("\(aggregate.name)_age", .aggregate(aggregate, of: "age"))
        default: return .aggregate(aggregate, of: expression(), as: name())
        }
    }

    private mutating func sorted(_ key: ResultKey) -> SortKey {
        let nils: SortKey.NilPlacement? = random.oneIn(2) ? nil : random.one(of: SortKey.NilPlacement.allCases)
        let options = ComparisonOptions(rawValue: random.oneIn(2) ? random.below(16) : 0)
        let (ascending, isNumeric) = (random.oneIn(2), random.oneIn(3))
        if case .expression(let expression) = key.content {
            return SortKey(expression, ascending: ascending, options: options, nils: nils, isNumeric: isNumeric)
        }
        return SortKey(key.name, ascending: ascending, options: options, nils: nils, isNumeric: isNumeric)
    }
}

extension ResultKey {
    fileprivate var node: ExpressionNode { .keyPath(KeyPathExpression(keys: name)) }
}
