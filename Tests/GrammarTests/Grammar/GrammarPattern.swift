/// The right side of a production.
///
/// `"NOT" , negation | comparison`
indirect enum GrammarPattern: Hashable, Sendable {
    /// `a , b`
    case sequence([GrammarPattern])
    /// `a | b`
    case choice([GrammarPattern])
    /// `[ a ]`
    case optional(GrammarPattern)
    /// `{ a }`
    case repetition(GrammarPattern)
    /// `a - b`
    case exception(GrammarPattern, GrammarPattern)
    /// `"AND"`, `'=='`
    case terminal(GrammarTerminal)
    /// `expression`
    case reference(String)
    /// `? … ?`
    case special(Special)

    enum Special: Hashable, Sendable {
        /// `? any character ?`
        case anyCharacter
        /// `? U+0009 ?`
        case character(Unicode.Scalar)
        /// `? not NameCharacter ?`
        case not(String)
        /// `? adjacent ?`
        case adjacent
    }

    /// The patterns inside this one.
    var parts: [GrammarPattern] {
        switch self {
        case .sequence(let parts), .choice(let parts): parts
        case .optional(let part), .repetition(let part): [part]
        case .exception(let part, let excluded): [part, excluded]
        case .terminal, .reference, .special: []
        }
    }

    /// The names of the productions that this pattern mentions.
    var references: Set<String> {
        switch self {
        case .reference(let name), .special(.not(let name)): [name]
        case .terminal, .special: []
        case .sequence, .choice, .optional, .repetition, .exception:
            parts.reduce(into: []) { $0.formUnion($1.references) }
        }
    }

    /// The characters between quotes.
    var terminals: Set<GrammarTerminal> {
        if case .terminal(let terminal) = self { return [terminal] }
        return parts.reduce(into: []) { $0.formUnion($1.terminals) }
    }
}

/// Characters between quotes in the grammar.
struct GrammarTerminal: Hashable, Sendable {
    var text: String
    /// `"and"` matches letters in any case, `'and'` only these.
    var isAnyCase: Bool
}

/// The productions of a grammar, by name and in the order of the file.
struct Grammar: Sendable {
    private(set) var names: [String] = []
    private(set) var productions: [String: GrammarPattern] = [:]

    mutating func add(_ name: String, _ pattern: GrammarPattern) {
        names.append(name)
        productions[name] = pattern
    }

    /// The grammar with a production that matches nothing.
    func without(_ name: String) -> Grammar {
        var grammar = self
        grammar.productions[name] = .choice([])
        return grammar
    }

    /// True for a production of characters: its name begins with a capital.
    static func isLexical(_ name: String) -> Bool {
        name.first?.isUppercase ?? false
    }

    /// The productions made of tokens: one for each function of the parser.
    var syntacticNames: [String] { names.filter { !Self.isLexical($0) } }

    /// The names that a production leads to, itself included.
    func names(reachableFrom start: String) -> Set<String> {
        var found: Set<String> = [start]
        var waiting = [start]
        while let next = waiting.popLast() {
            for name in productions[next]?.references ?? [] where found.insert(name).inserted { waiting.append(name) }
        }
        return found
    }
}
