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
        var keys = PathKeys(after: base)
        if let key = try keyWithoutIndex() {
            guard token.is(Symbol.dot) else { return try extend(base, with: .key(key), from: start) }
            try append(.key(key), to: &keys, from: start)
            try advance()
        }
        return try parseKeys(keys, of: base, from: start)
    }

    /// The keys behind a dot, and those behind the dots after them: gathered, since a path that grew key by key would be
    /// copied for each of them.
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

    /// Adds a key that has just been read to a path, whose node ends with it.
    private mutating func append(_ key: KeyPathExpression.Component, to keys: inout PathKeys, from start: Int)
        throws(ParsingFailure)
    {
        try check(keys.count + 1, .pathKeys, limits.pathKeys, at: start..<previous.end)
        keys.append(key)
        if keys.count > 1 { lengthen(from: start) } else { try finish(above: levels, from: start) }
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
            try check(path.count + 1, .pathKeys, limits.pathKeys, at: start..<previous.end)
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
    /// `%K` may name several, and so may `%@`, which is read as `%K` here; the others name one, the `last`. [NSP-392]
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

/// The keys that will be appended to a path at once.
private struct PathKeys {
    /// The keys of the path and those gathered.
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
    /// The path with more keys at its end.
    fileprivate consuming func appending(_ components: [KeyPathExpression.Component]) -> ExpressionNode {
        if components.isEmpty { return self }
        guard case .keyPath(let path) = copy self else { return .keyPath(KeyPathExpression(base: self, components)) }
        return .keyPath(KeyPathExpression(base: path.base, path.components + components))
    }
}
