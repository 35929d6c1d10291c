import Foundation
import PredicateSyntax
import PredicateText

/// `name CONTAINS "oh"`, `tags CONTAINS "swift"`, and the mirrored form `name IN {"jo", "al"}`.
///
/// In a string: a nonempty substring. In an array, a set or an ordered set: an equal element. In a dictionary: an
/// equal value. In a Swift range: a value between the bounds. nil is never contained in anything, not even in
/// `{nil}`.
///
/// Options fold the strings of a collection as `==` does. Apple does not document this, but `IN[c]` is defined.
///
/// Throws `notAContainer` if the container is none of these, `notAString` if a value other than a string is searched
/// in a string.
final class Containment: Relation {
    private let mode: FoldMode
    /// True if the container is on the left, as in `CONTAINS`.
    private let isMirrored: Bool

    init(_ mode: FoldMode, isMirrored: Bool) {
        self.mode = mode
        self.isMirrored = isMirrored
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        isMirrored
            ? try holds(right, in: left, element: 1, container: 0)
            : try holds(left, in: right, element: 0, container: 1)
    }

    private func holds(
        _ value: KeyedValue, in container: KeyedValue, element: Int, container operand: Int
    ) throws(Fault) -> Bool {
        if value.isNull || container.isNull { return false }
        if let text = container.text {
            return TextSearch.contains(text, try value.requiredText(operand: element), mode)
        }
        if let range = container.range { return try Between.isInside(value, range, mode) }
        if let indexes = container.indexes {
            return value.number?.exactInteger.flatMap { Int(exactly: $0) }.map(indexes.contains) ?? false
        }
        guard let elements = container.elements else {
            throw Fault(.notAContainer(found: container.found), operand: operand)
        }
        for element in elements where try Equality.areEqual(value, element, mode) { return true }
        return false
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        isMirrored ? containerLeaf(of: right) : elementLeaf(in: right)
    }

    func leaf(from left: PredicateValue) -> LeafDescription? {
        isMirrored ? nil : containerLeaf(of: left)
    }

    /// `name CONTAINS "oh"`, `tags CONTAINS "swift"`, `"swift" IN tags`: a substring of a string, an element of a
    /// list.
    private func containerLeaf(of value: PredicateValue) -> LeafDescription? {
        var leaf = LeafDescription(null: false)
        if case .string(let text) = value {
            leaf.texts = .matches(.contains, PreparedNeedle(text, mode))
        } else if Number(value) == nil {
            return nil
        }
        guard let element = Equality.leaf(to: value, mode, negated: false) else { return nil }
        leaf.lists = .any(element)
        return leaf
    }

    /// `name IN {"jo", "al"}`: the elements by kind; nil if only `==` can compare the elements.
    private func elementLeaf(in container: PredicateValue) -> LeafDescription? {
        guard let elements = KeyedValue.value(container).elements else { return nil }
        var (texts, numbers, dates): ([PreparedNeedle], [Number], [Date]) = ([], [], [])
        for element in elements {
            guard case .value(let value) = element else { return nil }
            switch value {
            case .string(let text): texts.append(PreparedNeedle(text, mode))
            case .bool, .integer, .double:
                guard let number = Number(value), number.equalsExactly else { return nil }
                numbers.append(number)
            case .date(let date): dates.append(date)
            // nil is never contained.
            case .null, .nullObject: break
            case .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression,
                .predicate:
                return nil
            }
        }
        return LeafDescription(
            numbers: .member(numbers), dates: .member(dates), texts: .member(texts), null: false)
    }
}

extension Number {
    /// False above 2^53, where an integer equals every floating-point number that it rounds to.
    fileprivate var equalsExactly: Bool {
        switch self {
        case .integer(let value): value.magnitude < 1 << 53
        case .double(let value): value.magnitude < 0x1p53 || !value.isFinite
        case .decimal: false
        }
    }
}

/// `age BETWEEN {18, 65}`: both bounds are included; if the lower bound is greater than the upper one, nothing
/// matches.
///
/// nil on the left, on the right or as a bound gives false. Throws `notARange` unless the right side is a Swift
/// range, or an array or an ordered set of exactly two elements, and `incomparable` if a bound and the value have no
/// common order.
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

    /// True if a value other than nil is in a range. A missing bound excludes nothing.
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
