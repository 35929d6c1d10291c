import PredicateEvaluation
import PredicateSyntax

/// Collects records and returns them sorted. The sort is stable: what is sorted are the values and places of the records.
///
/// With a limit, it holds at most about twice as many records.
package struct RecordSorter<Record> {
    private let order: [ValueOrder]
    private let limit: Int?
    private var columns: SortColumns
    private var records: [Record] = []
    /// The values of the last record within the limit; a record that sorts after them is not needed. Nil until the limit has
    /// been reached.
    package private(set) var last: [OrderedValue]?

    package init(_ order: [ValueOrder], limit: Int?) {
        (self.order, self.limit, columns) = (order, limit, SortColumns(order))
    }

    /// Adds a record with the values by which it is sorted.
    package mutating func add(_ record: Record, values: [OrderedValue]) {
        if let last, order.compare(values, last) >= 0 { return }
        columns.append(values)
        records.append(record)
        if let limit, records.count / 2 >= max(limit, 500) { prune(to: limit) }
    }

    private mutating func prune(to limit: Int) {
        let places = columns.sorted(limit: limit)
        let all = records
        records = places.map { all[$0] }
        columns.keep(places)
        last = limit > 0 ? columns.values(of: limit - 1) : nil
    }

    /// Returns the records in order.
    package func sorted() -> [Record] { columns.sorted(limit: limit).map { records[$0] } }

    /// Passes the records to a closure, in order.
    func forEach<Failure: Error>(_ body: (Record) throws(Failure) -> Void) throws(Failure) {
        for place in columns.sorted(limit: limit) { try body(records[place]) }
    }

    /// Passes the records to a closure with their values, in order, and removes them.
    mutating func removeAll<Failure: Error>(
        _ body: ([OrderedValue], Record) throws(Failure) -> Void
    ) throws(Failure) {
        for place in columns.sorted() { try body(columns.values(of: place), records[place]) }
        (columns, records) = (SortColumns(order), [])
    }
}

/// Sorts records: in memory up to a number of bytes, and beyond that in a temporary file.
package final class SpillingSorter<Record: SpilledRecord> {
    private let order: [ValueOrder]
    private let limit: Int?
    private let mostBytes: Int
    private var held: RecordSorter<Record>
    /// The approximate number of bytes that are held in memory.
    private var size = 0
    private var runs: SortRuns?

    package init(_ order: [ValueOrder], limit: Int?, mostBytes: Int = 1 << 30) {
        (self.order, self.limit, self.mostBytes) = (order, limit, mostBytes)
        held = RecordSorter(order, limit: limit)
    }

    /// The values of the last record within the limit; nil until the limit has been reached.
    package var last: [OrderedValue]? { held.last }

    /// Adds a record with the values by which it is sorted.
    package func add(_ record: Record, values: [OrderedValue]) throws(SpillError) {
        held.add(record, values: values)
        if limit != nil { return }
        size += record.size + values.reduce(64) { $0 + $1.size }
        if size > mostBytes { try spill() }
    }

    private func spill() throws(SpillError) {
        let runs = if let runs { runs } else { try SortRuns() }
        self.runs = runs
        try runs.append(&held)
        size = 0
    }

    /// Passes all records to a closure, in order. The closure may throw its own errors.
    package func forEach<Failure: Error>(
        _ body: (Record) throws(Failure) -> Void, failing: (SpillError) -> Failure
    ) throws(Failure) {
        guard let runs else {
            return try held.forEach(body)
        }
        do throws(SpillError) { try spill() } catch { throw failing(error) }
        try runs.merge(order, body, failing: failing)
    }
}
