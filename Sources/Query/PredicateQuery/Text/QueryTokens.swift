import PredicateSyntax

/// The tokens of a query, with their nesting in brackets.
struct QueryTokens {
    struct Entry {
        let kind: TolerantToken.Kind
        /// UTF-8 offsets into the text.
        let range: Range<Int>
        /// The number of brackets around the token; a bracket itself counts only the brackets outside it.
        let depth: Int
    }

    let entries: [Entry]
    private let bytes: [UInt8]
    /// The UTF-8 offsets of the specifiers.
    private let specifiers: [Int]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var depth = 0
        entries = TolerantToken.tokens(of: text).map { token in
            if token.kind.closesBracket { depth = max(0, depth - 1) }
            defer { if token.kind.opensBracket { depth += 1 } }
            return Entry(kind: token.kind, range: token.range, depth: depth)
        }
        specifiers = entries.compactMap { if case .token(.specifier) = $0.kind { $0.range.lowerBound } else { nil } }
    }

    /// The length of the text in bytes.
    var length: Int { bytes.count }

    /// The text in a range of UTF-8 offsets.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// The UTF-8 offsets of these tokens; if there are none, an empty range before the next token.
    func range(_ tokens: Range<Int>) -> Range<Int> {
        guard let last = tokens.last else {
            let place = tokens.lowerBound < entries.count ? entries[tokens.lowerBound].range.lowerBound : length
            return place..<place
        }
        return entries[tokens.lowerBound].range.lowerBound..<entries[last].range.upperBound
    }

    /// The word at an index, in capitals, if it is outside brackets; nil for another token and for a part of a path.
    func word(_ index: Int) -> String? {
        guard entries.indices.contains(index), entries[index].depth == 0 else { return nil }
        switch entries[index].kind {
        case .token(.word), .token(.keyword):
            return index > 0 && isSymbol(.dot, index - 1) ? nil : text(entries[index].range).uppercased()
        case .token, .error: return nil
        }
    }

    func isSymbol(_ symbol: Symbol, _ index: Int) -> Bool {
        entries.indices.contains(index) && entries[index].kind == .token(.symbol(symbol))
    }

    /// The tokens between commas outside inner brackets; empty if there are no tokens.
    func items(_ tokens: Range<Int>) -> [Range<Int>] {
        guard !tokens.isEmpty else { return [] }
        let depth = entries[tokens].map(\.depth).min() ?? 0
        var (items, start): ([Range<Int>], Int) = ([], tokens.lowerBound)
        for index in tokens where isSymbol(.comma, index) && entries[index].depth == depth {
            items.append(start..<index)
            start = index + 1
        }
        return items + [start..<tokens.upperBound]
    }

    /// The number of specifiers in a range of UTF-8 offsets; each specifier takes an argument.
    func specifiers(in range: Range<Int>) -> Int {
        let (first, end) = (
            specifiers.partitioningIndex { $0 >= range.lowerBound },
            specifiers.partitioningIndex { $0 >= range.upperBound }
        )
        return end - first
    }
}

extension QueryTokens {
    /// The tokens before the first clause, and the clauses.
    var sections: (list: Range<Int>, clauses: [QuerySection]) {
        var starts: [(clause: QueryClause, words: Range<Int>)] = []
        for index in entries.indices {
            if let (clause, count) = clause(at: index) { starts.append((clause, index..<index + count)) }
        }
        let ends = starts.dropFirst().map(\.words.lowerBound) + [entries.count]
        let clauses = zip(starts, ends).map { start, end in
            QuerySection(clause: start.clause, words: start.words, content: start.words.upperBound..<end)
        }
        return (0..<(starts.first?.words.lowerBound ?? entries.count), clauses)
    }

    /// The clause that begins at a token, and the number of its words.
    private func clause(at index: Int) -> (QueryClause, count: Int)? {
        switch word(index) {
        case "WHERE": (.where, 1)
        case "HAVING": (.having, 1)
        case "GROUP" where word(index + 1) == "BY": (.groupBy, 2)
        case "ORDER" where word(index + 1) == "BY": (.orderBy, 2)
        case "DISTINCT" where word(index + 1) == "ON": (.distinctOn, 2)
        case "LIMIT": (word(index + 2) == "BY" ? .limitBy : .limit, 1)
        case "OFFSET": (.offset, 1)
        case "LAST" where word(index - 1) != "NULLS": (.last, 1)
        default: nil
        }
    }
}

extension TolerantToken.Kind {
    fileprivate var opensBracket: Bool {
        [.openParenthesis, .openBracket, .openBrace].contains { self == .token(.symbol($0)) }
    }

    fileprivate var closesBracket: Bool {
        [.closeParenthesis, .closeBracket, .closeBrace].contains { self == .token(.symbol($0)) }
    }
}
