/// Expressions: from the loosest operator to the index.
extension Parser {
    /// An expression, where nothing else will do.
    mutating func parseExpression() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        if isLeaf {
            let leaf = try readLeaf()
            return continuesExpression ? try readRest(of: leaf, from: start) : leaf
        }
        if beginsOperation { return try readOperations() }
        return try readRest(of: parseAtom(), from: start)
    }

    /// An expression, or a predicate in parentheses: `a + 1`, `(a == 1)`, `$a := 1`.
    mutating func parseOperand() throws(ParsingFailure) -> Term {
        guard token.is(Symbol.openParenthesis) else { return .expression(try parseExpression()) }
        let start = token.start
        let term = try parseParentheses()
        guard continuesExpression else { return term }
        return .expression(try readRest(of: value(term), from: start))
    }

    /// Whether more than an atom begins here: `-a`, `~a`, `$a := 1`.
    @inline(__always)
    private var beginsOperation: Bool {
        switch token.kind {
        case .symbol(let symbol): symbol == .hyphen || symbol == .tilde
        case .variable: next.is(Symbol.assign)
        case .end, .word, .keyword, .escapedWord, .atWord, .string, .integer, .floatingPoint, .specifier: false
        }
    }

    @inline(never)
    private mutating func readOperations() throws(ParsingFailure) -> ExpressionNode {
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

    /// What follows an atom: its keys and indexes, then the operators and their right sides.
    @inline(never)
    mutating func readRest(of atom: consuming ExpressionNode, from start: Int)
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

    /// Whether a token after a number takes it before the minus in front of it does: `-2 ** 2`, `-2.description`.
    private func bindsToNumber(_ token: Token) -> Bool {
        token.is(Symbol.doubleAsterisk) || token.is(Symbol.dot) || token.is(Symbol.openBracket)
    }

    private func unaryFunction(_ token: Token) -> FunctionExpression.Predefined? {
        if token.is(Symbol.hyphen) { return .negate }
        return token.is(Symbol.tilde) ? .onesComplement : nil
    }

    /// The expression that a term is; a predicate in parentheses is none.
    @inline(__always)
    mutating func value(_ term: consuming Term) throws(ParsingFailure) -> ExpressionNode {
        switch consume term {
        case .expression(let node): return node
        case .predicate: throw error(.predicateIsNotAValue, at: token.kind == .end ? lastRange : token.range)
        }
    }
}

// MARK: - Paths and indexes

extension Parser {
    /// `a.b`, `a[0].b`, `$a.%K`, `a.d[0]`: the index binds tighter than the dot. [NSP-048]
    private mutating func parsePath() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let atom = isLeaf ? try readLeaf() : try parseAtom()
        return continuesPath ? try parseSteps(of: atom, from: start) : atom
    }

    @inline(__always)
    private var continuesPath: Bool { token.is(Symbol.dot) || token.is(Symbol.openBracket) }

    private mutating func parseSteps(of atom: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        var path = atom
        while true {
            if token.is(Symbol.openBracket) {
                path = try parseIndex(of: path, from: start)
            } else if token.is(Symbol.dot) {
                path = try parseMember(of: path, from: start)
            } else {
                return path
            }
        }
    }

    /// `[0]`, `["key"]`, `[FIRST]` after a base.
    @inline(never)
    private mutating func parseIndex(of base: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        let baseLevels = levels
        let opening = token
        try advance()
        try descend()
        let index = try parseExpression()
        ascend()
        try expect(.closeBracket, closing: opening, after: nil)
        try finish(above: max(baseLevels, levels), from: start)
        return .index(IndexExpression(base: base, index: index))
    }

    /// What follows a dot: a key, a variable that holds one, `%K`, or a call; indexed when a bracket follows.
    @inline(never)
    private mutating func parseMember(of base: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        try advance()
        if token.kind == .word, beginsCall { return try parseMemberCall(of: base, from: start) }
        if let key = try plainKey() { return try extend(base, with: .key(key), from: start) }
        let memberStart = token.start
        let (leading, last) = try parseKeyComponents()
        for key in leading { base = try extend(base, with: key, from: start) }
        guard token.is(Symbol.openBracket) else { return try extend(base, with: last, from: start) }
        let baseLevels = levels
        finishLeaf(from: memberStart)
        var member = ExpressionNode.keyPath(KeyPathExpression([last]))
        while token.is(Symbol.openBracket) { member = try parseIndex(of: member, from: memberStart) }
        return try join(base, baseLevels, member, from: start)
    }

    /// `name`, `@count`: a word that is a key and stands before no index, as most do; nil for all else.
    @inline(__always)
    private mutating func plainKey() throws(ParsingFailure) -> String? {
        switch token.kind {
        case .word, .atWord: break
        case .end, .keyword, .escapedWord, .variable, .string, .integer, .floatingPoint, .specifier, .symbol: return nil
        }
        if next.is(Symbol.openBracket) { return nil }
        let key = text(token.range)
        try advance()
        return key
    }

    /// `a.upper("x")`
    private mutating func parseMemberCall(of base: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        let baseLevels = levels
        let callStart = token.start
        var call = try parseCall()
        while token.is(Symbol.openBracket) { call = try parseIndex(of: call, from: callStart) }
        return try join(base, baseLevels, call, from: start)
    }

    private mutating func join(
        _ base: consuming ExpressionNode, _ baseLevels: Int, _ member: consuming ExpressionNode, from start: Int
    ) throws(ParsingFailure) -> ExpressionNode {
        try finish(above: max(baseLevels, levels), from: start)
        return .member(MemberExpression(base: base, member: member))
    }

    /// The key path with this key at its end.
    private mutating func extend(
        _ base: consuming ExpressionNode, with key: consuming KeyPathExpression.Component, from start: Int
    ) throws(ParsingFailure) -> ExpressionNode {
        switch consume base {
        case .keyPath(let path):
            lengthen(from: start)
            return .keyPath(path.appending(key))
        case let node:
            try finish(above: levels, from: start)
            return .keyPath(KeyPathExpression(base: node, key))
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
        throws(ParsingFailure) -> (leading: [KeyPathExpression.Component], last: KeyPathExpression.Component)
    {
        var leading: [KeyPathExpression.Component] = []
        let last: KeyPathExpression.Component
        switch token.kind {
        case .word, .keyword, .atWord: last = .key(text(token.range))
        case .escapedWord, .string: last = .key(try parseName(of: token))
        case .variable: last = .variable(try parseName(of: token))
        case .specifier(.keyPath):
            leading = try keyPathArgument().map(KeyPathExpression.Component.key)
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
        case .function(let function): .function(FunctionExpression(function, left, right))
        case .set(let `operator`): .set(SetExpression(left, `operator`, right))
        }
    }
}
