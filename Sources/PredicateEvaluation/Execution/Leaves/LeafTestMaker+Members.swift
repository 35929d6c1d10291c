import Foundation
import PredicateSyntax
import PredicateText

extension LeafTestMaker {
    /// From how many texts on IN looks them up by hash.
    private static let indexedCount = 9

    /// `name IN {"jo", "al"}`: strings, numbers and dates among the elements, by kind.
    func member(of container: PredicateValue, _ mode: FoldMode) -> LeafTest? {
        guard let elements = KeyedValue.value(container).elements else { return nil }
        var members = Members()
        for element in elements {
            guard case .value(let value) = element, members.insert(value) else { return nil }
        }
        var test = LeafTest()
        test.null = .no
        test.texts = texts(members.texts, mode)
        (test.knowsNumbers, test.knowsDates) = (true, true)
        if let only = members.integers.first, members.integers.count == 1 {
            (test.integers.low, test.integers.high) = (only, only)
        } else {
            test.integers.members = arena.store(members.integers.sorted())
        }
        test.doubles.integers = arena.store(members.integers.sorted())
        test.doubles.members = arena.store(members.doubles)
        test.dates.members = arena.store(members.dates)
        (test.doubles.isMembership, test.dates.isMembership) = (true, true)
        return test
    }

    private func texts(_ texts: [String], _ mode: FoldMode) -> TextTest {
        guard !texts.isEmpty else {
            var test = TextTest()
            test.operation = .never
            return test
        }
        let needles = texts.map { PreparedNeedle($0, mode).foldedBytes }
        var test = textTest(needles.count == 1 ? .equal : .member, needles, mode)
        if mode == .none, needles.count >= Self.indexedCount { test.index = MemberIndex(needles, in: arena) }
        return test
    }

    /// `name CONTAINS "oh"`, `tags CONTAINS "swift"`, `"swift" IN tags`: a piece of a string, an element of a list.
    func container(of value: PredicateValue, _ mode: FoldMode) -> LeafTest? {
        guard Number(value) != nil || value.isText,
            let element = test(.equality(mode, negated: false), against: value)
        else { return nil }
        var test = LeafTest()
        test.null = .no
        if case .string(let text) = value {
            test.texts = textTest(.contains, [PreparedNeedle(text, mode).foldedBytes], mode)
        }
        test.lists.mode = .any
        test.lists.element = arena.store(element)
        return test
    }
}

/// The elements of a constant collection by kind.
private struct Members {
    var texts: [String] = []
    var integers: Set<Int64> = []
    var doubles: [Double] = []
    /// In seconds.
    var dates: [Double] = []

    /// Takes an element; false for one that only `==` itself can compare: of another kind, and numbers past 2^53, where
    /// an integer equals every floating-point number that it rounds to.
    mutating func insert(_ value: PredicateValue) -> Bool {
        switch value {
        case .string(let text): texts.append(text)
        case .bool(let value): integers.insert(value ? 1 : 0)
        case .integer(let value):
            guard value.magnitude < 1 << 53 else { return false }
            integers.insert(value)
        case .double(let value):
            guard value.magnitude < 0x1p53 || !value.isFinite else { return false }
            if let integer = Int64(exactly: value) { integers.insert(integer) } else { doubles.append(value) }
        case .date(let date): dates.append(date.timeIntervalSinceReferenceDate)
        // nil is in nothing.
        case .null, .nullObject: break
        case .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            return false
        }
        return true
    }
}

extension PredicateValue {
    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }
}
