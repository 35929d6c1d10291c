/// The tokens of a format with a cursor at one of them, and the tokens before and behind it at hand.
///
/// Some dozens are lexed at a time, which takes a fraction of what it takes to call for each. They lie with the caller.
struct TokenReader {
    /// How many tokens the memory of a reader holds.
    static let capacity = 64

    let lexer: Lexer
    /// Two tokens `.end` follow those that have been lexed: at the first, the reader looks whether there are more.
    private let buffer: UnsafeMutablePointer<Token>
    private var cursor: UnsafeMutablePointer<Token>
    /// Whether nothing comes behind what has been lexed.
    private var isComplete = false

    /// A reader before the first token, in memory for ``capacity`` of them.
    init(_ lexer: Lexer, memory: UnsafeMutableBufferPointer<Token>) {
        self.lexer = lexer
        precondition(memory.count >= Self.capacity, "tokens want room")
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

    /// The token behind the one at the cursor; `.end` where the lexer finds an error.
    @inline(__always)
    var next: Token {
        let next = (cursor + 1).pointee
        return next.kind == .end ? lexer.lookUp(at: token.end) : next
    }

    /// How many tokens with commas between them begin at the cursor, as far as has been lexed: a guess at the length of a
    /// list before it is read.
    @inline(__always)
    var listedAhead: Int {
        var (place, count) = (cursor, 1)
        while (place + 1).pointee.is(Symbol.comma) {
            place += 2
            count &+= 1
        }
        return count
    }

    /// How many literals stand behind the brace at the cursor, when it holds nothing else: what most lists are; 0 for all
    /// others, and for those that no memory for tokens holds.
    @inline(__always)
    mutating func literalsAhead() throws(LexicalError) -> Int {
        if let count = lexedLiterals { return count }
        guard !isComplete else { return 0 }
        try refill()
        return lexedLiterals ?? 0
    }

    /// The same as far as tokens have been lexed; nil where more of them would tell.
    private var lexedLiterals: Int? {
        var (place, count) = (cursor + 1, 1)
        while place.pointee.kind == .string || place.pointee.kind == .integer {
            if (place + 1).pointee.is(Symbol.closeBrace) { return count }
            guard (place + 1).pointee.is(Symbol.comma) else { return (place + 1).pointee.kind == .end ? nil : 0 }
            place += 2
            count &+= 1
        }
        return place.pointee.kind == .end ? nil : 0
    }

    /// Steps to the next token; `.end` for ever behind the last one.
    @inline(__always)
    mutating func advance() throws(LexicalError) {
        cursor += 1
        if cursor.pointee.kind == .end { try refillAtEnd() }
    }

    /// At the end of what has been lexed: lexes more, unless nothing comes.
    @inline(never)
    private mutating func refillAtEnd() throws(LexicalError) {
        if isComplete {
            if previous.kind == .end { cursor -= 1 }
            return
        }
        try refill()
    }

    /// The token before the cursor becomes the first one, and as many as there is room for follow.
    @inline(never)
    private mutating func refill() throws(LexicalError) {
        buffer.pointee = previous
        cursor = buffer + 1
        try fill(from: previous.end)
    }

    /// An error counts where the cursor comes to it, for another one may stand before.
    @inline(__always)
    private mutating func fill(from offset: Int) throws(LexicalError) {
        let (lexer, buffer) = (lexer, buffer)
        var (count, place) = (1, offset)
        while count < Self.capacity - 2 {
            let token: Token
            do {
                token = try lexer.token(at: place)
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
            place = token.end
        }
        end(at: count, Token(kind: .end, start: place, end: place))
    }

    private func end(at count: Int, _ token: Token) {
        (buffer + count).initialize(to: token)
        (buffer + count + 1).initialize(to: token)
    }
}
