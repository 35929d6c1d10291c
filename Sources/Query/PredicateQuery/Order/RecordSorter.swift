import PredicateEvaluation
import PredicateSyntax

/// Sorts records: in memory up to a number of bytes, and beyond that in a temporary file. The sort is stable: it sorts the
/// prefixes of the values together with the places of the records.
///
/// With a limit, it holds at most about twice that many records.
package final class RecordSorter {
    private let order: [ValueOrder]
    private let limit: Int?
    private let mostBytes: Int
    private var columns: SortColumns
    private var held = HeldRecords()
    private var runs: SortRuns?
    /// The values of the next record, and their prefixes.
    private var values = SortedValueBytes()
    private var prefixes: [OrderedValue.Prefix] = []
    /// The prefixes of the last record within the limit; a record that sorts after it is not needed. Nil until the limit has
    /// been reached.
    private var last: [OrderedValue.Prefix]?

    package init(_ order: [ValueOrder], limit: Int?, mostBytes: Int = 1 << 30) {
        (self.order, self.limit, self.mostBytes, columns) = (order, limit, mostBytes, SortColumns(order))
    }

    /// The prefix of the first value of the last record within the limit; nil until the limit has been reached.
    package var lastPrefix: OrderedValue.Prefix? { last?.first }

    /// Adds a value by which the next record is sorted.
    package func append(_ value: PredicateValue) {
        let order = order[prefixes.count]
        let ordered = order.value(value)
        prefixes.append(order.prefix(ordered))
        values.append(ordered)
    }

    /// Adds a value by which the next record is sorted, in its flat form. Returns false for a value that must be read in full.
    package func append(flat value: FlatValue) -> Bool {
        guard let prefix = order[prefixes.count].prefix(value) else { return false }
        prefixes.append(prefix)
        values.append(value)
        return true
    }

    /// Adds a record, whose values have been added before.
    package func add(_ record: [UInt8]) throws(SpillError) {
        defer {
            values.removeAll()
            prefixes.removeAll(keepingCapacity: true)
        }
        if isAfterLast { return }
        columns.append(prefixes)
        held.append(values.bytes, record)
        if let limit {
            if held.count / 2 >= max(limit, 500) { prune(to: limit) }
        } else if held.size > mostBytes {
            try spill()
        }
    }

    /// True if the next record certainly sorts after the last one within the limit.
    private var isAfterLast: Bool {
        guard let last else { return false }
        for (prefix, last) in zip(prefixes, last) {
            if prefix != last { return last < prefix }
            if !prefix.isWhole { return false }
        }
        return true
    }

    private func prune(to limit: Int) {
        let places = places
        let kept = HeldRecords()
        for place in places { kept.append(held[place]) }
        held = kept
        columns.keep(places)
        last = limit > 0 ? columns.prefixes(of: limit - 1) : nil
    }

    /// The indices of the records that are held, in sorted order.
    private var places: [Int] {
        columns.sorted(limit: limit) { row, column in held[row].value(column) }
    }

    private func spill() throws(SpillError) {
        let runs = if let runs { runs } else { try SortRuns() }
        self.runs = runs
        try runs.append(places, of: held)
        (columns, held) = (SortColumns(order), HeldRecords())
    }

    /// Passes all records to a closure, in order. The closure may throw its own errors.
    package func forEach<Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void, failing: (SpillError) -> Failure
    ) throws(Failure) {
        guard let runs else {
            for place in places { try body(held[place].record) }
            return
        }
        do throws(SpillError) { try spill() } catch { throw failing(error) }
        try runs.merge(order, body, failing: failing)
    }
}
