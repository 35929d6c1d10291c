import PredicateSyntax

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

/// A character or a class.
struct SimpleAtom {
    /// The ASCII characters that it matches; if `isNegated`, all others.
    var characters = ASCIISet()
    var isNegated = false
    /// True if it matches non-ASCII characters, or those among them that are line terminators.
    var takesOthers = false
    var takesLineEnds = false
    /// True if only the general matcher can decide non-ASCII characters: `\d`.
    var isASCIIOnly = false

    /// Returns true if it matches a kind of character.
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

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    init(_ first: ClosedRange<UInt8>, _ others: ClosedRange<UInt8>...) {
        insert(first)
        for range in others { insert(range) }
    }

    var isEmpty: Bool { low | high == 0 }

    /// The only member; nil unless there is exactly one.
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

    func union(_ other: ASCIISet) -> ASCIISet {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }
}

/// Makes a simple expression from the tree of a pattern such as `J.*n[a-z]+\.(com|org)`; gives up on any other
/// construct.
struct SimplePatternBuilder {
    /// The number of open groups.
    private var depth = 0
    private var atomCount = 0

    private static let deepest = 16

    /// Returns the whole pattern; nil if it is not simple. Anchors at its ends have no effect.
    static func expression(_ pattern: String) -> SimpleExpression? {
        var builder = SimplePatternBuilder()
        return builder.expression(PatternTree(pattern).choice)
    }

    private mutating func expression(_ choice: PatternChoice) -> SimpleExpression? {
        var branches: [SimpleExpression] = []
        for branch in choice.branches {
            var parts = branch.parts[...]
            if depth == 0, case .beginning = parts.first { parts.removeFirst() }
            if depth == 0, case .end = parts.last { parts.removeLast() }
            var expressions: [SimpleExpression] = []
            expressions.reserveCapacity(parts.count)
            for part in parts {
                guard let expression = expression(part) else { return nil }
                expressions.append(expression)
            }
            branches.append(.sequence(expressions))
        }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func expression(_ part: PatternNode) -> SimpleExpression? {
        switch part {
        case .repetition(let repetition):
            guard let part = expression(repetition.part) else { return nil }
            return quantified(part, repetition.quantifier)
        case .group(let group):
            guard group.kind == .capturing || group.kind == .plain, group.isClosed, depth < Self.deepest else {
                return nil
            }
            depth += 1
            defer { depth -= 1 }
            return expression(group.content)
        case .character, .dot, .escape, .set:
            atomCount += 1
            return atomCount > SimplePatternGraph.most ? nil : SimpleAtom(part).map(SimpleExpression.atom)
        case .beginning, .end, .emptyQuotation, .quantifier, .malformed: return nil
        }
    }

    /// Lazy and possessive quantifiers are not simple.
    private func quantified(_ part: SimpleExpression, _ quantifier: PatternQuantifier) -> SimpleExpression? {
        guard quantifier.manner == .greedy, !quantifier.isFollowedByAnother else { return nil }
        if quantifier.isCounted { return counted(part, quantifier) }
        if quantifier.most == 1 { return .optional(part) }
        return quantifier.least == 0 ? .optional(.repeated(part)) : .repeated(part)
    }

    /// `a{3}`, `a{2,4}`: expanded.
    private func counted(_ part: SimpleExpression, _ quantifier: PatternQuantifier) -> SimpleExpression? {
        let low = quantifier.least
        guard let high = quantifier.most, low > 0, high >= low, high <= SimplePatternGraph.most else { return nil }
        var optional = SimpleExpression.sequence([])
        for index in low..<high {
            optional = .optional(index == low ? part : .sequence([part, optional]))
        }
        return .sequence(Array(repeating: part, count: low) + (high > low ? [optional] : []))
    }
}

extension SimpleAtom {
    /// Nil for anything other than ASCII characters and classes.
    fileprivate init?(_ part: PatternNode) {
        switch part {
        case .character(let character):
            guard let byte = Self.byte(character), character.spelling == .escaped || !Self.syntax.contains(byte) else {
                return nil
            }
            self.init(characters: ASCIISet(byte))
        case .dot: self.init(characters: ASCIISet(0x0A...0x0D), isNegated: true, takesOthers: true)
        case .escape(let escape):
            guard let (characters, isNegated) = Self.named(escape) else { return nil }
            self.init(characters: characters, isNegated: isNegated, isASCIIOnly: true)
        case .set(let set): self.init(set)
        case .beginning, .end, .group, .repetition, .emptyQuotation, .quantifier, .malformed: return nil
        }
    }

    /// Literal brackets and braces.
    private static let syntax = ASCIISet(Array("]{}".utf8))
    /// Characters that are literal after a backslash.
    private static let marks = ASCIISet(Array(#".*+?()[]{}^$|\-/@"#.utf8))
    /// Letters, digits, and the characters without a special meaning in a class.
    private static let words = ASCIISet(0x30...0x39, 0x41...0x5A, 0x61...0x7A)
    private static let plain = ASCIISet(Array("._@,;/%+".utf8)).union(words)

    /// Returns a printable ASCII character, written literally or after a backslash.
    private static func byte(_ character: PatternCharacter) -> UInt8? {
        guard (0x20..<0x7F).contains(character.scalar.value) else { return nil }
        let byte = UInt8(truncatingIfNeeded: character.scalar.value)
        switch character.spelling {
        case .plain: return byte
        case .escaped: return marks.contains(byte) ? byte : nil
        case .code, .quoted: return nil
        }
    }

    /// Returns the ASCII characters of `\d`, `\w` and `\s`, and whether the class is the complement.
    private static func named(_ escape: PatternEscape) -> (ASCIISet, isNegated: Bool)? {
        switch escape.letter {
        case "d": (ASCIISet(0x30...0x39), false)
        case "D": (ASCIISet(0x30...0x39), true)
        case "w": (words.union(ASCIISet(0x5F)), false)
        case "W": (words.union(ASCIISet(0x5F)), true)
        case "s": (ASCIISet(0x09...0x0D, 0x20...0x20), false)
        case "S": (ASCIISet(0x09...0x0D, 0x20...0x20), true)
        default: nil
        }
    }

    /// `[a-z.]`, `[^0-9]`, `[\w.-]`. A hyphen in last position is literal.
    private init?(_ set: PatternSet) {
        self.init()
        for (index, member) in set.members.enumerated() {
            switch member {
            case .character(let character):
                guard let byte = Self.byte(character) else { return nil }
                let isLast = index > 0 && index == set.members.count - 1
                let isHyphen = isLast && byte == UInt8(ascii: "-")
                guard character.spelling == .escaped || Self.plain.contains(byte) || isHyphen else { return nil }
                characters.insert(byte)
            case .range(let first, let last):
                guard let low = Self.byte(first), let high = last.flatMap(Self.byte), low <= high,
                    Self.words.contains(low), Self.words.contains(high)
                else { return nil }
                characters.insert(low...high)
            case .escape(let escape):
                guard let (named, isNegated) = Self.named(escape), !isNegated else { return nil }
                characters = characters.union(named)
                isASCIIOnly = true
            case .set, .operator: return nil
            }
        }
        guard set.isClosed, !characters.isEmpty else { return nil }
        isNegated = set.isInverted
        (takesOthers, takesLineEnds) = (isNegated, isNegated)
    }
}

extension SimpleExpression {
    /// The longest run of characters that every matching string contains after its first character: `n S` for `J.*n
    /// S.*`. Empty if there is none.
    ///
    /// The beginning of a string is excluded, since a matcher that starts there finds a mismatch at once.
    var innerWord: [UInt8] {
        var search = WordSearch()
        search.walk(self)
        search.endRun()
        return search.longest
    }
}

/// The runs of consecutive characters that every match contains.
private struct WordSearch {
    /// A longer run is cut to the bytes of one comparison.
    private static let most = 8

    private(set) var longest: [UInt8] = []
    private var run: [UInt8] = []
    private var isFirstRun = true

    mutating func walk(_ expression: SimpleExpression) {
        switch expression {
        case .atom(let atom):
            if let byte = atom.onlyByte { run.append(byte) } else { endRun() }
        case .sequence(let parts):
            for part in parts { walk(part) }
        case .choice, .optional, .repeated: endRun()
        }
    }

    mutating func endRun() {
        if !isFirstRun, run.count > longest.count { longest = Array(run.prefix(Self.most)) }
        run = []
        isFirstRun = false
    }
}

extension SimpleAtom {
    /// The only character that it matches; nil for a class of several.
    fileprivate var onlyByte: UInt8? {
        isNegated || takesOthers || isASCIIOnly ? nil : characters.onlyByte
    }
}
