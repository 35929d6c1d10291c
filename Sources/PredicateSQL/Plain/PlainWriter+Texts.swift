import PredicateSyntax
import PredicateText

extension PlainWriter {
    /// A column of texts as an operator under `[c]` and `[d]` sees it.
    @inline(__always)
    mutating func write(
        _ column: PlainColumn, _ mode: FoldMode, _ use: AliasedForms.Use
    ) throws(NotPlain) -> SQLText.Precedence {
        guard let text = column.text.pointee.forms?[mode, use] else { throw NotPlain() }
        if mode != .none { writer.note(.fold(mode)) }
        return writer.write(text, of: column.alias)
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
        guard !needle.isEmpty, dialect.plain.search(relation, isKnown: false) != nil else { throw NotPlain() }
        if relation == .begins, mode == .none, dialect.features.contains(.textRanges) {
            return Written(precedence: try writeRange(column, from: needle, isNegated))
        }
        let text = try dialect.features.plain(needle)
        let start = beginNegation(isNegated)
        // The number of the text, and that of its bytes.
        var (first, second) = (0, 0)
        let precedence = try write(dialect.plain.search(relation, isKnown: true)) { (plain, operand) throws(NotPlain) in
            switch operand {
            case 0: return try plain.write(column, mode, .plain)
            case 1: return plain.writer.write(parameter: .text(text), .text, &first)
            default: return plain.writer.write(bytesOf: text, &second)
            }
        }
        return Written(precedence: endNegation(start, precedence), rejectsNull: !isNegated)
    }

    /// `t0."name" >= ?1 AND t0."name" < ?2`
    private mutating func writeRange(
        _ column: PlainColumn, from prefix: String, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard let end = prefix.codePointSuccessor else { throw NotPlain() }
        try count()
        let (lower, upper) = (try dialect.features.plain(prefix), try dialect.features.plain(end))
        let start = beginNegation(isNegated)
        try writeBound(column, .greaterOrEqual, lower)
        writer.write(" AND ")
        try writeBound(column, .less, upper)
        return endNegation(start, .and)
    }

    private mutating func writeBound(
        _ column: PlainColumn, _ sign: RelationOperator, _ bound: String
    ) throws(NotPlain) {
        let whole = writer.beginOperand()
        let left = writer.beginOperand()
        writer.endOperand(left, try write(column, .none, .ordered), .bit)
        writer.write(sign)
        _ = writer.write(parameter: .text(bound), .text)
        writer.endOperand(whole, .comparison, .and)
    }

    // MARK: Patterns

    /// `name LIKE "*an"` is a search; what needs a pattern is a call, unless the dialect has patterns of its own.
    private mutating func writeLike(
        _ column: PlainColumn, _ pattern: String, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        switch LikeShape(pattern) {
        case .piece(let relation, let text):
            return try search(column, relation, text.folded(mode), mode, isNegated)
        case .whole:
            if pattern.folded(mode).isEmpty { throw NotPlain() }
            return try compare(column, .equal, .string(pattern), mode, isNegated)
        case .general(let beginsWithText):
            // What folds to nothing would leave another shape.
            guard dialect.callsLike, mode == .none ? !beginsWithText : pattern.isASCII else { throw NotPlain() }
            return try call(.like, column, pattern, mode, isNegated)
        case nil: throw NotPlain()
        }
    }

    /// `predicates_like(t0."name", ?1, 'c')`
    private mutating func call(
        _ function: SQLFunction, _ column: PlainColumn, _ pattern: String, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        let pattern = try dialect.features.plain(pattern)
        writer.note(function)
        let start = beginNegation(isNegated)
        var number = 0
        let precedence = try write(dialect.plain.call(function)) { (plain, operand) in
            switch operand {
            case 0: plain.write(column)
            case 1: _ = plain.writer.write(parameter: .text(pattern), .text, &number)
            default: plain.writer.write(mode.quotedLetters)
            }
            return .atom
        }
        return Written(precedence: endNegation(start, precedence))
    }
}

/// A LIKE pattern by its shape, as far as that shows without taking it apart.
private enum LikeShape {
    /// `"jo*"`, `"*hn"`, `"*oh*"`
    case piece(SQLTextRelation, String)
    /// `"jo"`
    case whole
    case general(beginsWithText: Bool)

    private static let star = UInt8(ascii: "*")
    private static let one = UInt8(ascii: "?")

    /// Nil for a pattern with a backslash, and for one of stars alone.
    init?(_ pattern: String) {
        var copy = pattern
        guard let shape = copy.withUTF8({ Self($0) }) else { return nil }
        self = shape
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let (opens, closes) = (bytes.first == Self.star, bytes.last == Self.star)
        guard bytes.count >= (opens && closes ? 3 : 2), !bytes.contains(UInt8(ascii: "\\")) else { return nil }
        let inner = UnsafeBufferPointer(rebasing: bytes.dropFirst(opens ? 1 : 0).dropLast(closes ? 1 : 0))
        if let general = Self.general(inner, begins: !opens) {
            // Stars side by side count as one, which may leave a shape that needs no pattern.
            guard inner.contains(Self.one) || inner.first != Self.star && inner.last != Self.star else { return nil }
            self = general
            return
        }
        switch (opens, closes) {
        case (false, false): self = .whole
        case (false, true): self = .piece(.begins, String(decoding: inner, as: UTF8.self))
        case (true, false): self = .piece(.ends, String(decoding: inner, as: UTF8.self))
        case (true, true): self = .piece(.contains, String(decoding: inner, as: UTF8.self))
        }
    }

    /// The shape of a pattern with wildcards inside.
    private static func general(_ inner: UnsafeBufferPointer<UInt8>, begins: Bool) -> LikeShape? {
        guard inner.contains(where: { $0 == star || $0 == one }) else { return nil }
        return .general(beginsWithText: begins && inner.first != one)
    }
}

extension String {
    fileprivate var isASCII: Bool {
        var copy = self
        return copy.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
    }
}
