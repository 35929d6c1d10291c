/// Expressions: from the loosest operator to the index.
extension Parser {
    /// An expression; a predicate is an error.
    mutating func parseExpression() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        if isLeaf {
            let leaf = try parseLeaf()
            return continuesExpression ? try parseRest(of: leaf, from: start) : leaf
        }
        if beginsOperation { return try parseLongExpression() }
        return try parseRest(of: parseAtom(), from: start)
    }

    /// An expression, or a predicate in parentheses: `a + 1`, `(a == 1)`, `$a := 1`.
    mutating func parseOperand() throws(ParsingFailure) -> Term {
        guard token.is(Symbol.openParenthesis) else { return .expression(try parseExpression()) }
        let start = token.start
        let term = try parseParentheses()
        guard continuesExpression else { return term }
        return .expression(try parseRest(of: value(term), from: start))
    }

    /// True if more than an atom begins here: `-a`, `~a`, `$a := 1`.
    @inline(__always)
    private var beginsOperation: Bool {
        switch token.kind {
        case .symbol(let symbol): symbol == .hyphen || symbol == .tilde
        case .variable: next.is(Symbol.assign)
        case .end, .word, .keyword, .escapedWord, .atWord, .string, .integer, .floatingPoint, .specifier: false
        }
    }

    /// An expression that begins with an operator or is an assignment.
    @inline(never)
    private mutating func parseLongExpression() throws(ParsingFailure) -> ExpressionNode {
        token.kind == .variable ? try parseAssignment() : try parseBinary(minimum: 1)
    }

    /// `$a := 1 + 2`
    private mutating func parseAssignment() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let variable = try parseName(of: token)
        try advance()
        try advance()
        try descend()
        let value = try parseExpression()
        ascend()
        try finish(above: levels, from: start)
        return .assignment(AssignmentExpression(variable: variable, value))
    }

    /// `a + b * c`: operators that bind at least as tightly as `minimum`; see ``BinaryOperator`` for the precedence.
    private mutating func parseBinary(minimum: Int) throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let left = try parseUnary()
        return continuesExpression ? try parseBinary(left, from: start, minimum: minimum) : left
    }

    private mutating func parseBinary(_ first: consuming ExpressionNode, from start: Int, minimum: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        var left = first
        while let binary = BinaryOperator(token), binary.precedence >= minimum {
            left = try parseRightSide(of: binary, left, from: start)
        }
        return left
    }

    /// The keys and indexes after an atom, then the operators and their right sides.
    @inline(never)
    mutating func parseRest(of atom: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        let path = continuesPath ? try parseSteps(of: atom, from: start) : atom
        return continuesExpression ? try parseBinary(path, from: start, minimum: 1) : path
    }

    @inline(never)
    private mutating func parseRightSide(of binary: BinaryOperator, _ left: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        let leftLevels = levels
        try advance()
        let right = try parseBinary(minimum: binary.precedence + 1)
        try finish(above: max(leftLevels, levels), from: start)
        return binary.node(left, right)
    }

    /// `-a`, `~a`; a minus at a number makes one constant.
    private mutating func parseUnary() throws(ParsingFailure) -> ExpressionNode {
        guard let function = unaryFunction(token) else { return try parsePath() }
        return try parseOperation(function)
    }

    @inline(never)
    private mutating func parseOperation(_ function: FunctionExpression.Predefined) throws(ParsingFailure)
        -> ExpressionNode
    {
        let start = token.start
        if function == .onesComplement, followsEqualsSign, let foreign = foreignOperator(around: start) {
            throw foreign
        }
        try advance()
        let isLiteral = token.kind == .integer || token.kind == .floatingPoint
        if function == .negate, isLiteral, !bindsToNumber(next) {
            return try parseNumber(isNegative: true, from: start)
        }
        try descend()
        let operand = try parseBinary(minimum: BinaryOperator.unaryPrecedence)
        ascend()
        try finish(above: levels, from: start)
        return .function(FunctionExpression(function, operand))
    }

    /// True if no blank stands between an equals sign and the token at the cursor: `=~`, `==~` match texts in other
    /// languages. [NSP-390]
    private var followsEqualsSign: Bool {
        previous.end == token.start && (previous.is(Symbol.singleEqual) || previous.is(Symbol.equal))
    }

    /// True if a token after a number binds tighter than the minus before it: `-2 ** 2`, `-2.description`.
    private func bindsToNumber(_ token: Token) -> Bool {
        token.is(Symbol.doubleAsterisk) || token.is(Symbol.dot) || token.is(Symbol.openBracket)
    }

    private func unaryFunction(_ token: Token) -> FunctionExpression.Predefined? {
        if token.is(Symbol.hyphen) { return .negate }
        return token.is(Symbol.tilde) ? .onesComplement : nil
    }

    /// The expression of a term; throws for a predicate in parentheses.
    @inline(__always)
    mutating func value(_ term: consuming Term) throws(ParsingFailure) -> ExpressionNode {
        switch consume term {
        case .expression(let node): return node
        case .predicate: throw error(.predicateIsNotAValue, at: token.kind == .end ? lastRange : token.range)
        }
    }
}

// MARK: - Leaves

/// Keys and literals of one token, parsed without the way through all productions; what may continue them is left to
/// those.
extension Parser {
    /// True if the token at the cursor is a key or a literal of its own: no call, no keyword.
    @inline(__always)
    var isLeaf: Bool {
        switch token.kind {
        case .word: !mayBeCall
        case .string, .integer: true
        case .end, .keyword, .escapedWord, .atWord, .variable, .floatingPoint, .specifier, .symbol: false
        }
    }

    /// True if the token after the word at the cursor may belong to it: `sum(`, `modulus:by:(`, `isKindOfClass:`.
    @inline(__always)
    private var mayBeCall: Bool {
        let next = next
        return next.is(Symbol.openParenthesis) || next.is(Symbol.colon)
    }

    /// The node of a token for which ``isLeaf`` holds.
    ///
    /// Never inlined: the code of the parser must fit in the first-level cache of a processor.
    @inline(never)
    mutating func parseLeaf() throws(ParsingFailure) -> ExpressionNode {
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

    /// True if the token at the cursor takes the expression before it as an operand or a base.
    @inline(__always)
    var continuesExpression: Bool {
        if case .symbol(let symbol) = token.kind { return symbol.continuesExpression }
        return token.is(.union) || token.is(.intersect) || token.is(.minus)
    }
}

extension Symbol {
    /// True if it takes the expression before it as an operand or a base.
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

extension BinaryOperator {
    /// The operator that a token is.
    init?(_ token: Token) {
        switch token.kind {
        case .keyword(.union): self = .union
        case .keyword(.intersect): self = .intersect
        case .keyword(.minus): self = .minus
        case .symbol(.bar): self = .bitwiseOr
        case .symbol(.caret): self = .bitwiseXor
        case .symbol(.ampersand): self = .bitwiseAnd
        case .symbol(.doubleLess): self = .leftShift
        case .symbol(.doubleGreater): self = .rightShift
        case .symbol(.plus): self = .add
        case .symbol(.hyphen): self = .subtract
        case .symbol(.asterisk): self = .multiply
        case .symbol(.slash): self = .divide
        case .symbol(.doubleAsterisk): self = .power
        default: return nil
        }
    }

    package func node(_ left: consuming ExpressionNode, _ right: consuming ExpressionNode) -> ExpressionNode {
        switch meaning {
        case .function(let function): .function(FunctionExpression(function, left, right))
        case .set(let `operator`): .set(SetExpression(left, `operator`, right))
        }
    }
}
