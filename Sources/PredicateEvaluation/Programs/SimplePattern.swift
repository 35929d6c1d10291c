import PredicateSyntax
import PredicateText

/// A regular expression that is a mere row of characters and classes, each of them once, `?`, `*` or `+`.
///
/// `name MATCHES "J.*n S.*"`
///
/// For these the whole of the text matches or does not, whatever order a matcher tries things in, so that a walk over
/// all ways at once gives the answer of the general matcher, and does so on texts on which that would have to give up.
struct SimplePattern: BitwiseCopyable {
    /// For each kind of character the atoms that take it, one bit for each.
    private let accepted: UnsafeBufferPointer<UInt64>
    /// The atoms that may take nothing, and those that may take more than one.
    private let skippable: UInt64
    private let repeated: UInt64
    private let atomCount: Int
    /// How long a text may be that any pattern is asked of.
    private let longest: Int
    /// Whether characters outside of ASCII are left to the general matcher.
    private let isASCIIOnly: Bool

    /// Nil for a pattern with anything else in it.
    init?(_ pattern: String, _ mode: FoldMode, _ limits: Limits, in arena: Arena) {
        switch mode {
        case .none, .caseInsensitive: break
        case .diacriticInsensitive, .caseAndDiacriticInsensitive: return nil
        }
        var parser = SimplePatternParser(Array(pattern.utf8))
        guard !pattern.isEmpty, let atoms = parser.atoms(), atoms.count < 63 else { return nil }
        let foldsCase = mode == .caseInsensitive
        var (skippable, repeated): (UInt64, UInt64) = (0, 0)
        for (index, atom) in atoms.enumerated() {
            if atom.isSkippable { skippable |= 1 << UInt64(index) }
            if atom.isRepeated { repeated |= 1 << UInt64(index) }
        }
        let table = (0..<Self.kinds).map { Self.accepting(atoms, kind: $0, foldsCase) }
        accepted = arena.store(table)
        (self.skippable, self.repeated, atomCount) = (skippable, repeated, atoms.count)
        longest = limits.subjectLength
        isASCIIOnly = foldsCase || atoms.contains { $0.isASCIIOnly }
    }

    /// The ASCII characters, all other ones, and those other ones that end a line.
    fileprivate static let kinds = 130
    fileprivate static let other = 128
    fileprivate static let lineEnd = 129

    private static func accepting(_ atoms: [SimpleAtom], kind: Int, _ foldsCase: Bool) -> UInt64 {
        var bits: UInt64 = 0
        for (index, atom) in atoms.enumerated() {
            let byte = UInt8(truncatingIfNeeded: kind)
            let isLetter = kind < other && (byte | 0x20) &- 0x61 < 26
            let folded = foldsCase && isLetter ? byte ^ 0x20 : byte
            if atom.takes(kind, folded) { bits |= 1 << UInt64(index) }
        }
        return bits
    }

    /// Whether the pattern covers the text; unknown where only the general matcher can tell.
    func answer(_ text: UnsafeBufferPointer<UInt8>) -> Answer {
        guard text.count <= longest, let accepted = accepted.baseAddress else { return .unknown }
        var state = closed(1)
        var position = 0
        while position < text.count {
            let byte = text[position]
            var kind = Int(byte)
            position &+= 1
            if byte >= 0x80 {
                if isASCIIOnly { return .unknown }
                kind = Self.isLineEnd(text, position &- 1) ? Self.lineEnd : Self.other
                while position < text.count, text[position] & 0xC0 == 0x80 { position &+= 1 }
            }
            let taken = state & accepted[kind]
            state = closed((taken & ~repeated) &<< 1 | taken & repeated)
            if state == 0 { return .no }
        }
        return Answer(state &>> UInt64(truncatingIfNeeded: atomCount) & 1 == 1)
    }

    /// The states with those that follow where atoms take nothing.
    @inline(__always)
    private func closed(_ states: UInt64) -> UInt64 {
        var states = states
        while true {
            let more = states | (states & skippable) &<< 1
            if more == states { return states }
            states = more
        }
    }

    /// U+0085, U+2028 and U+2029.
    @inline(__always)
    private static func isLineEnd(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        switch text[position] {
        case 0xC2: return position &+ 1 < text.count && text[position &+ 1] == 0x85
        case 0xE2:
            guard position &+ 2 < text.count, text[position &+ 1] == 0x80 else { return false }
            return text[position &+ 2] == 0xA8 || text[position &+ 2] == 0xA9
        default: return false
        }
    }
}

/// One character or class, and how often it stands.
private struct SimpleAtom {
    /// The ASCII characters it takes, or with `isNegated` all but them.
    var characters: Set<UInt8> = []
    var isNegated = false
    /// Whether it takes characters outside of ASCII, and those among them that end a line.
    var takesOthers = false
    var takesLineEnds = false
    /// Whether what it takes outside of ASCII is not known here: `\d`.
    var isASCIIOnly = false
    var isSkippable = false
    var isRepeated = false

    /// Whether it takes a kind of character, of which `folded` is the letter in the other case, if there is one.
    func takes(_ kind: Int, _ folded: UInt8) -> Bool {
        switch kind {
        case SimplePattern.other: takesOthers
        case SimplePattern.lineEnd: takesLineEnds
        default:
            (characters.contains(UInt8(truncatingIfNeeded: kind)) || characters.contains(folded)) != isNegated
        }
    }
}

/// Reads `J.*n[a-z]+\.`; gives up at everything that means more.
private struct SimplePatternParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func atoms() -> [SimpleAtom]? {
        var atoms: [SimpleAtom] = []
        while position < bytes.count {
            guard var atom = atom() else { return nil }
            switch quantifier() {
            case "*": (atom.isSkippable, atom.isRepeated) = (true, true)
            case "?": atom.isSkippable = true
            case "+":
                atoms.append(atom)
                (atom.isSkippable, atom.isRepeated) = (true, true)
            default: break
            }
            // A second mark would make the first one lazy or possessive.
            if let next, "*+?".utf8.contains(next) { return nil }
            atoms.append(atom)
        }
        return atoms
    }

    private mutating func quantifier() -> Character? {
        guard let next, "*+?".utf8.contains(next) else { return nil }
        position += 1
        return Character(Unicode.Scalar(next))
    }

    private mutating func atom() -> SimpleAtom? {
        guard let byte = next, byte >= 0x20, byte < 0x7F else { return nil }
        position += 1
        switch Unicode.Scalar(byte) {
        case ".":
            return SimpleAtom(characters: [0x0A, 0x0B, 0x0C, 0x0D], isNegated: true, takesOthers: true)
        case "\\": return escape()
        case "[": return characterClass()
        case "^", "$", "|", "(", ")", "{", "}", "]", "*", "+", "?": return nil
        default: return SimpleAtom(characters: [byte])
        }
    }

    private mutating func escape() -> SimpleAtom? {
        guard let byte = next else { return nil }
        position += 1
        switch Unicode.Scalar(byte) {
        case "d": return SimpleAtom(characters: Set(0x30...0x39), isASCIIOnly: true)
        case ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "^", "$", "|", "\\", "-", "/", "@":
            return SimpleAtom(characters: [byte])
        default: return nil
        }
    }

    /// `[a-z.]`, `[^0-9]`: letters, digits and marks that mean nothing in a class.
    private mutating func characterClass() -> SimpleAtom? {
        var characters: Set<UInt8> = []
        let isNegated = next == UInt8(ascii: "^")
        if isNegated { position += 1 }
        while let byte = next, byte != UInt8(ascii: "]") {
            position += 1
            guard Self.isPlain(byte) else { return nil }
            guard next == UInt8(ascii: "-") else {
                characters.insert(byte)
                continue
            }
            position += 1
            guard let last = next, Self.isWord(byte), Self.isWord(last), byte <= last else { return nil }
            position += 1
            characters.formUnion(byte...last)
        }
        guard next != nil, !characters.isEmpty else { return nil }
        position += 1
        return SimpleAtom(
            characters: characters, isNegated: isNegated, takesOthers: isNegated, takesLineEnds: isNegated)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isWord(byte) || "._@,;/%+".utf8.contains(byte)
    }
}
