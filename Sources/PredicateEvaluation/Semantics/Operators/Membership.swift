import Foundation
import PredicateSyntax
import PredicateText

/// `name IN {"jo", "al"}`, `"oh" IN name`, and the mirror image `tags CONTAINS "swift"`.
///
/// In a string: a piece of it, never the empty one. In an array, a set or an ordered set: an equal element. In a
/// dictionary: an equal value. In a range of Swift: a value between its bounds. nil is in nothing, not even in `{nil}`.
///
/// Options fold the strings of a collection as they fold those of `==`. Apple does not document this; `IN[c]` says so.
///
/// Throws `notAContainer` where the container is none of these, `notAString` for another value in a string.
final class Membership: Relation {
    private let mode: FoldMode
    /// True if the container stands on the left, as in `CONTAINS`.
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

    /// `name CONTAINS "oh"`, `tags CONTAINS "swift"`, `"swift" IN tags`: a piece of a string, an element of a list.
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

    /// `name IN {"jo", "al"}`: the elements by kind; nil for elements that only `==` itself can compare.
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
            // nil is in nothing.
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
    /// False past 2^53, where an integer equals every floating-point number that it rounds to.
    fileprivate var equalsExactly: Bool {
        switch self {
        case .integer(let value): value.magnitude < 1 << 53
        case .double(let value): value.magnitude < 0x1p53 || !value.isFinite
        case .decimal: false
        }
    }
}
