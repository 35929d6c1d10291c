/// A recursive-descent parser over tokens: one function for each production of Grammar/Predicate.ebnf.
///
/// This file holds the cursor, the record of places and the limits; the productions stand beside it.
///
/// There is one parser for one format; it is never copied.
struct Parser: ~Copyable {
    var lexer: Lexer
    /// The token at the cursor.
    private(set) var token = Token(kind: .end, start: 0, end: 0)
    /// The token before the cursor, for errors that speak of what went before.
    private(set) var previous = Token(kind: .end, start: 0, end: 0)
    /// A range for every finished node, in the order in which they were finished, where places are noted: see
    /// ``SourceMap``.
    private(set) var ranges: [Range<Int>] = []
    private let notesPlaces: Bool
    /// How many nodes are finished, whether or not their places are noted.
    private(set) var nodes = 0
    /// How many brackets, calls and NOTs are open.
    private var nesting = 0

    let options: FormatOptions
    var arguments: ArgumentList

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, arguments: UnsafeBufferPointer<PredicateValue>, options: FormatOptions,
        notesPlaces: Bool
    ) throws(PredicateFormatError) {
        lexer = Lexer(bytes)
        self.notesPlaces = notesPlaces
        self.options = options
        self.arguments = ArgumentList(arguments)
        guard bytes.count <= options.limits.formatLength else {
            let limit = options.limits.formatLength
            throw PredicateFormatError(.formatTooLong(limit: limit), range: 0..<0, format: "")
        }
        try check(arguments.count, .arguments, options.limits.arguments, at: 0..<bytes.count)
        try advance()
    }
}

// MARK: - Cursor

extension Parser {
    mutating func advance() throws(PredicateFormatError) {
        previous = token
        do {
            token = try lexer.next()
        } catch {
            throw lexicalError(error)
        }
    }

    /// Steps over a symbol if it stands here.
    mutating func accept(_ symbol: Symbol) throws(PredicateFormatError) -> Bool {
        guard token.is(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Symbol) throws(PredicateFormatError) {
        guard try accept(symbol) else { throw error(.expectedSymbol(symbol), at: token.range) }
    }

    /// Steps over the bracket that closes the one at `opening`; `sort` is what stands between them.
    mutating func expect(_ closing: Symbol, closing opening: Token, after sort: Term.Sort?)
        throws(PredicateFormatError)
    {
        if try accept(closing) { return }
        guard token.kind == .end, case .symbol(let symbol) = opening.kind else {
            throw unexpectedToken(after: sort, closing: closing)
        }
        throw error(.unclosed(symbol), at: opening.range)
    }

    /// The token after the one at the cursor; `.end` where the lexer finds an error.
    func peekNext() -> Token {
        var ahead = lexer
        return (try? ahead.next()) ?? Token(kind: .end, start: token.end, end: token.end)
    }

    func text(_ range: Range<Int>) -> String {
        String(lexer.bytes, range)
    }

    func error(_ code: PredicateFormatError.Code, at range: Range<Int>) -> PredicateFormatError {
        PredicateFormatError(code, range: range, format: text(0..<lexer.bytes.count))
    }
}

// MARK: - Places and limits

extension Parser {
    /// Notes that a node is finished: its text ends with the token before the cursor.
    @inline(__always)
    mutating func finish(from start: Int) {
        nodes += 1
        if notesPlaces { ranges.append(start..<max(start, previous.end)) }
    }

    /// Notes that several nodes stand in one place.
    mutating func finish(_ count: Int, at range: Range<Int>) {
        nodes += count
        if notesPlaces { ranges.append(contentsOf: repeatElement(range, count: count)) }
    }

    /// Notes that the last finished node became part of another.
    mutating func absorb() {
        nodes -= 1
        if notesPlaces { ranges.removeLast() }
    }

    /// One level deeper than this, unless that is too deep.
    @inline(__always)
    func level(above depth: Int, at start: Int) throws(PredicateFormatError) -> Int {
        guard depth < options.limits.nesting else { throw tooDeep(at: start) }
        return depth + 1
    }

    /// Steps into brackets, a call or NOT; `ascend` steps out again.
    ///
    /// Text may nest twice as deeply as a tree, since the print of a tree adds one pair of parentheses at most to
    /// each level. `weight` says how many levels of the tree the production inside adds at least.
    mutating func descend(weight: Int = 1) throws(PredicateFormatError) {
        nesting += weight
        guard (nesting + 1) / 2 <= options.limits.nesting else { throw tooDeep(at: token.start) }
    }

    mutating func ascend(weight: Int = 1) {
        nesting -= weight
    }

    /// Refuses more of something than the limits allow.
    @inline(__always)
    func check(_ found: Int, _ limit: Limit, _ most: Int, at range: @autoclosure () -> Range<Int>)
        throws(PredicateFormatError)
    {
        guard found <= most else { throw error(.exceeds(limit, limit: most), at: range()) }
    }

    /// Refuses a tree of too many nodes, when all of them are known.
    func checkNodes() throws(PredicateFormatError) {
        try check(nodes, .nodes, options.limits.nodes, at: 0..<lexer.bytes.count)
    }

    @inline(never)
    private func tooDeep(at start: Int) -> PredicateFormatError {
        error(.nestingTooDeep(limit: options.limits.nesting), at: start..<max(start, token.end))
    }
}
