import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// Collects the records of groups. Memory use grows with the number of groups, not of records, except for medians.
final class GroupCollector {
    private let grouping: Grouping
    private var groups: GroupStates
    /// The pending records of each half of the lines, which one thread adds. By pointer, no access is checked at run time.
    private let halves: UnsafeMutablePointer<PendingRecords>

    init(_ grouping: Grouping) {
        self.grouping = grouping
        groups = GroupStates(grouping.keys.count, grouping.aggregates.map(\.function))
        halves = .allocate(capacity: 2)
        halves.initialize(repeating: PendingRecords(grouping, groups.key), count: 2)
        if grouping.keys.isEmpty { _ = groups.place(of: [][...]) }
    }

    deinit {
        halves.deinitialize(count: 2)
        halves.deallocate()
    }

    /// Adds a record. A value that cannot be computed is nil, and its error is thrown. [NSP-484]
    func add(_ record: PredicateValue) throws(GroupProblem) {
        var values: [PredicateValue] = []
        var failure: EvaluationError?
        for value in grouping.values {
            do throws(EvaluationError) {
                values.append(try value.value(in: record))
            } catch {
                failure = failure ?? error
                values.append(.null)
            }
        }
        let keyCount = grouping.keys.count
        if let index = groups.add(values) {
            throw .notANumber(grouping.aggregates[index].value.text, values[keyCount + index])
        }
        if let failure { throw .failed(failure) }
    }

    /// Adds a record of one half of the lines by the places of its keys and of the values of its aggregates. Returns
    /// false if the record must be read in full. The halves may be added by two threads at the same time.
    func add(_ slots: UnsafePointer<FlatValue>, at places: SlotPlaces, _ half: SiftedHalf) -> Bool {
        switch half {
        case .first: halves[0].add(slots, at: places)
        case .second: halves[1].add(slots, at: places)
        }
    }

    /// Adds the records of both halves to their groups, in order, and returns their number. Until then their strings are
    /// in the slots.
    func finishSifting() -> Int {
        let count = halves[0].count + halves[1].count
        for half in 0..<2 {
            groups.add(halves[half])
            halves[half].removeAll()
        }
        return count
    }

    /// Returns a row for each group, ordered by `--sort`, or else by size or key.
    func rows(_ query: OutputQuery) throws(CommandFailure) -> ArraySlice<[PredicateValue]> {
        let places = groups.order(bySize: grouping.isCount)
        if query.sort == nil, !grouping.hasCondition { return query.page.rows(places).map(groups.row)[...] }
        return try query.page(of: grouping.written(places.map(groups.row)), grouping.record)
    }
}
