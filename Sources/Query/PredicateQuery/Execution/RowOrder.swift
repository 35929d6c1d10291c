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
        let columns = try SortColumns(RowReader(rows, expressions, settings), orders, numbers)
        return try columns.sorted(limit: limit).map { numbers[$0] }
    }
}

/// The values of the sort keys for all rows, as prefixes, which usually decide the order.
private struct SortColumns<Row> {
    private let reader: RowReader<Row>
    private let numbers: [Int]
    private var columns: [SortColumn]

    init(_ reader: RowReader<Row>, _ orders: [ValueOrder], _ numbers: [Int]) throws(EvaluationError) {
        (self.reader, self.numbers) = (reader, numbers)
        var columns = orders.map { SortColumn($0, numbers.count) }
        let isFlat = try reader.forEachFlat(numbers) { (numbers, values) throws(EvaluationError) in
            for index in columns.indices { try columns[index].append(values + index, of: numbers, reader, index) }
        }
        if !isFlat {
            for number in numbers {
                for (index, value) in try reader.values(of: number).enumerated() { columns[index].append(value) }
            }
        }
        self.columns = columns
    }

    /// Returns the indices of the rows in sorted order, or only the first `limit` of them.
    func sorted(limit: Int?) throws(EvaluationError) -> [Int] {
        var entries = columns[0].prefixes.enumerated().map { SortEntry(prefix: $1, row: $0) }
        if let limit, limit < numbers.count / 4 { entries = SortEntry.first(limit, of: entries) }
        try sort(&entries, 0)
        return entries.prefix(limit ?? numbers.count).map(\.row)
    }

    /// Sorts rows by a column, and rows that are equal in it by the columns after it.
    private func sort(_ entries: inout [SortEntry], _ column: Int) throws(EvaluationError) {
        entries.sort()
        if column == columns.count - 1, columns[column].isWhole { return }
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].prefix == entries[start].prefix { end += 1 }
            if end - start > 1 {
                let rows = try sortedEqual(entries[start..<end], column)
                for (index, row) in rows.enumerated() { entries[start + index].row = row }
            }
            start = end
        }
    }

    /// Sorts rows by a column and those after it; rows that are equal in all of them keep their order.
    private func sorted(_ rows: [Int], from column: Int) throws(EvaluationError) -> [Int] {
        if column == columns.count || rows.count < 2 { return rows }
        var entries = rows.map { SortEntry(prefix: columns[column].prefixes[$0], row: $0) }
        try sort(&entries, column)
        return entries.map(\.row)
    }

    /// Sorts rows that have the same prefix in a column.
    private func sortedEqual(
        _ entries: ArraySlice<SortEntry>, _ column: Int
    ) throws(EvaluationError) -> [Int] {
        if entries.allSatisfy(\.prefix.isWhole) { return try sorted(entries.map(\.row), from: column + 1) }
        let order = columns[column].order
        var values: [(value: OrderedValue, row: Int)] = []
        for entry in entries { values.append((try value(entry.row, column), entry.row)) }
        values.sort { left, right in
            let result = order.compare(left.value, right.value)
            return result == 0 ? left.row < right.row : result < 0
        }
        var (sorted, rest): ([Int], _) = ([], values[...])
        while let first = rest.first {
            let equal = rest.prefix { order.compare($0.value, first.value) == 0 }
            sorted += try self.sorted(equal.map(\.row), from: column + 1)
            rest = rest.dropFirst(equal.count)
        }
        return sorted
    }

    private func value(_ row: Int, _ column: Int) throws(EvaluationError) -> OrderedValue {
        if !columns[column].values.isEmpty { return columns[column].values[row] }
        return columns[column].order.value(try reader.value(of: numbers[row], column))
    }
}

/// The values of one sort key.
private struct SortColumn {
    let order: ValueOrder
    private(set) var prefixes: [OrderedValue.Prefix] = []
    /// The values of all rows; empty if they are read again wherever prefixes are equal.
    private(set) var values: [OrderedValue] = []
    /// True if every prefix contains its whole value.
    private(set) var isWhole = true

    init(_ order: ValueOrder, _ count: Int) {
        self.order = order
        prefixes.reserveCapacity(count)
    }

    private mutating func append(_ prefix: OrderedValue.Prefix) {
        prefixes.append(prefix)
        isWhole = isWhole && prefix.isWhole
    }

    mutating func append(_ value: PredicateValue) {
        let value = order.value(value)
        values.append(value)
        append(order.prefix(value))
    }

    /// Appends the flat values of some rows.
    mutating func append<Row>(
        _ values: UnsafeMutablePointer<FlatValue>, of numbers: UnsafeBufferPointer<Int>, _ reader: RowReader<Row>,
        _ column: Int
    ) throws(EvaluationError) {
        let (order, width) = (order, reader.width)
        var value = values
        for number in numbers {
            let prefix =
                if let prefix = order.prefix(value.pointee) { prefix } else {
                    order.prefix(order.value(try reader.value(of: number, column)))
                }
            append(prefix)
            value += width
        }
    }
}

/// A row and the prefix of its value in a column.
private struct SortEntry: Comparable {
    let prefix: OrderedValue.Prefix
    var row: Int

    @inline(__always)
    static func < (left: SortEntry, right: SortEntry) -> Bool {
        left.prefix == right.prefix ? left.row < right.row : left.prefix < right.prefix
    }

    /// Returns rows that include the first `limit` of all, leaving out rows whose prefixes place them after these.
    static func first(_ limit: Int, of entries: [SortEntry]) -> [SortEntry] {
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
