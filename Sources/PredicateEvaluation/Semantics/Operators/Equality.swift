import PredicateSyntax
import PredicateText

/// `name == "jo"`, `name !=[cd] "jo"`: equality by value; values of different kinds differ, and nothing is an error.
///
/// nil equals nil only. Options fold strings and leave everything else alone.
final class Equality: Relation {
    private let mode: FoldMode
    private let negated: Bool

    init(_ mode: FoldMode, negated: Bool) {
        self.mode = mode
        self.negated = negated
    }

    var kind: RelationKind { .equality(mode, negated: negated) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        try Self.areEqual(left, right, mode) != negated
    }

    func test(against right: PredicateValue) -> (any ValueTest)? {
        switch right {
        case .string(let text): TextEquality(text, mode, negated: negated)
        case .integer(let value): IntegerEquality(value, negated: negated)
        case .null, .nullObject: NullTest(negated: negated)
        case .bool, .double, .decimal, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        }
    }

    /// Whether two values are equal, strings under a fold.
    ///
    /// Throws `nestingTooDeep` where both nest deeper than anything is compared.
    static func areEqual(_ left: KeyedValue, _ right: KeyedValue, _ mode: FoldMode) throws(Fault) -> Bool {
        if let left = left.text, let right = right.text { return TextSearch.equal(left, right, mode) }
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        if isEqual(left, right) { return true }
        let limit = PredicateLimits.standard.nesting
        guard left.isCompound, right.isCompound, left.nests(to: limit), right.nests(to: limit) else { return false }
        throw Fault(.nestingTooDeep(limit: limit))
    }
}

extension KeyedValue {
    /// Whether collections in it nest past so many levels.
    fileprivate func nests(to limit: Int) -> Bool {
        var waiting: [(value: KeyedValue, depth: Int)] = [(self, 1)]
        while let (value, depth) = waiting.popLast() {
            if depth > limit { return true }
            guard value.isCompound, let elements = value.elements else { continue }
            for element in elements where element.isCompound { waiting.append((element, depth + 1)) }
        }
        return false
    }
}

/// `name ==[cd] "jo"` with the needle folded.
private final class TextEquality: ValueTest {
    private let needle: PreparedNeedle
    private let negated: Bool

    init(_ text: String, _ mode: FoldMode, negated: Bool) {
        self.needle = PreparedNeedle(text, mode)
        self.negated = negated
    }

    func holds(_ left: KeyedValue) -> Bool {
        guard let text = left.text else { return negated }
        return needle.isEqual(to: text) != negated
    }
}

/// `age == 21`
private final class IntegerEquality: ValueTest {
    private let value: Int64
    private let negated: Bool

    init(_ value: Int64, negated: Bool) {
        self.value = value
        self.negated = negated
    }

    func holds(_ left: KeyedValue) -> Bool {
        switch left {
        case .value(.integer(let left)): return (left == value) != negated
        case .value, .object, .collection: return isEqual(left, .value(.integer(value))) != negated
        }
    }
}

/// `name == nil`
private final class NullTest: ValueTest {
    private let negated: Bool

    init(negated: Bool) {
        self.negated = negated
    }

    func holds(_ left: KeyedValue) -> Bool {
        left.isNull != negated
    }
}
