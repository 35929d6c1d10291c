import PredicateEvaluation
import PredicateSyntax

/// The keys, the record counts and the aggregates of all groups.
package struct GroupStates {
    let keyCount: Int
    let functions: [ResultKey.Aggregate]
    private var table = GroupTable()
    /// The keys of the first group, then the keys of the second, and so on.
    private var keys: [PredicateValue] = []
    private var counts: [Int] = []
    /// The aggregates of the first group, then those of the second, and so on.
    private var states: [Accumulator] = []
    /// The key of a record that is being added.
    private(set) var key = GroupKeys()

    init(_ keyCount: Int, _ functions: [ResultKey.Aggregate]) {
        (self.keyCount, self.functions) = (keyCount, functions)
    }

    /// Adds a record, given its keys and the values for its aggregates. Returns the index of the first aggregate that does not
    /// accept its value; nil if all do. Even then, the other aggregates have added their values.
    mutating func add(_ values: [PredicateValue]) -> Int? {
        let place = place(of: values[..<keyCount])
        counts[place] += 1
        var failed: Int?
        for index in functions.indices where !states[place * functions.count + index].add(values[keyCount + index]) {
            failed = failed ?? index
        }
        return failed
    }

    /// Adds sifted records to their groups, many at a time, so that the cache misses of their groups overlap.
    mutating func add(_ pending: PendingRecords, _ numbers: Range<Int>) {
        if !numbers.isEmpty { pending.values.withUnsafeBufferPointer { add(pending.keys, $0, numbers) } }
    }

    /// Adds records, given their keys, and their values: the keys and aggregated values of the first record, then those of the
    /// second, and so on.
    mutating func add(_ keys: GroupKeys, _ values: UnsafeBufferPointer<FlatValue>, _ numbers: Range<Int>? = nil) {
        let valueCount = keyCount + functions.count
        var table = GroupTable(buckets: 0)
        swap(&table, &self.table)
        defer { swap(&table, &self.table) }
        table.forEachPlace(of: keys, numbers ?? 0..<keys.count) { record, place, isNew in
            let values = UnsafeBufferPointer(rebasing: values[record * valueCount..<(record + 1) * valueCount])
            if isNew { insert(values.prefix(keyCount).map { PredicateValue(flat: $0) }) }
            counts[place] += 1
            for index in functions.indices {
                states[place * functions.count + index].add(flat: values[keyCount + index])
            }
        }
    }

    /// Returns the index of the group with these keys, which is added if it does not exist.
    mutating func place(of values: ArraySlice<PredicateValue>) -> Int {
        for value in values { key.append(value) }
        let found = key.take { table.place(of: $0, $1) }
        if found.isNew { insert(values) }
        return found.place
    }

    /// Adds a group at the end.
    private mutating func insert(_ values: some Sequence<PredicateValue>) {
        keys.append(contentsOf: values)
        counts.append(0)
        states += functions.map { Accumulator($0) }
    }

    /// Returns the keys of a group, its number of records and its aggregates.
    package func row(_ place: Int) -> [PredicateValue] {
        let first = place * functions.count
        var row: [PredicateValue] = []
        row.reserveCapacity(keyCount + 1 + functions.count)
        row.append(contentsOf: keys[place * keyCount..<(place + 1) * keyCount])
        row.append(.integer(Int64(counts[place])))
        for state in states[first..<first + functions.count] { row.append(state.value) }
        return row
    }

    /// Returns the indices of the groups: by size if `bySize` is true, the largest first, then by their keys.
    package func order(bySize: Bool) -> [Int] {
        GroupOrder.places(counts, bySize: bySize) { keys[$0 * keyCount..<($0 + 1) * keyCount] }
    }
}

/// The order of groups. [NSP-512]
package enum GroupOrder {
    /// Returns the indices of groups in order, given the number of records of each: by size if `bySize` is true, the largest
    /// first, then by their keys.
    package static func places(
        _ sizes: [Int], bySize: Bool, _ keys: (Int) -> ArraySlice<PredicateValue>
    ) -> [Int] {
        var hasBooleans = sizes.indices.first.map { keys($0).map { _ in false } } ?? []
        for place in sizes.indices {
            for (column, key) in keys(place).enumerated() where key.kind == .boolean { hasBooleans[column] = true }
        }
        func forEachValue(_ place: Int, _ body: (OrderedValue) -> Void) {
            if bySize { body(.number(.integer(-Int64(sizes[place])))) }
            for (column, key) in keys(place).enumerated() {
                body(OrderedValue(key))
                // A Boolean comes before the number that it equals.
                if hasBooleans[column] { body(.number(.integer(key.kind == .boolean ? 0 : 1))) }
            }
        }
        let order = ValueOrder(SortKey(""))
        let columnCount = (bySize ? 1 : 0) + hasBooleans.reduce(0) { $0 + ($1 ? 2 : 1) }
        var columns = SortColumns(Array(repeating: order, count: columnCount), capacity: sizes.count)
        var prefixes: [OrderedValue.Prefix] = []
        for place in sizes.indices {
            forEachValue(place) { prefixes.append(order.prefix($0)) }
            columns.append(prefixes)
            prefixes.removeAll(keepingCapacity: true)
        }
        return columns.sorted { row, column in
            var values: [OrderedValue] = []
            forEachValue(row) { values.append($0) }
            return values[column]
        }
    }
}
