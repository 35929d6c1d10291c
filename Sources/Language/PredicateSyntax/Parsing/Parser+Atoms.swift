/// Atoms: literals, names, arguments, brackets.
extension Parser {
    /// `"jo"`, `42`, `%@`, `$x`, `SELF`, `name`, `{1, 2}`, `(…)`, `sum(a)`
    @inline(never)
    mutating func parseAtom() throws(ParsingFailure) -> ExpressionNode {
        switch token.kind {
        case .string: return try leaf(.constantValue(try text(of: token)))
        case .integer, .floatingPoint: return try parseNumber(isNegative: false, from: token.start)
        case .variable: return try leaf(.variable(try parseName(of: token)))
        case .escapedWord: return try leaf(.key(try parseName(of: token)))
        case .atWord: return try leaf(.key(text(token.range)))
        case .word: return beginsCall ? try parseCall() : try parseKey()
        case .keyword(let keyword): return try parseKeyword(keyword)
        case .specifier(let kind): return try parseArgument(kind)
        case .symbol(.nullObject): return try leaf(.constantValue(.nullObject))
        case .symbol(.openParenthesis): return try value(parseParentheses())
        case .symbol(.openBrace): return try parseAggregate()
        case .symbol, .end: throw missingExpression()
        }
    }

    /// Finishes a node that consists of the token at the cursor.
    @inline(__always)
    mutating func leaf(_ node: consuming ExpressionNode) throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        try advance()
        finishLeaf(from: start)
        return node
    }

    @inline(never)
    private mutating func parseKey() throws(ParsingFailure) -> ExpressionNode {
        try leaf(.key(text(token.range)))
    }

    @inline(__always)
    mutating func text(of token: Token) throws(ParsingFailure) -> PredicateValue {
        // The quotes are not counted; escapes count as written.
        try check(token.end - token.start - 2, .literalLength, limits.literalLength, at: token.range)
        guard token.hasEscapes else { return .string(text(token.start + 1..<token.end - 1)) }
        return .string(try parseName(of: token))
    }

    /// Returns the contents of a string, or the name after a mark: `"jo"`, `#size`, `$limit`, `#"first name"`.
    mutating func parseName(of token: Token) throws(ParsingFailure) -> String {
        var start = token.start
        while start < token.end, isMark(bytes[start]) { start += 1 }
        let first = bytes[start]
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else { return text(start..<token.end) }
        do {
            return try StringLiteral.text(bytes, start + 1..<token.end - 1, hasEscapes: token.hasEscapes)
        } catch {
            throw lexicalError(error)
        }
    }

    private func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: "#")
    }

    /// `(a + 1)`, `(a == 1)`
    mutating func parseParentheses() throws(ParsingFailure) -> ParsedTerm {
        let opening = token
        try advance()
        try descend()
        let term = try parseDisjunction()
        ascend()
        try expect(.closeParenthesis, closing: opening, after: term.kind)
        return term
    }

    /// `{18, 65}`: a constant if every element is a constant. [NSP-112]
    @inline(never)
    private mutating func parseAggregate() throws(ParsingFailure) -> ExpressionNode {
        let literals = try literalsAhead()
        return literals > 0 ? try parseLiterals(literals) : try parseElements()
    }

    /// Parses a list of `count` literals, from the opening brace to the closing one.
    @inline(__always)
    private mutating func parseLiterals(_ count: Int) throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        try advance()
        try descend()
        let values: [PredicateValue]
        // An array literal is allocated at its exact size.
        switch count {
        case 2: values = [try parseLiteral(), try parseLiteral()]
        case 3: values = [try parseLiteral(), try parseLiteral(), try parseLiteral()]
        default: values = try parseManyLiterals(count)
        }
        ascend()
        try check(count, .literalElements, limits.literalElements, at: start..<previous.end)
        try finish(above: 1, from: start)
        return .constantValue(.array(values))
    }

    @inline(never)
    private mutating func parseManyLiterals(_ count: Int) throws(ParsingFailure) -> [PredicateValue] {
        var values: [PredicateValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try parseLiteral()) }
        return values
    }

    /// Parses a literal and the comma or brace after it.
    @inline(never)
    private mutating func parseLiteral() throws(ParsingFailure) -> PredicateValue {
        let value = try literalHere()
        try advance()
        try advance()
        return value
    }

    /// Parses elements of any kind between braces.
    @inline(never)
    private mutating func parseElements() throws(ParsingFailure) -> ExpressionNode {
        let opening = token
        let mark = nodes
        try advance()
        try descend()
        var elements = ParsedElements.aggregate()
        try parseList(until: .closeBrace, opening: opening, into: &elements)
        ascend()
        if elements.isConstant { absorb(nodes - mark) }
        try check(
            elements.count, .literalElements, limits.literalElements, at: opening.start..<previous.end)
        try finish(above: elements.levels, from: opening.start)
        return elements.aggregateNode()
    }

    /// Parses comma-separated expressions and the closing bracket.
    @inline(never)
    mutating func parseList(until closing: Symbol, opening: Token, into elements: inout ParsedElements)
        throws(ParsingFailure)
    {
        if try accept(closing) { return }
        elements.reserve(listedAhead)
        repeat {
            if isElement(token) {
                elements.append(try literal())
            } else {
                let element = try parseExpression()
                elements.append(element, levels: levels)
            }
        } while try accept(.comma)
        try expect(closing, closing: opening, after: nil)
    }

    /// Returns true if a literal is a whole element of a list: a comma or a bracket follows.
    @inline(__always)
    private func isElement(_ token: Token) -> Bool {
        guard token.kind == .string || token.kind == .integer else { return false }
        switch next.kind {
        case .symbol(.comma), .symbol(.closeBrace), .symbol(.closeParenthesis): return true
        case .symbol, .end, .word, .keyword, .escapedWord, .atWord, .variable, .string, .integer, .floatingPoint,
            .specifier:
            return false
        }
    }

    /// Parses a literal as a bare value.
    private mutating func literal() throws(ParsingFailure) -> PredicateValue {
        let start = token.start
        let value = try literalHere()
        try advance()
        finishLeaf(from: start)
        return value
    }

    /// The value of the string or integer at the cursor.
    @inline(__always)
    private mutating func literalHere() throws(ParsingFailure) -> PredicateValue {
        token.kind == .string ? try text(of: token) : try number(isNegative: false)
    }
}

// MARK: - Numbers

extension Parser {
    /// `42`, `0x2A`, `2.5`; a preceding minus has already been read.
    @inline(never)
    mutating func parseNumber(isNegative: Bool, from start: Int) throws(ParsingFailure) -> ExpressionNode {
        let value = try number(isNegative: isNegative)
        try advance()
        finishLeaf(from: start)
        return .constantValue(value)
    }

    @inline(__always)
    mutating func number(isNegative: Bool) throws(ParsingFailure) -> PredicateValue {
        if token.kind == .integer, let value = shortInteger { return .integer(isNegative ? 0 &- value : value) }
        return try longNumber(isNegative: isNegative)
    }

    @inline(never)
    private mutating func longNumber(isNegative: Bool) throws(ParsingFailure) -> PredicateValue {
        if token.kind == .integer { return try integer(isNegative: isNegative) }
        guard let number = Double(text(token.range)), number.isFinite else {
            throw error(.invalidNumber, at: token.range)
        }
        return .double(isNegative ? -number : number)
    }

    /// The value of decimal digits that are too few to overflow; nil for all other integers.
    @inline(__always)
    private var shortInteger: Int64? {
        var offset = token.start
        let (end, bytes) = (token.end, bytes)
        guard end &- offset <= 18, bytes[offset] != UInt8(ascii: "0") || end &- offset == 1 else { return nil }
        var value: Int64 = 0
        while offset < end {
            value = value &* 10 &+ Int64(bytes[offset] &- UInt8(ascii: "0"))
            offset &+= 1
        }
        return value
    }

    /// A leading zero does not make a number octal. [NSP-028] An unsigned integer beyond 63 bits is a decimal.
    /// [NSP-177]
    private mutating func integer(isNegative: Bool) throws(ParsingFailure) -> PredicateValue {
        let radix = Lexer.radix(of: bytes, token.range)
        let digits = bytes[token.start + (radix == 10 ? 0 : 2)..<token.end]
        let magnitude = magnitude(of: digits, radix: radix)
        let value = magnitude.flatMap { isNegative ? negated($0).map(PredicateValue.integer) : $0.predicateValue }
        guard let value else { throw error(.integerTooLarge, at: token.range) }
        return value
    }

    /// Nil if the value does not fit in 64 bits.
    private func magnitude(of digits: Slice<UnsafeBufferPointer<UInt8>>, radix: UInt64) -> UInt64? {
        var result: UInt64 = 0
        for byte in digits {
            guard let digit = ByteClass.hexValue(byte) else { return nil }
            let (product, overflows) = result.multipliedReportingOverflow(by: radix)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            guard !overflows, !carries else { return nil }
            result = sum
        }
        return result
    }

    private func negated(_ magnitude: UInt64) -> Int64? {
        magnitude == Int64.min.magnitude ? Int64.min : Int64(exactly: magnitude).map { -$0 }
    }
}

// MARK: - Keywords

extension Parser {
    @inline(never)
    private mutating func parseKeyword(_ keyword: Keyword) throws(ParsingFailure) -> ExpressionNode {
        switch keyword.role {
        case .selfObject: return try leaf(.evaluatedObject)
        case .null: return try leaf(.constantValue(.null))
        case .bool(let value): return try leaf(.constantValue(.bool(value)))
        case .symbol(let symbol): return try leaf(.symbol(symbol))
        case .anyKey: return try leaf(.anyKey)
        case .call(let call): return try parseKeywordCall(call)
        case .set: return try parseKey()
        case .logical, .quantifier, .comparison, .text, .predicate, .reserved: throw missingExpression()
        }
    }

    private mutating func parseKeywordCall(_ call: Keyword.CallForm) throws(ParsingFailure) -> ExpressionNode {
        guard next.is(Symbol.openParenthesis) else {
            guard call.isContextual else { throw missingExpression() }
            return try parseKey()
        }
        switch call {
        case .subquery: return try parseSubquery()
        case .fetch: return try parseFetch()
        case .cast: return try parseCast()
        case .conditional: return try parseConditional()
        case .message: return try parseMessage()
        }
    }
}

/// Arguments, which replace specifiers and are never lexed.
extension Parser {
    /// `%@`, `%K`, `%ld` as an expression.
    @inline(never)
    mutating func parseArgument(_ kind: FormatSpecifier.Kind) throws(ParsingFailure) -> ExpressionNode {
        if kind == .keyPath { return try keyPathNode() }
        let (value, index) = try drawArgument()
        guard case .expression(let node) = value, kind == .value else {
            try check(value, against: kind, index: index)
            try checkSize(of: value)
            return try leaf(.constantValue(value))
        }
        return try insert(node)
    }

    /// `%K`: a path from the evaluated object. `SELF` as its first key is the object itself. [NSP-391]
    private mutating func keyPathNode() throws(ParsingFailure) -> ExpressionNode {
        let keys = try keyPathArgument().map(KeyPathExpression.Component.key)
        guard keys.first == .key(Keyword.selfObject.rawValue) else {
            return try leaf(.keyPath(KeyPathExpression(keys)))
        }
        let start = token.start
        let object = try leaf(.evaluatedObject)
        guard keys.count > 1 else { return object }
        try finish(above: levels, from: start)
        return .keyPath(KeyPathExpression(base: object, Array(keys.dropFirst())))
    }

    /// Inserts an expression passed for `%@` into the tree. All its nodes have the source range of the specifier.
    private mutating func insert(_ node: ExpressionNode) throws(ParsingFailure) -> ExpressionNode {
        let range = token.range
        let size: TreeLimitCheck
        do throws(ExceededLimit) {
            size = try TreeLimitCheck(.expression(node), limits)
        } catch {
            throw self.error(refusal(over: error.limit), at: range)
        }
        try advance()
        finish(size.nodes, at: range)
        levels = size.depth
        return node
    }

    /// Returns the keys that the argument for `%K`, or for `%@` after a dot, names.
    mutating func keyPathArgument() throws(ParsingFailure) -> [String] {
        let (value, index) = try drawArgument()
        guard case .string(let path) = value.keyPathText else {
            throw error(.argumentKind(index: index, expected: .string, found: value), at: token.range)
        }
        let keys = KeyPathExpression.keys(of: path)
        guard !keys.contains("") else { throw error(.emptyKey, at: token.range) }
        try check(keys.count, .pathKeys, limits.pathKeys, at: token.range)
        return keys
    }

    private mutating func drawArgument() throws(ParsingFailure) -> (value: PredicateValue, index: Int) {
        guard let argument = arguments.next() else {
            throw error(.missingArgument(index: arguments.drawn), at: token.range)
        }
        return argument
    }

    /// Throws if an argument exceeds a limit for constants.
    private mutating func checkSize(of value: PredicateValue) throws(ParsingFailure) {
        if let excess = value.exceededLimit(in: limits) { throw error(refusal(over: excess), at: token.range) }
    }

    private func refusal(over limit: PredicateLimits.Limit) -> PredicateFormatError.Code {
        limit == .nesting ? .nestingTooDeep(limit: limits.nesting) : .exceeds(limit, limit: limits[limit])
    }

    private func check(_ value: PredicateValue, against kind: FormatSpecifier.Kind, index: Int)
        throws(ParsingFailure)
    {
        let expected: PredicateFormatError.ArgumentKind
        switch kind {
        case .value, .keyPath: return
        case .integer, .floatingPoint:
            if value.isNumber { return }
            expected = .number
        case .text:
            if case .string = value { return }
            expected = .string
        }
        throw error(.argumentKind(index: index, expected: expected, found: value), at: token.range)
    }
}

extension PredicateValue {
    /// The string that `%K` reads: a string argument, or the path of a key expression.
    fileprivate var keyPathText: PredicateValue {
        guard case .expression(.keyPath(let path)) = self, path.base == nil, let keys = path.keys else { return self }
        return .string(keys.joined(separator: "."))
    }

    var isNumber: Bool { realNumber != nil }

    /// The name of the value's kind in error messages.
    package var kindName: String {
        switch self {
        case .nullObject: "the null object"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .type: "a class"
        case .set: "a set"
        case .orderedSet: "an ordered set"
        case .expression: "an expression"
        case .predicate: "a predicate"
        case .null, .bool, .string, .date, .data, .uuid, .url, .array, .dictionary, .object: kind?.noun ?? "nil"
        }
    }
}
