import PredicateSyntax
import PredicateText

/// A deterministic finite automaton (DFA) for simple regular expressions: characters, classes, groups and alternatives,
/// each of them once, `?`, `*`, `+` or `{2,3}`.
///
/// `name MATCHES "J.*n S.*"`, `email MATCHES "[a-z.]+[0-9]+@example\\.(com|org)"`
///
/// For these the whole text matches or does not, in whatever order a backtracking matcher tries alternatives, so that one
/// transition for each character gives the result of the general matcher. Texts on which that might give up are left to
/// it.
struct SimplePattern: BitwiseCopyable {
    /// The equivalence class of each kind of character: those that no atom tells apart share one.
    private let classes: UnsafeBufferPointer<UInt8>
    /// The transition table: for each state and class the start of the next row; state 0, which rejects, is first.
    private let rows: UnsafeBufferPointer<UInt16>
    /// True if a text may end in the state of a row, by its index in ``rows``.
    private let ends: UnsafeBufferPointer<Bool>
    private let start: Int
    /// The longest text for which the general matcher certainly comes to an end.
    private let longest: Int
    /// True if characters outside of ASCII are left to the general matcher.
    private let isASCIIOnly: Bool
    private let foldsCase: Bool
    /// A needle that every matching text has somewhere after its first character.
    private let word: FlatNeedle?

    /// Nil for a pattern with anything else in it, and for one with too many states.
    init?(_ pattern: String, _ mode: FoldMode, _ limits: PredicateLimits, in arena: Arena) {
        switch mode {
        case .none, .caseInsensitive: break
        case .diacriticInsensitive, .caseAndDiacriticInsensitive: return nil
        }
        let foldsCase = mode == .caseInsensitive
        guard !pattern.isEmpty, let expression = SimplePatternBuilder.expression(pattern),
            let graph = SimplePatternGraph(expression, foldsCase: foldsCase), let longest = graph.longest(),
            let states = SimplePatternStates(graph)
        else { return nil }
        classes = arena.store(graph.classes)
        rows = arena.store(states.rows)
        ends = arena.store(states.ends)
        start = states.start
        self.longest = min(longest, limits.subjectLength)
        let word = foldsCase ? [] : expression.innerWord
        self.word = word.isEmpty ? nil : arena.needle(word, .none)
        isASCIIOnly = graph.atoms.contains { $0.isASCIIOnly }
        self.foldsCase = foldsCase
    }

    /// The ASCII characters, all other ones, and those other ones that end a line.
    static let kinds = 130
    static let other = 128
    static let lineEnd = 129

    /// True if the pattern covers the text; unknown where only the general matcher can tell.
    @inline(never)
    func result(of text: UnsafeBufferPointer<UInt8>) -> LeafResult {
        guard text.count <= longest, let classes = classes.baseAddress, let rows = rows.baseAddress else {
            return .unknown
        }
        if let word, let first = text.first {
            if first < 0x80, rows[start &+ Int(classes[Int(first)])] == 0 { return .no }
            if !word.isContained(in: text) { return .no }
        }
        var row = start
        var position = 0
        while position < text.count {
            let byte = text[position]
            var kind = Int(byte)
            position &+= 1
            if byte >= 0x80 {
                if isASCIIOnly || foldsCase && Self.foldsToASCII(text, position &- 1) { return .unknown }
                kind = Self.isLineEnd(text, position &- 1) ? Self.lineEnd : Self.other
                while position < text.count, text[position] & 0xC0 == 0x80 { position &+= 1 }
            }
            row = Int(rows[row &+ Int(classes[kind])])
            if row == 0 { return .no }
        }
        return LeafResult(ends[row])
    }

    /// True for a character that case folding turns into letters some of which are ASCII, such as `ß`, `ſ`, `K` (the unit)
    /// and `ﬁ`. A pattern may take one for a letter, or for two.
    private static func foldsToASCII(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        guard position &+ 1 < text.count else { return false }
        let (lead, second) = (text[position], text[position &+ 1])
        switch lead {
        case 0xC3: return second == 0x9F
        case 0xC4, 0xC7: return second == 0xB0
        case 0xC5: return second == 0x89 || second == 0xBF
        case 0xE1: return second == 0xBA && third(text, position, 0x96...0x9E)
        case 0xE2: return second == 0x84 && third(text, position, 0xAA...0xAA)
        case 0xEF: return second == 0xAC && third(text, position, 0x80...0x86)
        default: return false
        }
    }

    private static func third(
        _ text: UnsafeBufferPointer<UInt8>, _ position: Int, _ range: ClosedRange<UInt8>
    ) -> Bool {
        position &+ 2 < text.count && range.contains(text[position &+ 2])
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
