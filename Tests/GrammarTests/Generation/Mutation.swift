import PredicateGenerators

/// Changes to the tokens of a format: one is left out, doubled, moved or taken for another.
struct Mutation {
    private var random: RandomSource
    /// The tokens to insert: every keyword and symbol, and tokens of each other kind.
    private let pool: [String]

    init(_ grammar: Grammar, _ book: RuleBook, seed: UInt64) {
        random = RandomSource(seed: seed)
        let words = book.terminals.map(\.text).filter { text in
            grammar.productions["Keyword"]?.terminals.contains { $0.text == text } ?? false
                || grammar.productions["Symbol"]?.terminals.contains { $0.text == text } ?? false
        }
        let others = [
            "x", "1", "2.5", ".5", "10.", "'s'", "\"\\u00e9\"", "$v", "#size", "@count", "%@", "%K", "%lu", "%s", "cd",
        ]
        pool = words + others + others
    }

    /// The text with one or two changes.
    mutating func change(_ tokens: [String]) -> String {
        var tokens = tokens
        for _ in 0...random.below(2) { changeOnce(&tokens) }
        let gap = random.oneIn(6) ? "" : " "
        return tokens.joined(separator: gap)
    }

    private mutating func changeOnce(_ tokens: inout [String]) {
        guard !tokens.isEmpty else { return tokens.append(random.one(of: pool)) }
        let place = random.below(tokens.count)
        switch random.below(5) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(random.one(of: pool), at: place)
        case 2: tokens[place] = random.one(of: pool)
        case 3: tokens.swapAt(place, random.below(tokens.count))
        default: tokens.insert(tokens[place], at: random.below(tokens.count))
        }
    }
}
