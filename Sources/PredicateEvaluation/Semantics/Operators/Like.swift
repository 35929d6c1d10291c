import PredicateSyntax
import PredicateText

/// `name LIKE[c] "jo?n*"`: the whole string, `*` any run of code points, `?` exactly one.
///
/// nil on either side gives false, and so does an empty pattern. Throws `notAString` for every other value.
final class Like: Relation {
    private let mode: FoldMode
    private let patterns = PatternCache<LikePattern>()

    init(_ mode: FoldMode) {
        self.mode = mode
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        return patterns.value(for: pattern) { LikePattern($0, mode) }.matches(text)
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let pattern) = right else { return nil }
        switch LikePattern(pattern, mode).shape {
        case .constant(let result): return LeafDescription(texts: .constant(result), null: false)
        case .match(let match, let needle): return LeafDescription(texts: .matches(match, needle), null: false)
        }
    }
}
