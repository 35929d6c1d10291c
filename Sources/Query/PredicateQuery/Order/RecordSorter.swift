import PredicateEvaluation
import PredicateSyntax

/// Collects records and returns them sorted. The sort is stable.
///
/// With a limit, it holds at most about twice as many records.
package struct RecordSorter<Record> {
    /// A record with the values by which it is sorted, and its number in the order of arrival.
    package typealias Entry = (values: [OrderedValue], number: Int, record: Record)

    private let order: [ValueOrder]
    private let limit: Int?
    private var held: [Entry] = []
    private var count = 0
    /// The values of the last record within the limit; a record that sorts after them is not needed. Nil until the limit has
    /// been reached.
    package private(set) var last: [OrderedValue]?

    package init(_ order: [ValueOrder], limit: Int?) {
        (self.order, self.limit) = (order, limit)
    }

    /// Adds a record with the values by which it is sorted.
    package mutating func add(_ record: Record, values: [OrderedValue]) {
        count += 1
        if let last, order.compare(values, last) >= 0 { return }
        held.append((values, count, record))
        if let limit, held.count / 2 >= max(limit, 500) { prune(to: limit) }
    }

    private mutating func prune(to limit: Int) {
        sort()
        held.removeLast(max(0, held.count - limit))
        last = held.last?.values
    }

    /// Sorts by the prefixes of the first values, which usually decide the order.
    private mutating func sort() {
        guard let first = order.first else { return }
        let (order, entries) = (order, held)
        let places = entries.enumerated().map { (prefix: first.prefix($1.values[0]), place: $0) }.sorted {
            left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let result = order.compare(entries[left.place].values, entries[right.place].values)
            return result == 0 ? left.place < right.place : result < 0
        }
        held = places.map { entries[$0.place] }
    }

    /// Returns the records in order.
    package mutating func sorted() -> [Record] { removeAll().map(\.record) }

    /// Returns the records in order, with their values, and removes them.
    package mutating func removeAll() -> [Entry] {
        sort()
        defer { held = [] }
        return Array(held.prefix(limit ?? held.count))
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
        try runs.append(held.removeAll())
        size = 0
    }

    /// Passes all records to a closure, in order. The closure may throw its own errors.
    package func forEach<Failure: Error>(
        _ body: (Record) throws(Failure) -> Void, failing: (SpillError) -> Failure
    ) throws(Failure) {
        guard let runs else {
            for record in held.sorted() { try body(record) }
            return
        }
        do throws(SpillError) { try spill() } catch { throw failing(error) }
        try runs.merge(order, body, failing: failing)
    }
}
