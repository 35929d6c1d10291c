/// Expressions: from the loosest operator to the index.
extension Parser {
    /// An expression, where nothing else will do.
    mutating func parseExpression() throws(PredicateFormatError) -> ExpressionTerm {
        let operand = try parseOperand()
        return try value(operand)
    }

    /// An expression, or a predicate in parentheses: `a + 1`, `(a == 1)`, `$a := 1`.
    mutating func parseOperand() throws(PredicateFormatError) -> Term {
        guard token.kind == .variable, lexer.nextByte == UInt8(ascii: ":"), peekNext().is(Symbol.assign) else {
            return try parseBinary(minimum: 1)
        }
        return try parseAssignment()
    }

    /// `$a := 1 + 2`
    @inline(never)
    private mutating func parseAssignment() throws(PredicateFormatError) -> Term {
        let start = token.start
        let variable = try parseName(of: token)
        try advance()
        try advance()
        let operand = try nested { parser throws(PredicateFormatError) in try parser.parseExpression() }
        let depth = try level(above: operand.depth, at: start)
        finish(from: start)
        let node = ExpressionNode.assignment(AssignmentExpression(variable: variable, operand.node))
        return Term(node: .expression(node), depth: depth, start: start)
    }

    /// `a + b * c`: operators that bind at least as tightly as `minimum`; see ``BinaryOperator`` for the precedence.
    private mutating func parseBinary(minimum: Int) throws(PredicateFormatError) -> Term {
        var left = try parseUnary()
        while let binary = BinaryOperator(token), binary.precedence >= minimum {
            left = try parseRightSide(of: binary, left)
        }
        return left
    }

    @inline(never)
    private mutating func parseRightSide(of binary: BinaryOperator, _ left: Term) throws(PredicateFormatError) -> Term {
        let first = try value(left)
        try advance()
        let right = try parseBinary(minimum: binary.precedence + 1)
        let second = try value(right)
        let depth = try level(above: first.depth, second.depth, at: first.start)
        finish(from: first.start)
        return Term(node: .expression(binary.node(first.node, second.node)), depth: depth, start: first.start)
    }

    /// `-a`, `~a`; a minus at a number makes one constant.
    private mutating func parseUnary() throws(PredicateFormatError) -> Term {
        guard let function = unaryFunction(token) else { return try parsePath() }
        return try parseOperation(function)
    }

    @inline(never)
    private mutating func parseOperation(_ function: PredefinedFunction) throws(PredicateFormatError) -> Term {
        let start = token.start
        try advance()
        let isLiteral = token.kind == .integer || token.kind == .floatingPoint
        if function == .negate, isLiteral, !bindsToNumber(peekNext()) {
            return try parseNumber(isNegative: true, from: start)
        }
        let term = try nested { parser throws(PredicateFormatError) in
            try parser.parseBinary(minimum: BinaryOperator.unaryPrecedence)
        }
        let operand = try value(term)
        let depth = try level(above: operand.depth, at: start)
        finish(from: start)
        let node = ExpressionNode.function(FunctionExpression(.predefined(function), [operand.node]))
        return Term(node: .expression(node), depth: depth, start: start)
    }

    /// Whether a token after a number takes it before the minus in front of it does: `-2 ** 2`, `-2.description`.
    private func bindsToNumber(_ token: Token) -> Bool {
        token.is(Symbol.doubleAsterisk) || token.is(Symbol.dot) || token.is(Symbol.openBracket)
    }

    private func unaryFunction(_ token: Token) -> PredefinedFunction? {
        if token.is(Symbol.hyphen) { return .negate }
        return token.is(Symbol.tilde) ? .onesComplement : nil
    }

    /// The expression that a term is; a predicate in parentheses is none.
    ///
    /// The term is parsed before this is called: as an argument it would be parsed after `self` was read.
    func value(_ term: Term) throws(PredicateFormatError) -> ExpressionTerm {
        switch term.node {
        case .expression(let node): return ExpressionTerm(node: node, depth: term.depth, start: term.start)
        case .predicate: throw error(.predicateIsNotAValue, at: token.kind == .end ? lastRange : token.range)
        }
    }
}

// MARK: - Paths and indexes

extension Parser {
    /// `a.b`, `a[0].b`, `$a.%K`, `a.d[0]`: the index binds tighter than the dot. [NSP-048]
    private mutating func parsePath() throws(PredicateFormatError) -> Term {
        let atom = try parseAtom()
        guard token.is(Symbol.dot) || token.is(Symbol.openBracket) else { return atom }
        return try parseSteps(of: atom)
    }

    @inline(never)
    private mutating func parseSteps(of atom: Term) throws(PredicateFormatError) -> Term {
        var path = try value(atom)
        while true {
            if token.is(Symbol.openBracket) {
                path = try parseIndex(of: path)
            } else if try accept(.dot) {
                path = try parseMember(of: path)
            } else {
                return Term(node: .expression(path.node), depth: path.depth, start: path.start)
            }
        }
    }

    /// `[0]`, `["key"]`, `[FIRST]` after a base.
    @inline(never)
    private mutating func parseIndex(of base: ExpressionTerm) throws(PredicateFormatError) -> ExpressionTerm {
        let opening = token
        try advance()
        let index = try nested { parser throws(PredicateFormatError) in try parser.parseExpression() }
        try expect(.closeBracket, closing: opening, after: nil)
        let depth = try level(above: base.depth, index.depth, at: base.start)
        finish(from: base.start)
        let node = ExpressionNode.index(IndexExpression(base: base.node, index: index.node))
        return ExpressionTerm(node: node, depth: depth, start: base.start)
    }

    /// What follows a dot: a key, a variable that holds one, `%K`, or a call; indexed when a bracket follows.
    @inline(never)
    private mutating func parseMember(of base: ExpressionTerm) throws(PredicateFormatError) -> ExpressionTerm {
        if token.kind == .word, peekCall() { return try parseMemberCall(of: base) }
        let start = token.start
        var components = try parseKeyComponents()
        guard token.is(Symbol.openBracket), let last = components.popLast() else {
            return try extend(base, with: components)
        }
        let owner = components.isEmpty ? base : try extend(base, with: components)
        finish(from: start)
        var member = ExpressionTerm(node: .keyPath(KeyPathExpression([last])), depth: 1, start: start)
        while token.is(Symbol.openBracket) { member = try parseIndex(of: member) }
        return try join(owner, member)
    }

    /// `a.upper("x")`
    private mutating func parseMemberCall(of base: ExpressionTerm) throws(PredicateFormatError) -> ExpressionTerm {
        let term = try parseCall()
        var call = try value(term)
        while token.is(Symbol.openBracket) { call = try parseIndex(of: call) }
        return try join(base, call)
    }

    private mutating func join(_ base: ExpressionTerm, _ member: ExpressionTerm)
        throws(PredicateFormatError) -> ExpressionTerm
    {
        let depth = try level(above: base.depth, member.depth, at: base.start)
        finish(from: base.start)
        let node = ExpressionNode.member(MemberExpression(base: base.node, member: member.node))
        return ExpressionTerm(node: node, depth: depth, start: base.start)
    }

    /// The key path with these keys at its end.
    private mutating func extend(_ base: ExpressionTerm, with components: [KeyPathComponent])
        throws(PredicateFormatError) -> ExpressionTerm
    {
        if case .keyPath(var path) = base.node {
            absorb()
            finish(from: base.start)
            path.components += components
            return ExpressionTerm(node: .keyPath(path), depth: base.depth, start: base.start)
        }
        let depth = try level(above: base.depth, at: base.start)
        finish(from: base.start)
        let node = ExpressionNode.keyPath(KeyPathExpression(base: base.node, components))
        return ExpressionTerm(node: node, depth: depth, start: base.start)
    }

    /// `name`, `@count`, `#size`, `"first name"`, `$key`, `%K`: any word is a key after a dot. [NSP-015]
    @inline(never)
    private mutating func parseKeyComponents() throws(PredicateFormatError) -> [KeyPathComponent] {
        let components: [KeyPathComponent]
        switch token.kind {
        case .word, .keyword, .atWord: components = [.key(text(token.range))]
        case .escapedWord, .string: components = [.key(try parseName(of: token))]
        case .variable: components = [.variable(try parseName(of: token))]
        case .specifier(.keyPath): components = try keyPathArgument().map(KeyPathComponent.key)
        case .end, .integer, .floatingPoint, .specifier, .symbol: throw error(.expectedKey, at: token.range)
        }
        try advance()
        return components
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

    func node(_ left: ExpressionNode, _ right: ExpressionNode) -> ExpressionNode {
        switch meaning {
        case .function(let function): .function(FunctionExpression(.predefined(function), [left, right]))
        case .set(let `operator`): .set(SetExpression(left, `operator`, right))
        }
    }
}
