/// What stands between operators: literals, names, arguments, brackets.
extension Parser {
    /// `"jo"`, `42`, `%@`, `$x`, `SELF`, `name`, `{1, 2}`, `(…)`, `sum(a)`
    mutating func parseAtom() throws(PredicateFormatError) -> Term {
        let start = token.start
        switch token.kind {
        case .string: return try leaf(.constantValue(.string(try parseName(of: token))))
        case .integer, .floatingPoint: return try parseNumber(isNegative: false, from: start)
        case .variable: return try leaf(.variable(try parseName(of: token)))
        case .escapedWord: return try leaf(.keyPath(KeyPathExpression([.key(try parseName(of: token))])))
        case .atWord: return try leaf(.keyPath(KeyPathExpression([.key(text(token.range))])))
        case .word: return peekCall() ? try parseCall() : try parseKey()
        case .keyword(let keyword): return try parseKeyword(keyword)
        case .specifier(let kind): return try parseArgument(kind)
        case .symbol(.nullObject): return try leaf(.constantValue(.nullObject))
        case .symbol(.openParenthesis): return try parseParentheses()
        case .symbol(.openBrace): return try parseAggregate()
        case .symbol, .end: throw missingExpression()
        }
    }

    /// A node of one token.
    @inline(never)
    mutating func leaf(_ node: ExpressionNode) throws(PredicateFormatError) -> Term {
        let start = token.start
        try advance()
        finish(from: start)
        return Term(node: .expression(node), depth: 1, start: start)
    }

    @inline(never)
    private mutating func parseKey() throws(PredicateFormatError) -> Term {
        try leaf(.keyPath(KeyPathExpression([.key(text(token.range))])))
    }

    /// The text of a string, or the name after a mark: `"jo"`, `#size`, `$limit`, `#"first name"`.
    func parseName(of token: Token) throws(PredicateFormatError) -> String {
        var start = token.start
        while start < token.end, let mark = Unicode.Scalar(UInt32(lexer.bytes[start])),
            "$#".unicodeScalars.contains(mark)
        {
            start += 1
        }
        let first = lexer.bytes[start]
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else { return text(start..<token.end) }
        do {
            return try StringLiteral.text(lexer.bytes, start + 1..<token.end - 1, hasEscapes: token.hasEscapes)
        } catch {
            throw lexicalError(error)
        }
    }

    /// `(a + 1)`, `(a == 1)`
    private mutating func parseParentheses() throws(PredicateFormatError) -> Term {
        let opening = token
        try advance()
        var term = try nested { parser throws(PredicateFormatError) in try parser.parseDisjunction() }
        try expect(.closeParenthesis, closing: opening, after: term.node)
        term.start = opening.start
        return term
    }

    /// `{18, 65}`: a constant when every element is one. [NSP-112]
    @inline(never)
    private mutating func parseAggregate() throws(PredicateFormatError) -> Term {
        let opening = token
        let mark = ranges.count
        try advance()
        let elements = try nested { parser throws(PredicateFormatError) in
            try parser.parseList(until: .closeBrace, opening: opening)
        }
        let node = ExpressionNode.aggregate(of: elements.map(\.node))
        if case .constantValue = node { ranges.removeSubrange(mark...) }
        let deepest = elements.map(\.depth).max() ?? 0
        let depth = try level(above: deepest, at: opening.start)
        finish(from: opening.start)
        return Term(node: .expression(node), depth: depth, start: opening.start)
    }

    /// Expressions with commas between them, and the bracket that closes the list.
    @inline(never)
    mutating func parseList(until closing: Symbol, opening: Token) throws(PredicateFormatError) -> [ExpressionTerm] {
        var elements: [ExpressionTerm] = []
        if try accept(closing) { return elements }
        repeat {
            elements.append(try parseExpression())
        } while try accept(.comma)
        try expect(closing, closing: opening, after: nil)
        return elements
    }
}

// MARK: - Numbers

extension Parser {
    /// `42`, `0x2A`, `2.5`; the minus of a negative one has been read.
    @inline(never)
    mutating func parseNumber(isNegative: Bool, from start: Int) throws(PredicateFormatError) -> Term {
        let value: PredicateValue
        if token.kind == .integer {
            value = .integer(try integer(isNegative: isNegative))
        } else {
            guard let number = Double(text(token.range)), number.isFinite else {
                throw error(.invalidNumber, at: token.range)
            }
            value = .double(isNegative ? -number : number)
        }
        try advance()
        finish(from: start)
        return Term(node: .expression(.constantValue(value)), depth: 1, start: start)
    }

    /// A leading zero does not make a number octal. [NSP-028]
    private func integer(isNegative: Bool) throws(PredicateFormatError) -> Int64 {
        let digits = text(token.range)
        let magnitude =
            switch digits.dropFirst().first {
            case "x", "X": UInt64(digits.dropFirst(2), radix: 16)
            case "o", "O": UInt64(digits.dropFirst(2), radix: 8)
            case "b", "B": UInt64(digits.dropFirst(2), radix: 2)
            default: UInt64(digits)
            }
        let value = magnitude.flatMap { isNegative ? negated($0) : Int64(exactly: $0) }
        guard let value else { throw error(.integerTooLarge, at: token.range) }
        return value
    }

    private func negated(_ magnitude: UInt64) -> Int64? {
        magnitude == Int64.min.magnitude ? Int64.min : Int64(exactly: magnitude).map { -$0 }
    }
}

// MARK: - Keywords

extension Parser {
    @inline(never)
    private mutating func parseKeyword(_ keyword: Keyword) throws(PredicateFormatError) -> Term {
        switch keyword {
        case .selfObject: return try leaf(.evaluatedObject)
        case .null, .nil: return try leaf(.constantValue(.null))
        case .true, .yes: return try leaf(.constantValue(.bool(true)))
        case .false, .no: return try leaf(.constantValue(.bool(false)))
        case .first: return try leaf(.symbol(.first))
        case .last: return try leaf(.symbol(.last))
        case .size: return try leaf(.symbol(.size))
        case .anyKey: return try leaf(.anyKey)
        case .subquery, .fetch, .cast, .ternary, .function: return try parseKeywordCall(keyword)
        case .union, .intersect, .minus: return try parseKey()
        case .and, .or, .not, .all, .any, .some, .none, .in, .like, .matches, .contains, .beginsWith, .endsWith,
            .between, .utiConformsTo, .utiEquals, .truePredicate, .falsePredicate, .caseInsensitive, .ci:
            throw missingExpression()
        }
    }

    private mutating func parseKeywordCall(_ keyword: Keyword) throws(PredicateFormatError) -> Term {
        guard peekNext().is(Symbol.openParenthesis) else {
            guard keyword.isContextual else { throw missingExpression() }
            return try parseKey()
        }
        switch keyword {
        case .subquery: return try parseSubquery()
        case .fetch: return try parseFetch()
        case .cast: return try parseCast()
        case .ternary: return try parseConditional()
        default: return try parseMessage()
        }
    }
}
