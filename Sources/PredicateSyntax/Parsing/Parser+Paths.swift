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

    /// The part after a dot: a key, a variable that holds one, `%K`, or a call; indexed when a bracket follows.
    @inline(never)
    private mutating func parseMember(of base: consuming ExpressionNode, from start: Int)
        throws(ParsingFailure) -> ExpressionNode
    {
        try advance()
        if token.kind == .word, beginsCall { return try parseMemberCall(of: base, from: start) }
        if let key = try keyWithoutIndex() { return try extend(base, with: .key(key), from: start) }
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

    /// `name`, `@count`: a word as a key without an index, as most are; nil for all others.
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

    /// Extends the source range of the node finished last to the cursor.
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
