import PredicateEvaluation
import PredicateSyntax

/// The results of a query with groups: one record for each group. Its keys are the names of results and groups.
struct GroupedResults {
    /// The names of the results, which are the columns.
    let columns: [String]
    /// The meaning of names in the clauses after GROUP BY.
    let names: ResultNames
    private let groups: RowGroups
    private let settings: QuerySettings
    /// The names of all values of a record: those of `named`, then the computed ones.
    private let layout: KeyedRecord.Layout
    /// The names of the values taken from the groups (keys, numbers of rows, aggregates) and their indices there.
    private let named: KeyedRecord.Layout
    private let places: [Int]
    /// The other values, which are computed from these: `lowercase(city) … GROUP BY city`.
    private let computed: [ExpressionEvaluator]

    /// Creates the results of a query; nil for a query of elements.
    init?(_ query: FormatQuery, _ settings: QuerySettings) throws(EvaluationError) {
        let isAggregate = query.keys?.contains(where: \.isAggregate) ?? false
        guard let keys = query.groups ?? (isAggregate ? [] : nil) else { return nil }
        let results = query.keys ?? keys + [.count(as: "count")]
        let aliases = ResultNames(elements: results.filter { !$0.isAggregate })
        let values = Array(zip(try aliases.values(of: keys), keys))
        groups = try RowGroups(values.map(\.0), results, settings)
        self.settings = settings

        let places = Self.places(results, values)
        let known = Set(places.map(\.name))
        let others = results.filter { !known.contains($0.name) }
        let expressions = values.map { (expression: $0, name: $1.nameInGroups) }
        columns = results.map(\.name)
        self.places = places.map(\.place)
        named = KeyedRecord.Layout(places.map(\.name))
        layout = KeyedRecord.Layout(named.names + others.map(\.name))
        names = ResultNames(columns: layout.names, keys: expressions)
        let inner = ResultNames(columns: named.names, keys: expressions)
        computed = try settings.evaluators(inner.values(of: others))
    }

    /// Returns the names of the values of a group, and their indices; names of results come first.
    private static func places(
        _ results: [ResultKey], _ keys: [(FormatExpression, ResultKey)]
    ) -> [(name: String, place: Int)] {
        let numbers = Dictionary(keys.enumerated().map { ($1.0, $0) }) { first, _ in first }
        var places: [(name: String, place: Int)] = []
        var aggregates = 0
        for result in results {
            switch result.content {
            case .count: places.append((result.name, keys.count))
            case .aggregate, .aggregateOfExpression:
                aggregates += 1
                places.append((result.name, keys.count + aggregates))
            case .keyPath, .expression:
                if let key = numbers[result.expression] { places.append((result.name, key)) }
            }
        }
        let names = Set(results.map(\.name))
        for (index, (_, key)) in keys.enumerated() where !names.contains(key.nameInGroups) {
            places.append((key.nameInGroups, index))
        }
        return places
    }

    /// Returns a record of each group, in the order of the groups' keys.
    func records<Row>(_ rows: UnsafeBufferPointer<Row>, _ numbers: [Int]) throws(EvaluationError) -> [KeyedRecord] {
        try groups.values(rows, numbers).map { (values) throws(EvaluationError) in
            try record(of: places.map { values[$0] })
        }
    }

    private func record(of values: [PredicateValue]) throws(EvaluationError) -> KeyedRecord {
        if computed.isEmpty { return KeyedRecord(layout, values) }
        let record = KeyedValue.object(KeyedRecord(named, values))
        var others: [PredicateValue] = []
        for value in computed { others.append(try value.valueOrNil(record, settings.variables)) }
        return KeyedRecord(layout, values + others)
    }
}
