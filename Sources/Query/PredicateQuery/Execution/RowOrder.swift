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
        var pending = [(rows: entries.indices, column: 0)]
        while let (rows, column) = pending.popLast() {
            let ties = try sort(&entries, rows, column)
            guard column + 1 < columns.count else { continue }
            for rows in ties {
                for index in rows { entries[index].prefix = columns[column + 1].prefixes[entries[index].row] }
                pending.append((rows, column + 1))
            }
        }
        return entries.prefix(limit ?? numbers.count).map(\.row)
    }

    /// Sorts some rows by a column. Returns the ranges of rows that are equal in it, in their former order.
    private func sort(
        _ entries: inout [SortEntry], _ rows: Range<Int>, _ column: Int
    ) throws(EvaluationError) -> [Range<Int>] {
        if rows.count == entries.count { entries.sort() } else { entries[rows].sort() }
        if column == columns.count - 1, columns[column].isWhole { return [] }
        let alike = rows.ties { entries[$0].prefix == entries[$1].prefix }
        if columns[column].isWhole { return alike }
        var ties: [Range<Int>] = []
        for rows in alike {
            if entries[rows].allSatisfy(\.prefix.isWhole) {
                ties.append(rows)
            } else {
                ties += try sortByValue(&entries, rows, column)
            }
        }
        return ties
    }

    /// Sorts rows that have the same prefix in a column. Returns the ranges of rows that are equal in it.
    private func sortByValue(
        _ entries: inout [SortEntry], _ rows: Range<Int>, _ column: Int
    ) throws(EvaluationError) -> [Range<Int>] {
        let order = columns[column].order
        var values: [(value: OrderedValue, row: Int)] = []
        for entry in entries[rows] { values.append((try value(entry.row, column), entry.row)) }
        values.sort { left, right in
            let result = order.compare(left.value, right.value)
            return result == 0 ? left.row < right.row : result < 0
        }
        for (index, value) in zip(rows, values) { entries[index].row = value.row }
        let first = rows.lowerBound
        return rows.ties { order.compare(values[$0 - first].value, values[$1 - first].value) == 0 }
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
    var prefix: OrderedValue.Prefix
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

extension Range<Int> {
    /// Returns the ranges of two or more neighbours that are the same.
    fileprivate func ties(_ areSame: (Int, Int) -> Bool) -> [Range<Int>] {
        var (ties, start) = ([Range<Int>](), lowerBound)
        for index in self where index + 1 == upperBound || !areSame(index, index + 1) {
            if index > start { ties.append(start..<index + 1) }
            start = index + 1
        }
        return ties
    }
}
