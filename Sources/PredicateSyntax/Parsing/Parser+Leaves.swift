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
    @inline(__always)
    private var mayBeCall: Bool {
        let next = next
        return next.is(Symbol.openParenthesis) || next.is(Symbol.colon)
    }

    /// The node of a token for which ``isLeaf`` holds.
    ///
    /// One piece of code for all who ask: what reads and translates a format must lie in the first cache of a processor.
    @inline(never)
    mutating func readLeaf() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let node: ExpressionNode =
            switch token.kind {
            case .word: .key(text(token.range))
            case .string: .constantValue(try text(of: token))
            case .integer, .end, .keyword, .escapedWord, .atWord, .variable, .floatingPoint, .specifier, .symbol:
                .constantValue(try number(isNegative: false))
            }
        try advance()
        finishLeaf(from: start)
        return node
    }

    /// Whether the token at the cursor takes the expression before it for an operand or a base.
    @inline(__always)
    var continuesExpression: Bool {
        if case .symbol(let symbol) = token.kind { return symbol.continuesExpression }
        return token.is(.union) || token.is(.intersect) || token.is(.minus)
    }

    /// A comparison that begins with a leaf: `age >= 21`, `name BEGINSWITH[cd] "jo"`, `tags.@count > 2`.
    @inline(never)
    mutating func readLeafComparison() throws(ParsingFailure) -> Term {
        let start = token.start
        var left = try readLeaf()
        if continuesExpression { left = try readRest(of: left, from: start) }
        guard let kind = operatorKind(of: token) else {
            if token.kind == .end || token.is(Symbol.closeParenthesis) { return .expression(left) }
            return try parseRightSide(of: .expression(left), nil, from: start)
        }
        let leftLevels = levels
        try advance()
        let options = token.is(Symbol.openBracket) ? try parseOptions() : []
        let right = try parseExpression()
        try finish(above: max(leftLevels, levels), from: start)
        return .predicate(OperatorSpelling(kind: kind, options: options).predicate(left, right, .direct))
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
