/// A part of a simple pattern.
indirect enum SimpleExpression {
    /// `a`, `.`, `[a-z]`, `\d`
    case atom(SimpleAtom)
    /// `ab`
    case sequence([SimpleExpression])
    /// `a|b`
    case choice([SimpleExpression])
    /// `a?`
    case optional(SimpleExpression)
    /// `a+`
    case repeated(SimpleExpression)
}

/// One character or class.
struct SimpleAtom {
    /// The ASCII characters it takes, or with `isNegated` all but them.
    var characters = ASCIISet()
    var isNegated = false
    /// True if it takes characters outside of ASCII, and those among them that end a line.
    var takesOthers = false
    var takesLineEnds = false
    /// True if only the general matcher knows the characters outside of ASCII: `\d`.
    var isASCIIOnly = false

    /// True if it takes a kind of character.
    func takes(_ kind: Int, foldsCase: Bool) -> Bool {
        switch kind {
        case SimplePattern.other: return takesOthers
        case SimplePattern.lineEnd: return takesLineEnds
        default:
            let byte = UInt8(truncatingIfNeeded: kind)
            let isLetter = (byte | 0x20) &- 0x61 < 26
            let folded = foldsCase && isLetter ? byte ^ 0x20 : byte
            return (characters.contains(byte) || characters.contains(folded)) != isNegated
        }
    }
}

/// A set of ASCII characters, one bit for each.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ byte: UInt8) {
        insert(byte)
    }

    init(_ first: ClosedRange<UInt8>, _ others: ClosedRange<UInt8>...) {
        insert(first)
        for range in others { insert(range) }
    }

    var isEmpty: Bool { low | high == 0 }

    /// Its one member; nil where there are none or several.
    var onlyByte: UInt8? {
        guard low.nonzeroBitCount + high.nonzeroBitCount == 1 else { return nil }
        return UInt8(truncatingIfNeeded: low == 0 ? 64 + high.trailingZeroBitCount : low.trailingZeroBitCount)
    }

    func contains(_ byte: UInt8) -> Bool {
        (byte < 64 ? low : high) & (1 << UInt64(byte & 63)) != 0
    }

    mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte & 63) } else { high |= 1 << UInt64(byte & 63) }
    }

    mutating func insert(_ range: ClosedRange<UInt8>) {
        for byte in range { insert(byte) }
    }

    mutating func formUnion(_ other: ASCIISet) {
        low |= other.low
        high |= other.high
    }
}

/// Reads `J.*n[a-z]+\.(com|org)`; gives up at everything that means more.
struct SimplePatternParser {
    private let bytes: [UInt8]
    private var position = 0
    /// The number of open groups.
    private var depth = 0
    private var atomCount = 0

    private static let deepest = 16

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The whole pattern; nil for one that is not simple.
    mutating func expression() -> SimpleExpression? {
        guard let expression = choice(), position == bytes.count else { return nil }
        return expression
    }

    /// Anchors at the ends of the whole pattern say nothing that is not so.
    private mutating func choice() -> SimpleExpression? {
        var branches: [SimpleExpression] = []
        repeat {
            if depth == 0, take("^"), isAtQuantifier { return nil }
            guard let branch = sequence() else { return nil }
            branches.append(branch)
            if depth == 0, take("$"), isAtQuantifier { return nil }
        } while take("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() -> SimpleExpression? {
        var parts: [SimpleExpression] = []
        while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "$") {
            guard let part = part(), let quantified = quantified(part) else { return nil }
            parts.append(quantified)
        }
        return .sequence(parts)
    }

    private mutating func part() -> SimpleExpression? {
        guard take("(") else {
            atomCount += 1
            guard atomCount <= SimplePatternGraph.most else { return nil }
            return atom().map(SimpleExpression.atom)
        }
        if take("?"), !take(":") { return nil }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest, let inner = choice(), take(")") else { return nil }
        return inner
    }

    private var isAtQuantifier: Bool {
        guard let next else { return false }
        return "*+?{".utf8.contains(next)
    }

    /// A second mark would make the first one lazy or possessive.
    private mutating func quantified(_ part: SimpleExpression) -> SimpleExpression? {
        var quantified = part
        if take("*") {
            quantified = .optional(.repeated(part))
        } else if take("+") {
            quantified = .repeated(part)
        } else if take("?") {
            quantified = .optional(part)
        } else if take("{") {
            guard let counted = counted(part) else { return nil }
            quantified = counted
        }
        return isAtQuantifier ? nil : quantified
    }

    /// `a{3}`, `a{2,4}`: written out.
    private mutating func counted(_ part: SimpleExpression) -> SimpleExpression? {
        guard let low = number(), low > 0 else { return nil }
        let high = take(",") ? number() : low
        guard take("}"), let high, high >= low else { return nil }
        var optional = SimpleExpression.sequence([])
        for index in low..<high {
            optional = .optional(index == low ? part : .sequence([part, optional]))
        }
        return .sequence(Array(repeating: part, count: low) + (high > low ? [optional] : []))
    }

    private mutating func number() -> Int? {
        var number: Int?
        while let byte = next, byte &- 0x30 < 10 {
            position += 1
            number = (number ?? 0) * 10 + Int(byte &- 0x30)
            if let number, number > SimplePatternGraph.most { return nil }
        }
        return number
    }
}

extension SimplePatternParser {
    private mutating func atom() -> SimpleAtom? {
        guard let byte = next, byte >= 0x20, byte < 0x7F else { return nil }
        position += 1
        switch Unicode.Scalar(byte) {
        case ".":
            return SimpleAtom(characters: ASCIISet(0x0A...0x0D), isNegated: true, takesOthers: true)
        case "\\": return escape()
        case "[": return characterClass()
        case "^", "$", "|", "(", ")", "{", "}", "]", "*", "+", "?": return nil
        default: return SimpleAtom(characters: ASCIISet(byte))
        }
    }

    private mutating func escape() -> SimpleAtom? {
        guard let byte = next else { return nil }
        position += 1
        switch Unicode.Scalar(byte) {
        case "d", "w", "s": return Self.named(byte).map { SimpleAtom(characters: $0, isASCIIOnly: true) }
        case "D", "W", "S":
            return Self.named(byte | 0x20).map { SimpleAtom(characters: $0, isNegated: true, isASCIIOnly: true) }
        default: return Self.marks.contains(byte) ? SimpleAtom(characters: ASCIISet(byte)) : nil
        }
    }

    /// Characters that stand for themselves after a backslash.
    private static let marks = Set(#".*+?()[]{}^$|\-/@"#.utf8)

    /// The ASCII characters of `\d`, `\w` and `\s`.
    private static func named(_ byte: UInt8) -> ASCIISet? {
        switch Unicode.Scalar(byte) {
        case "d": ASCIISet(0x30...0x39)
        case "w": ASCIISet(0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F...0x5F)
        case "s": ASCIISet(0x09...0x0D, 0x20...0x20)
        default: nil
        }
    }

    /// `[a-z.]`, `[^0-9]`, `[\w.-]`: letters, digits and marks that mean nothing in a class.
    private mutating func characterClass() -> SimpleAtom? {
        var atom = SimpleAtom()
        atom.isNegated = take("^")
        while let byte = next, byte != UInt8(ascii: "]") {
            guard member(of: &atom) else { return nil }
        }
        guard take("]"), !atom.characters.isEmpty else { return nil }
        (atom.takesOthers, atom.takesLineEnds) = (atom.isNegated, atom.isNegated)
        return atom
    }

    /// One character, a range, or `\d`. A hyphen stands for itself as the last one.
    private mutating func member(of atom: inout SimpleAtom) -> Bool {
        guard let byte = next else { return false }
        position += 1
        if byte == UInt8(ascii: "\\") { return escaped(in: &atom) }
        if byte == UInt8(ascii: "-") {
            defer { atom.characters.insert(byte) }
            return next == UInt8(ascii: "]") && !atom.characters.isEmpty
        }
        guard Self.isPlain(byte) else { return false }
        guard next == UInt8(ascii: "-"), position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "]") else {
            atom.characters.insert(byte)
            return true
        }
        position += 1
        guard let last = next, Self.isWord(byte), Self.isWord(last), byte <= last else { return false }
        position += 1
        atom.characters.insert(byte...last)
        return true
    }

    private mutating func escaped(in atom: inout SimpleAtom) -> Bool {
        guard let byte = next else { return false }
        position += 1
        if let named = Self.named(byte) {
            atom.characters.formUnion(named)
            atom.isASCIIOnly = true
        } else {
            guard Self.marks.contains(byte) else { return false }
            atom.characters.insert(byte)
        }
        // What would begin a range with it is not for here.
        return next != UInt8(ascii: "-") || (position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "]"))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isWord(byte) || "._@,;/%+".utf8.contains(byte)
    }
}
