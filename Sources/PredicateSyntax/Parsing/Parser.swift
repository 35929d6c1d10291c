/// A recursive-descent parser over tokens: one function for each production of Grammar/Predicate.ebnf.
///
/// This file holds the cursor, the record of source ranges and the limits; the productions are in its extensions.
///
/// There is one parser for one format; it is never copied. Some functions are `mutating` though they change nothing: a
/// borrowed value of this size would be spilled to memory first.
struct Parser: ~Copyable {
    private var reader: TokenReader
    /// The source ranges of the finished nodes, in the order of node numbers, if they are noted: see
    /// ``PredicateSourceMap``.
    private(set) var ranges: [Range<Int>] = []
    private let notesRanges: Bool
    /// The number of finished nodes.
    private(set) var nodes = 0
    /// The levels of the node finished last.
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

// MARK: - Cursor

extension Parser {
    var lexer: Lexer { reader.lexer }

    /// The text of the format.
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

    /// The number of literals after the brace at the cursor; 0 if the list may hold anything else.
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

    /// Advances past the bracket that closes the one at `opening`; `sort` is that of the term between them.
    @inline(__always)
    mutating func expect(_ closing: Symbol, closing opening: Token, after sort: Term.Sort?)
        throws(ParsingFailure)
    {
        guard try accept(closing) else { throw missing(closing, closing: opening, after: sort) }
    }

    @inline(never)
    private mutating func missing(_ closing: Symbol, closing opening: Token, after sort: Term.Sort?)
        -> ParsingFailure
    {
        guard token.kind == .end, case .symbol(let symbol) = opening.kind else {
            return unexpectedToken(after: sort, closing: closing)
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
    /// Finishes a node, whose text ends with the token before the cursor.
    @inline(__always)
    mutating func finish(from start: Int) {
        nodes &+= 1
        if notesRanges { ranges.append(start..<max(start, previous.end)) }
    }

    /// Finishes a leaf.
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

    /// Finishes several nodes with one source range.
    mutating func finish(_ count: Int, at range: Range<Int>) {
        nodes += count
        if notesRanges { ranges.append(contentsOf: repeatElement(range, count: count)) }
    }

    /// Removes the nodes finished last, which became part of another.
    mutating func absorb(_ count: Int = 1) {
        nodes -= count
        if notesRanges { ranges.removeLast(count) }
    }

    /// Enters brackets, a call or NOT; `ascend` leaves them.
    ///
    /// Text may nest twice as deeply as a tree, since the print of a tree adds one pair of parentheses at most to
    /// each level. `weight` says how many levels of the tree the production inside adds at least.
    @inline(__always)
    mutating func descend(weight: Int = 1) throws(ParsingFailure) {
        nesting += weight
        guard (nesting + 1) / 2 <= limits.nesting else { throw tooDeep(at: token.start) }
    }

    mutating func ascend(weight: Int = 1) {
        nesting -= weight
    }

    /// Throws if a size at a source range exceeds a limit.
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

/// The error of a production: one word, since every production passes it on.
final class ParsingFailure: Error {
    let error: PredicateFormatError

    init(_ error: PredicateFormatError) {
        self.error = error
    }
}
