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

    var kind: RelationKind { .like(mode) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        return patterns.value(for: pattern) { LikePattern($0, mode) }.matches(text)
    }

    func test(against right: PredicateValue) -> (any ValueTest)? {
        guard case .string(let pattern) = right else { return nil }
        return KnownPattern(LikePattern(pattern, mode))
    }
}

/// `name LIKE[c] "jo?n*"` with the pattern compiled.
private final class KnownPattern: ValueTest {
    private let pattern: LikePattern

    init(_ pattern: LikePattern) {
        self.pattern = pattern
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        if let text = left.text { return pattern.matches(text) }
        if left.isNull { return false }
        throw Fault(.notAString(found: left.found), operand: 0)
    }
}
