import PredicateSyntax
import PredicateText

/// `name BEGINSWITH[cd] "jo"`, `name ENDSWITH "son"`: nil on either side gives false, and so does an empty piece.
///
/// Throws `notAString` for every other value.
final class TextRelation: Relation {
    private let match: TextMatch
    private let mode: FoldMode

    init(_ match: TextMatch, _ mode: FoldMode) {
        self.match = match
        self.mode = mode
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let piece = try right.requiredText(operand: 1)
        return match.holds(text, piece, mode)
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let text) = right else { return nil }
        return LeafDescription(texts: .matches(match, PreparedNeedle(text, mode)), null: false)
    }
}
