import PredicateEvaluation
import PredicateSyntax

/// The passes over rows, which are elements or groups: HAVING, `LIMIT 3 BY city`, DISTINCT, ORDER BY, and the page. [NSP-513]
///
/// A pass gets row numbers and returns some of them, so values are read only where a pass needs them.
struct RowPasses {
    var having: PredicateEvaluator?
    var firstOfKeys: (limit: Int, keys: [ExpressionEvaluator])?
    /// The values that make two rows equal; nil if all rows are kept.
    var distinct: [ExpressionEvaluator]?
    var order: RowOrder
    var isOrdered: Bool
    var page: FormatQuery.Page
    var settings: QuerySettings

    /// Returns the numbers of the remaining rows, in order.
    func numbers<Row>(
        _ rows: UnsafeBufferPointer<Row>, _ numbers: [Int]
    ) throws(EvaluationError) -> [Int] {
        var numbers = numbers
        if let having {
            let reader = RowReader(rows, [], settings)
            let all = numbers
            numbers = []
            for number in all where try reader.satisfies(having, number) { numbers.append(number) }
        }
        if let firstOfKeys {
            let inOrder = try order.sorted(rows, numbers)
            numbers = try kept(inOrder, firstOfKeys.limit, RowReader(rows, firstOfKeys.keys, settings))
            if isOrdered { numbers.sort() }
        }
        if let distinct { numbers = try kept(numbers, 1, RowReader(rows, distinct, settings)) }
        numbers = try order.sorted(rows, numbers, limit: page.end)
        return Array(page.rows(numbers))
    }

    /// Returns the first rows for each key, at most `limit`.
    private func kept<Row>(_ numbers: [Int], _ limit: Int, _ reader: RowReader<Row>) throws(EvaluationError) -> [Int] {
        let first = KeyCounts(limit: limit)
        var kept: [Int] = []
        try reader.forEachRow(numbers, keyCount: reader.width, likeThoseOf: .fixed) { keys, numbers, _ in
            first.add(keys) { kept.append(numbers[$0]) }
        } inFull: { (number) throws(EvaluationError) in
            if first.add(first.place(of: try reader.values(of: number))) { kept.append(number) }
        }
        return kept
    }
}
