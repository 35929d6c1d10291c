/// Divides a format string into tokens, one at a time. It knows spelling only, no grammar.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var offset = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next token; `.end` for ever after the last one.
    mutating func next() throws(LexicalError) -> Token {
        while offset < bytes.count, ByteClass.isSpace(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { return Token(kind: .end, start: bytes.count, end: bytes.count) }
        let byte = bytes[offset]
        if ByteClass.isWordStart(byte) { return word() }
        if ByteClass.isDigit(byte) || startsFraction(byte) { return try number() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string()
        case UInt8(ascii: "%"): return try specifier()
        case UInt8(ascii: "@"): return try marked(.atWord)
        case UInt8(ascii: "#"): return try quotable(.escapedWord)
        case UInt8(ascii: "$"): return try variable()
        default: return try symbol()
        }
    }

    /// The first byte of the next token, 0 at the end: enough to rule most things out without lexing it.
    var nextByte: UInt8 {
        var ahead = offset
        while ahead < bytes.count, ByteClass.isSpace(bytes[ahead]) { ahead += 1 }
        return ahead < bytes.count ? bytes[ahead] : 0
    }

    func peek(_ distance: Int) -> UInt8 {
        offset + distance < bytes.count ? bytes[offset + distance] : 0
    }

    mutating func take(_ kind: Token.Kind, length: Int) -> Token {
        defer { offset += length }
        return Token(kind: kind, start: offset, end: offset + length)
    }

    func wordLength(from distance: Int = 0) -> Int {
        var end = offset + distance
        while end < bytes.count, ByteClass.isWord(bytes[end]) { end += 1 }
        return end - offset - distance
    }
}

extension Lexer {
    private func startsFraction(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") && ByteClass.isDigit(peek(1))
    }

    private mutating func word() -> Token {
        let length = wordLength()
        let letters = UnsafeBufferPointer(rebasing: bytes[offset..<offset + length])
        if length == 3, let keyword = typeIdentifierOperator() {
            return take(.keyword(keyword), length: keyword.rawValue.utf8.count)
        }
        return take(Keyword(utf8: letters).map(Token.Kind.keyword) ?? .word, length: length)
    }

    /// `UTI-EQUALS` and `UTI-CONFORMS-TO`: the only words with hyphens inside.
    private func typeIdentifierOperator() -> Keyword? {
        guard peek(3) == UInt8(ascii: "-") else { return nil }
        return [Keyword.utiEquals, .utiConformsTo].first { keyword in
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
        let quote = bytes[offset]
        var token = Token(kind: .string, start: offset, end: offset + 1)
        while token.end < bytes.count {
            let byte = bytes[token.end]
            token.end += 1
            if byte == quote {
                offset = token.end
                return token
            }
            guard byte == UInt8(ascii: "\\") else { continue }
            token.hasEscapes = true
            token.end = min(token.end + 1, bytes.count)
        }
        throw LexicalError(.unterminatedString, offset..<offset + 1)
    }

    private mutating func symbol() throws(LexicalError) -> Token {
        if startsNullObject() { return take(.symbol(.nullObject), length: Symbol.nullObject.rawValue.utf8.count) }
        if let (symbol, length) = Symbol.longest(at: bytes, offset) { return take(.symbol(symbol), length: length) }
        let code: LexicalError.Code = bytes[offset] < 0x80 ? .unexpectedCharacter : .nonASCIICharacter
        throw LexicalError(code, offset..<scalarEnd(offset))
    }

    private func startsNullObject() -> Bool {
        let spelling = Symbol.nullObject.rawValue.utf8
        guard bytes[offset] == UInt8(ascii: "<"), offset + spelling.count <= bytes.count else { return false }
        return zip(bytes[offset..<offset + spelling.count], spelling).allSatisfy { $0 == $1 }
    }

    /// Where the code point that begins at a place ends.
    func scalarEnd(_ start: Int) -> Int {
        var end = min(start + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
