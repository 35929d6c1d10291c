import PredicateEvaluation
import PredicateSyntax

/// The keys, the numbers of records and the aggregates of all groups.
struct GroupStates {
    private let keyCount: Int
    private let functions: [ResultKey.Aggregate]
    private var table = GroupTable()
    /// The keys of the first group, then those of the second.
    private var keys: [PredicateValue] = []
    private var counts: [Int] = []
    /// The aggregates of the first group, then those of the second.
    private var states: [Accumulator] = []
    /// The key of the last record.
    private(set) var key = GroupKeys()

    init(_ keyCount: Int, _ functions: [ResultKey.Aggregate]) {
        (self.keyCount, self.functions) = (keyCount, functions)
    }

    var count: Int { counts.count }

    /// Adds a record by its keys and the values of its aggregates. Returns the index of the first aggregate that does not
    /// take its value; nil if there is none. The others have taken theirs.
    mutating func add(_ values: [PredicateValue]) -> Int? {
        let place = place(of: values[..<keyCount])
        counts[place] += 1
        var failed: Int?
        for index in functions.indices where !states[place * functions.count + index].add(values[keyCount + index]) {
            failed = failed ?? index
        }
        return failed
    }

    /// Adds sifted records to their groups, some at a time, so that the memory of many groups is waited for together.
    mutating func add(_ pending: PendingRecords) {
        for values in pending.computed { _ = add(values) }
        let (keys, valueCount) = (pending.keys, keyCount + functions.count)
        pending.values.withUnsafeBufferPointer { values in
            for start in stride(from: 0, to: keys.count, by: 128) {
                let records = start..<min(start + 128, keys.count)
                table.touch(keys.hashes[records])
                keys.forEach(records) { record, key in
                    let first = record * valueCount
                    add(key, keys.hashes[record], UnsafeBufferPointer(rebasing: values[first..<first + valueCount]))
                }
            }
        }
    }

    @inline(__always)
    private mutating func add(_ key: UnsafeRawBufferPointer, _ hash: UInt64, _ values: UnsafeBufferPointer<FlatValue>) {
        let (place, isNew) = table.place(of: key, hash)
        if isNew { insert(values.prefix(keyCount).map { PredicateValue(flat: $0) }) }
        counts[place] += 1
        for index in functions.indices {
            states[place * functions.count + index].add(flat: values[keyCount + index])
        }
    }

    /// Returns the place of the group with some keys, which is new if there is none.
    mutating func place(of values: ArraySlice<PredicateValue>) -> Int {
        key.removeAll()
        for value in values { key.append(value) }
        key.finish()
        var found = (place: 0, isNew: false)
        let keys = key
        keys.forEach(0..<1) { found = table.place(of: $1, keys.hashes[0]) }
        if found.isNew { insert(values) }
        return found.place
    }

    /// Adds the group at the last place.
    private mutating func insert(_ values: some Sequence<PredicateValue>) {
        keys.append(contentsOf: values)
        counts.append(0)
        states += functions.map { Accumulator($0) }
    }

    /// Returns the keys of a group, its number of records and its aggregates.
    func row(_ place: Int) -> [PredicateValue] {
        let first = place * functions.count
        var row: [PredicateValue] = []
        row.reserveCapacity(keyCount + 1 + functions.count)
        row.append(contentsOf: keys[place * keyCount..<(place + 1) * keyCount])
        row.append(.integer(Int64(counts[place])))
        for state in states[first..<first + functions.count] { row.append(state.value) }
        return row
    }

    /// Returns the places of the groups, the largest first if `bySize` is true, then by their keys.
    func order(bySize: Bool) -> [Int] {
        let rows = counts.indices.map { place in
            let prefix = OrderedValue.Prefix(keyCount == 0 ? .null : OrderedValue(keys[place * keyCount]))
            return (count: bySize ? -counts[place] : 0, prefix: prefix, place: place)
        }
        return rows.sorted { left, right in
            if left.count != right.count { return left.count < right.count }
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            return precedes(left.place, right.place)
        }.map(\.place)
    }

    /// Orders two groups by their keys; a Boolean comes before the number that it equals.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
        for index in 0..<keyCount {
            let (first, second) = (keys[left * keyCount + index], keys[right * keyCount + index])
            let order = OrderedValue(first).compare(OrderedValue(second))
            if order != 0 { return order < 0 }
            if (first.kind == .boolean) != (second.kind == .boolean) { return first.kind == .boolean }
        }
        return left < right
    }
}
