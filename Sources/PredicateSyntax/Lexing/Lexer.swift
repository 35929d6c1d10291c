/// Divides a format string into tokens, one at a time. It knows spelling only, no grammar.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var offset = 0
    /// At hand, since reaching what is made once costs a call each time.
    private let keywords = Keyword.table
    private let classes = ByteClass.table

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next token; `.end` for ever after the last one.
    mutating func next() throws(LexicalError) -> Token {
        skipSpace()
        guard offset < bytes.count else { return Token(kind: .end, start: bytes.count, end: bytes.count) }
        let byte = bytes[offset]
        let classes = classes[byte]
        if classes.contains(.wordStart) { return word() }
        if classes.contains(.digit), let digits = digits() { return digits }
        if classes.contains(.digit) || startsFraction(byte) { return try number() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string()
        case UInt8(ascii: "%"): return try specifier()
        case UInt8(ascii: "@"): return try marked(.atWord)
        case UInt8(ascii: "#"): return try quotable(.escapedWord)
        case UInt8(ascii: "$"): return try variable()
        default: return try symbol()
        }
    }

    @inline(__always)
    private mutating func skipSpace() {
        var end = offset
        while end < bytes.count, classes[bytes[end]].contains(.space) { end += 1 }
        offset = end
    }

    /// The first byte of the next token, 0 at the end: enough to rule most things out without lexing it.
    var nextByte: UInt8 {
        var ahead = offset
        while ahead < bytes.count, classes[bytes[ahead]].contains(.space) { ahead += 1 }
        return ahead < bytes.count ? bytes[ahead] : 0
    }

    @inline(__always)
    func peek(_ distance: Int) -> UInt8 {
        offset + distance < bytes.count ? bytes[offset + distance] : 0
    }

    @inline(__always)
    mutating func take(_ kind: Token.Kind, length: Int) -> Token {
        defer { offset += length }
        return Token(kind: kind, start: offset, end: offset + length)
    }

    func wordLength(from distance: Int = 0) -> Int {
        var end = offset + distance
        while end < bytes.count, classes[bytes[end]].contains(.word) { end += 1 }
        return end - offset - distance
    }
}

extension Lexer {
    private func startsFraction(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") && ByteClass.isDigit(peek(1))
    }

    @inline(__always)
    private mutating func word() -> Token {
        let start = offset
        var end = start
        var letters = Keyword.Letters()
        repeat {
            letters.append(bytes[end])
            end += 1
        } while end < bytes.count && classes[bytes[end]].contains(.word)
        if end - start == 3, peek(3) == UInt8(ascii: "-"), let keyword = typeIdentifierOperator() {
            return take(.keyword(keyword), length: keyword.rawValue.utf8.count)
        }
        offset = end
        let keyword = end - start > 1 ? keywords.keyword(bytes, start..<end, letters) : nil
        return Token(kind: keyword.map(Token.Kind.keyword) ?? .word, start: start, end: end)
    }

    /// `UTI-EQUALS` and `UTI-CONFORMS-TO`: the only words with hyphens inside.
    @inline(never)
    private func typeIdentifierOperator() -> Keyword? {
        [Keyword.utiEquals, .utiConformsTo].first { keyword in
            let length = keyword.rawValue.utf8.count
            guard offset + length <= bytes.count, !ByteClass.isWord(peek(length)) else { return false }
            return zip(bytes[offset..<offset + length], keyword.rawValue.utf8).allSatisfy {
                $0 == $1 || (ByteClass.isWordStart($0) && $0 & 0xDF == $1)
            }
        }
    }

    /// `@count`
    private mutating func marked(_ kind: Token.Kind) throws(LexicalError) -> Token {
        guard ByteClass.isWordStart(peek(1)) else { throw LexicalError(.loneMark, offset..<offset + 1) }
        return take(kind, length: 1 + wordLength(from: 1))
    }

    /// `#size`, `#"first name"`
    private mutating func quotable(_ kind: Token.Kind) throws(LexicalError) -> Token {
        guard peek(1) == UInt8(ascii: "\"") || peek(1) == UInt8(ascii: "'") else { return try marked(kind) }
        let start = offset
        offset += 1
        var token = try string()
        token.kind = kind
        token.start = start
        return token
    }

    /// `$limit`, `$#size`, `$"any name"`
    private mutating func variable() throws(LexicalError) -> Token {
        guard peek(1) == UInt8(ascii: "#") else { return try quotable(.variable) }
        let start = offset
        offset += 1
        var token = try quotable(.variable)
        token.start = start
        return token
    }

    private mutating func string() throws(LexicalError) -> Token {
        let start = offset
        let quote = bytes[start]
        var end = start + 1
        var hasEscapes = false
        while end < bytes.count {
            let byte = bytes[end]
            end += 1
            if byte == quote {
                offset = end
                return Token(kind: .string, start: start, end: end, hasEscapes: hasEscapes)
            }
            guard byte == UInt8(ascii: "\\") else { continue }
            hasEscapes = true
            end = min(end + 1, bytes.count)
        }
        throw LexicalError(.unterminatedString, start..<start + 1)
    }

    @inline(__always)
    private mutating func symbol() throws(LexicalError) -> Token {
        let first = bytes[offset]
        guard let symbol = Symbol.longest(first, peek(1)) else {
            let code: LexicalError.Code = first < 0x80 ? .unexpectedCharacter : .nonASCIICharacter
            throw LexicalError(code, offset..<scalarEnd(offset))
        }
        if symbol == .less, startsNullObject() {
            return take(.symbol(.nullObject), length: Symbol.nullObject.length)
        }
        return take(.symbol(symbol), length: symbol.length)
    }

    /// Whether `<null>` stands here.
    private func startsNullObject() -> Bool {
        let spelling = Symbol.nullObject.rawValue.utf8
        guard offset + spelling.count <= bytes.count else { return false }
        return zip(bytes[offset..<offset + spelling.count], spelling).allSatisfy { $0 == $1 }
    }

    /// Where the code point that begins at a place ends.
    func scalarEnd(_ start: Int) -> Int {
        var end = min(start + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
