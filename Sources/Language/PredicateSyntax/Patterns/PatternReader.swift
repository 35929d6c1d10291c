/// Reads regular expressions. This is the one place that knows their syntax.
///
///     choice   = sequence { "|" sequence }
///     sequence = { part [ quantifier ] }
///     part     = character | "." | "^" | "$" | escape | quotation | set | group
struct PatternReader {
    let bytes: [UInt8]
    let dialect: PatternDialect
    let end: Int
    var position = 0
    /// The number of open groups that have content. `flatDepth` is the number of open groups that are nested too
    /// deeply to have any.
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

    /// Takes the next code point, which must exist.
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

    /// Reads the part after the opening parenthesis: nothing, `?:`, `?i:`, `?<year>`, `?=`.
    private mutating func groupKind() -> PatternGroup.Kind {
        guard take("?") else { return .capturing }
        if take(":") { return .plain }
        if take("=") || take("!") || take(">") { return .special }
        if take("#") { return .comment }
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

    fileprivate mutating func skipName() {
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

/// Characters, escapes, quotations and sets.
extension PatternReader {
    mutating func plainCharacter() -> PatternCharacter {
        let start = position
        return PatternCharacter(scalar: takeScalar(), spelling: .plain, range: start..<position)
    }

    // MARK: Quotations

    /// True before `\Q`.
    var isAtQuotation: Bool { next == UInt8(ascii: "\\") && second == UInt8(ascii: "Q") }

    /// Reads the characters of `\Qa.b\E`; nil if the quotation is not terminated and therefore reaches to the end of
    /// the pattern.
    mutating func quotation() -> [PatternCharacter]? {
        let start = position
        position += 2
        var close = position
        while close + 1 < end, bytes[close] != UInt8(ascii: "\\") || bytes[close + 1] != UInt8(ascii: "E") {
            close += 1
        }
        guard close + 1 < end else {
            position = end
            return nil
        }
        var characters: [PatternCharacter] = []
        while position < close {
            let first = characters.isEmpty ? start : position
            let scalar = takeScalar()
            let last = position == close ? close + 2 : position
            characters.append(PatternCharacter(scalar: scalar, spelling: .quoted, range: first..<last))
        }
        position = close + 2
        return characters
    }

    // MARK: Escapes

    enum Escaped {
        case character(PatternCharacter)
        case escape(PatternEscape)
    }

    /// `\.`, `\n`, `\x41`, `\d`, `\p{Lu}`
    mutating func escape() -> Escaped {
        let start = position
        position += 1
        guard position < end else {
            return .escape(PatternEscape(letter: nil, argument: nil, range: start..<position))
        }
        let letter = takeScalar()
        guard Self.isWord(letter) else {
            return .character(PatternCharacter(scalar: letter, spelling: .escaped, range: start..<position))
        }
        if let scalar = Self.control(letter) ?? controlKey(letter) ?? code(letter) {
            return .character(PatternCharacter(scalar: scalar, spelling: .code, range: start..<position))
        }
        let argument = argument(of: letter)
        return .escape(PatternEscape(letter: letter, argument: argument, range: start..<position))
    }

    /// Returns true for an ASCII letter or digit, which has a special meaning after a backslash.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// `\n`
    private static func control(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
        switch letter {
        case "a": "\u{7}"
        case "e": "\u{1B}"
        case "f": "\u{C}"
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        default: nil
        }
    }

    /// `A` of `\cA`: the last five bits of the character
    private mutating func controlKey(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
        letter == "c" && position < end ? Unicode.Scalar(takeScalar().value & 0x1F) : nil
    }

    /// `41` of `\x41`, `{1F600}` of `\x{1F600}`; nil for other letters, and for digits that do not denote a code
    /// point.
    private mutating func code(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
        guard let (count, mayBeBraced) = dialect.digits(after: letter) else { return nil }
        let start = position
        let isBraced = mayBeBraced && take("{")
        let first = position
        var value: UInt32 = 0
        while let digit = nextHexDigit, position - first < (isBraced ? dialect.mostBracedDigits : count) {
            value = value << 4 | digit
            position += 1
        }
        let length = position - first
        if isBraced ? length > 0 && take("}") : length == count, let scalar = Unicode.Scalar(value) { return scalar }
        position = start
        return nil
    }

    private var nextHexDigit: UInt32? {
        guard let next else { return nil }
        if next &- 0x30 < 10 { return UInt32(next &- 0x30) }
        let letter = (next | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }

    /// `{Lu}` of `\p{Lu}`, `2` of `\12`, `year` of `\k<year>`. An unclosed brace reaches to the end of the pattern.
    private mutating func argument(of letter: Unicode.Scalar) -> Range<Int>? {
        let start = position
        switch letter {
        case "0"..."9":
            while let next, next &- 0x30 < 10 { position += 1 }
            return position > start ? start..<position : nil
        case "p", "P", "N":
            guard take("{") else { return nil }
            while let next, next != UInt8(ascii: "}") { position += 1 }
            return take("}") ? start + 1..<position - 1 : nil
        case "k":
            guard take("<") else { return nil }
            skipName()
            return take(">") ? start + 1..<position - 1 : nil
        default: return nil
        }
    }

    // MARK: Sets

    /// `[a-z]`. A closing bracket in first position is literal.
    mutating func set() -> PatternSet {
        let start = position
        position += 1
        setDepth += 1
        defer { setDepth -= 1 }
        let isInverted = take("^")
        var members: [PatternSet.Member] = next == UInt8(ascii: "]") ? [.character(plainCharacter())] : []
        /// The number of brackets that are nested too deeply and are therefore read literally.
        var flatDepth = 0
        while let next, next != UInt8(ascii: "]") || flatDepth > 0 {
            if next == UInt8(ascii: "]") { flatDepth -= 1 }
            if next == UInt8(ascii: "["), setDepth == PatternTree.deepestSet { flatDepth += 1 }
            appendMember(Unicode.Scalar(next), to: &members)
        }
        let isClosed = take("]")
        return PatternSet(isInverted: isInverted, members: members, isClosed: isClosed, range: start..<position)
    }

    private mutating func appendMember(_ mark: Unicode.Scalar, to members: inout [PatternSet.Member]) {
        if mark == "[", setDepth < PatternTree.deepestSet { return members.append(.set(set())) }
        if isAtQuotation { return appendQuotation(to: &members) }
        if next == second, dialect.isSetOperator(mark) {
            position += 2
            return members.append(.operator(position - 2..<position))
        }
        guard mark == "\\" else { return members.append(range(from: plainCharacter())) }
        switch escape() {
        case .character(let character): members.append(range(from: character))
        case .escape(let escape): members.append(.escape(escape))
        }
    }

    /// `a-z`, or `a` alone. A hyphen before a closing bracket is literal; a second hyphen makes it an operator.
    private mutating func range(from low: PatternCharacter) -> PatternSet.Member {
        guard next == UInt8(ascii: "-"), let second, !"[]-".utf8.contains(second) else { return .character(low) }
        position += 1
        guard second == UInt8(ascii: "\\") else { return .range(low: low, high: plainCharacter()) }
        let start = position
        if case .character(let high) = escape() { return .range(low: low, high: high) }
        position = start
        return .range(low: low, high: nil)
    }

    private mutating func appendQuotation(to members: inout [PatternSet.Member]) {
        let start = position
        let characters = quotation() ?? []
        for character in characters { members.append(.character(character)) }
        guard characters.isEmpty else { return }
        members.append(.escape(PatternEscape(letter: "Q", argument: nil, range: start..<position)))
    }
}

// MARK: - Dialects

/// The differences in syntax between dialects of regular expressions.
package struct PatternDialect: Hashable, Sendable {
    /// True if a capital U is followed by eight hexadecimal digits: `\U0001F600`.
    let hasLongCodes: Bool
    /// True if digits may be enclosed in braces after `u` as well as after `x`: `\u{e9}`, `\x{e9}`.
    let hasBracedUnicode: Bool
    /// The maximum number of hexadecimal digits in braces.
    let mostBracedDigits: Int
    /// True if the lower count may be omitted: `{,3}`.
    let hasCountsToLimit: Bool
    /// True if two tildes are a set operator like `&&` and `--`: `[a~~b]`.
    let hasSymmetricDifference: Bool

    /// The patterns of MATCHES.
    package static let icu = PatternDialect(
        hasLongCodes: true, hasBracedUnicode: false, mostBracedDigits: 6, hasCountsToLimit: false,
        hasSymmetricDifference: false)

    /// The patterns of Swift's Regex.
    package static let swift = PatternDialect(
        hasLongCodes: false, hasBracedUnicode: true, mostBracedDigits: 8, hasCountsToLimit: true,
        hasSymmetricDifference: true)

    /// Returns the number of hexadecimal digits after a letter, and whether they may be enclosed in braces instead:
    /// `\x41`, `\u00E9`.
    func digits(after letter: Unicode.Scalar) -> (count: Int, mayBeBraced: Bool)? {
        switch letter {
        case "x": (2, true)
        case "u": (4, hasBracedUnicode)
        case "U": hasLongCodes ? (8, false) : nil
        default: nil
        }
    }

    /// Returns true if two of these characters in a row are a set operator.
    func isSetOperator(_ mark: Unicode.Scalar) -> Bool {
        switch mark {
        case "&", "-": true
        case "~": hasSymmetricDifference
        default: false
        }
    }
}
