/// Reads regular expressions: the one place that knows how they are spelled.
///
///     choice   = sequence { "|" sequence }
///     sequence = { part [ quantifier ] }
///     part     = character | "." | "^" | "$" | escape | quotation | set | group
struct PatternReader {
    let bytes: [UInt8]
    let dialect: PatternDialect
    let end: Int
    var position = 0
    /// The number of open groups with a content of their own, and of those below that have none.
    private var depth = 0
    private var flatDepth = 0
    /// The number of open sets.
    var setDepth = 0

    /// A sequence of up to this many parts needs only one allocation.
    private static let usualCount = 8

    init(_ bytes: [UInt8], _ dialect: PatternDialect) {
        self.bytes = bytes
        self.dialect = dialect
        var end = min(bytes.count, PatternTree.longest)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        self.end = end
    }

    mutating func pattern() -> PatternChoice {
        let choice = choice()
        guard end < bytes.count, let last = choice.branches.last else { return choice }
        let parts = last.parts + [.malformed(end..<bytes.count)]
        let whole = PatternSequence(parts: parts, range: last.range.lowerBound..<bytes.count)
        return PatternChoice(branches: choice.branches.dropLast() + [whole], range: 0..<bytes.count)
    }

    // MARK: Bytes

    var next: UInt8? { position < end ? bytes[position] : nil }
    var second: UInt8? { position + 1 < end ? bytes[position + 1] : nil }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard let next, next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    /// The next code point, which must exist.
    mutating func takeScalar() -> Unicode.Scalar {
        let lead = bytes[position]
        position += 1
        guard lead >= 0x80 else { return Unicode.Scalar(lead) }
        var value = UInt32(lead) & (lead < 0xE0 ? 0x1F : lead < 0xF0 ? 0x0F : 0x07)
        while position < end, bytes[position] & 0xC0 == 0x80 {
            value = value << 6 | UInt32(bytes[position] & 0x3F)
            position += 1
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    // MARK: Structure

    private mutating func choice() -> PatternChoice {
        let start = position
        var branches = [sequence()]
        while take("|") { branches.append(sequence()) }
        return PatternChoice(branches: branches, range: start..<position)
    }

    private mutating func sequence() -> PatternSequence {
        let start = position
        var parts: [PatternNode] = []
        parts.reserveCapacity(min(end - start, Self.usualCount))
        while let next, next != UInt8(ascii: "|"), next != UInt8(ascii: ")") || depth == 0 || flatDepth > 0 {
            if let quantifier = quantifier() {
                append(quantifier, to: &parts)
            } else if isAtQuotation {
                appendQuotation(to: &parts)
            } else {
                parts.append(part(Unicode.Scalar(next)))
            }
        }
        return PatternSequence(parts: parts, range: start..<position)
    }

    private mutating func part(_ mark: Unicode.Scalar) -> PatternNode {
        switch mark {
        case "(": return group()
        case "[": return .set(set())
        case "\\":
            switch escape() {
            case .character(let character): return .character(character)
            case .escape(let escape): return .escape(escape)
            }
        case ".": return .dot(takeMark())
        case "^": return .beginning(takeMark())
        case "$": return .end(takeMark())
        case ")":
            flatDepth = max(0, flatDepth - 1)
            return .malformed(takeMark())
        default: return .character(plainCharacter())
        }
    }

    private mutating func takeMark() -> Range<Int> {
        position += 1
        return position - 1..<position
    }

    /// `\Qa.b\E`
    private mutating func appendQuotation(to parts: inout [PatternNode]) {
        let start = position
        guard let characters = quotation() else { return parts.append(.malformed(start..<position)) }
        for character in characters { parts.append(.character(character)) }
        if characters.isEmpty { parts.append(.emptyQuotation(start..<position)) }
    }

    // MARK: Groups

    private mutating func group() -> PatternNode {
        let start = position
        position += 1
        let kind = groupKind()
        let opening = start..<position
        guard !kind.isSwitch, depth < PatternTree.deepest else {
            if !kind.isSwitch { flatDepth += 1 }
            let empty = PatternChoice(branches: [], range: position..<position)
            return .group(
                PatternGroup(kind: kind, opening: opening, content: empty, isClosed: kind.isSwitch, range: opening))
        }
        depth += 1
        let content = choice()
        depth -= 1
        let isClosed = take(")")
        return .group(
            PatternGroup(kind: kind, opening: opening, content: content, isClosed: isClosed, range: start..<position))
    }

    /// What follows the parenthesis: nothing, `?:`, `?i:`, `?<year>`, `?=`.
    private mutating func groupKind() -> PatternGroup.Kind {
        guard take("?") else { return .capturing }
        if take(":") { return .plain }
        if take("=") || take("!") || take(">") || take("#") { return .special }
        let start = position
        if take("<") {
            if take("=") || take("!") { return .special }
            skipName()
            if take(">") { return .named }
        } else {
            while let next, next == UInt8(ascii: "-") || (next | 0x20) &- 0x61 < 26 { position += 1 }
            let letters = String(decoding: bytes[start..<position], as: UTF8.self)
            if !letters.isEmpty, take(":") { return .options(letters) }
            if !letters.isEmpty, take(")") { return .optionSwitch(letters) }
        }
        position = start
        return .special
    }

    private mutating func skipName() {
        while position < end {
            let start = position
            if takeScalar().properties.isXIDContinue { continue }
            position = start
            return
        }
    }

    // MARK: Quantifiers

    private var isAtQuantifier: Bool {
        guard let next else { return false }
        switch Unicode.Scalar(next) {
        case "*", "+", "?", "{": return true
        default: return false
        }
    }

    private func append(_ quantifier: PatternQuantifier, to parts: inout [PatternNode]) {
        guard let part = parts.last, part.isRepeatable else { return parts.append(.quantifier(quantifier)) }
        parts[parts.count - 1] = .repetition(PatternRepetition(part: part, quantifier: quantifier))
    }

    private mutating func quantifier() -> PatternQuantifier? {
        guard isAtQuantifier, let next else { return nil }
        let start = position
        position += 1
        switch Unicode.Scalar(next) {
        case "*": return quantifier(0, nil, from: start)
        case "+": return quantifier(1, nil, from: start)
        case "?": return quantifier(0, 1, from: start)
        default:
            if let (least, most) = counts() { return quantifier(least, most, isCounted: true, from: start) }
            position = start + 1
            return quantifier(0, nil, manner: .malformed, from: start)
        }
    }

    private mutating func quantifier(
        _ least: Int, _ most: Int?, isCounted: Bool = false, manner: PatternQuantifier.Manner? = nil, from start: Int
    ) -> PatternQuantifier {
        let manner = manner ?? (take("?") ? .lazy : take("+") ? .possessive : .greedy)
        return PatternQuantifier(
            least: least, most: most, isCounted: isCounted, manner: manner, isFollowedByAnother: isAtQuantifier,
            range: start..<position)
    }

    /// `2}`, `2,}`, `2,3}`, and in some dialects `,3}`
    private mutating func counts() -> (Int, Int?)? {
        let least = number()
        guard least != nil || dialect.hasCountsToLimit else { return nil }
        guard take(",") else { return take("}") ? least.map { ($0, $0) } : nil }
        let most = number()
        guard take("}"), least != nil || most != nil else { return nil }
        return (least ?? 0, most)
    }

    /// At most nine digits.
    private mutating func number() -> Int? {
        let start = position
        var number = 0
        while let next, next &- 0x30 < 10, position - start < 9 {
            number = number * 10 + Int(next &- 0x30)
            position += 1
        }
        return position > start ? number : nil
    }
}
