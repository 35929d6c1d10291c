import PredicateSyntax
import PredicateText

/// `name IN {"jo", "al"}`, `"oh" IN name`, and the mirror image `tags CONTAINS "swift"`.
///
/// In a string: a piece of it, never the empty one. In an array, a set or an ordered set: an equal element. In a
/// dictionary: an equal value. nil is in nothing, not even in `{nil}`.
///
/// Options fold the strings of a collection as they fold those of `==`. What Apple does is not known; whoever writes
/// `IN[c]` asks for it.
///
/// Throws `notAContainer` where the container is none of these, `notAString` for another value in a string.
final class Membership: Relation {
    private let mode: FoldMode
    /// Whether the container stands on the left, as in `CONTAINS`.
    private let isMirrored: Bool

    init(_ mode: FoldMode, isMirrored: Bool) {
        self.mode = mode
        self.isMirrored = isMirrored
    }

    var kind: RelationKind { .membership(mode, isMirrored: isMirrored) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        isMirrored
            ? try holds(right, in: left, element: 1, container: 0)
            : try holds(left, in: right, element: 0, container: 1)
    }

    private func holds(
        _ value: KeyedValue, in container: KeyedValue, element: Int, container place: Int
    ) throws(Fault) -> Bool {
        if value.isNull || container.isNull { return false }
        if let text = container.text {
            return TextSearch.contains(text, try value.requiredText(operand: element), mode)
        }
        guard let elements = container.elements else {
            throw Fault(.notAContainer(found: container.found), operand: place)
        }
        for element in elements where try Equality.areEqual(value, element, mode) { return true }
        return false
    }

    func test(against right: PredicateValue) throws(Fault) -> (any ValueTest)? {
        isMirrored ? try containerTest(for: right) : try elementTest(in: right)
    }

    private func containerTest(for value: PredicateValue) throws(Fault) -> (any ValueTest)? {
        guard case .string(let text) = value else { return nil }
        return ContainedText(text, mode)
    }

    private func elementTest(in container: PredicateValue) throws(Fault) -> (any ValueTest)? {
        if case .null = container { return ConstantTest(false) }
        if case .array(let elements) = container, elements.count <= KnownFew.most { return KnownFew(elements, mode) }
        guard let elements = KeyedValue.value(container).elements else { return nil }
        return KnownElements(elements, mode)
    }
}

/// `name CONTAINS[cd] "oh"` with the needle folded.
private final class ContainedText: ValueTest {
    private let text: String
    private let mode: FoldMode
    private let needle: PreparedNeedle

    init(_ text: String, _ mode: FoldMode) {
        self.text = text
        self.mode = mode
        self.needle = PreparedNeedle(text, mode)
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        if let container = left.text { return needle.isContained(in: container) }
        if left.isNull { return false }
        guard let elements = left.elements else { throw Fault(.notAContainer(found: left.found), operand: 0) }
        return elements.contains { element in element.text.map(needle.isEqual(to:)) ?? false }
    }
}

/// `name IN {"jo", "al"}`: so few are compared one by one, which needs no preparation.
private final class KnownFew: ValueTest {
    static let most = 8

    private let elements: [PredicateValue]
    private let mode: FoldMode

    init(_ elements: [PredicateValue], _ mode: FoldMode) {
        self.elements = elements
        self.mode = mode
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        if left.isNull { return false }
        for element in elements where try Equality.areEqual(left, .value(element), mode) { return true }
        return false
    }
}

/// `name IN {"jo", …}` with many elements gathered for look-up.
private final class KnownElements: ValueTest {
    private let index: ElementIndex
    /// The strings under a fold, where there is one.
    private let needles: [PreparedNeedle]

    init?(_ elements: [KeyedValue], _ mode: FoldMode) {
        guard let index = ElementIndex(elements) else { return nil }
        self.index = index
        self.needles = mode == .none ? [] : elements.compactMap(\.text).map { PreparedNeedle($0, mode) }
    }

    func holds(_ left: KeyedValue) -> Bool {
        if left.isNull { return false }
        if !needles.isEmpty, let text = left.text { return needles.contains { $0.isEqual(to: text) } }
        return index.contains(left)
    }
}
