import PredicateEvaluation
import PredicateSyntax

/// Sifted records that are not yet in their groups: one list for each half of the lines, so that two cores can sift.
struct PendingRecords {
    private(set) var keys: GroupKeys
    private var found = SlotValues()
    /// Where lines that are read in full come between the records: the number of these lines and of the records before them.
    private var gaps: [(kept: Int, count: Int)] = []
    /// The number of gaps and of records that were passed on.
    private var (passedGaps, passed) = (0, 0)
    private let keyCount: Int
    private let functions: [ResultKey.Aggregate]

    /// Creates an empty list. Its keys use the same hash function as `key`.
    init(_ keyCount: Int, _ functions: [ResultKey.Aggregate], _ key: GroupKeys) {
        (self.keyCount, self.functions) = (keyCount, functions)
        keys = GroupKeys(likeThoseOf: key)
    }

    var count: Int { keys.count }
    /// The keys and aggregated values of the first record, then those of the second, and so on.
    var values: [FlatValue] { found.values }

    /// Adds a record, given the places of its keys and of its aggregated values; `kept` lines that are read in full precede it.
    /// Returns false if the record must be read in full itself, because a value has no flat form or an aggregate does not
    /// accept it.
    mutating func add(_ slots: UnsafePointer<FlatValue>, at places: SlotPlaces, after kept: Int) -> Bool {
        if kept > gaps.last?.kept ?? 0 { gaps.append((kept, count)) }
        let start = found.values.count
        guard places.append(slots, to: &found), take(start) else {
            found.cut(to: start)
            keys.drop()
            return false
        }
        keys.finish()
        return true
    }

    /// Appends the key of the values from an index on. Returns false if it has no bytes, or if an aggregate does not accept its
    /// value.
    @inline(__always)
    private mutating func take(_ start: Int) -> Bool {
        for index in functions.indices where !functions[index].takes(found.values[start + keyCount + index]) {
            return false
        }
        for index in start..<start + keyCount where !keys.append(found.values[index]) { return false }
        return true
    }

    /// Passes on the records before a line that is read in full; `kept` is the number of earlier such lines, or nil to pass on
    /// all records. Returns the numbers of the records that had not been passed on before.
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
        found.removeAll()
    }
}
