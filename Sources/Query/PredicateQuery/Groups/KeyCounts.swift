import PredicateEvaluation
import PredicateSyntax

/// The number of records with each key so far, of which only the first are kept: `LIMIT 3 BY city`, `--distinct-on city`. [NSP-487]
package final class KeyCounts {
    private let limit: Int
    private var places = DifferentKeys()
    private var counts: [Int] = []

    package init(limit: Int) { self.limit = limit }

    /// Returns the number of a key, in the order in which the keys first occur.
    package func place(of key: some Sequence<PredicateValue>) -> Int { place(places.place(of: key)) }

    private func place(_ found: (place: Int, isNew: Bool)) -> Int {
        if found.isNew { counts.append(0) }
        return found.place
    }

    /// Counts a record, given the number of its key. Returns true if the record is still within the limit.
    package func add(_ place: Int) -> Bool {
        counts[place] += 1
        return counts[place] <= limit
    }

    /// Counts records, given their keys, and passes the numbers of those that are still within the limit to a closure.
    func add(_ keys: GroupKeys, _ keep: (Int) -> Void) {
        var places = DifferentKeys.none
        swap(&places, &self.places)
        places.forEachPlace(of: keys) { if add(place(($1, $2))) { keep($0) } }
        swap(&places, &self.places)
    }

    /// Returns true if no further record with this key will be kept.
    package func isFull(_ key: GroupKeys) -> Bool { places.find(key).map { counts[$0] >= limit } ?? false }
}
