/// The shapes that most formats consist of, read without the way through all productions: a key or a literal, and two of
/// them with an operator between.
///
/// What they read is what the productions would: whatever may continue them is left to those.
extension Parser {
    /// Whether the token at the cursor is a key or a literal of its own: no call, no keyword.
    @inline(__always)
    var isLeaf: Bool {
        switch token.kind {
        case .word: !mayBeCall
        case .string, .integer: true
        case .end, .keyword, .escapedWord, .atWord, .variable, .floatingPoint, .specifier, .symbol: false
        }
    }

    /// Whether what follows the word at the cursor may belong to it: `sum(`, `modulus:by:(`, `isKindOfClass:`.
    private var mayBeCall: Bool {
        let next = lexer.nextByte
        return next == UInt8(ascii: "(") || next == UInt8(ascii: ":")
    }

    /// The node of a token for which ``isLeaf`` holds.
    @inline(__always)
    mutating func readLeaf() throws(PredicateFormatError) -> ExpressionNode {
        let start = token.start
        let node: ExpressionNode =
            switch token.kind {
            case .word: .key(text(token.range))
            case .string: .constantValue(try text(of: token))
            case .integer, .end, .keyword, .escapedWord, .atWord, .variable, .floatingPoint, .specifier, .symbol:
                .constantValue(try number(isNegative: false))
            }
        try advance()
        finish(from: start)
        return node
    }

    /// Whether the token at the cursor takes the expression before it for an operand or a base.
    @inline(__always)
    var continuesExpression: Bool {
        switch token.kind {
        case .symbol(let symbol): symbol.continuesExpression
        case .keyword(let keyword): keyword == .union || keyword == .intersect || keyword == .minus
        case .end, .word, .escapedWord, .atWord, .variable, .string, .integer, .floatingPoint, .specifier: false
        }
    }

    /// A comparison that begins with a leaf: `age >= 21`, `name BEGINSWITH[cd] "jo"`, `tags.@count > 2`.
    @inline(never)
    mutating func readLeafComparison() throws(PredicateFormatError) -> Term {
        let start = token.start
        var (left, leftDepth) = (try readLeaf(), 1)
        if continuesExpression { (left, leftDepth, _) = try value(readRest(of: Term(left, depth: 1, start: start))) }
        guard let kind = operatorKind(of: token) else {
            let term = Term(left, depth: leftDepth, start: start)
            if token.kind == .end || token.is(Symbol.closeParenthesis) { return term }
            return try parseRightSide(of: term, nil, from: start)
        }
        try advance()
        let options = token.is(Symbol.openBracket) ? try parseOptions() : []
        let (right, rightDepth, _) = try parseExpression()
        let depth = try level(above: max(leftDepth, rightDepth), at: start)
        finish(from: start)
        let predicate = OperatorSpelling(kind: kind, options: options).predicate(left, right, .direct)
        return Term(predicate, depth: depth, start: start)
    }
}

extension Symbol {
    /// Whether it takes the expression before it for an operand or a base.
    fileprivate var continuesExpression: Bool {
        switch self {
        case .dot, .openBracket, .plus, .hyphen, .asterisk, .doubleAsterisk, .slash, .ampersand, .bar, .caret,
            .doubleLess, .doubleGreater:
            true
        case .equal, .singleEqual, .notEqual, .lessGreater, .less, .lessOrEqual, .equalLess, .greater,
            .greaterOrEqual, .equalGreater, .doubleAmpersand, .doubleBar, .exclamation, .tilde, .assign, .colon,
            .comma, .openParenthesis, .closeParenthesis, .closeBracket, .openBrace, .closeBrace, .nullObject:
            false
        }
    }
}
