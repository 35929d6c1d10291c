import PredicateEvaluation
import PredicateSyntax

/// The keys, the numbers of records and the aggregates of all groups.
///
/// Records that are added by their slots are pending until there are enough of them, so that the memory of many groups is
/// waited for at the same time.
struct GroupStates {
    private let keyCount: Int
    private let functions: [Grouping.ValueAggregate.Function]
    private var table = GroupTable()
    /// The places of groups whose keys have no bytes: lists, dictionaries and decimal numbers.
    private var others: [[PredicateValue]: Int] = [:]
    /// The keys of the first group, then those of the second.
    private var keys: [PredicateValue] = []
    private var counts: [Int] = []
    /// The aggregates of the first group, then those of the second.
    private var states: [AggregateState] = []
    private var key = GroupKey()
    private var pending: PendingRecords
    private(set) var siftedCount = 0

    init(_ keyCount: Int, _ functions: [Grouping.ValueAggregate.Function]) {
        (self.keyCount, self.functions) = (keyCount, functions)
        pending = PendingRecords(key, valueCount: keyCount + functions.count)
    }

    var count: Int { counts.count }

    /// Adds a record by its keys and the values of its aggregates. Returns the index of an aggregate that does not
    /// take its value; nil if there is none.
    mutating func add(_ values: [PredicateValue]) -> Int? {
        let place = place(of: values[..<keyCount])
        counts[place] += 1
        for index in functions.indices where !states[place * functions.count + index].add(values[keyCount + index]) {
            return index
        }
        return nil
    }

    /// Adds a sifted record. Returns false if a value is not taken.
    mutating func add(sifted values: [PredicateValue]) -> Bool {
        for index in functions.indices where !functions[index].takes(values[keyCount + index]) { return false }
        siftedCount += 1
        return add(values) == nil
    }

    /// Adds a record by the slots of its keys and values. Returns false if a value has no flat form or is not taken.
    mutating func add(_ slots: UnsafePointer<FlatValue>, _ places: [Int]) -> Bool {
        for index in functions.indices where !functions[index].takes(slots[places[keyCount + index]]) { return false }
        guard pending.add(slots, places, keyCount) else { return false }
        siftedCount += 1
        if pending.isFull { addPending() }
        return true
    }

    /// Adds the pending records to their groups.
    mutating func addPending() {
        table.touch(pending.hashes[..<pending.count])
        for record in 0..<pending.count {
            let (place, isNew) = table.place(of: pending.keys[record], hash: pending.hashes[record])
            let values = pending.values(of: record)
            if isNew { insert(values.prefix(keyCount).map { PredicateValue(flat: $0) }) }
            counts[place] += 1
            for index in functions.indices {
                states[place * functions.count + index].add(flat: values[values.startIndex + keyCount + index])
            }
        }
        pending.removeAll()
    }

    /// Returns the place of the group with some keys, which is new if there is none.
    mutating func place(of values: ArraySlice<PredicateValue>) -> Int {
        key.clear()
        let place: Int
        if values.allSatisfy({ key.append($0) }) {
            let found = table.place(of: key, hash: key.hash)
            if !found.isNew { return found.place }
            place = found.place
        } else {
            if let place = others[Array(values)] { return place }
            place = table.addPlace()
            others[Array(values)] = place
        }
        insert(values)
        return place
    }

    /// Adds the group at the last place.
    private mutating func insert(_ values: some Sequence<PredicateValue>) {
        keys.append(contentsOf: values)
        counts.append(0)
        states += functions.map { AggregateState($0) }
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
            let prefix = OrderPrefix(keyCount == 0 ? .null : OrderKey(keys[place * keyCount]))
            return (count: bySize ? -counts[place] : 0, prefix: prefix, place: place)
        }
        return rows.sorted { left, right in
            if left.count != right.count { return left.count < right.count }
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            return precedes(left.place, right.place)
        }.map(\.place)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        for index in 0..<keyCount {
            let (left, right) = (OrderKey(keys[left * keyCount + index]), OrderKey(keys[right * keyCount + index]))
            let result = left.compare(right)
            if result != 0 { return result < 0 }
        }
        return left < right
    }
}

/// Sifted records with their keys, and the values of their keys and aggregates.
private struct PendingRecords {
    private static let capacity = 128

    private(set) var keys: [GroupKey]
    private(set) var hashes = [UInt64](repeating: 0, count: capacity)
    private var values: [FlatValue] = []
    private let valueCount: Int
    private(set) var count = 0

    /// `key` has the random numbers of all hashes.
    init(_ key: GroupKey, valueCount: Int) {
        keys = Array(repeating: key, count: Self.capacity)
        self.valueCount = valueCount
    }

    var isFull: Bool { count == Self.capacity }

    /// Adds a record by its slots. Returns false if a key has no flat form.
    @inline(__always)
    mutating func add(_ slots: UnsafePointer<FlatValue>, _ places: [Int], _ keyCount: Int) -> Bool {
        keys[count].clear()
        for index in 0..<keyCount where !keys[count].append(slots[places[index]]) { return false }
        hashes[count] = keys[count].hash
        for place in places { values.append(slots[place]) }
        count += 1
        return true
    }

    /// Returns the values of the keys and aggregates of a record.
    func values(of record: Int) -> ArraySlice<FlatValue> {
        values[record * valueCount..<(record + 1) * valueCount]
    }

    mutating func removeAll() {
        count = 0
        values.removeAll(keepingCapacity: true)
    }
}
