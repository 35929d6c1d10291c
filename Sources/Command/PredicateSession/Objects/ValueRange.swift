import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// The least and the greatest of a number of values, and how many of the values are distinct. [NSP-510] [NSP-511]
///
/// `@unchecked`: one thread changes it.
struct ValueRange: @unchecked Sendable {
    private var minimum = Accumulator(.minimum)
    private var maximum = Accumulator(.maximum)
    /// Nil if there are too many distinct values to count.
    private var different: Accumulator? = Accumulator(.countDistinct)
    private var differentCount = 0

    /// The maximum number of distinct values that are held to count them.
    private static let mostDifferent = 100_000

    var least: PredicateValue { minimum.value }
    var greatest: PredicateValue { maximum.value }

    /// `12`, or `> 100,000` if there are too many to count
    var differentText: String {
        different == nil ? "> \(Count.grouped(differentCount - 1))" : Count.grouped(differentCount)
    }

    /// Adds a value, and the elements of a list. `room` is the number of distinct values that may still be held. Returns false
    /// if an equal value was added before.
    mutating func add(_ value: PredicateValue, _ room: inout Int) -> Bool {
        _ = (minimum.add(value), maximum.add(value), different?.add(value))
        return count(&room)
    }

    mutating func add(flat value: FlatValue, _ room: inout Int) -> Bool {
        minimum.add(flat: value)
        maximum.add(flat: value)
        different?.add(flat: value)
        return count(&room)
    }

    private mutating func count(_ room: inout Int) -> Bool {
        guard let count = different?.differentCount else { return false }
        let isNew = count > differentCount
        room -= count - differentCount
        differentCount = count
        if differentCount > Self.mostDifferent || room < 0 {
            room += differentCount
            different = nil
        }
        return isNew
    }
}
