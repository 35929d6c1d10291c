/// Characters, escapes, quotations and sets.
extension PatternReader {
    mutating func plainCharacter() -> PatternCharacter {
        let start = position
        return PatternCharacter(scalar: takeScalar(), spelling: .plain, range: start..<position)
    }

    // MARK: Quotations

    /// True before `\Q`.
    var isAtQuotation: Bool { next == UInt8(ascii: "\\") && second == UInt8(ascii: "Q") }

    /// The characters of `\Qa.b\E`; nil if nothing ends the quotation, which then reaches to the end of the pattern.
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
        if let scalar = Self.control(letter) ?? code(letter) {
            return .character(PatternCharacter(scalar: scalar, spelling: .code, range: start..<position))
        }
        let argument = argument(of: letter)
        return .escape(PatternEscape(letter: letter, argument: argument, range: start..<position))
    }

    /// A letter or a digit of ASCII, which after a backslash means something else.
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

    /// `41` of `\x41`, `{1F600}` of `\x{1F600}`; nil for other letters, and for digits that are no code point.
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

    /// `{Lu}` of `\p{Lu}`, `2` of `\12`; an open brace reaches to the end of the pattern.
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
        default: return nil
        }
    }

    // MARK: Sets

    /// `[a-z]`; a closing bracket that comes first stands for itself.
    mutating func set() -> PatternSet {
        let start = position
        position += 1
        setDepth += 1
        defer { setDepth -= 1 }
        let isInverted = take("^")
        var members: [PatternSet.Member] = next == UInt8(ascii: "]") ? [.character(plainCharacter())] : []
        /// Brackets within too many others stand for themselves.
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

    /// `a-z`, or `a` alone. A hyphen stands for itself before a bracket, and another one makes it an operator.
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
