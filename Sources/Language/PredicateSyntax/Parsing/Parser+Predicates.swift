/// Predicates: from the loosest operator to the comparison.
extension Parser {
    /// `a == 1 OR b == 2 || c == 3`: a single compound, however many parts it has. [NSP-041]
    mutating func parseDisjunction() throws(ParsingFailure) -> ParsedTerm {
        let start = token.start
        let first = try parseConjunction()
        guard isOr(token) else { return first }
        return try parseCompound(.or, first, from: start)
    }

    /// `a == 1 AND b == 2 && c == 3`
    mutating func parseConjunction() throws(ParsingFailure) -> ParsedTerm {
        let start = token.start
        let first = try parseNegation()
        guard isAnd(token) else { return first }
        return try parseCompound(.and, first, from: start)
    }

    /// `NOT a == 1`, `!a == 1`: NOT applies to the next comparison only. [NSP-042]
    mutating func parseNegation() throws(ParsingFailure) -> ParsedTerm {
        token.is(.not) || token.is(Symbol.exclamation) ? try parseNegated() : try parseComparison()
    }

    @inline(never)
    private mutating func parseNegated() throws(ParsingFailure) -> ParsedTerm {
        let start = token.start
        try advance()
        try descend()
        let operand = try parseNegation()
        ascend()
        let node = try requirePredicate(operand)
        try finish(above: levels, from: start)
        return .predicate(.compound(CompoundPredicate(.not, [node])))
    }

    /// `ANY a == 1`, `a BEGINSWITH[cd] "b"`, `TRUEPREDICATE`. An expression without an operator is returned as it is;
    /// the caller decides whether it is allowed.
    @inline(__always)
    mutating func parseComparison() throws(ParsingFailure) -> ParsedTerm {
        isLeaf ? try parseLeafComparison() : try parseLongComparison()
    }

    /// Parses a comparison that begins with a key or a literal, as most do: `age >= 21`, `name BEGINSWITH[cd] "jo"`,
    /// `tags.@count > 2`.
    ///
    /// This is a fast path through `operand`, `operator` and `expression`. Selectors as operators and all mistakes
    /// are left to ``parseRightSide(of:_:from:)``.
    @inline(never)
    private mutating func parseLeafComparison() throws(ParsingFailure) -> ParsedTerm {
        let start = token.start
        var left = try parseLeaf()
        if continuesExpression { left = try parseRest(of: left, from: start) }
        guard let kind = operatorKind(of: token) else {
            if token.kind == .end || token.is(Symbol.closeParenthesis) { return .expression(left) }
            return try parseRightSide(of: .expression(left), nil, from: start)
        }
        let leftLevels = levels
        try advance()
        let options = token.is(Symbol.openBracket) ? try parseOptions() : []
        let right = try parseExpression()
        try finish(above: max(leftLevels, levels), from: start)
        return .predicate(ParsedOperator(kind: kind, options: options).predicate(left, right, .direct))
    }

    /// Parses a comparison that begins with anything else: a constant predicate, a quantifier, a parenthesis, a call.
    @inline(never)
    private mutating func parseLongComparison() throws(ParsingFailure) -> ParsedTerm {
        let start = token.start
        if token.is(.truePredicate) || token.is(.falsePredicate) { return try parseConstantPredicate() }
        let quantifier = try parseQuantifier()
        let left = try parseOperand()
        if quantifier == nil, token.kind == .end || token.is(Symbol.closeParenthesis) { return left }
        return try parseRightSide(of: left, quantifier, from: start)
    }

    /// Parses the operator and the right side, if there is an operator.
    @inline(never)
    mutating func parseRightSide(of left: consuming ParsedTerm, _ quantifier: ParsedQuantifier?, from start: Int)
        throws(ParsingFailure) -> ParsedTerm
    {
        guard left.kind == .expression else {
            guard quantifier == nil else { throw error(.predicateIsNotAValue, at: start..<previous.end) }
            return left
        }
        guard let `operator` = try parseOperator() else {
            guard quantifier == nil else { throw expectedOperator(after: try value(left)) }
            return left
        }
        let first = try value(left)
        let leftLevels = levels
        let second = try parseExpression()
        try finish(above: max(leftLevels, levels), from: start)
        let predicate = `operator`.predicate(consume first, consume second, quantifier?.modifier ?? .direct)
        guard quantifier == .noneOf else { return .predicate(predicate) }
        try finish(above: levels, from: start)
        return .predicate(.compound(CompoundPredicate(.not, [predicate])))
    }

    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    @inline(never)
    private mutating func parseConstantPredicate() throws(ParsingFailure) -> ParsedTerm {
        let start = token.start
        let value = token.is(.truePredicate)
        try advance()
        finishLeaf(from: start)
        return .predicate(.constant(value))
    }
}

// MARK: - Compounds

extension Parser {
    @inline(__always)
    private func isAnd(_ token: Token) -> Bool {
        token.is(.and) || token.is(Symbol.doubleAmpersand)
    }

    @inline(__always)
    private func isOr(_ token: Token) -> Bool {
        token.is(.or) || token.is(Symbol.doubleBar)
    }

    @inline(never)
    private mutating func parseCompound(_ type: LogicalType, _ first: consuming ParsedTerm, from start: Int)
        throws(ParsingFailure) -> ParsedTerm
    {
        var deepest = levels
        let first = try requirePredicate(first)
        let second = try parsePart(of: type, isAfterRange: first.isRange, &deepest)
        if isJoint(token, type) { return try parseChain(type, first, second, deepest, from: start) }
        try finish(above: deepest, from: start)
        return .predicate(.compound(CompoundPredicate(type, first, second)))
    }

    /// Parses the third part and all later ones.
    @inline(never)
    private mutating func parseChain(
        _ type: LogicalType, _ first: consuming PredicateNode, _ second: consuming PredicateNode, _ levels: Int,
        from start: Int
    ) throws(ParsingFailure) -> ParsedTerm {
        var deepest = levels
        var nodes: [PredicateNode] = []
        nodes.reserveCapacity(4)
        nodes.append(first)
        nodes.append(second)
        while isJoint(token, type) {
            nodes.append(try parsePart(of: type, isAfterRange: nodes[nodes.count - 1].isRange, &deepest))
        }
        try finish(above: deepest, from: start)
        return .predicate(.compound(CompoundPredicate(type, nodes)))
    }

    private func isJoint(_ token: Token, _ type: LogicalType) -> Bool { type == .and ? isAnd(token) : isOr(token) }

    /// Parses the operator at the cursor and the predicate after it. A value after `a BETWEEN 1 AND` has an error of
    /// its own.
    @inline(__always)
    private mutating func parsePart(
        of type: LogicalType, isAfterRange: @autoclosure () -> Bool, _ deepest: inout Int
    ) throws(ParsingFailure) -> PredicateNode {
        let joint = token
        try advance()
        let operand = type == .and ? try parseNegation() : try parseConjunction()
        deepest = max(deepest, levels)
        if operand.kind == .expression, joint.is(.and), isAfterRange() {
            throw error(.betweenWithAnd, at: joint.range)
        }
        return try requirePredicate(operand)
    }

    @inline(__always)
    private mutating func requirePredicate(_ term: consuming ParsedTerm) throws(ParsingFailure) -> PredicateNode {
        switch consume term {
        case .predicate(let node): return node
        case .expression(let node): throw expectedPredicate(after: node)
        }
    }

    /// Returns the predicate of a finished term; throws for an expression.
    mutating func predicate(_ term: consuming ParsedTerm) throws(ParsingFailure) -> PredicateNode {
        if term.kind == .expression { throw expectedOperator(after: try value(term)) }
        return try requirePredicate(term)
    }
}

extension PredicateNode {
    /// `a BETWEEN b`
    fileprivate var isRange: Bool {
        if case .comparison(let comparison) = self { comparison.operator == .between } else { false }
    }
}

// MARK: - Operators of comparisons

extension Parser {
    /// `ANY`, `SOME`, `ALL`, `NONE`
    private mutating func parseQuantifier() throws(ParsingFailure) -> ParsedQuantifier? {
        let quantifier: ParsedQuantifier
        switch token.kind {
        case .keyword(.any), .keyword(.some): quantifier = .anyOf
        case .keyword(.all): quantifier = .allOf
        case .keyword(.none): quantifier = .noneOf
        default: return nil
        }
        try advance()
        return quantifier
    }

    /// `==[cd]`, `BETWEEN`, `isKindOfClass:`; nil if there is no operator.
    private mutating func parseOperator() throws(ParsingFailure) -> ParsedOperator? {
        if let selector = try parseSelector() {
            return ParsedOperator(kind: .comparison(.customSelector(selector)), options: [])
        }
        guard let kind = operatorKind(of: token) else { return nil }
        try advance()
        return ParsedOperator(kind: kind, options: try parseOptions())
    }

    /// Returns the operator that begins with a token.
    func operatorKind(of token: Token) -> ParsedOperator.Kind? {
        switch token.kind {
        case .symbol(let symbol): return ComparisonOperator(symbol).map(ParsedOperator.Kind.comparison)
        case .keyword(.between): return .comparison(.between)
        case .keyword(.in): return .comparison(.in)
        case .keyword(let keyword): return StringOperator(keyword).map(ParsedOperator.Kind.string)
        case .end, .word, .escapedWord, .atWord, .variable, .string, .integer, .floatingPoint, .specifier: return nil
        }
    }

    /// `isKindOfClass:`: a word immediately followed by a colon.
    private mutating func parseSelector() throws(ParsingFailure) -> String? {
        let colon = next
        guard token.kind == .word, colon.is(Symbol.colon), colon.start == token.end else { return nil }
        let name = text(token.start..<colon.end)
        try advance()
        try advance()
        return name
    }

    /// `[cd]`
    @inline(never)
    mutating func parseOptions() throws(ParsingFailure) -> ComparisonOptions {
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

    private mutating func options(of word: Token) throws(ParsingFailure) -> ComparisonOptions {
        var options: ComparisonOptions = []
        for offset in word.range {
            let letter = Unicode.Scalar(ByteClass.lowercased(bytes[offset]))
            guard let option = ComparisonOptions(letter: letter) else {
                throw error(.unknownOption(String(letter)), at: word.range)
            }
            options.insert(option)
        }
        return options
    }
}

// MARK: - Results of productions

/// The result of a production. Parentheses may enclose a predicate or an expression, and only the tokens after them
/// decide which is required.
///
/// A term is moved from production to production and never copied, since reference counting at every step would be
/// expensive. It is small enough to be returned in registers: the parser stores the levels of the last finished node,
/// and the calling production stores the start of the term.
enum ParsedTerm {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    enum Kind {
        case predicate
        case expression
    }

    var kind: Kind {
        switch self {
        case .predicate: .predicate
        case .expression: .expression
        }
    }
}

/// The quantifier before a comparison: `ANY`, `ALL`, `NONE`.
enum ParsedQuantifier {
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

/// An operator with its options: `==[cd]`.
struct ParsedOperator: ~Copyable {
    enum Kind {
        case comparison(ComparisonOperator)
        case string(StringOperator)
    }

    let kind: Kind
    let options: ComparisonOptions

    @inline(__always)
    consuming func predicate(
        _ left: consuming ExpressionNode, _ right: consuming ExpressionNode, _ modifier: ComparisonModifier
    ) -> PredicateNode {
        switch kind {
        case .comparison(let `operator`):
            .comparison(
                ComparisonPredicate(left, `operator`, right, modifier: modifier, options: options).spellingOutRange())
        case .string(let `operator`):
            .string(StringPredicate(left, `operator`, right, modifier: modifier, options: options))
        }
    }
}

/// The elements of a list, and the number of levels of the deepest element.
///
/// Constants are kept as bare values until an element is not a constant, since a list of constants in braces is one constant.
/// [NSP-112]
struct ParsedElements: ~Copyable {
    private var values: [PredicateValue] = []
    private var elements: [ExpressionNode] = []
    /// True if all elements are constants, so that the list may become one constant.
    private(set) var isConstant: Bool
    /// The number of levels of the deepest element.
    private(set) var levels = 0

    private init(isConstant: Bool) {
        self.isConstant = isConstant
    }

    /// Makes a list that may become one constant.
    static func aggregate() -> ParsedElements { ParsedElements(isConstant: true) }

    /// Makes a list of arguments, which remain nodes.
    static func arguments() -> ParsedElements { ParsedElements(isConstant: false) }

    /// Reserves exactly `count` elements; exact allocations are freed faster.
    mutating func reserve(_ count: Int) {
        if isConstant { values.reserveCapacity(count) } else { elements.reserveCapacity(count) }
    }

    mutating func append(_ value: consuming PredicateValue) {
        levels = max(levels, 1)
        guard isConstant else { return elements.append(.constantValue(value)) }
        values.append(value)
    }

    mutating func append(_ element: consuming ExpressionNode, levels: Int) {
        self.levels = max(self.levels, levels)
        if isConstant, case .constantValue(let value) = copy element { values.append(value) } else { append(element) }
    }

    private mutating func append(_ node: consuming ExpressionNode) {
        if isConstant {
            elements = values.map(ExpressionNode.constantValue)
            isConstant = false
        }
        elements.append(node)
    }

    var count: Int { isConstant ? values.count : elements.count }

    /// `{18, 65}` is a constant, `{age, 65}` an aggregate.
    consuming func aggregateNode() -> ExpressionNode {
        isConstant ? .constantValue(.array(values)) : .aggregate(elements)
    }

    consuming func argumentNodes() -> [ExpressionNode] { elements }
}

extension ExpressionNode {
    /// `age`
    static func key(_ name: consuming String) -> ExpressionNode { .keyPath(KeyPathExpression(key: name)) }
}
