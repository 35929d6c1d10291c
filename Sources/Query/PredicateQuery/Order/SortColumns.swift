import PredicateEvaluation
import PredicateSyntax

/// The values of sort keys for a number of rows, one column for each key. The sort is stable. [NSP-510]
///
/// Rows are sorted by the prefixes of their values, which usually decide the order.
struct SortColumns {
    private var columns: [SortColumn]
    private(set) var count = 0

    init(_ orders: [ValueOrder], capacity: Int = 0) { columns = orders.map { SortColumn($0, capacity) } }

    /// Appends a row, given the prefixes of the values of its keys.
    mutating func append(_ prefixes: [OrderedValue.Prefix]) {
        for (column, prefix) in prefixes.enumerated() { columns[column].append(prefix) }
        count += 1
    }

    /// Appends the flat values of rows, row after row; a closure reads a value that is not flat. The values are not kept.
    mutating func append<Failure: Error>(
        _ values: UnsafePointer<FlatValue>, _ rows: Int,
        _ value: (_ row: Int, _ column: Int) throws(Failure) -> OrderedValue
    ) throws(Failure) {
        let width = columns.count
        for column in 0..<width {
            let order = columns[column].order
            for row in 0..<rows {
                let known = order.prefix(values[row &* width &+ column])
                let prefix = if let known { known } else { order.prefix(try value(row, column)) }
                columns[column].append(prefix)
            }
        }
        count += rows
    }

    /// Returns the prefixes of the values of a row.
    func prefixes(of row: Int) -> [OrderedValue.Prefix] { columns.map { $0.prefixes[row] } }

    /// Returns the indices of the rows in sorted order, or only the first `limit` of them. A closure reads the values whose
    /// prefixes do not decide.
    func sorted<Failure: Error>(
        limit: Int? = nil, _ value: (_ row: Int, _ column: Int) throws(Failure) -> OrderedValue
    ) throws(Failure) -> [Int] {
        guard let first = columns.first else { return Array(0..<min(limit ?? count, count)) }
        var entries = first.prefixes.enumerated().map { SortEntry(prefix: $1, row: $0) }
        if let limit, limit < count / 4 { entries = SortEntry.first(limit, of: entries) }
        var pending = [(rows: entries.indices, column: 0)]
        while let (rows, column) = pending.popLast() {
            let ties = try sort(&entries, rows, column, value)
            guard column + 1 < columns.count else { continue }
            for rows in ties {
                for index in rows { entries[index].prefix = columns[column + 1].prefixes[entries[index].row] }
                pending.append((rows, column + 1))
            }
        }
        return entries.prefix(limit ?? count).map(\.row)
    }

    /// Sorts these rows by a column. Returns the ranges of rows that are equal in it, in their former order.
    private func sort<Failure: Error>(
        _ entries: inout [SortEntry], _ rows: Range<Int>, _ column: Int,
        _ value: (Int, Int) throws(Failure) -> OrderedValue
    ) throws(Failure) -> [Range<Int>] {
        // In place: a slice of the array would be copied.
        entries.withUnsafeMutableBufferPointer { entries in
            var part = UnsafeMutableBufferPointer(rebasing: entries[rows])
            part.sort()
        }
        if column == columns.count - 1, columns[column].isWhole { return [] }
        let alike = rows.ties { entries[$0].prefix == entries[$1].prefix }
        if columns[column].isWhole { return alike }
        var ties: [Range<Int>] = []
        for rows in alike {
            if entries[rows].allSatisfy(\.prefix.isWhole) {
                ties.append(rows)
            } else {
                ties += try sortByValue(&entries, rows, column, value)
            }
        }
        return ties
    }

    /// Sorts rows that have the same prefix in a column. Returns the ranges of rows that are equal in it.
    private func sortByValue<Failure: Error>(
        _ entries: inout [SortEntry], _ rows: Range<Int>, _ column: Int,
        _ value: (Int, Int) throws(Failure) -> OrderedValue
    ) throws(Failure) -> [Range<Int>] {
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

    /// Keeps only these rows, in the order of their indices.
    mutating func keep(_ rows: [Int]) {
        for column in columns.indices { columns[column].keep(rows) }
        count = rows.count
    }
}

/// The values of one sort key.
private struct SortColumn {
    let order: ValueOrder
    private(set) var prefixes: [OrderedValue.Prefix] = []
    /// True if every prefix contains its whole value.
    private(set) var isWhole = true

    init(_ order: ValueOrder, _ capacity: Int) {
        self.order = order
        prefixes.reserveCapacity(capacity)
    }

    @inline(__always)
    mutating func append(_ prefix: OrderedValue.Prefix) {
        prefixes.append(prefix)
        isWhole = isWhole && prefix.isWhole
    }

    mutating func keep(_ rows: [Int]) { prefixes = rows.map { prefixes[$0] } }
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
