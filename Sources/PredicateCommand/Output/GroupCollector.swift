import PredicateEvaluation
import PredicateSyntax

/// Collects the records of groups. Memory use grows with the number of groups, not of records, except for medians.
final class GroupCollector {
    private let grouping: Grouping
    private var groups: GroupStates

    init(_ grouping: Grouping) {
        self.grouping = grouping
        groups = GroupStates(grouping.keys.count, grouping.aggregates.map(\.function))
        if grouping.keys.isEmpty { _ = groups.place(of: [][...]) }
    }

    /// The number of records that were added by their slots.
    var siftedCount: Int { groups.siftedCount }

    /// Adds a record.
    func add(_ record: PredicateValue) throws(GroupProblem) {
        var values: [PredicateValue] = []
        do throws(EvaluationError) {
            for value in grouping.values { values.append(try value.value(in: record)) }
        } catch {
            throw .failed(error)
        }
        let keyCount = grouping.keys.count
        if let index = groups.add(values) {
            throw .notANumber(grouping.aggregates[index].value, values[keyCount + index])
        }
    }

    /// Adds a record by the places of its keys and of the values of its aggregates. Returns false if the record must be
    /// read in full, because a value has no flat form or is an error.
    func add(_ slots: UnsafePointer<FlatValue>, at places: SlotPlaces) -> Bool {
        guard places.areValues(slots) else { return false }
        if !places.slots.isEmpty { return groups.add(slots, places.slots) }
        return places.values(slots).map { groups.add(sifted: $0) } ?? false
    }

    /// Returns a row for each group, ordered by `--sort`, or else by size or key.
    func rows(_ query: OutputQuery) throws(CommandFailure) -> ArraySlice<[PredicateValue]> {
        guard let sort = query.sort else {
            let places = groups.order(bySize: grouping.isCount)
            if !grouping.hasCondition { return query.page.rows(places).map(groups.row)[...] }
            return query.page.rows(try written(places))
        }
        var sorter = RecordSorter<[PredicateValue]>(sort, limit: query.page.end)
        for row in try written(groups.order(bySize: grouping.isCount)) {
            sorter.add(row, values: try values(of: row, sort))
        }
        return query.page.rows(sorter.sorted())
    }

    /// Returns the rows for which the condition of the groups holds.
    private func written(_ places: [Int]) throws(CommandFailure) -> [[PredicateValue]] {
        try grouping.written(places.map(groups.row))
    }

    private func values(of row: [PredicateValue], _ sort: SortOrder) throws(CommandFailure) -> [OrderKey] {
        do throws(EvaluationError) {
            return try sort.values(of: grouping.record(of: row))
        } catch {
            throw .evaluation(error)
        }
    }
}

/// The keys, the numbers of records and the aggregates of all groups.
private struct GroupStates {
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
    private(set) var siftedCount = 0

    init(_ keyCount: Int, _ functions: [Grouping.ValueAggregate.Function]) {
        (self.keyCount, self.functions) = (keyCount, functions)
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
        key.clear()
        for index in 0..<keyCount where !key.append(slots[places[index]]) { return false }
        for index in functions.indices where !functions[index].takes(slots[places[keyCount + index]]) { return false }
        let (place, isNew) = table.place(of: key)
        if isNew { insert(places.prefix(keyCount).map { PredicateValue(flat: slots[$0]) }) }
        counts[place] += 1
        siftedCount += 1
        for index in functions.indices {
            states[place * functions.count + index].add(flat: slots[places[keyCount + index]])
        }
        return true
    }

    /// Returns the place of the group with some keys, which is new if there is none.
    mutating func place(of values: ArraySlice<PredicateValue>) -> Int {
        key.clear()
        let place: Int
        if values.allSatisfy({ key.append($0) }) {
            let found = table.place(of: key)
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
