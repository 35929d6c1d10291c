/// A pattern made ready for recognition: names and terminals are numbers, choices know what their alternatives can
/// begin with.
indirect enum Rule: Sendable {
    case sequence([Rule])
    case choice([Alternative])
    case optional(Rule)
    case repetition(Rule)
    case exception(Rule, Rule)
    case terminal(Int)
    case reference(Int)
    /// One character of a set
    case character(CharacterSet)
    /// `? not A ?`
    case not(Int)
    case adjacent

    struct Alternative: Sendable {
        var first: CharacterSet
        var rule: Rule
    }
}

/// The rules of a grammar, numbered as its productions are.
struct RuleBook: Sendable {
    let grammar: Grammar
    let numbers: [String: Int]
    private(set) var rules: [Rule] = []
    private(set) var terminals: [GrammarTerminal] = []
    private var terminalNumbers: [GrammarTerminal: Int] = [:]

    init(_ grammar: Grammar) {
        self.grammar = grammar
        numbers = Dictionary(uniqueKeysWithValues: grammar.names.enumerated().map { ($1, $0) })
        for name in grammar.names {
            let pattern = grammar.productions[name] ?? .sequence([])
            rules.append(rule(pattern, isLexical: Grammar.isLexical(name)))
        }
    }

    private mutating func rule(_ pattern: GrammarPattern, isLexical: Bool) -> Rule {
        if isLexical, let set = characterSet(pattern) { return .character(set) }
        switch pattern {
        case .sequence(let parts): return .sequence(parts.map { rule($0, isLexical: isLexical) })
        case .choice(let parts):
            return .choice(
                parts.map { part in
                    let first = isLexical ? start(of: part) : (.all, false)
                    return Rule.Alternative(
                        first: first.isNullable ? .all : first.set, rule: rule(part, isLexical: isLexical))
                })
        case .optional(let part): return .optional(rule(part, isLexical: isLexical))
        case .repetition(let part): return .repetition(rule(part, isLexical: isLexical))
        case .exception(let part, let excluded):
            return .exception(rule(part, isLexical: isLexical), rule(excluded, isLexical: isLexical))
        case .terminal(let terminal): return .terminal(number(of: terminal))
        case .reference(let name): return .reference(numbers[name, default: 0])
        case .special(.anyCharacter): return .character(.all)
        case .special(.character(let scalar)): return .character(CharacterSet(scalar))
        case .special(.not(let name)): return .not(numbers[name, default: 0])
        case .special(.adjacent): return .adjacent
        }
    }

    private mutating func number(of terminal: GrammarTerminal) -> Int {
        if let number = terminalNumbers[terminal] { return number }
        terminalNumbers[terminal] = terminals.count
        terminals.append(terminal)
        return terminals.count - 1
    }
}

// MARK: - Characters

extension RuleBook {
    /// The characters that a pattern matches, where it always matches just one.
    private func characterSet(_ pattern: GrammarPattern) -> CharacterSet? {
        switch pattern {
        case .terminal(let terminal): terminal.text.unicodeScalars.count == 1 ? CharacterSet(firstOf: terminal) : nil
        case .special(.anyCharacter): .all
        case .special(.character(let scalar)): CharacterSet(scalar)
        case .reference(let name): grammar.productions[name].flatMap(characterSet)
        case .choice(let parts): union(of: parts.map(characterSet))
        case .exception(let part, let excluded): difference(characterSet(part), characterSet(excluded))
        case .sequence, .optional, .repetition, .special(.not), .special(.adjacent): nil
        }
    }

    private func union(of sets: [CharacterSet?]) -> CharacterSet? {
        let known = sets.compactMap(\.self)
        return known.count == sets.count ? known.reduce(.none) { $0.union($1) } : nil
    }

    private func difference(_ left: CharacterSet?, _ right: CharacterSet?) -> CharacterSet? {
        guard let left, let right else { return nil }
        return left.subtracting(right)
    }

    /// The first set of a pattern, and true if it can match nothing.
    private func start(of pattern: GrammarPattern) -> (set: CharacterSet, isNullable: Bool) {
        switch pattern {
        case .terminal(let terminal): return (CharacterSet(firstOf: terminal), false)
        case .special(.anyCharacter): return (.all, false)
        case .special(.character(let scalar)): return (CharacterSet(scalar), false)
        case .special(.not), .special(.adjacent): return (.none, true)
        case .reference(let name): return grammar.productions[name].map(start) ?? (.none, true)
        case .exception(let part, _): return start(of: part)
        case .optional(let part), .repetition(let part): return (start(of: part).set, true)
        case .choice(let parts):
            let starts = parts.map(start)
            return (starts.reduce(.none) { $0.union($1.set) }, starts.contains(where: \.isNullable))
        case .sequence(let parts): return start(ofSequence: parts)
        }
    }

    private func start(ofSequence parts: [GrammarPattern]) -> (set: CharacterSet, isNullable: Bool) {
        var set = CharacterSet.none
        for part in parts {
            let first = start(of: part)
            set = set.union(first.set)
            if !first.isNullable { return (set, false) }
        }
        return (set, true)
    }
}
