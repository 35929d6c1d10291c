import PredicateSyntax
import PredicateText

/// `name BEGINSWITH[cd] "jo"`, `name ENDSWITH "son"`: nil on either side gives false, and so does an empty piece.
///
/// Throws `notAString` for every other value.
final class TextEnd: Relation {
    enum End: Sendable {
        case beginning
        case end
    }

    private let end: End
    private let mode: FoldMode

    init(_ end: End, _ mode: FoldMode) {
        self.end = end
        self.mode = mode
    }

    var kind: RelationKind { .textEnd(end, mode) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let piece = try right.requiredText(operand: 1)
        switch end {
        case .beginning: return TextSearch.begins(text, with: piece, mode)
        case .end: return TextSearch.ends(text, with: piece, mode)
        }
    }

    func test(against right: PredicateValue) -> (any ValueTest)? {
        guard case .string(let text) = right else { return nil }
        return KnownEnd(end, PreparedNeedle(text, mode))
    }
}

/// `name BEGINSWITH[cd] "jo"` with the piece folded.
private final class KnownEnd: ValueTest {
    private let end: TextEnd.End
    private let needle: PreparedNeedle

    init(_ end: TextEnd.End, _ needle: PreparedNeedle) {
        self.end = end
        self.needle = needle
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        guard let text = left.text else {
            if left.isNull { return false }
            throw Fault(.notAString(found: left.found), operand: 0)
        }
        switch end {
        case .beginning: return needle.isPrefix(of: text)
        case .end: return needle.isSuffix(of: text)
        }
    }
}
