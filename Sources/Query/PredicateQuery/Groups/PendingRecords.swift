import PredicateEvaluation
import PredicateSyntax

/// Sifted records of one half of the lines, which wait for their groups, so that two cores can sift.
struct PendingRecords {
    private(set) var keys: GroupKeys
    /// The values of the keys and aggregates of the first record, then those of the second.
    private(set) var values: [FlatValue] = []
    /// The values of records in which one is computed; then there are no others.
    private(set) var computed: [[PredicateValue]] = []
    /// Where records come after more lines that are read in full: the number of these lines and of the records before.
    private var gaps: [(kept: Int, count: Int)] = []
    /// The number of gaps and of records that were passed.
    private var (passedGaps, passed) = (0, 0)
    private let keyCount: Int
    private let functions: [ResultKey.Aggregate]

    /// Creates an empty list. Its keys have the hashes of `key`.
    init(_ keyCount: Int, _ functions: [ResultKey.Aggregate], _ key: GroupKeys) {
        (self.keyCount, self.functions) = (keyCount, functions)
        keys = GroupKeys(likeThoseOf: key)
    }

    var count: Int { keys.count + computed.count }

    /// Adds a record by the places of its keys and of the values of its aggregates, which comes after some lines that are
    /// read in full. Returns false if it must be read in full itself, because a value has no flat form or is not taken.
    mutating func add(_ slots: UnsafePointer<FlatValue>, at places: SlotPlaces, after kept: Int) -> Bool {
        if kept > gaps.last?.kept ?? 0 { gaps.append((kept, count)) }
        guard places.areValues(slots) else { return false }
        if !places.slots.isEmpty { return add(slots, places.slots) }
        guard let values = places.values(slots) else { return false }
        for index in functions.indices where !functions[index].takes(values[keyCount + index]) { return false }
        computed.append(values)
        return true
    }

    @inline(__always)
    private mutating func add(_ slots: UnsafePointer<FlatValue>, _ places: [Int]) -> Bool {
        for index in functions.indices where !functions[index].takes(slots[places[keyCount + index]]) { return false }
        for index in 0..<keyCount where !keys.append(slots[places[index]]) {
            keys.drop()
            return false
        }
        keys.finish()
        for place in places { values.append(slots[place]) }
        return true
    }

    /// Passes the records before the next of the lines that are read in full, of which some came before; all records
    /// without a number. Returns the numbers of those that were not passed yet.
    mutating func pass(before kept: Int?) -> Range<Int> {
        while let kept, passedGaps < gaps.count, gaps[passedGaps].kept <= kept { passedGaps += 1 }
        let start = passed
        passed = kept != nil && passedGaps < gaps.count ? gaps[passedGaps].count : count
        return start..<passed
    }

    mutating func removeAll() {
        gaps.removeAll(keepingCapacity: true)
        (passedGaps, passed) = (0, 0)
        keys.removeAll()
        values.removeAll(keepingCapacity: true)
        computed.removeAll(keepingCapacity: true)
    }
}
