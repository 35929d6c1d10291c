/// A recursive-descent parser over tokens: one function for each production of Grammar/Predicate.ebnf.
///
/// This file holds the cursor, the record of places and the limits; the productions stand beside it.
///
/// There is one parser for one format; it is never copied. What is asked of it often is `mutating` though it changes
/// nothing: lent to a function, a value of this size is written out first.
struct Parser: ~Copyable {
    private var reader: TokenReader
    /// A range for every finished node, in the order in which they were finished, where places are noted: see
    /// ``PredicateSourceMap``.
    private(set) var ranges: [Range<Int>] = []
    private let notesPlaces: Bool
    /// How many nodes are finished, whether or not their places are noted.
    private(set) var nodes = 0
    /// How many levels the node has that was finished last.
    var levels = 0
    /// How many brackets, calls and NOTs are open.
    private var nesting = 0

    let limits: PredicateLimits
    let surplusArguments: FormatOptions.SurplusArguments
    var arguments: ArgumentList

    init(
        _ reader: TokenReader, arguments: UnsafeBufferPointer<PredicateValue>, options: FormatOptions,
        notesPlaces: Bool
    ) {
        self.reader = reader
        self.notesPlaces = notesPlaces
        limits = options.limits
        surplusArguments = options.surplusArguments
        self.arguments = ArgumentList(arguments)
    }

    /// Steps to the first token.
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

    /// The token before the cursor, for errors that speak of what went before.
    var previous: Token { reader.previous }

    /// The token after the one at the cursor; `.end` where the lexer finds an error.
    @inline(__always)
    var next: Token { reader.next }

    /// A guess at the number of elements that stand at the cursor.
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

    /// How many literals are all that the brace at the cursor holds; 0 where it may hold something else.
    @inline(__always)
    mutating func literalsAhead() throws(ParsingFailure) -> Int {
        do {
            return try reader.literalsAhead()
        } catch {
            throw lexicalError(error)
        }
    }

    /// Steps over a symbol if it stands here.
    @inline(__always)
    mutating func accept(_ symbol: Symbol) throws(ParsingFailure) -> Bool {
        guard token.is(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Symbol) throws(ParsingFailure) {
        guard try accept(symbol) else { throw error(.expectedSymbol(symbol.rawValue), at: token.range) }
    }

    /// Steps over the bracket that closes the one at `opening`; `sort` is what stands between them.
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

// MARK: - Places and limits

extension Parser {
    /// Notes that a node is finished: its text ends with the token before the cursor.
    @inline(__always)
    mutating func finish(from start: Int) {
        nodes &+= 1
        if notesPlaces { ranges.append(start..<max(start, previous.end)) }
    }

    /// Notes that a node without others below it is finished.
    @inline(__always)
    mutating func finishLeaf(from start: Int) {
        levels = 1
        finish(from: start)
    }

    /// Notes that a node is finished above others, the deepest of which has so many levels.
    @inline(__always)
    mutating func finish(above below: Int, from start: Int) throws(ParsingFailure) {
        guard below < limits.nesting else { throw tooDeep(at: start) }
        levels = below &+ 1
        finish(from: start)
    }

    /// Notes that several nodes stand in one place.
    mutating func finish(_ count: Int, at range: Range<Int>) {
        nodes += count
        if notesPlaces { ranges.append(contentsOf: repeatElement(range, count: count)) }
    }

    /// Notes that the nodes finished last became part of another.
    mutating func absorb(_ count: Int = 1) {
        nodes -= count
        if notesPlaces { ranges.removeLast(count) }
    }

    /// Steps into brackets, a call or NOT; `ascend` steps out again.
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

    /// Refuses more of something than the limits allow; it stands at `range`.
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

    /// Refuses a tree of too many nodes, when all of them are known.
    mutating func checkNodes() throws(ParsingFailure) {
        try check(nodes, .nodes, limits.nodes, at: 0..<bytes.count)
    }

    @inline(never)
    private mutating func tooDeep(at start: Int) -> ParsingFailure {
        error(.nestingTooDeep(limit: limits.nesting), at: start..<max(start, token.end))
    }
}

/// What a parser throws: one word, since every production hands it on, and the code for that stands between what is read
/// every time.
final class ParsingFailure: Error {
    let error: PredicateFormatError

    init(_ error: PredicateFormatError) {
        self.error = error
    }
}
