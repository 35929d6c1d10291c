import PredicateGenerators

/// Writes texts that a grammar describes, at random but the same for the same seed.
struct SentenceGenerator {
    private let grammar: Grammar
    private let recogniser: FormatRecogniser
    /// The least number of productions that lie below each one.
    private let heights: [String: Int]
    private var random: RandomSource
    /// The tokens left before the shortest derivation is taken.
    private var room = 0
    /// Characters for `? any character ?`.
    private let characters = Array("ab %@K$\\'\"\n\t#.é😀\u{301}ü1x".unicodeScalars)

    /// A token, or the wish that no white space stands before the next one.
    private enum Piece {
        case token(String)
        case adjacent
    }

    init(_ grammar: Grammar, _ recogniser: FormatRecogniser, seed: UInt64) {
        self.grammar = grammar
        self.recogniser = recogniser
        heights = Self.heights(grammar)
        random = RandomSource(seed: seed)
    }

    /// A sentence of a production, nesting about so many productions deep.
    mutating func sentence(_ start: FormatRecogniser.Start, depth: Int) -> String {
        var pieces: [Piece] = []
        room = 30
        write(.reference(start.rawValue), depth: depth, into: &pieces)
        return joined(pieces)
    }

    // MARK: - Tokens

    private mutating func write(_ pattern: GrammarPattern, depth: Int, into pieces: inout [Piece]) {
        let depth = room > 0 ? depth : 0
        switch pattern {
        case .sequence(let parts): for part in parts { write(part, depth: depth, into: &pieces) }
        case .choice(let parts): write(choose(parts, depth: depth), depth: depth, into: &pieces)
        case .optional(let part):
            if height(part) < depth, random.oneIn(2) { write(part, depth: depth, into: &pieces) }
        case .repetition(let part):
            var more = height(part) < depth ? random.below(3) : 0
            while more > 0 {
                write(part, depth: depth - more, into: &pieces)
                more -= 1
            }
        case .exception(let part, _): write(part, depth: depth, into: &pieces)
        case .terminal(let terminal): add(spelled(terminal), to: &pieces)
        case .reference(let name) where Grammar.isLexical(name): add(token(name), to: &pieces)
        case .reference(let name):
            write(grammar.productions[name] ?? .sequence([]), depth: depth - 1, into: &pieces)
        case .special(.adjacent): pieces.append(.adjacent)
        case .special: break
        }
    }

    private mutating func add(_ token: String, to pieces: inout [Piece]) {
        room -= 1
        pieces.append(.token(token))
    }

    /// An alternative that the depth allows, or else the lowest.
    private mutating func choose(_ parts: [GrammarPattern], depth: Int) -> GrammarPattern {
        let possible = parts.filter { height($0) < depth }
        if !possible.isEmpty { return random.one(of: possible) }
        return parts.min { height($0) < height($1) } ?? .sequence([])
    }

    private mutating func spelled(_ terminal: GrammarTerminal) -> String {
        guard terminal.isAnyCase, random.oneIn(3) else { return terminal.text }
        return String(terminal.text.map { random.oneIn(2) ? Character($0.lowercased()) : $0 })
    }

    /// The pieces with white space between them, or none where that changes nothing.
    private mutating func joined(_ pieces: [Piece]) -> String {
        var text = ""
        var isGlued = true
        var tokens: [String] = []
        for piece in pieces {
            guard case .token(let token) = piece else {
                isGlued = true
                continue
            }
            if !isGlued { text += random.one(of: [" ", " ", " ", "\n", "\t", "  ", ""]) }
            text += token
            tokens.append(token)
            isGlued = false
        }
        return recogniser.scan(text)?.map(\.text) == tokens ? text : spaced(pieces)
    }

    private func spaced(_ pieces: [Piece]) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .token(let token): text += token + " "
            case .adjacent: text.removeLast()
            }
        }
        return text
    }
}

// MARK: - Characters

extension SentenceGenerator {
    /// A token of a production: what a lookahead or an exception forbids is tried again.
    private mutating func token(_ name: String) -> String {
        for _ in 0..<50 {
            let text = characters(of: .reference(name), depth: 8)
            if recogniser.matches(text, name), recogniser.scan(text)?.count == 1 { return text }
        }
        return "x"
    }

    private mutating func characters(of pattern: GrammarPattern, depth: Int) -> String {
        switch pattern {
        case .sequence(let parts): return parts.reduce(into: "") { $0 += characters(of: $1, depth: depth) }
        case .choice(let parts): return characters(of: choose(parts, depth: depth), depth: depth)
        case .optional(let part): return random.oneIn(2) ? characters(of: part, depth: depth) : ""
        case .repetition(let part):
            // Two digits at most, so that no exponent leaves the range of a double.
            return part == .reference("Digit")
                ? (random.oneIn(2) ? characters(of: part, depth: depth) : "")
                : (0..<random.below(4)).reduce(into: "") { text, _ in text += characters(of: part, depth: depth) }
        case .exception(let part, _): return characters(of: part, depth: depth)
        case .terminal(let terminal): return spelled(terminal)
        case .reference(let name): return characters(of: grammar.productions[name] ?? .sequence([]), depth: depth - 1)
        case .special(.anyCharacter): return String(Character(random.one(of: characters)))
        case .special(.character(let scalar)): return String(Character(scalar))
        case .special(.not), .special(.adjacent): return ""
        }
    }
}

// MARK: - Heights

extension SentenceGenerator {
    private func height(_ pattern: GrammarPattern) -> Int {
        Self.height(pattern, heights)
    }

    /// The productions that the shortest derivation of a pattern enters; a large number while that is not known.
    private static func height(_ pattern: GrammarPattern, _ heights: [String: Int]) -> Int {
        switch pattern {
        case .sequence(let parts): parts.map { height($0, heights) }.max() ?? 0
        case .choice(let parts): parts.map { height($0, heights) }.min() ?? 0
        case .optional(let part), .repetition(let part): max(0, height(part, heights) - 1_000)
        case .exception(let part, _): height(part, heights)
        case .terminal, .special: 0
        case .reference(let name): Grammar.isLexical(name) ? 0 : heights[name, default: 1_000]
        }
    }

    private static func heights(_ grammar: Grammar) -> [String: Int] {
        var heights: [String: Int] = [:]
        for _ in grammar.names {
            for name in grammar.syntacticNames {
                heights[name] = 1 + height(grammar.productions[name] ?? .sequence([]), heights)
            }
        }
        return heights
    }
}
