import PredicateEvaluation
import PredicateSyntax

/// Collects records into groups. Memory use grows with the number of groups; only aggregates that keep their values, such as
/// medians, make it grow with the number of records.
package final class GroupCollector {
    package private(set) var groups: GroupStates
    /// The pending records of each half of the lines; one thread adds to each. A pointer avoids exclusivity checks at run time.
    private let halves: UnsafeMutablePointer<PendingRecords>

    /// Creates groups by a number of keys; without keys, one group, which exists even without records.
    package init(keyCount: Int, _ functions: [ResultKey.Aggregate]) {
        groups = GroupStates(keyCount, functions)
        halves = .allocate(capacity: 2)
        halves.initialize(repeating: PendingRecords(keyCount, functions, groups.key), count: 2)
        if keyCount == 0 { _ = groups.place(of: [][...]) }
    }

    deinit {
        halves.deinitialize(count: 2)
        halves.deallocate()
    }

    /// Adds a record, given its keys and the values for its aggregates. Returns the index of the first aggregate that does not
    /// accept its value; nil if all do.
    package func add(_ values: [PredicateValue]) -> Int? { groups.add(values) }

    /// Adds a record from one half of the lines, given the places of its keys and of the values for its aggregates. `kept`
    /// counts the preceding lines of that half that are read in full. Returns false if this record must be read in full as
    /// well. Two threads may add to the two halves at the same time.
    package func add(
        _ slots: UnsafePointer<FlatValue>, at places: SlotPlaces, isSecondHalf: Bool, after kept: Int
    ) -> Bool {
        halves[isSecondHalf ? 1 : 0].add(slots, at: places, after: kept)
    }

    /// The number of sifted records of both halves.
    package var siftedCount: Int { halves[0].count + halves[1].count }

    /// Adds the sifted records before a line that is read in full to their groups, so that records are added in order. `kept`
    /// is the number of earlier lines in that line's half that are read in full. Strings must stay in the slots until then.
    package func addSifted(before kept: Int, inSecondHalf isSecondHalf: Bool) {
        if isSecondHalf { addSifted(0, before: nil) }
        addSifted(isSecondHalf ? 1 : 0, before: kept)
    }

    /// Adds the rest of the sifted records of both halves to their groups.
    package func finishSifting() {
        for half in 0..<2 {
            addSifted(half, before: nil)
            halves[half].removeAll()
        }
    }

    private func addSifted(_ half: Int, before kept: Int?) {
        let numbers = halves[half].pass(before: kept)
        groups.add(halves[half], numbers)
    }
}
