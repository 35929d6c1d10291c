/// A recursive-descent parser over tokens, with one function for each production of Grammar/Predicate.ebnf.
///
/// This file holds the cursor, the source ranges, the limits and the start symbols; the other productions are in
/// extensions.
///
/// A parser is used for one format and never copied. Some functions are `mutating` although they change nothing: a
/// borrowed value of this size would be spilled to memory first.
struct Parser: ~Copyable {
    private var reader: TokenReader
    /// The source ranges of the finished nodes by node number, if ranges are recorded; see ``PredicateSourceMap``.
    private(set) var ranges: [Range<Int>] = []
    private let notesRanges: Bool
    /// The number of finished nodes.
    private(set) var nodes = 0
    /// The number of levels of the last finished node, counted down to its deepest leaf.
    var levels = 0
    /// The number of open brackets, calls and NOTs.
    private var nesting = 0

    let limits: PredicateLimits
    let surplusArguments: FormatOptions.SurplusArguments
    var arguments: ArgumentList

    init(
        _ reader: TokenReader, arguments: UnsafeBufferPointer<PredicateValue>, options: FormatOptions,
        notesRanges: Bool
    ) {
        self.reader = reader
        self.notesRanges = notesRanges
        limits = options.limits
        surplusArguments = options.surplusArguments
        self.arguments = ArgumentList(arguments)
    }

    /// Advances to the first token.
    mutating func begin() throws(ParsingFailure) {
        guard bytes.count <= limits.formatLength else {
            let limit = limits.formatLength
            throw ParsingFailure(PredicateFormatError(.formatTooLong(limit: limit)))
        }
        try check(arguments.count, .arguments, limits.arguments, at: 0..<bytes.count)
        try advance()
    }
}

/// The arguments of a format, taken from left to right. They stay in the caller's memory and are not reference counted.
struct ArgumentList {
    private let values: UnsafeBufferPointer<PredicateValue>
    private(set) var drawn = 0

    init(_ values: UnsafeBufferPointer<PredicateValue>) {
        self.values = values
    }

    var count: Int { values.count }

    /// Takes the next argument, with its index.
    mutating func next() -> (value: PredicateValue, index: Int)? {
        guard drawn < values.count else { return nil }
        defer { drawn += 1 }
        return (values[drawn], drawn)
    }
}

// MARK: - Cursor

extension Parser {
    var lexer: Lexer { reader.lexer }

    /// The format as UTF-8.
    var bytes: UnsafeBufferPointer<UInt8> { reader.lexer.bytes }

    /// The token at the cursor.
    @inline(__always)
    var token: Token { reader.token }

    /// The token before the cursor, for errors.
    var previous: Token { reader.previous }

    /// The token after the one at the cursor; `.end` for a lexical error.
    @inline(__always)
    var next: Token { reader.next }

    /// An estimate of the number of elements from the cursor on.
    @inline(__always)
    var listedAhead: Int { reader.listedAhead }

    @inline(__always)
    mutating func advance() throws(ParsingFailure) {
        do {
            try reader.advance()
        } catch {
            throw lexicalError(error)
        }
    }

    /// Returns the number of literals after the brace at the cursor; 0 if the list may hold anything else.
    @inline(__always)
    mutating func literalsAhead() throws(ParsingFailure) -> Int {
        do {
            return try reader.literalsAhead()
        } catch {
            throw lexicalError(error)
        }
    }

    /// Advances past a symbol if it is at the cursor.
    @inline(__always)
    mutating func accept(_ symbol: Symbol) throws(ParsingFailure) -> Bool {
        guard token.is(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Symbol) throws(ParsingFailure) {
        guard try accept(symbol) else { throw error(.expectedSymbol(symbol.rawValue), at: token.range) }
    }

    /// Advances past the bracket that closes the one at `opening`; `kind` is the kind of the enclosed term.
    @inline(__always)
    mutating func expect(_ closing: Symbol, closing opening: Token, after kind: ParsedTerm.Kind?)
        throws(ParsingFailure)
    {
        guard try accept(closing) else { throw missing(closing, closing: opening, after: kind) }
    }

    @inline(never)
    private mutating func missing(_ closing: Symbol, closing opening: Token, after kind: ParsedTerm.Kind?)
        -> ParsingFailure
    {
        guard token.kind == .end, case .symbol(let symbol) = opening.kind else {
            return unexpectedToken(after: kind, closing: closing)
        }
        return error(.unclosed(symbol.rawValue), at: opening.range)
    }

    func text(_ range: Range<Int>) -> String {
        String(bytes, range)
    }

    @inline(never)
    func error(_ code: PredicateFormatError.Code, at range: Range<Int>) -> ParsingFailure {
        ParsingFailure(PredicateFormatError(code, text: text(0..<bytes.count), range: range))
    }
}

// MARK: - Source ranges and limits

extension Parser {
    /// Finishes a node that ends with the token before the cursor.
    @inline(__always)
    mutating func finish(from start: Int) {
        nodes &+= 1
        if notesRanges { ranges.append(start..<max(start, previous.end)) }
    }

    @inline(__always)
    mutating func finishLeaf(from start: Int) {
        levels = 1
        finish(from: start)
    }

    /// Finishes a node whose deepest child has `below` levels.
    @inline(__always)
    mutating func finish(above below: Int, from start: Int) throws(ParsingFailure) {
        guard below < limits.nesting else { throw tooDeep(at: start) }
        levels = below &+ 1
        finish(from: start)
    }

    /// Finishes several nodes with the same source range.
    mutating func finish(_ count: Int, at range: Range<Int>) {
        nodes += count
        if notesRanges { ranges.append(contentsOf: repeatElement(range, count: count)) }
    }

    /// Removes the last finished nodes, which became part of another node.
    mutating func absorb(_ count: Int = 1) {
        nodes -= count
        if notesRanges { ranges.removeLast(count) }
    }

    /// Enters brackets, a call or NOT; `ascend` leaves them.
    ///
    /// A format may nest twice as deeply as a tree, since printing a tree adds at most one pair of parentheses for
    /// each level. `weight` is the minimum number of levels that the enclosed production adds to the tree.
    @inline(__always)
    mutating func descend(weight: Int = 1) throws(ParsingFailure) {
        nesting += weight
        guard (nesting + 1) / 2 <= limits.nesting else { throw tooDeep(at: token.start) }
    }

    mutating func ascend(weight: Int = 1) {
        nesting -= weight
    }

    /// Throws if a size exceeds a limit.
    @inline(__always)
    mutating func check(_ found: Int, _ limit: PredicateLimits.Limit, _ most: Int, at range: Range<Int>)
        throws(ParsingFailure)
    {
        guard found <= most else { throw excess(limit, over: most, at: range) }
    }

    @inline(never)
    private mutating func excess(_ limit: PredicateLimits.Limit, over most: Int, at range: Range<Int>) -> ParsingFailure
    {
        error(.exceeds(limit, limit: most), at: range)
    }

    /// Throws if the finished tree has too many nodes.
    mutating func checkNodes() throws(ParsingFailure) {
        try check(nodes, .nodes, limits.nodes, at: 0..<bytes.count)
    }

    @inline(never)
    private mutating func tooDeep(at start: Int) -> ParsingFailure {
        error(.nestingTooDeep(limit: limits.nesting), at: start..<max(start, token.end))
    }
}

/// The error that a production throws. It is one word in size, since every production passes it on.
final class ParsingFailure: Error {
    let error: PredicateFormatError

    init(_ error: PredicateFormatError) {
        self.error = error
    }
}

/// The two start symbols of the grammar.
extension Parser {
    /// Parses a predicate and nothing after it: `age >= 21`.
    mutating func parseFormat() throws(ParsingFailure) -> PredicateNode {
        guard token.kind != .end else { throw error(.emptyFormat, at: token.range) }
        let term = try parseDisjunction()
        guard token.kind == .end else { throw unexpectedToken(after: term.kind) }
        let node = try predicate(term)
        try checkArguments()
        return node
    }

    /// Parses an expression and nothing after it: `age + 1`. [NSP-017]
    mutating func parseExpressionFormat() throws(ParsingFailure) -> ExpressionNode {
        guard token.kind != .end else { throw error(.expectedExpression, at: token.range) }
        let first = token
        let term = try parseDisjunction()
        guard term.kind == .expression else {
            throw error(.predicateIsNotAnExpression, at: first.start..<previous.end)
        }
        let node = try value(term)
        guard token.kind == .end else { throw unexpectedToken(after: nil) }
        if first.kind == .word { try checkBareCall(node, name: first) }
        try checkArguments()
        return node
    }

    /// Throws if the whole format is a call of an unknown function. A name with a colon is a function of the host.
    /// [NSP-018]
    private func checkBareCall(_ node: ExpressionNode, name: Token) throws(ParsingFailure) {
        guard case .function(let call) = node, case .custom(let function) = call.function,
            !function.contains(":"), name.end - name.start == function.utf8.count
        else { return }
        let names = FunctionExpression.Predefined.allCases.map(\.rawValue)
        let nearMisses = NearMiss.candidates(for: function, among: names)
        throw error(.unknownFunction(function, nearMisses: nearMisses), at: name.range)
    }

    @inline(__always)
    private mutating func checkArguments() throws(ParsingFailure) {
        try checkNodes()
        guard surplusArguments == .refused, arguments.drawn < arguments.count else { return }
        let code = PredicateFormatError.Code.surplusArguments(expected: arguments.drawn, found: arguments.count)
        throw error(code, at: 0..<bytes.count)
    }
}

extension Parser {
    /// Parses the bytes of a format with one production.
    ///
    /// The first pass records no source ranges. Only an error needs them; then a second pass, which records them, fails with
    /// the same error.
    static func parse<Node>(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions,
        _ production: (inout Parser) throws(ParsingFailure) -> Node
    ) throws(PredicateFormatError) -> Node {
        if let node = try? run(format, arguments, options, notesRanges: false, production) { return node }
        do throws(ParsingFailure) {
            return try run(format, arguments, options, notesRanges: true, production)
        } catch {
            throw error.error
        }
    }

    /// Returns the source ranges of all nodes of a format that has been parsed before with this production.
    static func ranges(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions,
        _ production: (inout Parser) throws(ParsingFailure) -> Void
    ) -> [Range<Int>] {
        let ranges = try? run(format, arguments, options, notesRanges: true) { parser throws(ParsingFailure) in
            try production(&parser)
            return parser.ranges
        }
        return ranges ?? []
    }

    private static func run<Result>(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions, notesRanges: Bool,
        _ production: (inout Parser) throws(ParsingFailure) -> Result
    ) throws(ParsingFailure) -> Result {
        let result = format.utf8.withContiguousStorageIfAvailable { bytes in
            arguments.withUnsafeBufferPointer { arguments in
                withUnsafeTemporaryAllocation(of: Token.self, capacity: TokenReader.capacity) { memory in
                    Swift.Result { () throws(ParsingFailure) in
                        let reader = TokenReader(Lexer(bytes), memory: memory)
                        var parser = Parser(reader, arguments: arguments, options: options, notesRanges: notesRanges)
                        try parser.begin()
                        return try production(&parser)
                    }
                }
            }
        }
        guard let result else {
            // A string without contiguous storage, such as a bridged one, is copied once.
            let copy = String(decoding: Array(format.utf8), as: UTF8.self)
            return try run(copy, arguments, options, notesRanges: notesRanges, production)
        }
        return try result.get()
    }
}
