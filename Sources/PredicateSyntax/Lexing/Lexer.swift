/// Divides a format string into tokens, from any offset on; it has no grammar.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Copies of the static tables, whose accessors cost a call each time.
    private let keywords: Keyword.Table
    private let classes: ByteClass.Table

    private static let tables = (keywords: Keyword.table, classes: ByteClass.table)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        (keywords, classes) = Self.tables
    }

    /// The first token at or after an offset; `.end` at the end of the format.
    @inline(__always)
    func token(at offset: Int) throws(LexicalError) -> Token {
        var start = offset
        var kinds = classes(at: start)
        if kinds.contains(.space) {
            start &+= 1
            kinds = classes(at: start)
            if kinds.contains(.space) {
                start = spaceEnd(from: start)
                kinds = classes(at: start)
            }
        }
        guard start < bytes.count else { return Token(kind: .end, start: bytes.count, end: bytes.count) }
        return try token(kinds, from: start)
    }

    /// The token that begins at an offset with a byte of these classes.
    @inline(__always)
    private func token(_ kinds: ByteClass, from start: Int) throws(LexicalError) -> Token {
        if kinds.contains(.wordStart) { return word(from: start) }
        if kinds.contains(.mark), !startsFraction(start) {
            return Token(kind: .symbol(classes.mark(bytes[start])), start: start, end: start &+ 1)
        }
        if kinds.contains(.quote) { return try string(.string, from: start, quote: start) }
        if kinds.contains(.openMark), let mark = openMark(from: start) { return mark }
        if kinds.contains(.digit), let digits = digits(from: start) { return digits }
        return try longer(from: start)
    }

    /// The classes of the byte at an offset; empty at the end.
    @inline(__always)
    private func classes(at offset: Int) -> ByteClass {
        offset < bytes.count ? classes[bytes[offset]] : []
    }

    /// The token at an offset for look-ahead: `.end` for an error.
    @inline(never)
    func lookUp(at offset: Int) -> Token {
        (try? token(at: offset)) ?? Token(kind: .end, start: offset, end: offset)
    }

    /// `<`, `<=`: a symbol before a space, or one with an equals sign; nil for all others.
    @inline(__always)
    private func openMark(from start: Int) -> Token? {
        let (first, second) = (bytes[start], byte(at: start &+ 1))
        if second == UInt8(ascii: " ") {
            return Token(kind: .symbol(classes.mark(first)), start: start, end: start &+ 1)
        }
        let symbol = classes.markBeforeEqual(first)
        guard second == UInt8(ascii: "="), symbol != classes.mark(first) else { return nil }
        return Token(kind: .symbol(symbol), start: start, end: start &+ 2)
    }

    /// A token other than a word, a symbol of one byte, a string or decimal digits.
    @inline(never)
    private func longer(from start: Int) throws(LexicalError) -> Token {
        switch bytes[start] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): try number(from: start)
        case UInt8(ascii: "%"): try specifier(from: start)
        case UInt8(ascii: "@"): try marked(.atWord, from: start, mark: start)
        case UInt8(ascii: "#"): try quotable(.escapedWord, from: start, mark: start)
        case UInt8(ascii: "$"): try variable(from: start)
        default: try symbol(from: start)
        }
    }

    @inline(never)
    func spaceEnd(from start: Int) -> Int {
        var end = start
        while classes(at: end).contains(.space) { end += 1 }
        return end
    }

    /// The byte at an offset; 0 at the end.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    /// The end of the letters, digits and underscores at an offset.
    @inline(__always)
    func wordEnd(from start: Int) -> Int {
        var end = start
        while classes(at: end).contains(.word) { end &+= 1 }
        return end
    }
}

extension Lexer {
    private func startsFraction(_ start: Int) -> Bool {
        bytes[start] == UInt8(ascii: ".") && ByteClass.isDigit(byte(at: start &+ 1))
    }

    @inline(__always)
    private func word(from start: Int) -> Token {
        let end = wordEnd(from: start &+ 1)
        let count = end &- start
        if count == 3, byte(at: end) == UInt8(ascii: "-"), let keyword = typeIdentifierOperator(at: start) {
            return Token(kind: .keyword(keyword), start: start, end: start + keyword.rawValue.utf8.count)
        }
        let keyword = count > 1 ? keywords.keyword(bytes, from: start, count: count) : nil
        return Token(kind: keyword.map(Token.Kind.keyword) ?? .word, start: start, end: end)
    }

    /// `UTI-EQUALS` and `UTI-CONFORMS-TO`: the only words with hyphens inside.
    @inline(never)
    private func typeIdentifierOperator(at start: Int) -> Keyword? {
        [Keyword.utiEquals, .utiConformsTo].first { keyword in
            let end = start + keyword.rawValue.utf8.count
            guard end <= bytes.count, !ByteClass.isWord(byte(at: end)) else { return false }
            return zip(bytes[start..<end], keyword.rawValue.utf8).allSatisfy {
                $0 == $1 || (ByteClass.isWordStart($0) && $0 & 0xDF == $1)
            }
        }
    }

    /// `@count`: a mark and a word; the token begins at `start`, which may be a mark before that one.
    private func marked(_ kind: Token.Kind, from start: Int, mark: Int) throws(LexicalError) -> Token {
        guard ByteClass.isWordStart(byte(at: mark + 1)) else { throw LexicalError(.loneMark, mark..<mark + 1) }
        return Token(kind: kind, start: start, end: wordEnd(from: mark + 1))
    }

    /// `#size`, `#"first name"`
    private func quotable(_ kind: Token.Kind, from start: Int, mark: Int) throws(LexicalError) -> Token {
        let next = byte(at: mark + 1)
        guard next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") else {
            return try marked(kind, from: start, mark: mark)
        }
        return try string(kind, from: start, quote: mark + 1)
    }

    /// `$limit`, `$#size`, `$"any name"`
    private func variable(from start: Int) throws(LexicalError) -> Token {
        let isMarkedTwice = byte(at: start + 1) == UInt8(ascii: "#")
        return try quotable(.variable, from: start, mark: isMarkedTwice ? start + 1 : start)
    }

    private func string(_ kind: Token.Kind, from start: Int, quote: Int) throws(LexicalError) -> Token {
        let mark = bytes[quote]
        var end = textEnd(from: quote + 1, quote: mark)
        var hasEscapes = false
        while end < bytes.count {
            if bytes[end] == mark { return Token(kind: kind, start: start, end: end + 1, hasEscapes: hasEscapes) }
            hasEscapes = true
            end = textEnd(from: end + 2, quote: mark)
        }
        throw LexicalError(.unterminatedString, quote..<quote + 1)
    }

    /// The offset of the next quote or backslash, found eight bytes at a time; the end or beyond it if there is none.
    @inline(__always)
    private func textEnd(from start: Int, quote: UInt8) -> Int {
        var end = start
        let (quotes, backslashes) = (ByteRow(repeating: quote), ByteRow(repeating: UInt8(ascii: "\\")))
        while let row = ByteRow(bytes, at: end) {
            let found = row.first(of: quotes, backslashes)
            end &+= found
            if found < ByteRow.count { return end }
        }
        while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "\\") { end &+= 1 }
        return end
    }

    @inline(__always)
    private func symbol(from start: Int) throws(LexicalError) -> Token {
        let first = bytes[start]
        guard let symbol = Symbol.longest(first, byte(at: start + 1)) else {
            let code: LexicalError.Code = first < 0x80 ? .unexpectedCharacter : .nonASCIICharacter
            throw LexicalError(code, start..<scalarEnd(start))
        }
        let found = symbol == .less && startsNullObject(start) ? .nullObject : symbol
        return Token(kind: .symbol(found), start: start, end: start + found.length)
    }

    /// True if `<null>` begins here.
    private func startsNullObject(_ start: Int) -> Bool {
        guard byte(at: start + 1) == UInt8(ascii: "n") else { return false }
        let spelling = Symbol.nullObject.rawValue.utf8
        guard start + spelling.count <= bytes.count else { return false }
        return zip(bytes[start..<start + spelling.count], spelling).allSatisfy { $0 == $1 }
    }

    /// The end of the code point that begins at an offset.
    func scalarEnd(_ start: Int) -> Int {
        var end = min(start + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
