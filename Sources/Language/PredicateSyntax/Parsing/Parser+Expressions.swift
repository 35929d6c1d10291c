/// Expressions: from the loosest operator to the index.
extension Parser {
    /// Parses an expression; a predicate is an error.
    mutating func parseExpression() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        if isLeaf {
            let leaf = try parseLeaf()
            return continuesExpression ? try parseRest(of: leaf, from: start) : leaf
        }
        if beginsOperation { return try parseLongExpression() }
        return try parseRest(of: parseAtom(), from: start)
    }

    /// Parses an expression, or a predicate in parentheses: `a + 1`, `(a == 1)`, `$a := 1`.
    mutating func parseOperand() throws(ParsingFailure) -> ParsedTerm {
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

    /// Parses an expression that begins with an operator or is an assignment.
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

    /// `a + b * c`: operators that bind at least as tightly as `minimum`. See ``BinaryOperator`` for the precedence.
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

    /// Parses the keys and indexes after an atom, then the operators and their right sides.
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

    /// `-a`, `~a`. A minus before a number is part of the constant.
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

    /// True if an equals sign directly precedes the token at the cursor: `=~` and `==~` match strings in other
    /// languages. [NSP-390]
    private var followsEqualsSign: Bool {
        previous.end == token.start && (previous.is(Symbol.singleEqual) || previous.is(Symbol.equal))
    }

    /// Returns true if a token after a number binds tighter than the minus before the number: `-2 ** 2`,
    /// `-2.description`.
    private func bindsToNumber(_ token: Token) -> Bool {
        token.is(Symbol.doubleAsterisk) || token.is(Symbol.dot) || token.is(Symbol.openBracket)
    }

    private func unaryFunction(_ token: Token) -> FunctionExpression.Predefined? {
        if token.is(Symbol.hyphen) { return .negate }
        return token.is(Symbol.tilde) ? .onesComplement : nil
    }

    /// Returns the expression of a term; throws for a predicate in parentheses.
    @inline(__always)
    mutating func value(_ term: consuming ParsedTerm) throws(ParsingFailure) -> ExpressionNode {
        switch consume term {
        case .expression(let node): return node
        case .predicate: throw error(.predicateIsNotAValue, at: token.kind == .end ? lastRange : token.range)
        }
    }
}

// MARK: - Leaves

/// Keys and one-token literals, parsed without descending through all productions. Anything that may continue them is
/// left to those productions.
extension Parser {
    /// True if the token at the cursor is a key or a literal by itself: not a call and not a keyword.
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

    /// Returns the node of a token for which ``isLeaf`` is true.
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

    /// True if the token at the cursor takes the preceding expression as an operand or a base.
    @inline(__always)
    var continuesExpression: Bool {
        if case .symbol(let symbol) = token.kind { return symbol.continuesExpression }
        return token.is(.union) || token.is(.intersect) || token.is(.minus)
    }
}

extension Symbol {
    /// True if the symbol takes the preceding expression as an operand or a base.
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
    /// Makes the operator that a token spells.
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

/// Paths and indexes.
extension Parser {
    /// `a.b`, `a[0].b`, `$a.%K`, `a.d[0]`: the index binds tighter than the dot. [NSP-048]
    mutating func parsePath() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let atom = isLeaf ? try parseLeaf() : try parseAtom()
        return continuesPath ? try parseSteps(of: atom, from: start) : atom
    }

    @inline(__always)
    var continuesPath: Bool { token.is(Symbol.dot) || token.is(Symbol.openBracket) }

    mutating func parseSteps(of atom: consuming ExpressionNode, from start: Int)
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

    /// Parses the part after a dot: a key, a variable that holds a key, `%K`, or a call; indexed if a bracket
    /// follows.
    @inline(never)
    private mutating func parseMember(of base: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        try advance()
        if token.kind == .word, beginsCall { return try parseMemberCall(of: base, from: start) }
        var keys = PathKeys(after: base)
        if let key = try keyWithoutIndex() {
            guard token.is(Symbol.dot) else { return try extend(base, with: .key(key), from: start) }
            try append(.key(key), to: &keys, from: start)
            try advance()
        }
        return try parseKeys(keys, of: base, from: start)
    }

    /// Parses the keys after a dot and after the dots that follow. They are collected first, since extending the path
    /// key by key would copy it each time.
    private mutating func parseKeys(_ first: PathKeys, of base: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        var keys = first
        while true {
            if token.kind == .word, beginsCall {
                return try parseMemberCall(of: base.appending(keys.components), from: start)
            }
            if let key = try keyWithoutIndex() {
                try append(.key(key), to: &keys, from: start)
            } else {
                let memberStart = token.start
                let (leading, last) = try parseKeyComponents()
                for key in leading { try append(key, to: &keys, from: start) }
                if token.is(Symbol.openBracket) {
                    return try parseIndexes(of: last, from: memberStart, base.appending(keys.components), start)
                }
                try append(last, to: &keys, from: start)
            }
            guard try accept(.dot) else { return base.appending(keys.components) }
        }
    }

    /// `a.d[0]`: the index binds tighter than the dot. [NSP-048]
    private mutating func parseIndexes(
        of key: KeyPathExpression.Component, from memberStart: Int, _ base: consuming ExpressionNode, _ start: Int
    ) throws(ParsingFailure) -> ExpressionNode {
        let baseLevels = levels
        finishLeaf(from: memberStart)
        var member = ExpressionNode.keyPath(KeyPathExpression([key]))
        while token.is(Symbol.openBracket) { member = try parseIndex(of: member, from: memberStart) }
        return try join(base, baseLevels, member, from: start)
    }

    /// Adds the key that has just been read to a path, whose node now ends with this key.
    private mutating func append(_ key: KeyPathExpression.Component, to keys: inout PathKeys, from start: Int)
        throws(ParsingFailure)
    {
        try check(keys.count + 1, .pathKeys, limits.pathKeys, at: start..<previous.end)
        keys.append(key)
        if keys.count > 1 { lengthen(from: start) } else { try finish(above: levels, from: start) }
    }

    /// `name`, `@count`: returns a word as a key without an index, the common case; nil for all others.
    @inline(__always)
    private mutating func keyWithoutIndex() throws(ParsingFailure) -> String? {
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

    /// Returns the key path with this key appended.
    private mutating func extend(
        _ base: consuming ExpressionNode, with key: consuming KeyPathExpression.Component, from start: Int
    ) throws(ParsingFailure) -> ExpressionNode {
        switch consume base {
        case .keyPath(let path):
            try check(path.count + 1, .pathKeys, limits.pathKeys, at: start..<previous.end)
            lengthen(from: start)
            return .keyPath(path.appending(key))
        case let node:
            try finish(above: levels, from: start)
            return .keyPath(KeyPathExpression(base: node, key))
        }
    }

    /// Extends the source range of the last finished node to the cursor.
    private mutating func lengthen(from start: Int) {
        absorb()
        finish(from: start)
    }

    /// `name`, `@count`, `#size`, `"first name"`, `$key`, `%K`: any word is a key after a dot. [NSP-015]
    ///
    /// `%K` may name several keys, and so may `%@`, which is read as `%K` here. All other tokens name one key, the `last`.
    /// [NSP-392]
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
        case .specifier(.keyPath), .specifier(.value):
            leading = try keyPathArgument().map(KeyPathExpression.Component.key)
            last = leading.removeLast()
        case .end, .integer, .floatingPoint, .specifier, .symbol: throw error(.expectedKey, at: token.range)
        }
        try advance()
        return (leading, last)
    }
}

/// Keys that will be appended to a path at once.
private struct PathKeys {
    /// The number of keys in the path, including the collected ones.
    private(set) var count: Int
    private(set) var components: [KeyPathExpression.Component] = []

    init(after base: borrowing ExpressionNode) {
        if case .keyPath(let path) = copy base { count = path.count } else { count = 0 }
    }

    mutating func append(_ component: consuming KeyPathExpression.Component) {
        count += 1
        components.append(component)
    }
}

extension ExpressionNode {
    fileprivate consuming func appending(_ components: [KeyPathExpression.Component]) -> ExpressionNode {
        if components.isEmpty { return self }
        guard case .keyPath(let path) = copy self else { return .keyPath(KeyPathExpression(base: self, components)) }
        return .keyPath(KeyPathExpression(base: path.base, path.components + components))
    }
}
