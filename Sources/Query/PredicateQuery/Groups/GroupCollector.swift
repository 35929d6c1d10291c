import PredicateEvaluation
import PredicateSyntax

/// Collects the records of groups. Memory use grows with the number of groups, and with that of records only for
/// aggregates that keep their values, such as medians.
package final class GroupCollector {
    private var groups: GroupStates
    /// The pending records of each half of the lines, which one thread adds. By pointer, no access is checked at run time.
    private let halves: UnsafeMutablePointer<PendingRecords>

    /// Creates groups by some keys; without keys, one group that exists also without records.
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

    /// Adds a record by its keys and the values of its aggregates. Returns the index of the first aggregate that does not
    /// take its value; nil if all do.
    package func add(_ values: [PredicateValue]) -> Int? { groups.add(values) }

    /// Adds a record of one half of the lines by the places of its keys and of the values of its aggregates, after some
    /// lines of the half that are read in full. Returns false if the record must be read in full. The halves may be added
    /// by two threads at the same time.
    package func add(
        _ slots: UnsafePointer<FlatValue>, at places: SlotPlaces, isSecondHalf: Bool, after kept: Int
    ) -> Bool {
        halves[isSecondHalf ? 1 : 0].add(slots, at: places, after: kept)
    }

    /// The number of sifted records of both halves.
    package var siftedCount: Int { halves[0].count + halves[1].count }

    /// Adds the sifted records to their groups that come before a line that is read in full, so that all are added in
    /// order. `kept` is the number of such lines before it in its half. Until then the strings are in the slots.
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

    /// The number of groups.
    package var count: Int { groups.count }

    /// Returns the places of the groups, the largest first if `bySize` is true, then by their keys.
    package func order(bySize: Bool) -> [Int] { groups.order(bySize: bySize) }

    /// Returns the keys of a group, its number of records and its aggregates.
    package func row(_ place: Int) -> [PredicateValue] { groups.row(place) }
}
