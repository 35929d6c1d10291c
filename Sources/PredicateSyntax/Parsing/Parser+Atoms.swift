/// What stands between operators: literals, names, arguments, brackets.
extension Parser {
    /// `"jo"`, `42`, `%@`, `$x`, `SELF`, `name`, `{1, 2}`, `(…)`, `sum(a)`
    mutating func parseAtom() throws(PredicateFormatError) -> Term {
        let start = token.start
        switch token.kind {
        case .string: return try leaf(.expression(.constantValue(try text(of: token))))
        case .integer, .floatingPoint: return try parseNumber(isNegative: false, from: start)
        case .variable: return try leaf(.expression(.variable(try parseName(of: token))))
        case .escapedWord: return try leaf(.expression(.key(try parseName(of: token))))
        case .atWord: return try leaf(.expression(.key(text(token.range))))
        case .word: return peekCall() ? try parseCall() : try parseKey()
        case .keyword(let keyword): return try parseKeyword(keyword)
        case .specifier(let kind): return try parseArgument(kind)
        case .symbol(.nullObject): return try leaf(.expression(.constantValue(.nullObject)))
        case .symbol(.openParenthesis): return try parseParentheses()
        case .symbol(.openBrace): return try parseAggregate()
        case .symbol, .end: throw missingExpression()
        }
    }

    /// A node of one token.
    @inline(never)
    mutating func leaf(_ node: consuming Term.Node) throws(PredicateFormatError) -> Term {
        let start = token.start
        try advance()
        finish(from: start)
        return Term(node, depth: 1, start: start)
    }

    @inline(never)
    private mutating func parseKey() throws(PredicateFormatError) -> Term {
        try leaf(.expression(.key(text(token.range))))
    }

    func text(of token: Token) throws(PredicateFormatError) -> PredicateValue {
        // Two quotes are no part of the text; what escapes take away is not counted.
        try check(token.end - token.start - 2, .literalLength, options.limits.literalLength, at: token.range)
        return .string(try parseName(of: token))
    }

    /// The text of a string, or the name after a mark: `"jo"`, `#size`, `$limit`, `#"first name"`.
    func parseName(of token: Token) throws(PredicateFormatError) -> String {
        var start = token.start
        while start < token.end, isMark(lexer.bytes[start]) { start += 1 }
        let first = lexer.bytes[start]
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else { return text(start..<token.end) }
        do {
            return try StringLiteral.text(lexer.bytes, start + 1..<token.end - 1, hasEscapes: token.hasEscapes)
        } catch {
            throw lexicalError(error)
        }
    }

    private func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: "#")
    }

    /// `(a + 1)`, `(a == 1)`
    private mutating func parseParentheses() throws(PredicateFormatError) -> Term {
        let opening = token
        try advance()
        try descend()
        var term = try parseDisjunction()
        ascend()
        try expect(.closeParenthesis, closing: opening, after: term.sort)
        term.start = opening.start
        return term
    }

    /// `{18, 65}`: a constant when every element is one. [NSP-112]
    @inline(never)
    private mutating func parseAggregate() throws(PredicateFormatError) -> Term {
        let opening = token
        let mark = nodes
        try advance()
        try descend()
        var elements = ElementList.aggregate()
        try parseList(until: .closeBrace, opening: opening, into: &elements)
        ascend()
        if elements.isConstant { while nodes > mark { absorb() } }
        try check(
            elements.count, .literalElements, options.limits.literalElements, at: opening.start..<previous.end)
        let depth = try level(above: elements.depth, at: opening.start)
        finish(from: opening.start)
        return Term(elements.aggregateNode(), depth: depth, start: opening.start)
    }

    /// Expressions with commas between them, and the bracket that closes the list.
    @inline(never)
    mutating func parseList(until closing: Symbol, opening: Token, into elements: inout ElementList)
        throws(PredicateFormatError)
    {
        if try accept(closing) { return }
        repeat {
            if isElement(token) {
                elements.append(try literal())
            } else {
                let (element, depth, _) = try parseExpression()
                elements.append(element, depth: depth)
            }
        } while try accept(.comma)
        try expect(closing, closing: opening, after: nil)
    }

    /// Whether a literal is all of an element of a list: nothing takes part in it before the comma or the bracket.
    private func isElement(_ token: Token) -> Bool {
        guard token.kind == .string || token.kind == .integer else { return false }
        switch lexer.nextByte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: ")"): return true
        default: return false
        }
    }

    /// A literal as a bare value.
    private mutating func literal() throws(PredicateFormatError) -> PredicateValue {
        let start = token.start
        let value = token.kind == .string ? try text(of: token) : try number(isNegative: false)
        try advance()
        finish(from: start)
        return value
    }
}

// MARK: - Numbers

extension Parser {
    /// `42`, `0x2A`, `2.5`; the minus of a negative one has been read.
    @inline(never)
    mutating func parseNumber(isNegative: Bool, from start: Int) throws(PredicateFormatError) -> Term {
        let value = try number(isNegative: isNegative)
        try advance()
        finish(from: start)
        return Term(.constantValue(value), depth: 1, start: start)
    }

    func number(isNegative: Bool) throws(PredicateFormatError) -> PredicateValue {
        if token.kind == .integer {
            if let value = shortInteger { return .integer(isNegative ? -value : value) }
            return .integer(try integer(isNegative: isNegative))
        }
        guard let number = Double(text(token.range)), number.isFinite else {
            throw error(.invalidNumber, at: token.range)
        }
        return .double(isNegative ? -number : number)
    }

    /// Decimal digits that are too few to overflow: what most integers are; nil for all others.
    private var shortInteger: Int64? {
        let (start, end) = (token.start, token.end)
        guard end - start <= 18, lexer.bytes[start] != UInt8(ascii: "0") || end - start == 1 else { return nil }
        var value: Int64 = 0
        for offset in start..<end { value = value &* 10 &+ Int64(lexer.bytes[offset] &- UInt8(ascii: "0")) }
        return value
    }

    /// A leading zero does not make a number octal. [NSP-028]
    private func integer(isNegative: Bool) throws(PredicateFormatError) -> Int64 {
        let radix = Lexer.radix(of: lexer.bytes, token.range)
        let digits = lexer.bytes[token.start + (radix == 10 ? 0 : 2)..<token.end]
        let value = magnitude(of: digits, radix: radix).flatMap { isNegative ? negated($0) : Int64(exactly: $0) }
        guard let value else { throw error(.integerTooLarge, at: token.range) }
        return value
    }

    /// Nil when 64 bits do not hold it.
    private func magnitude(of digits: Slice<UnsafeBufferPointer<UInt8>>, radix: UInt64) -> UInt64? {
        var result: UInt64 = 0
        for byte in digits {
            guard let digit = ByteClass.hexValue(byte) else { return nil }
            let (product, overflows) = result.multipliedReportingOverflow(by: radix)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            guard !overflows, !carries else { return nil }
            result = sum
        }
        return result
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
        case .selfObject: return try leaf(.expression(.evaluatedObject))
        case .null, .nil: return try leaf(.expression(.constantValue(.null)))
        case .true, .yes: return try leaf(.expression(.constantValue(.bool(true))))
        case .false, .no: return try leaf(.expression(.constantValue(.bool(false))))
        case .first: return try leaf(.expression(.symbol(.first)))
        case .last: return try leaf(.expression(.symbol(.last)))
        case .size: return try leaf(.expression(.symbol(.size)))
        case .anyKey: return try leaf(.expression(.anyKey))
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
