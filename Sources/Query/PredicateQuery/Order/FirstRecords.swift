import PredicateEvaluation
import PredicateSyntax

/// The first records for each value of some keys: `LIMIT 3 BY city`, `--distinct-on city`. [NSP-487]
///
/// Without an order, they are the first that arrive, and are known at once; with an order, they are known at the end.
package struct FirstRecords<Record> {
    /// A record with the values by which it is sorted, and its number in the order of arrival.
    package typealias Entry = (values: [OrderedValue], number: Int, record: Record)

    private let order: [ValueOrder]
    private let limit: Int
    private var places = DifferentKeys()
    private var counts: [Int] = []
    /// With an order, the first records so far for each key, in order.
    private var firsts: [[Entry]] = []

    package init(_ limit: Int, _ order: [ValueOrder]) {
        (self.limit, self.order) = (limit, order)
    }

    /// Returns true if a record with this key is still within the limit. For records without an order.
    package mutating func insert(_ key: some Sequence<PredicateValue>) -> Bool { insert(places.place(of: key)) }

    /// Passes the numbers of the keys that are still within the limit to a closure. For records without an order.
    mutating func insert(_ keys: GroupKeys, _ keep: (Int) -> Void) {
        var places = DifferentKeys.none
        swap(&places, &self.places)
        places.forEachPlace(of: keys) { if insert(($1, $2)) { keep($0) } }
        swap(&places, &self.places)
    }

    @inline(__always)
    private mutating func insert(_ found: (place: Int, isNew: Bool)) -> Bool {
        if found.isNew { counts.append(0) }
        counts[found.place] += 1
        return counts[found.place] <= limit
    }

    /// Returns true if no further record with this key will be kept. For records without an order.
    package func isFull(_ key: GroupKeys) -> Bool { places.find(key).map { counts[$0] >= limit } ?? false }

    /// Keeps a record if it is among the first with its key so far; of equal records, the earlier ones are kept.
    package mutating func add(_ entry: Entry, _ key: some Sequence<PredicateValue>) {
        let (place, isNew) = places.place(of: key)
        if isNew { firsts.append([]) }
        let index = index(of: entry, among: firsts[place])
        guard index < limit else { return }
        firsts[place].insert(entry, at: index)
        if firsts[place].count > limit { firsts[place].removeLast() }
    }

    /// Returns the index at which an entry belongs in order: after all entries that are equal to it.
    private func index(of entry: Entry, among sorted: [Entry]) -> Int {
        sorted.partitioningIndex { order.compare(entry.values, $0.values) < 0 }
    }

    /// The records that are kept if there is an order, in the order in which they arrived.
    package var entries: [Entry] { firsts.joined().sorted { $0.number < $1.number } }
}
