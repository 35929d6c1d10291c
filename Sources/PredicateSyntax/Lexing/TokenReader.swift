/// A cursor over the tokens of a format, with access to the tokens before and after it.
///
/// Tokens are lexed in batches into a buffer of the caller, which is several times faster than a call for each.
struct TokenReader {
    /// The capacity of the buffer, in tokens.
    static let capacity = 64

    let lexer: Lexer
    /// Two `.end` tokens follow those that have been lexed: at the first, the reader refills the buffer.
    private let buffer: UnsafeMutablePointer<Token>
    private var cursor: UnsafeMutablePointer<Token>
    /// True if the whole format has been lexed.
    private var isComplete = false

    /// A reader before the first token, with a buffer for ``capacity`` tokens.
    init(_ lexer: Lexer, memory: UnsafeMutableBufferPointer<Token>) {
        self.lexer = lexer
        precondition(memory.count >= Self.capacity, "the buffer is too small")
        buffer = memory.baseAddress.unsafelyUnwrapped
        cursor = buffer
        cursor.initialize(to: Token(kind: .end, start: 0, end: 0))
        end(at: 1, Token(kind: .end, start: 0, end: 0))
    }

    @inline(__always)
    var token: Token { cursor.pointee }

    /// The token before the cursor.
    @inline(__always)
    var previous: Token { (cursor - 1).pointee }

    /// The token after the one at the cursor; `.end` for an error.
    @inline(__always)
    var next: Token {
        let next = (cursor + 1).pointee
        return next.kind == .end ? lexer.lookUp(at: token.end) : next
    }

    /// The number of tokens with commas between them from the cursor on, as far as they have been lexed: an estimate of
    /// the length of a list.
    @inline(__always)
    var listedAhead: Int {
        var (position, count) = (cursor, 1)
        while (position + 1).pointee.is(Symbol.comma) {
            position += 2
            count &+= 1
        }
        return count
    }

    /// The number of literals after the brace at the cursor, if the list holds nothing else; 0 for all other lists, and
    /// for those longer than the buffer.
    @inline(__always)
    mutating func literalsAhead() throws(LexicalError) -> Int {
        if let count = lexedLiterals { return count }
        guard !isComplete else { return 0 }
        try refill()
        return lexedLiterals ?? 0
    }

    /// The number of literals in the buffered part of a list; nil if the buffer ends too soon.
    private var lexedLiterals: Int? {
        var (position, count) = (cursor + 1, 1)
        while position.pointee.kind == .string || position.pointee.kind == .integer {
            if (position + 1).pointee.is(Symbol.closeBrace) { return count }
            guard (position + 1).pointee.is(Symbol.comma) else { return (position + 1).pointee.kind == .end ? nil : 0 }
            position += 2
            count &+= 1
        }
        return position.pointee.kind == .end ? nil : 0
    }

    /// Advances one token; stays on `.end` at the end.
    @inline(__always)
    mutating func advance() throws(LexicalError) {
        cursor += 1
        if cursor.pointee.kind == .end { try refillAtEnd() }
    }

    /// Refills the buffer at its end, unless the whole format has been lexed.
    @inline(never)
    private mutating func refillAtEnd() throws(LexicalError) {
        if isComplete {
            if previous.kind == .end { cursor -= 1 }
            return
        }
        try refill()
    }

    /// Refills the buffer: the token before the cursor comes first, and as many as fit follow.
    @inline(never)
    private mutating func refill() throws(LexicalError) {
        buffer.pointee = previous
        cursor = buffer + 1
        try fill(from: previous.end)
    }

    /// Lexes tokens up to the end, or to an error, which is thrown when the cursor reaches it.
    @inline(__always)
    private mutating func fill(from offset: Int) throws(LexicalError) {
        let (lexer, buffer) = (lexer, buffer)
        var (count, position) = (1, offset)
        while count < Self.capacity - 2 {
            let token: Token
            do {
                token = try lexer.token(at: position)
            } catch {
                if count == 1 { throw error }
                break
            }
            if token.kind == .end {
                isComplete = true
                return end(at: count, token)
            }
            (buffer + count).initialize(to: token)
            count &+= 1
            position = token.end
        }
        end(at: count, Token(kind: .end, start: position, end: position))
    }

    private func end(at count: Int, _ token: Token) {
        (buffer + count).initialize(to: token)
        (buffer + count + 1).initialize(to: token)
    }
}
