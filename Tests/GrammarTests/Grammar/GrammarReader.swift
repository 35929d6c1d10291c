/// Reads a grammar in the notation of ISO 14977; what is understood stands at the head of Grammar/Predicate.ebnf.
struct GrammarReader {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let characters: [Character]
    private var offset = 0

    private init(_ text: String) {
        characters = Array(text)
    }

    static func read(_ text: String) throws -> Grammar {
        var reader = GrammarReader(text)
        var grammar = Grammar()
        reader.skip()
        while reader.offset < reader.characters.count {
            let name = try reader.name()
            guard grammar.productions[name] == nil else { throw Problem(description: "\(name) is defined twice") }
            try reader.expect("=")
            grammar.add(name, try reader.choice())
            try reader.expect(";")
        }
        try check(grammar)
        return grammar
    }

    /// Every name that is mentioned must be defined.
    private static func check(_ grammar: Grammar) throws {
        for (name, pattern) in grammar.productions {
            for reference in pattern.references where grammar.productions[reference] == nil {
                throw Problem(description: "\(name) mentions \(reference), which is not defined")
            }
        }
    }
}

// MARK: - Patterns

extension GrammarReader {
    private mutating func choice() throws -> GrammarPattern {
        var patterns = [try sequence()]
        while accept("|") { patterns.append(try sequence()) }
        return patterns.count == 1 ? patterns[0] : .choice(patterns)
    }

    private mutating func sequence() throws -> GrammarPattern {
        var patterns = [try term()]
        while accept(",") { patterns.append(try term()) }
        return patterns.count == 1 ? patterns[0] : .sequence(patterns)
    }

    private mutating func term() throws -> GrammarPattern {
        let pattern = try factor()
        return accept("-") ? .exception(pattern, try factor()) : pattern
    }

    private mutating func factor() throws -> GrammarPattern {
        if accept("(") { return try closed(by: ")") { $0 } }
        if accept("[") { return try closed(by: "]", GrammarPattern.optional) }
        if accept("{") { return try closed(by: "}", GrammarPattern.repetition) }
        if accept("\"") { return .terminal(GrammarTerminal(text: try text(until: "\""), isAnyCase: true)) }
        if accept("'") { return .terminal(GrammarTerminal(text: try text(until: "'"), isAnyCase: false)) }
        if accept("?") { return .special(try special()) }
        return .reference(try name())
    }

    private mutating func closed(by end: Character, _ make: (GrammarPattern) -> GrammarPattern) throws
        -> GrammarPattern
    {
        let pattern = try choice()
        try expect(end)
        return make(pattern)
    }

    private mutating func special() throws -> GrammarPattern.Special {
        let words = try text(until: "?").split(separator: " ").map(String.init)
        if words == ["any", "character"] { return .anyCharacter }
        if words == ["adjacent"] { return .adjacent }
        if words.count == 2, words[0] == "not" { return .not(words[1]) }
        guard words.count == 1, words[0].hasPrefix("U+"), let value = UInt32(words[0].dropFirst(2), radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw problem("an unknown special sequence: \(words.joined(separator: " "))") }
        return .character(scalar)
    }
}

// MARK: - Characters

extension GrammarReader {
    /// Steps over white space and comments.
    private mutating func skip() {
        while offset < characters.count {
            if characters[offset].isWhitespace {
                offset += 1
            } else if stands("(*") {
                while offset < characters.count, !stands("*)") { offset += 1 }
                offset = min(offset + 2, characters.count)
            } else {
                return
            }
        }
    }

    private func stands(_ text: String) -> Bool {
        characters[offset...].starts(with: text)
    }

    /// Advances past a mark; after a quote or a question mark every character counts.
    private mutating func accept(_ mark: Character) -> Bool {
        guard offset < characters.count, characters[offset] == mark else { return false }
        offset += 1
        if !"\"'?".contains(mark) { skip() }
        return true
    }

    private mutating func expect(_ mark: Character) throws {
        guard accept(mark) else { throw problem("expected \(mark)") }
    }

    private mutating func text(until end: Character) throws -> String {
        let start = offset
        while offset < characters.count, characters[offset] != end { offset += 1 }
        let text = String(characters[start..<offset])
        try expect(end)
        skip()
        return text
    }

    private mutating func name() throws -> String {
        let start = offset
        while offset < characters.count, characters[offset].isLetter { offset += 1 }
        guard start < offset else { throw problem("expected a name") }
        let name = String(characters[start..<offset])
        skip()
        return name
    }

    private func problem(_ text: String) -> Problem {
        Problem(description: "\(text) in line \(1 + characters[..<offset].filter { $0 == "\n" }.count)")
    }
}
