import PredicateSyntax
import PredicateText

/// `age BETWEEN {18, 65}`: both bounds count; bounds the wrong way round hold for nothing.
///
/// nil on the left, on the right or as a bound gives false. Throws `notARange` unless the right side is an array or
/// an ordered set of exactly two, `incomparable` where a bound and the value have no order.
final class Between: Relation {
    private let mode: FoldMode

    init(_ mode: FoldMode) {
        self.mode = mode
    }

    var kind: RelationKind { .between(mode) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        guard right.isOrderedCollection, let bounds = right.elements, bounds.count == 2 else {
            throw Fault(.notARange(found: right.found), operand: 1)
        }
        return try isInside(left, bounds[0], bounds[1])
    }

    private func isInside(_ value: KeyedValue, _ lower: KeyedValue, _ upper: KeyedValue) throws(Fault) -> Bool {
        if lower.isNull || upper.isNull { return false }
        let lowerOrder = try Ordering.compare(lower, value, mode)
        let upperOrder = try Ordering.compare(value, upper, mode)
        return [lowerOrder, upperOrder].allSatisfy { $0 == .less || $0 == .equal }
    }

    func test(against right: PredicateValue) -> (any ValueTest)? {
        guard case .array(let bounds) = right, bounds.count == 2, let lower = Number(bounds[0]),
            let upper = Number(bounds[1])
        else { return nil }
        return NumberRange(lower, upper)
    }
}

/// `age BETWEEN {18, 65}` with numbers for bounds.
private final class NumberRange: ValueTest {
    private let lower: Number
    private let upper: Number

    init(_ lower: Number, _ upper: Number) {
        self.lower = lower
        self.upper = upper
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        guard let number = left.number else {
            if left.isNull { return false }
            throw Fault(.incomparable(left: lower.predicateValue.found, right: left.found))
        }
        let (below, above) = (lower.compare(number), number.compare(upper))
        return (below == .less || below == .equal) && (above == .less || above == .equal)
    }
}

extension KeyedValue {
    /// Whether the value is a collection whose elements have an order: an array or an ordered set.
    var isOrderedCollection: Bool {
        collectionKind == .array || collectionKind == .orderedSet
    }
}
