import PredicateEvaluation
import PredicateSyntax

/// The order of rows by sort keys. The sort is stable. [NSP-510]
struct RowOrder {
    private let orders: [ValueOrder]
    private let expressions: [ExpressionEvaluator]
    private let settings: QuerySettings

    /// Prepares sort keys, each with the expression whose values it sorts by.
    init(_ keys: [(key: SortKey, value: FormatExpression)], _ settings: QuerySettings) throws(EvaluationError) {
        self.settings = settings
        orders = keys.map { ValueOrder($0.key, settings.context.locale) }
        expressions = try settings.evaluators(keys.map(\.value))
    }

    /// Returns the numbers of the rows in sorted order, or only the first `limit` of them.
    func sorted<Row>(
        _ rows: UnsafeBufferPointer<Row>, _ numbers: [Int], limit: Int? = nil
    ) throws(EvaluationError) -> [Int] {
        if orders.isEmpty { return numbers }
        let reader = RowReader(rows, expressions, settings)
        let columns = try columns(reader, numbers)
        let sorted = try columns.sorted(limit: limit) { (row, column) throws(EvaluationError) in
            orders[column].value(try reader.value(of: numbers[row], column))
        }
        return sorted.map { numbers[$0] }
    }

    /// Returns the prefixes of the values of rows.
    private func columns<Row>(_ reader: RowReader<Row>, _ numbers: [Int]) throws(EvaluationError) -> SortColumns {
        var columns = SortColumns(orders, capacity: numbers.count)
        let isFlat = try reader.forEachFlat(numbers) { (numbers, values) throws(EvaluationError) in
            try columns.append(values, numbers.count) { (row, column) throws(EvaluationError) in
                orders[column].value(try reader.value(of: numbers[row], column))
            }
        }
        if isFlat { return columns }
        for number in numbers {
            columns.append(zip(orders, try reader.values(of: number)).map { $0.prefix($0.value($1)) })
        }
        return columns
    }
}
