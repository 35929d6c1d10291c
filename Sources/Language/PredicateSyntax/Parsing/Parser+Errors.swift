/// Errors, determined from the tokens around the cursor.
extension Parser {
    /// The source range of the last finished node.
    var lastRange: Range<Int> { ranges.last ?? token.range }

    /// Returns the error for a missing expression.
    func missingExpression() -> ParsingFailure {
        if let foreign = foreignOperator(around: token.start) { return foreign }
        if previous.is(Symbol.asterisk) { return error(.wildcardOutsideString, at: previous.range) }
        if token.is(Symbol.asterisk) { return error(.wildcardOutsideString, at: token.range) }
        if case .keyword = token.kind, isUsedAsKey { return error(.reservedWord(text(token.range)), at: token.range) }
        return error(.expectedExpression, at: token.range)
    }

    /// Returns the error for an operator of another language, such as `===`; nil for other symbols.
    @inline(never)
    func foreignOperator(around offset: Int) -> ParsingFailure? {
        guard let range = ForeignOperator.range(in: bytes, around: offset) else { return nil }
        return error(.foreignOperator(text(range)), at: range)
    }

    /// True if an operator or a dot follows the word at the cursor, as after a key.
    private var isUsedAsKey: Bool {
        let next = next
        return operatorKind(of: next) != nil || next.is(Symbol.dot)
    }

    /// Returns the error for a value where a predicate is required.
    func expectedOperator(after node: ExpressionNode) -> ParsingFailure {
        misplaced(node) ?? error(.expectedOperator, at: lastRange)
    }

    /// Returns the error for a value among predicates joined by AND or OR.
    func expectedPredicate(after node: ExpressionNode) -> ParsingFailure {
        misplaced(node) ?? error(.expectedPredicate, at: lastRange)
    }

    private func misplaced(_ node: ExpressionNode) -> ParsingFailure? {
        if case .constantValue(.predicate) = node { return error(.predicateArgument, at: lastRange) }
        if let foreign = foreignOperatorHere { return foreign }
        return startsOperatorMistake ? unexpectedToken(after: .expression) : nil
    }

    /// The error for an operator of another language at the cursor, such as `~=` and `!~`; nil for `!` alone.
    private var foreignOperatorHere: ParsingFailure? {
        token.is(Symbol.tilde) || token.is(Symbol.exclamation) ? foreignOperator(around: token.start) : nil
    }

    /// True if the token at the cursor looks like a mistyped operator.
    var startsOperatorMistake: Bool {
        token.is(.not) || token.kind == .word || token.is(Symbol.singleEqual)
    }

    /// Returns the error for a token after the end of a format or of brackets.
    func unexpectedToken(after kind: ParsedTerm.Kind?, closing: Symbol? = nil) -> ParsingFailure {
        if let misquoted = misquotedText { return misquoted }
        if let closing, token.is(Symbol.comma) { return error(.expectedSymbol(closing.rawValue), at: token.range) }
        switch kind {
        case .expression: return unexpectedAfterValue()
        case .predicate: return unexpectedAfterPredicate()
        case nil: return error(closing.map { .expectedSymbol($0.rawValue) } ?? unmatched, at: token.range)
        }
    }

    private var unmatched: PredicateFormatError.Code {
        switch token.kind {
        case .symbol(let symbol) where [.closeParenthesis, .closeBracket, .closeBrace].contains(symbol):
            .unmatched(symbol.rawValue)
        default: .expectedOperator
        }
    }

    /// The error for a string that ended early or a number that runs into letters.
    private var misquotedText: ParsingFailure? {
        guard token.start == previous.end, token.kind != .end, !isClosing(token) else { return nil }
        switch previous.kind {
        case .string: return error(.quoteInsideString, at: previous.end - 1..<token.end)
        case .integer, .floatingPoint:
            if case .symbol = token.kind { return nil }
            return error(.invalidNumber, at: previous.start..<token.end)
        case .end, .word, .keyword, .escapedWord, .atWord, .variable, .specifier, .symbol: return nil
        }
    }

    private func isClosing(_ token: Token) -> Bool {
        token.is(Symbol.closeParenthesis) || token.is(Symbol.closeBracket) || token.is(Symbol.closeBrace)
            || token.is(Symbol.comma)
    }

    private func unexpectedAfterValue() -> ParsingFailure {
        if token.is(.not) { return notBeforeOperator() }
        if let foreign = foreignOperatorHere { return foreign }
        guard token.kind == .word else {
            let isEnd = token.kind == .end || isClosing(token)
            return error(.expectedOperator, at: isEnd ? lastRange : token.range)
        }
        let word = text(token.range)
        if ForeignOperator.meaning(of: word) != nil {
            return error(.unknownOperator(word, suggestion: nil), at: token.range)
        }
        let names = Keyword.allCases.filter { operatorKind(of: Token(kind: .keyword($0), start: 0, end: 0)) != nil }
        let suggestion = NearMiss.candidates(for: word, among: names.map(\.rawValue), limit: 1).first
        return error(.unknownOperator(word, suggestion: suggestion), at: token.range)
    }

    /// `age NOT IN a`
    private func notBeforeOperator() -> ParsingFailure {
        let next = next
        guard operatorKind(of: next) != nil else { return error(.expectedOperator, at: token.range) }
        return error(.notBeforeOperator(text(next.range).uppercased()), at: token.start..<next.end)
    }

    private func unexpectedAfterPredicate() -> ParsingFailure {
        if unmatched != .expectedOperator { return error(unmatched, at: token.range) }
        if operatorKind(of: token) != nil {
            let isConstant = previous.is(.truePredicate) || previous.is(.falsePredicate)
            return error(isConstant ? .predicateIsNotAValue : .chainedComparison, at: token.range)
        }
        if token.is(Symbol.dot) || token.is(Symbol.openBracket) || BinaryOperator(token) != nil {
            return error(.predicateIsNotAValue, at: token.range)
        }
        return error(.expectedLogicalOperator, at: token.range)
    }

    /// Converts an error of the lexer to a format error.
    @inline(never)
    mutating func lexicalError(_ lexical: LexicalError) -> ParsingFailure {
        let found = text(lexical.range)
        switch lexical.code {
        case .unterminatedString:
            guard previous.kind == .string, previous.end == lexical.range.lowerBound else {
                return error(.unterminatedString, at: lexical.range)
            }
            return error(.quoteInsideString, at: previous.end - 1..<lexical.range.upperBound)
        case .unexpectedCharacter: return error(.unexpectedCharacter(found), at: lexical.range)
        case .nonASCIICharacter: return error(.nonASCIIKey(found), at: lexical.range)
        case .loneMark:
            return foreignOperator(around: lexical.range.lowerBound) ?? error(.loneMark(found), at: lexical.range)
        case .invalidNumber: return error(.invalidNumber, at: lexical.range)
        case .unknownSpecifier: return error(.unknownSpecifier(found), at: lexical.range)
        case .percentSign: return error(.percentSign, at: lexical.range)
        case .loneSurrogate: return error(.loneSurrogate, at: lexical.range)
        }
    }
}
