/// Expressions: from the loosest operator to the index.
extension Parser {
    /// An expression, where nothing else will do.
    mutating func parseExpression() throws(PredicateFormatError) -> ExpressionTerm {
        guard isLeaf else {
            let operand = try parseOperand()
            return try value(operand)
        }
        let start = token.start
        let leaf = try readLeaf()
        guard continuesExpression else { return (leaf, 1, start) }
        let operand = try readRest(of: Term(leaf, depth: 1, start: start))
        return try value(operand)
    }

    /// An expression, or a predicate in parentheses: `a + 1`, `(a == 1)`, `$a := 1`.
    mutating func parseOperand() throws(PredicateFormatError) -> Term {
        if isLeaf {
            let start = token.start
            let leaf = Term(try readLeaf(), depth: 1, start: start)
            return continuesExpression ? try readRest(of: leaf) : leaf
        }
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
        try descend()
        let (value, below, _) = try parseExpression()
        ascend()
        let depth = try level(above: below, at: start)
        finish(from: start)
        let node = ExpressionNode.assignment(AssignmentExpression(variable: variable, value))
        return Term(node, depth: depth, start: start)
    }

    /// `a + b * c`: operators that bind at least as tightly as `minimum`; see ``BinaryOperator`` for the precedence.
    private mutating func parseBinary(minimum: Int) throws(PredicateFormatError) -> Term {
        let left = try parseUnary()
        return try parseBinary(left, minimum: minimum)
    }

    private mutating func parseBinary(_ first: consuming Term, minimum: Int) throws(PredicateFormatError) -> Term {
        var left = first
        while let binary = BinaryOperator(token), binary.precedence >= minimum {
            left = try parseRightSide(of: binary, left)
        }
        return left
    }

    /// What follows an atom: its keys and indexes, then the operators and their right sides.
    @inline(never)
    mutating func readRest(of atom: consuming Term) throws(PredicateFormatError) -> Term {
        guard token.is(Symbol.dot) || token.is(Symbol.openBracket) else { return try parseBinary(atom, minimum: 1) }
        let path = try parseSteps(of: atom)
        return try parseBinary(path, minimum: 1)
    }

    @inline(never)
    private mutating func parseRightSide(of binary: BinaryOperator, _ left: consuming Term)
        throws(PredicateFormatError) -> Term
    {
        let (first, leftDepth, start) = try value(left)
        try advance()
        let right = try parseBinary(minimum: binary.precedence + 1)
        let (second, rightDepth, _) = try value(right)
        let depth = try level(above: max(leftDepth, rightDepth), at: start)
        finish(from: start)
        return Term(binary.node(first, second), depth: depth, start: start)
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
        try descend()
        let term = try parseBinary(minimum: BinaryOperator.unaryPrecedence)
        ascend()
        let (operand, below, _) = try value(term)
        let depth = try level(above: below, at: start)
        finish(from: start)
        let node = ExpressionNode.function(FunctionExpression(.predefined(function), [operand]))
        return Term(node, depth: depth, start: start)
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
    @inline(__always)
    func value(_ term: consuming Term) throws(PredicateFormatError) -> ExpressionTerm {
        let (depth, start) = (term.depth, term.start)
        switch consume term.node {
        case .expression(let node): return (node, depth, start)
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
    private mutating func parseSteps(of atom: consuming Term) throws(PredicateFormatError) -> Term {
        guard atom.sort == .expression else { throw error(.predicateIsNotAValue, at: token.range) }
        var path = atom
        while true {
            if token.is(Symbol.openBracket) {
                path = try parseIndex(of: path)
            } else if token.is(Symbol.dot) {
                path = try parseMember(of: path)
            } else {
                return path
            }
        }
    }

    /// `[0]`, `["key"]`, `[FIRST]` after a base.
    @inline(never)
    private mutating func parseIndex(of base: consuming Term) throws(PredicateFormatError) -> Term {
        let (base, baseDepth, start) = try value(base)
        let opening = token
        try advance()
        try descend()
        let (index, indexDepth, _) = try parseExpression()
        ascend()
        try expect(.closeBracket, closing: opening, after: nil)
        let depth = try level(above: max(baseDepth, indexDepth), at: start)
        finish(from: start)
        return Term(.index(IndexExpression(base: base, index: index)), depth: depth, start: start)
    }

    /// What follows a dot: a key, a variable that holds one, `%K`, or a call; indexed when a bracket follows.
    @inline(never)
    private mutating func parseMember(of base: consuming Term) throws(PredicateFormatError) -> Term {
        try advance()
        if token.kind == .word, peekCall() { return try parseMemberCall(of: base) }
        let start = token.start
        let (leading, last) = try parseKeyComponents()
        for key in leading { base = try extend(base, with: key) }
        guard token.is(Symbol.openBracket) else { return try extend(base, with: last) }
        finish(from: start)
        var member = Term(.keyPath(KeyPathExpression([last])), depth: 1, start: start)
        while token.is(Symbol.openBracket) { member = try parseIndex(of: member) }
        return try join(base, member)
    }

    /// `a.upper("x")`
    private mutating func parseMemberCall(of base: consuming Term) throws(PredicateFormatError) -> Term {
        var call = try parseCall()
        while token.is(Symbol.openBracket) { call = try parseIndex(of: call) }
        return try join(base, call)
    }

    private mutating func join(_ base: consuming Term, _ member: consuming Term)
        throws(PredicateFormatError) -> Term
    {
        let (base, baseDepth, start) = try value(base)
        let (member, memberDepth, _) = try value(member)
        let depth = try level(above: max(baseDepth, memberDepth), at: start)
        finish(from: start)
        return Term(.member(MemberExpression(base: base, member: member)), depth: depth, start: start)
    }

    /// The key path with this key at its end.
    private mutating func extend(_ base: consuming Term, with key: consuming KeyPathComponent)
        throws(PredicateFormatError) -> Term
    {
        let (start, depth) = (base.start, base.depth)
        switch consume base.node {
        case .expression(.keyPath(let path)):
            lengthen(from: start)
            return Term(.keyPath(path.appending(key)), depth: depth, start: start)
        case .expression(let node):
            let depth = try level(above: depth, at: start)
            finish(from: start)
            return Term(.keyPath(KeyPathExpression(base: node, [key])), depth: depth, start: start)
        case .predicate: throw error(.predicateIsNotAValue, at: token.range)
        }
    }

    /// Notes that the last finished node goes on to the cursor.
    private mutating func lengthen(from start: Int) {
        absorb()
        finish(from: start)
    }

    /// `name`, `@count`, `#size`, `"first name"`, `$key`, `%K`: any word is a key after a dot. [NSP-015]
    ///
    /// `%K` may name several; the others name one, the `last`.
    @inline(never)
    private mutating func parseKeyComponents()
        throws(PredicateFormatError) -> (leading: [KeyPathComponent], last: KeyPathComponent)
    {
        var leading: [KeyPathComponent] = []
        let last: KeyPathComponent
        switch token.kind {
        case .word, .keyword, .atWord: last = .key(text(token.range))
        case .escapedWord, .string: last = .key(try parseName(of: token))
        case .variable: last = .variable(try parseName(of: token))
        case .specifier(.keyPath):
            leading = try keyPathArgument().map(KeyPathComponent.key)
            last = leading.removeLast()
        case .end, .integer, .floatingPoint, .specifier, .symbol: throw error(.expectedKey, at: token.range)
        }
        try advance()
        return (leading, last)
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
        case .function(let function): .function(FunctionExpression(.predefined(function), [left, right]))
        case .set(let `operator`): .set(SetExpression(left, `operator`, right))
        }
    }
}
