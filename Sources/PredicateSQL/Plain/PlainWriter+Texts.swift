import PredicateSyntax
import PredicateText

extension PlainWriter {
    /// A column of texts as `[c]` and `[d]` see it.
    private mutating func writeText(_ column: PlainColumn, _ mode: FoldMode) throws(NotPlain) -> SQLText.Precedence {
        if mode == .none {
            writer.write(column.column, of: column.alias)
            return .atom
        }
        writer.note(.fold(mode))
        return try write(dialect.templates.call(.fold(mode))) { (plain, _) in
            plain.writer.write(column.column, of: column.alias)
            return .atom
        }
    }

    /// The same as an operand of a comparison by code points.
    mutating func writeComparable(
        _ column: PlainColumn, _ mode: FoldMode, ordered: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        let pair = mode == .none ? column.column.comparable : dialect.templates.comparableResult
        guard let template = ordered ? pair.ordered : pair.unordered else { return try writeText(column, mode) }
        return try write(template) { (plain, _) throws(NotPlain) in try plain.writeText(column, mode) }
    }

    mutating func write(
        _ column: PlainColumn, _ question: Question, _ text: String, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        switch question {
        case .membership: return try search(column, .contains, text.folded(mode), mode, isNegated)
        case .text(let relation): return try search(column, relation, text.folded(mode), mode, isNegated)
        case .like: return try writeLike(column, text, mode, isNegated)
        case .matches:
            if text.isEmpty { throw NotPlain() }
            return try call(.matches, column, text, mode, isNegated)
        case .relation, .between, .typeEquals: throw NotPlain()
        }
    }

    /// `instr(t0."name", ?1) = 1`; the needle is folded.
    private mutating func search(
        _ column: PlainColumn, _ relation: SQLTextRelation, _ needle: String, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        let templates = dialect.templates
        guard !needle.isEmpty, templates.search(relation, isKnown: false) != nil else { throw NotPlain() }
        if relation == .begins, mode == .none, dialect.features.contains(.textRanges) {
            return Written(precedence: try writeRange(column, from: needle, isNegated))
        }
        let text = try dialect.plain(needle)
        let precedence = try negating(isNegated) { (plain) throws(NotPlain) in
            // The number of the text, and that of its bytes.
            var (first, second) = (0, 0)
            return try plain.write(templates.search(relation, isKnown: true)) { (plain, operand) throws(NotPlain) in
                switch operand {
                case 0: return try plain.writeText(column, mode)
                case 1: return plain.writer.write(parameter: .text(text), .text, &first)
                default: return plain.writer.write(parameter: .blob(text.bytes), .blob, &second)
                }
            }
        }
        return Written(precedence: precedence, rejectsNull: !isNegated)
    }

    /// `t0."name" >= ?1 AND t0."name" < ?2`
    private mutating func writeRange(
        _ column: PlainColumn, from prefix: String, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard let end = prefix.codePointSuccessor else { throw NotPlain() }
        try count()
        let (lower, upper) = (try dialect.plain(prefix), try dialect.plain(end))
        return try negating(isNegated) { (plain) throws(NotPlain) in
            try plain.writeBound(column, ">=", lower)
            plain.writer.write(" AND ")
            try plain.writeBound(column, "<", upper)
            return .and
        }
    }

    private mutating func writeBound(
        _ column: PlainColumn, _ sign: StaticString, _ bound: String
    ) throws(NotPlain) {
        let whole = writer.beginOperand()
        let left = writer.beginOperand()
        _ = writer.endOperand(left, try writeComparable(column, .none, ordered: true), .bit)
        writer.write(sign: sign)
        let right = writer.beginOperand()
        _ = writer.endOperand(right, writer.write(parameter: .text(bound), .text), .bit)
        _ = writer.endOperand(whole, .comparison, .and)
    }

    // MARK: Patterns

    /// `name LIKE "*an"` is a search; what needs a pattern is a call, unless the dialect has patterns of its own.
    private mutating func writeLike(
        _ column: PlainColumn, _ pattern: String, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        switch LikeShape(pattern) {
        case .piece(let relation, let text):
            return try search(column, relation, text.folded(mode), mode, isNegated)
        case .whole(let text):
            let folded = text.folded(mode)
            if folded.isEmpty { throw NotPlain() }
            let known = try PlainConstant(.string(text), beside: .string, .equal, mode, dialect)
            return try write(.column(column), known, mode, isNegated)
        case .general(let beginsWithText):
            // What folds to nothing would leave another shape.
            guard dialect.callsLike, mode == .none ? !beginsWithText : pattern.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw NotPlain()
            }
            return try call(.like, column, pattern, mode, isNegated)
        case nil: throw NotPlain()
        }
    }

    /// `predicates_like(t0."name", ?1, 'c')`
    private mutating func call(
        _ function: SQLFunction, _ column: PlainColumn, _ pattern: String, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        let pattern = try dialect.plain(pattern)
        writer.note(function)
        let precedence = try negating(isNegated) { (plain) throws(NotPlain) in
            var number = 0
            return try plain.write(plain.dialect.templates.call(function)) { (plain, operand) in
                switch operand {
                case 0: plain.writer.write(column.column, of: column.alias)
                case 1: _ = plain.writer.write(parameter: .text(pattern), .text, &number)
                default: plain.writer.write(mode.quotedLetters)
                }
                return .atom
            }
        }
        return Written(precedence: precedence)
    }
}

/// A LIKE pattern by its shape, as far as that shows without taking it apart.
private enum LikeShape {
    /// `"jo*"`, `"*hn"`, `"*oh*"`
    case piece(SQLTextRelation, String)
    /// `"jo"`
    case whole(String)
    case general(beginsWithText: Bool)

    /// Nil for a pattern with a backslash, and for one of stars alone.
    init?(_ pattern: String) {
        let bytes = pattern.utf8
        if bytes.contains(UInt8(ascii: "\\")) { return nil }
        let (opens, closes) = (bytes.first == UInt8(ascii: "*"), bytes.last == UInt8(ascii: "*"))
        if bytes.count < (opens && closes ? 3 : 2) { return nil }
        let inner = bytes.dropFirst(opens ? 1 : 0).dropLast(closes ? 1 : 0)
        if inner.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) {
            // Stars side by side count as one, which may leave a shape that needs no pattern.
            guard inner.contains(UInt8(ascii: "?")) || !inner.isPaddedWithStars else { return nil }
            self = .general(beginsWithText: !opens && bytes.first != UInt8(ascii: "?"))
            return
        }
        switch (opens, closes) {
        case (false, false): self = .whole(pattern)
        case (false, true): self = .piece(.begins, String(Substring(inner)))
        case (true, false): self = .piece(.ends, String(Substring(inner)))
        case (true, true): self = .piece(.contains, String(Substring(inner)))
        }
    }
}

extension Substring.UTF8View {
    /// Whether a star stands at an end.
    fileprivate var isPaddedWithStars: Bool {
        first == UInt8(ascii: "*") || last == UInt8(ascii: "*")
    }
}
