/// Predicates: from the loosest operator to the comparison.
extension Parser {
    /// `a == 1 OR b == 2 || c == 3`: one compound, however many. [NSP-041]
    mutating func parseDisjunction() throws(PredicateFormatError) -> Term {
        let first = try parseConjunction()
        guard isOr(token) else { return first }
        return try parseCompound(.or, first: first)
    }

    /// `a == 1 AND b == 2 && c == 3`
    mutating func parseConjunction() throws(PredicateFormatError) -> Term {
        let first = try parseNegation()
        guard isAnd(token) else { return first }
        return try parseCompound(.and, first: first)
    }

    /// `NOT a == 1`, `!a == 1`: NOT takes the next comparison only. [NSP-042]
    mutating func parseNegation() throws(PredicateFormatError) -> Term {
        guard token.is(.not) || token.is(Symbol.exclamation) else { return try parseComparison() }
        return try parseNegated()
    }

    @inline(never)
    private mutating func parseNegated() throws(PredicateFormatError) -> Term {
        let start = token.start
        try advance()
        try descend()
        let operand = try parseNegation()
        ascend()
        let below = operand.depth
        let node = try requirePredicate(operand)
        let depth = try level(above: below, at: start)
        finish(from: start)
        return Term(.compound(CompoundPredicate(.not, [node])), depth: depth, start: start)
    }

    /// `ANY a == 1`, `a BEGINSWITH[cd] "b"`, `TRUEPREDICATE`, or an expression alone, for the caller to judge.
    mutating func parseComparison() throws(PredicateFormatError) -> Term {
        let start = token.start
        if isLeaf { return try readLeafComparison() }
        if token.is(.truePredicate) || token.is(.falsePredicate) { return try parseConstantPredicate() }
        let quantifier = try parseQuantifier()
        let left = try parseOperand()
        if quantifier == nil, token.kind == .end || token.is(Symbol.closeParenthesis) { return left }
        return try parseRightSide(of: left, quantifier, from: start)
    }

    /// The operator and the right side, when there is an operator.
    @inline(never)
    mutating func parseRightSide(of left: consuming Term, _ quantifier: Quantifier?, from start: Int)
        throws(PredicateFormatError) -> Term
    {
        guard left.sort == .expression else {
            guard quantifier == nil else { throw error(.predicateIsNotAValue, at: start..<previous.end) }
            return left
        }
        guard let `operator` = try parseOperator() else {
            guard quantifier == nil else { throw expectedOperator(after: try value(left).node) }
            return left
        }
        let (first, leftDepth, _) = try value(left)
        let (second, rightDepth, _) = try parseExpression()
        let depth = try level(above: max(leftDepth, rightDepth), at: start)
        let predicate = `operator`.predicate(consume first, consume second, quantifier?.modifier ?? .direct)
        finish(from: start)
        guard quantifier == .noneOf else { return Term(predicate, depth: depth, start: start) }
        finish(from: start)
        let negation = PredicateNode.compound(CompoundPredicate(.not, [predicate]))
        return Term(negation, depth: try level(above: depth, at: start), start: start)
    }

    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    @inline(never)
    private mutating func parseConstantPredicate() throws(PredicateFormatError) -> Term {
        let start = token.start
        let value = token.is(.truePredicate)
        try advance()
        finish(from: start)
        return Term(.constant(value), depth: 1, start: start)
    }
}

// MARK: - Compounds

extension Parser {
    private func isAnd(_ token: Token) -> Bool {
        token.is(.and) || token.is(Symbol.doubleAmpersand)
    }

    private func isOr(_ token: Token) -> Bool {
        token.is(.or) || token.is(Symbol.doubleBar)
    }

    @inline(never)
    private mutating func parseCompound(_ type: LogicalType, first: consuming Term)
        throws(PredicateFormatError) -> Term
    {
        let start = first.start
        var deepest = first.depth
        var nodes: [PredicateNode] = []
        nodes.reserveCapacity(4)
        nodes.append(try requirePredicate(first))
        while type == .and ? isAnd(token) : isOr(token) {
            let joint = token
            try advance()
            let operand = type == .and ? try parseNegation() : try parseConjunction()
            deepest = max(deepest, operand.depth)
            if operand.sort == .expression, joint.is(.and), isBetween(nodes.last) {
                throw error(.betweenWithAnd, at: joint.range)
            }
            nodes.append(try requirePredicate(operand))
        }
        let depth = try level(above: deepest, at: start)
        finish(from: start)
        return Term(.compound(CompoundPredicate(type, nodes)), depth: depth, start: start)
    }

    private func requirePredicate(_ term: consuming Term) throws(PredicateFormatError) -> PredicateNode {
        switch consume term.node {
        case .predicate(let node): return node
        case .expression(let node): throw expectedPredicate(after: node)
        }
    }

    private func isBetween(_ node: PredicateNode?) -> Bool {
        if case .comparison(let comparison) = node { comparison.operator == .between } else { false }
    }

    /// The predicate that a term is, where a predicate must end.
    func predicate(_ term: consuming Term) throws(PredicateFormatError) -> PredicateNode {
        if term.sort == .expression { throw expectedOperator(after: try value(term).node) }
        return try requirePredicate(term)
    }
}

// MARK: - Operators of comparisons

/// The word before a comparison.
enum Quantifier {
    case anyOf
    case allOf
    case noneOf

    var modifier: ComparisonModifier {
        switch self {
        case .anyOf, .noneOf: .any
        case .allOf: .all
        }
    }
}

/// An operator as it was read, with its options.
struct OperatorSpelling: ~Copyable {
    enum Kind {
        case comparison(ComparisonOperator)
        case string(StringOperator)
    }

    let kind: Kind
    let options: ComparisonOptions

    consuming func predicate(
        _ left: consuming ExpressionNode, _ right: consuming ExpressionNode, _ modifier: ComparisonModifier
    ) -> PredicateNode {
        switch kind {
        case .comparison(let `operator`):
            .comparison(ComparisonPredicate(left, `operator`, right, modifier: modifier, options: options))
        case .string(let `operator`):
            .string(StringPredicate(left, `operator`, right, modifier: modifier, options: options))
        }
    }
}

extension Parser {
    /// `ANY`, `SOME`, `ALL`, `NONE`
    private mutating func parseQuantifier() throws(PredicateFormatError) -> Quantifier? {
        let quantifier: Quantifier
        switch token.kind {
        case .keyword(.any), .keyword(.some): quantifier = .anyOf
        case .keyword(.all): quantifier = .allOf
        case .keyword(.none): quantifier = .noneOf
        default: return nil
        }
        try advance()
        return quantifier
    }

    /// `==[cd]`, `BETWEEN`, `isKindOfClass:`; nothing when no operator stands here.
    private mutating func parseOperator() throws(PredicateFormatError) -> OperatorSpelling? {
        if let selector = try parseSelector() {
            return OperatorSpelling(kind: .comparison(.customSelector(selector)), options: [])
        }
        guard let kind = operatorKind(of: token) else { return nil }
        try advance()
        return OperatorSpelling(kind: kind, options: try parseOptions())
    }

    /// The operator that a token begins.
    func operatorKind(of token: Token) -> OperatorSpelling.Kind? {
        switch token.kind {
        case .symbol(let symbol): return ComparisonOperator(symbol).map(OperatorSpelling.Kind.comparison)
        case .keyword(.between): return .comparison(.between)
        case .keyword(.in): return .comparison(.in)
        case .keyword(let keyword): return StringOperator(keyword).map(OperatorSpelling.Kind.string)
        case .end, .word, .escapedWord, .atWord, .variable, .string, .integer, .floatingPoint, .specifier: return nil
        }
    }

    /// `isKindOfClass:`: a word with a colon at once behind it.
    private mutating func parseSelector() throws(PredicateFormatError) -> String? {
        guard token.kind == .word, lexer.peek(0) == UInt8(ascii: ":") else { return nil }
        let colon = peekNext()
        guard colon.is(Symbol.colon) else { return nil }
        let name = text(token.start..<colon.end)
        try advance()
        try advance()
        return name
    }

    /// `[cd]`
    @inline(never)
    mutating func parseOptions() throws(PredicateFormatError) -> ComparisonOptions {
        guard token.is(Symbol.openBracket) else { return [] }
        try advance()
        let word = token
        switch word.kind {
        case .word, .keyword: break
        case .end, .escapedWord, .atWord, .variable, .string, .integer, .floatingPoint, .specifier, .symbol:
            throw error(.expectedOption, at: word.range)
        }
        let options = try options(of: word)
        try advance()
        guard try accept(.closeBracket) else { throw error(.expectedOption, at: token.range) }
        return options
    }

    private func options(of word: Token) throws(PredicateFormatError) -> ComparisonOptions {
        var options: ComparisonOptions = []
        for offset in word.range {
            let letter = Unicode.Scalar(ByteClass.lowercased(lexer.bytes[offset]))
            guard let option = ComparisonOptions(letter: letter) else {
                throw error(.unknownOption(String(letter)), at: word.range)
            }
            options.insert(option)
        }
        return options
    }
}
