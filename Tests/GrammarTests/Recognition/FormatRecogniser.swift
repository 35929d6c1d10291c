/// Says whether a text is a format by the grammar alone.
struct FormatRecogniser: Sendable {
    /// The start symbol for a format.
    enum Start: String, CaseIterable, Sendable {
        case format
        case expressionFormat
    }

    let book: RuleBook
    private let anyCase: [String: [Int]]
    private let exact: [String: [Int]]

    init(_ grammar: Grammar) {
        book = RuleBook(grammar)
        let terminals = book.terminals.enumerated()
        anyCase = Dictionary(grouping: terminals.filter { $1.isAnyCase }) { $1.text.uppercased() }
            .mapValues { $0.map(\.offset) }
        exact = Dictionary(grouping: terminals.filter { !$1.isAnyCase }) { $1.text }.mapValues { $0.map(\.offset) }
    }

    func accepts(_ text: String, as start: Start) -> Bool { accepts(text, production: start.rawValue) }

    /// True if a production of tokens matches a whole text.
    func accepts(_ text: String, production: String) -> Bool {
        guard let tokens = scan(text), let number = book.numbers[production] else { return false }
        let recogniser = Recogniser(book.rules, TokenInput(tokens: tokens, book: book))
        return recogniser.ends(ofProduction: number, at: 0).contains(tokens.count)
    }

    /// The tokens of a text, the longest first; nil where none stands.
    func scan(_ text: String) -> [ScannedToken]? {
        guard let token = book.numbers["Token"], let space = book.numbers["Space"] else { return nil }
        let characters = Array(text.unicodeScalars)
        let recogniser = Recogniser(book.rules, CharacterInput(characters: characters, terminals: book.terminals))
        var tokens: [ScannedToken] = []
        var place = 0
        while place < characters.count {
            if let next = recogniser.ends(ofProduction: space, at: place).first {
                place = next
                continue
            }
            guard let end = recogniser.ends(ofProduction: token, at: place).max() else { return nil }
            tokens.append(scanned(characters[place..<end], isAdjacent: tokens.last?.end == place))
            place = end
        }
        return tokens
    }

    /// True if a production of characters matches a whole text.
    func matches(_ text: String, _ production: String) -> Bool {
        guard let number = book.numbers[production] else { return false }
        let input = CharacterInput(characters: Array(text.unicodeScalars), terminals: book.terminals)
        let recogniser = Recogniser(book.rules, input)
        return recogniser.ends(ofProduction: number, at: 0).contains(input.count)
    }

    private func scanned(_ characters: ArraySlice<Unicode.Scalar>, isAdjacent: Bool) -> ScannedToken {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: characters)
        let word = String(text)
        let terminals = exact[word, default: []] + anyCase[word.uppercased(), default: []]
        return ScannedToken(text: word, end: characters.endIndex, terminals: terminals, isAdjacent: isAdjacent)
    }
}

/// A token by the grammar.
struct ScannedToken: Sendable {
    let text: String
    /// The position after it.
    let end: Int
    /// The terminals that it is.
    let terminals: [Int]
    /// True without white space before it.
    let isAdjacent: Bool
}

/// Characters, for the productions that tokens are made of.
struct CharacterInput: RecogniserInput {
    let characters: [Unicode.Scalar]
    let terminals: [GrammarTerminal]

    var count: Int { characters.count }

    func end(ofTerminal number: Int, at place: Int) -> Int? {
        let terminal = terminals[number]
        var end = place
        for wanted in terminal.text.unicodeScalars {
            guard end < count, isSame(characters[end], wanted, isAnyCase: terminal.isAnyCase) else { return nil }
            end += 1
        }
        return end
    }

    private func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar, isAnyCase: Bool) -> Bool {
        if left == right { return true }
        guard isAnyCase, left.isASCII, right.isASCII, right.properties.isAlphabetic else { return false }
        return left.value | 0x20 == right.value | 0x20
    }

    func matches(_ set: CharacterSet, at place: Int) -> Bool {
        place < count ? set.contains(characters[place]) : set == .all
    }

    func isAdjacent(at place: Int) -> Bool { true }

    func ends(ofProduction number: Int, at place: Int) -> [Int]? { nil }
}

/// Tokens, for the productions that formats are made of. A name with a capital stands for one token of that shape.
struct TokenInput: RecogniserInput {
    let tokens: [ScannedToken]
    let book: RuleBook

    var count: Int { tokens.count }

    func end(ofTerminal number: Int, at place: Int) -> Int? {
        place < count && tokens[place].terminals.contains(number) ? place + 1 : nil
    }

    func matches(_ set: CharacterSet, at place: Int) -> Bool { true }

    func isAdjacent(at place: Int) -> Bool { place < count && tokens[place].isAdjacent }

    func ends(ofProduction number: Int, at place: Int) -> [Int]? {
        guard Grammar.isLexical(book.grammar.names[number]) else { return nil }
        guard place < count else { return [] }
        let characters = CharacterInput(characters: Array(tokens[place].text.unicodeScalars), terminals: book.terminals)
        let recogniser = Recogniser(book.rules, characters)
        return recogniser.ends(ofProduction: number, at: 0).contains(characters.count) ? [place + 1] : []
    }
}
