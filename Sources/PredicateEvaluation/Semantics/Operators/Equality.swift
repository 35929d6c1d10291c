import PredicateSyntax
import PredicateText

/// `name == "jo"`, `name !=[cd] "jo"`: equality by value; values of different kinds differ, and nothing is an error.
///
/// nil equals nil only. Options fold strings and leave everything else alone. Throws `notEquatable` for values of the host
/// that nothing compares, unless a path is compared with itself. [NSP-172]
final class Equality: Relation {
    private let mode: FoldMode
    private let negated: Bool
    /// True if both sides are the same path of the same object: `SELF == SELF`.
    private let isReflexive: Bool

    init(_ mode: FoldMode, negated: Bool, isReflexive: Bool = false) {
        self.mode = mode
        self.negated = negated
        self.isReflexive = isReflexive
    }

    var outcomes: Ordering.Outcomes? { Self.outcomes(negated) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        do {
            return try Self.areEqual(left, right, mode) != negated
        } catch {
            guard isReflexive, case .notEquatable = error.code else { throw error }
            return !negated
        }
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        Self.leaf(to: right, mode, negated: negated)
    }

    func leaf(from left: PredicateValue) -> LeafDescription? {
        Self.leaf(to: left, mode, negated: negated)
    }

    private static func outcomes(_ negated: Bool) -> Ordering.Outcomes {
        negated ? [.less, .greater] : .equal
    }

    /// Describes the equality with a constant, from which values of another kind differ.
    static func leaf(to constant: PredicateValue, _ mode: FoldMode, negated: Bool) -> LeafDescription? {
        var leaf = LeafDescription(
            numbers: .constant(negated), dates: .constant(negated), texts: .constant(negated), null: negated)
        if let number = Number(constant) {
            leaf.numbers = .compared(outcomes(negated), number)
        } else if case .string(let text) = constant {
            leaf.texts = .matches(.equal, PreparedNeedle(text, mode), isNegated: negated)
        } else if case .date(let date) = constant {
            leaf.dates = .compared(outcomes(negated), date)
        } else if KeyedValue.value(constant).isNull {
            leaf.null = !negated
        } else {
            return nil
        }
        return leaf
    }

    /// True if two values are equal, strings under a fold.
    ///
    /// Throws `nestingTooDeep` where both nest deeper than anything is compared, `notEquatable` where nothing says whether two
    /// values of the host are equal.
    static func areEqual(_ left: KeyedValue, _ right: KeyedValue, _ mode: FoldMode) throws(Fault) -> Bool {
        if let left = left.text, let right = right.text { return TextSearch.equal(left, right, mode) }
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        if isEqual(left, right) { return true }
        if left.isLive || right.isLive, let open = left.openComparison(with: right) {
            throw Fault(.notEquatable(open.type, against: FoundValue(open.other)))
        }
        let limit = PredicateLimits.standard.nesting
        guard left.isCompound, right.isCompound, left.nests(to: limit), right.nests(to: limit) else { return false }
        throw Fault(.nestingTooDeep(limit: limit))
    }
}

extension KeyedValue {
    /// True if collections in it nest past a number of levels.
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
