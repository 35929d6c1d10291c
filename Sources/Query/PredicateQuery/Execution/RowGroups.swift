import PredicateEvaluation
import PredicateSyntax

/// Groups rows and computes their aggregates: `city, avg(age) … GROUP BY city`. [NSP-512]
struct RowGroups {
    private let settings: QuerySettings
    private let keys: [ExpressionEvaluator]
    private let functions: [ResultKey.Aggregate]
    private let operands: [ExpressionEvaluator]

    /// Prepares grouping by values, and the aggregates among the results.
    init(_ keys: [FormatExpression], _ results: [ResultKey], _ settings: QuerySettings) throws(EvaluationError) {
        self.settings = settings
        self.keys = try settings.evaluators(keys)
        functions = results.compactMap(\.aggregate)
        operands = try settings.evaluators(results.filter { $0.aggregate != nil }.map(\.expression))
    }

    /// Returns the keys, the number of rows and the aggregates of each group, in the order of the keys.
    func values<Row>(_ rows: UnsafeBufferPointer<Row>, _ numbers: [Int]) throws(EvaluationError) -> [[PredicateValue]] {
        var states = GroupStates(keys.count, functions)
        if keys.isEmpty { _ = states.place(of: [][...]) }
        let reader = RowReader(rows, keys + operands, settings)
        let added = states.key
        try reader.forEachRow(
            numbers, keyCount: keys.count, likeThoseOf: added, areFlat: areFlat(reader)
        ) { keys, _, values in
            states.add(keys, values)
        } inFull: { (number) throws(EvaluationError) in
            try add(reader, number, to: &states)
        }
        return states.order(bySize: false).map { states.row($0) }
    }

    /// Returns true if each function accepts every flat value of its operand.
    private func areFlat<Row>(_ reader: RowReader<Row>) -> Bool {
        functions.indices.allSatisfy { !functions[$0].takesNumbers || reader.isNumeric(keys.count + $0) }
    }

    private func add<Row>(_ reader: RowReader<Row>, _ number: Int, to states: inout GroupStates) throws(EvaluationError)
    {
        let values = try reader.values(of: number)
        guard let index = states.add(values) else { return }
        throw EvaluationError(.notANumber(found: FoundValue(values[keys.count + index])))
    }
}
