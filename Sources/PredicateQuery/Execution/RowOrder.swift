import PredicateEvaluation
import PredicateSyntax

/// The order of rows by sort keys. The sort is stable. [NSP-510]
struct RowOrder {
    private let orders: [ValueOrder]
    private let expressions: [ExpressionEvaluator]
    private let settings: QuerySettings

    /// Prepares sort keys, each with the expression that it orders by.
    init(_ keys: [(key: SortKey, value: FormatExpression)], _ settings: QuerySettings) throws(EvaluationError) {
        self.settings = settings
        orders = keys.map { ValueOrder($0.key, settings.locale) }
        expressions = try settings.evaluators(keys.map(\.value))
    }

    /// Returns the numbers of rows in order, at most the first of them.
    func sorted<Row>(
        _ rows: UnsafeBufferPointer<Row>, _ numbers: [Int], limit: Int? = nil
    ) throws(EvaluationError) -> [Int] {
        if orders.isEmpty { return numbers }
        let columns = try SortColumns(RowReader(rows, expressions, settings), orders, numbers)
        return columns.sorted(limit: limit).map { numbers[$0] }
    }
}

/// The values of sort keys of rows: their beginnings, and where these are not enough, the values.
private struct SortColumns {
    private struct Column {
        let order: ValueOrder
        var prefixes: [OrderedValue.Prefix] = []
        /// The values of all rows; empty if their prefixes are whole.
        var values: [OrderedValue] = []
        var isWhole = true

        mutating func append(_ prefix: OrderedValue.Prefix) {
            prefixes.append(prefix)
            isWhole = isWhole && prefix.isWhole
        }

        mutating func append(_ value: PredicateValue) {
            let value = order.value(value)
            values.append(value)
            append(order.prefix(value))
        }
    }

    private typealias Entry = (prefix: OrderedValue.Prefix, row: Int)

    private var columns: [Column]
    private let count: Int

    init<Row>(_ reader: RowReader<Row>, _ orders: [ValueOrder], _ numbers: [Int]) throws(EvaluationError) {
        columns = orders.map { Column(order: $0) }
        count = numbers.count
        for index in columns.indices { columns[index].prefixes.reserveCapacity(count) }
        if try !addFlat(reader, numbers) { try add(reader, numbers) }
        for index in columns.indices where columns[index].isWhole { columns[index].values = [] }
    }

    private mutating func add<Row>(_ reader: RowReader<Row>, _ numbers: [Int]) throws(EvaluationError) {
        for number in numbers {
            for (index, value) in try reader.values(of: number).enumerated() { columns[index].append(value) }
        }
    }

    /// Adds the prefixes of flat values. Returns false if values of this kind of rows are not flat.
    private mutating func addFlat<Row>(_ reader: RowReader<Row>, _ numbers: [Int]) throws(EvaluationError) -> Bool {
        let isFlat = try reader.forEachFlat(numbers) { (numbers, values) throws(EvaluationError) in
            for index in columns.indices {
                try addFlat(reader, numbers, values + index, &columns[index], index)
            }
        }
        for index in columns.indices where isFlat && !columns[index].isWhole {
            columns[index].values.reserveCapacity(count)
            let order = columns[index].order
            for number in numbers { columns[index].values.append(order.value(try reader.value(of: number, index))) }
        }
        return isFlat
    }

    private func addFlat<Row>(
        _ reader: RowReader<Row>, _ numbers: UnsafeBufferPointer<Int>, _ values: UnsafeMutablePointer<FlatValue>,
        _ column: inout Column, _ index: Int
    ) throws(EvaluationError) {
        var value = values
        for number in numbers {
            if let prefix = column.order.prefix(value.pointee) {
                column.append(prefix)
            } else {
                column.append(column.order.prefix(column.order.value(try reader.value(of: number, index))))
            }
            value += reader.width
        }
    }

    /// Returns the places of the rows in order, at most the first of them.
    func sorted(limit: Int?) -> [Int] {
        guard let limit, limit < count / 4 else { return sorted(entries) }
        var (held, last): ([Entry], Entry?) = ([], nil)
        for entry in entries {
            if let last, !precedes(entry, last) { continue }
            held.append(entry)
            guard held.count / 2 >= max(limit, 500) else { continue }
            held.sort(by: precedes)
            held.removeLast(held.count - max(limit, 1))
            last = held.last
        }
        return Array(sorted(held).prefix(limit))
    }

    private var entries: [Entry] { columns[0].prefixes.enumerated().map { (prefix: $1, row: $0) } }

    private func sorted(_ entries: [Entry]) -> [Int] { entries.sorted(by: precedes).map(\.row) }

    @inline(__always)
    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return precedes(left.row, right.row)
    }

    /// Compares two rows whose first prefixes are equal.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
        for index in columns.indices {
            let prefixes = columns[index].prefixes
            if index > 0, prefixes[left] != prefixes[right] { return prefixes[left] < prefixes[right] }
            if columns[index].isWhole { continue }
            let order = columns[index].order.compare(columns[index].values[left], columns[index].values[right])
            if order != 0 { return order < 0 }
        }
        return left < right
    }
}
