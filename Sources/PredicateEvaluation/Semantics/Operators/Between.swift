import PredicateSyntax
import PredicateText

/// `age BETWEEN {18, 65}`: both bounds count; bounds the wrong way round hold for nothing.
///
/// nil on the left, on the right or as a bound gives false. Throws `notARange` unless the right side is a range of Swift,
/// or an array or an ordered set of exactly two, `incomparable` where a bound and the value have no order.
final class Between: Relation {
    private let mode: FoldMode

    init(_ mode: FoldMode) {
        self.mode = mode
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        if let range = right.range { return try Self.isInside(left, range, mode) }
        guard right.isOrderedCollection, let bounds = right.elements, bounds.count == 2 else {
            throw Fault(.notARange(found: right.found), operand: 1)
        }
        return try isInside(left, bounds[0], bounds[1])
    }

    /// True if a value that is not nil lies in a range, whose missing bounds exclude nothing.
    static func isInside(_ value: KeyedValue, _ range: PredicateRange, _ mode: FoldMode) throws(Fault) -> Bool {
        let lowest: Ordering.Outcomes = [.less, .equal]
        let highest: Ordering.Outcomes = range.includesUpperBound ? lowest : .less
        if let lower = range.lowerBound, try !lowest.contains(Ordering.compare(.value(lower), value, mode)) {
            return false
        }
        guard let upper = range.upperBound else { return true }
        return try highest.contains(Ordering.compare(value, .value(upper), mode))
    }

    private func isInside(_ value: KeyedValue, _ lower: KeyedValue, _ upper: KeyedValue) throws(Fault) -> Bool {
        if lower.isNull || upper.isNull { return false }
        let lowerOrder = try Ordering.compare(lower, value, mode)
        let upperOrder = try Ordering.compare(value, upper, mode)
        return [lowerOrder, upperOrder].allSatisfy { $0 == .less || $0 == .equal }
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        let right = KeyedValue.value(right)
        guard right.isOrderedCollection, let bounds = right.elements?.compactMap(\.predicateValue), bounds.count == 2
        else { return nil }
        var leaf = LeafDescription(null: false)
        if let lower = Number(bounds[0]), let upper = Number(bounds[1]) {
            leaf.numbers = .between(lower, upper)
        } else if case .date(let lower) = bounds[0], case .date(let upper) = bounds[1] {
            leaf.dates = .between(lower, upper)
        } else {
            return nil
        }
        return leaf
    }
}

extension KeyedValue {
    /// True for a collection whose elements have an order: an array or an ordered set.
    var isOrderedCollection: Bool {
        collectionKind == .array || collectionKind == .orderedSet
    }
}
