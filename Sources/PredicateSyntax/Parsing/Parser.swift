/// A recursive-descent parser over tokens: one function for each production of Grammar/Predicate.ebnf.
///
/// This file holds the cursor, the record of places and the limits; the productions stand beside it.
struct Parser {
    var lexer: Lexer
    /// The token at the cursor.
    private(set) var token = Token(kind: .end, start: 0, end: 0)
    /// The token before the cursor, for errors that speak of what went before.
    private(set) var previous = Token(kind: .end, start: 0, end: 0)
    /// A range for every finished node, in the order in which they were finished: see ``SourceMap``.
    var ranges: [Range<Int>] = []
    /// How many brackets, calls and NOTs are open.
    private var nesting = 0

    let format: String
    let options: FormatOptions
    var arguments: ArgumentList

    init(_ bytes: UnsafeBufferPointer<UInt8>, format: String, arguments: [PredicateValue], options: FormatOptions)
        throws(PredicateFormatError)
    {
        lexer = Lexer(bytes)
        self.format = format
        self.options = options
        self.arguments = ArgumentList(arguments)
        ranges.reserveCapacity(8)
        guard bytes.count <= options.limits.formatLength else {
            let limit = options.limits.formatLength
            throw PredicateFormatError(.formatTooLong(limit: limit), range: 0..<0, format: "")
        }
        try advance()
    }
}

/// What a production found: parentheses may hold a predicate or an expression, and only what follows tells.
struct Term {
    enum Node {
        case predicate(PredicateNode)
        case expression(ExpressionNode)
    }

    var node: Node
    /// How many levels the node has, itself included.
    var depth: Int
    /// Where its text begins, an opening parenthesis included.
    var start: Int
}

/// An expression with the number of levels it has.
struct ExpressionTerm {
    var node: ExpressionNode
    var depth: Int
    var start: Int
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

    /// Steps over the bracket that closes the one at `opening`.
    mutating func expect(_ closing: Symbol, closing opening: Token, after term: Term.Node?)
        throws(PredicateFormatError)
    {
        if try accept(closing) { return }
        guard token.kind == .end, case .symbol(let symbol) = opening.kind else {
            throw unexpectedToken(after: term, closing: closing)
        }
        throw error(.unclosed(symbol), at: opening.range)
    }

    /// The token after the one at the cursor; `.end` where the lexer finds an error.
    func peekNext() -> Token {
        var ahead = lexer
        return (try? ahead.next()) ?? Token(kind: .end, start: token.end, end: token.end)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: lexer.bytes[range], as: UTF8.self)
    }

    func error(_ code: PredicateFormatError.Code, at range: Range<Int>) -> PredicateFormatError {
        PredicateFormatError(code, range: range, format: format)
    }
}

// MARK: - Places and limits

extension Parser {
    /// Notes that a node is finished: its text ends with the token before the cursor.
    mutating func finish(from start: Int) {
        ranges.append(start..<max(start, previous.end))
    }

    /// Notes that the last finished node became part of another.
    mutating func absorb() {
        ranges.removeLast()
    }

    /// One level deeper than these, unless that is too deep.
    func level(above depths: Int..., at start: Int) throws(PredicateFormatError) -> Int {
        let depth = 1 + (depths.max() ?? 0)
        guard depth <= options.limits.nesting else { throw tooDeep(at: start) }
        return depth
    }

    /// Runs a production inside brackets, a call or NOT.
    ///
    /// Text may nest twice as deeply as a tree, since the print of a tree adds one pair of parentheses at most to
    /// each level. `weight` says how many levels of the tree the production adds at least.
    mutating func nested<Result>(
        weight: Int = 1, _ production: (inout Parser) throws(PredicateFormatError) -> Result
    ) throws(PredicateFormatError) -> Result {
        nesting += weight
        defer { nesting -= weight }
        guard nesting <= 2 * options.limits.nesting else { throw tooDeep(at: token.start) }
        return try production(&self)
    }

    private func tooDeep(at start: Int) -> PredicateFormatError {
        error(.nestingTooDeep(limit: options.limits.nesting), at: start..<max(start, token.end))
    }
}
