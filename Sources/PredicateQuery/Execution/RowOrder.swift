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
        orders = keys.map { ValueOrder($0.key, settings.context.locale) }
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
        var entries = columns[0].prefixes.enumerated().map { SortEntry(prefix: $1, row: $0) }
        if let limit, limit < count / 4 { entries = first(limit, of: entries) }
        sort(&entries, 0)
        return entries.prefix(limit ?? count).map(\.row)
    }

    /// Sorts rows by a column, and those that are equal by the next columns.
    private func sort(_ entries: inout [SortEntry], _ column: Int) {
        entries.sort()
        if column == columns.count - 1, columns[column].isWhole { return }
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].prefix == entries[start].prefix { end += 1 }
            if end - start > 1 { sortEqual(&entries, start..<end, column) }
            start = end
        }
    }

    /// Sorts rows that have the same prefix in a column.
    private func sortEqual(_ entries: inout [SortEntry], _ range: Range<Int>, _ column: Int) {
        let (next, isLast) = (column + 1, column == columns.count - 1)
        var rows = entries[range].map(\.row)
        if columns[column].isWhole {
            var equal = rows.map { SortEntry(prefix: columns[next].prefixes[$0], row: $0) }
            sort(&equal, next)
            rows = equal.map(\.row)
        } else {
            let (order, values) = (columns[column].order, columns[column].values)
            rows.sort { left, right in
                let result = order.compare(values[left], values[right])
                return result == 0 ? isLast ? left < right : precedes(left, right, next) : result < 0
            }
        }
        for (index, row) in zip(range, rows) { entries[index].row = row }
    }

    /// Compares two rows that are equal in the columns before.
    private func precedes(_ left: Int, _ right: Int, _ first: Int) -> Bool {
        for column in columns[first...] {
            let prefixes = (column.prefixes[left], column.prefixes[right])
            if prefixes.0 != prefixes.1 { return prefixes.0 < prefixes.1 }
            if column.isWhole { continue }
            let order = column.order.compare(column.values[left], column.values[right])
            if order != 0 { return order < 0 }
        }
        return left < right
    }

    /// Returns rows among which the first of all are: those that are not after the last of the first in one column.
    private func first(_ limit: Int, of entries: [SortEntry]) -> [SortEntry] {
        var (held, last): ([SortEntry], OrderedValue.Prefix?) = ([], nil)
        var most = max(2 * limit, 1_000)
        for entry in entries {
            if let last, last < entry.prefix { continue }
            held.append(entry)
            guard held.count >= most else { continue }
            held.sort()
            let bound = held[max(limit, 1) - 1].prefix
            held.removeLast(held.count - (held.lastIndex { $0.prefix == bound } ?? 0) - 1)
            (last, most) = (bound, max(2 * held.count, most))
        }
        return held
    }
}

/// A row and the beginning of its value in a column.
private struct SortEntry: Comparable {
    let prefix: OrderedValue.Prefix
    var row: Int

    @inline(__always)
    static func < (left: SortEntry, right: SortEntry) -> Bool {
        left.prefix == right.prefix ? left.row < right.row : left.prefix < right.prefix
    }
}
