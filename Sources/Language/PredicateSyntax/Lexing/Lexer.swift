/// Divides a format string into tokens, starting at any offset. It knows nothing of the grammar.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Copies of the static tables, whose accessors cost a call each time.
    private let keywords: Keyword.HashTable
    private let classes: ByteClass.ByteTable

    private static let tables = (keywords: Keyword.table, classes: ByteClass.table)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        (keywords, classes) = Self.tables
    }

    /// Returns the first token at or after an offset; `.end` at the end of the format.
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

    /// Returns the token that begins at an offset with a byte of these classes.
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

    /// Returns the classes of the byte at an offset; empty at the end.
    @inline(__always)
    private func classes(at offset: Int) -> ByteClass {
        offset < bytes.count ? classes[bytes[offset]] : []
    }

    /// Returns the token at an offset for lookahead; `.end` for an error.
    @inline(never)
    func lookUp(at offset: Int) -> Token {
        (try? token(at: offset)) ?? Token(kind: .end, start: offset, end: offset)
    }

    /// `<`, `<=`: returns the symbol if the next byte is a space, or an equals sign that belongs to the symbol; nil
    /// otherwise.
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

    /// Returns a token other than a word, a one-byte symbol, a string or decimal digits.
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

    /// Returns the byte at an offset; 0 at the end.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    /// Returns the end of the letters, digits and underscores that begin at an offset.
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

    /// `UTI-EQUALS` and `UTI-CONFORMS-TO`: the only words that contain hyphens.
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

    /// `@count`: a mark and a word. The token begins at `start`, which may be a preceding mark.
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

    /// Returns the offset of the next quote or backslash, found eight bytes at a time; the end or beyond it if there
    /// is none.
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

    /// Returns true if `<null>` begins here.
    private func startsNullObject(_ start: Int) -> Bool {
        guard byte(at: start + 1) == UInt8(ascii: "n") else { return false }
        let spelling = Symbol.nullObject.rawValue.utf8
        guard start + spelling.count <= bytes.count else { return false }
        return zip(bytes[start..<start + spelling.count], spelling).allSatisfy { $0 == $1 }
    }

    /// Returns the end of the code point that begins at an offset.
    func scalarEnd(_ start: Int) -> Int {
        var end = min(start + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}

extension Lexer {
    /// `42`: decimal digits; nil for a number that may continue.
    @inline(__always)
    func digits(from start: Int) -> Token? {
        guard bytes[start] != UInt8(ascii: "0") else { return nil }
        let end = digitsEnd(from: start &+ 1)
        return isFractionOrExponent(byte(at: end)) ? nil : Token(kind: .integer, start: start, end: end)
    }

    /// `42`, `0x2A`, `0o52`, `0b101010`, `4.2`, `.5`, `10.`, `9.2e-5`
    func number(from start: Int) throws(LexicalError) -> Token {
        if bytes[start] == UInt8(ascii: "0"), let radix = Self.radix(ofPrefix: byte(at: start + 1)) {
            return try prefixedInteger(radix: radix, from: start)
        }
        var end = digitsEnd(from: start)
        var kind = Token.Kind.integer
        if let fraction = fractionEnd(from: end) {
            kind = .floatingPoint
            end = fraction
        }
        if let exponent = exponentEnd(from: end) {
            kind = .floatingPoint
            end = exponent
        }
        return Token(kind: kind, start: start, end: end)
    }

    /// Returns the radix of an integer token: 10 unless a prefix specifies another.
    static func radix(of bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
        guard range.count > 2 else { return 10 }
        return radix(ofPrefix: bytes[range.lowerBound + 1]).map(UInt64.init) ?? 10
    }

    private static func radix(ofPrefix letter: UInt8) -> Int? {
        switch letter | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private func prefixedInteger(radix: Int, from start: Int) throws(LexicalError) -> Token {
        let end = wordEnd(from: start + 2)
        let digits = bytes[start + 2..<end]
        let areDigits = digits.allSatisfy { ByteClass.hexValue($0).map { $0 < UInt32(radix) } ?? false }
        guard areDigits, !digits.isEmpty else { throw LexicalError(.invalidNumber, start..<end) }
        return Token(kind: .integer, start: start, end: end)
    }

    @inline(__always)
    private func digitsEnd(from start: Int) -> Int {
        var end = start
        while end < bytes.count, ByteClass.isDigit(bytes[end]) { end &+= 1 }
        return end
    }

    @inline(__always)
    private func isFractionOrExponent(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
    }

    /// Returns the end of a dot and the digits after it. A dot without digits counts only if no key can follow it, as
    /// in `10.`.
    private func fractionEnd(from dot: Int) -> Int? {
        guard byte(at: dot) == UInt8(ascii: ".") else { return nil }
        let end = digitsEnd(from: dot + 1)
        return end == dot + 1 && beginsKey(byte(at: end)) ? nil : end
    }

    private func beginsKey(_ byte: UInt8) -> Bool {
        "@#$%\"'".utf8.contains(byte) || ByteClass.isWordStart(byte)
    }

    private func exponentEnd(from letter: Int) -> Int? {
        guard byte(at: letter) | 0x20 == UInt8(ascii: "e") else { return nil }
        let sign = byte(at: letter + 1)
        let start = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? letter + 2 : letter + 1
        let end = digitsEnd(from: start)
        return end > start ? end : nil
    }
}

extension Lexer {
    /// `%@`, `%K`, `%ld`: the longest printf specifier. Shipped code contains `%ud` and `%lud`, so that `d` is part of the
    /// specifier. [NSP-033]
    func specifier(from start: Int) throws(LexicalError) -> Token {
        var end = start + 1
        while isLengthModifier(byte(at: end)), end < start + 4 { end += 1 }
        let letter = byte(at: end)
        guard let kind = FormatSpecifier.Kind(conversion: letter, hasLength: end > start + 1) else {
            let code: LexicalError.Code = letter == UInt8(ascii: "%") ? .percentSign : .unknownSpecifier
            throw LexicalError(code, start..<scalarEnd(end))
        }
        let isLonger =
            letter == UInt8(ascii: "u") && byte(at: end + 1) == UInt8(ascii: "d")
            && !ByteClass.isWord(byte(at: end + 2))
        return Token(kind: .specifier(kind), start: start, end: end + (isLonger ? 2 : 1))
    }

    private func isLengthModifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "q"), UInt8(ascii: "L"), UInt8(ascii: "z"),
            UInt8(ascii: "t"), UInt8(ascii: "j"):
            true
        default: false
        }
    }
}

// MARK: - Errors

/// An error in the spelling of a token.
package struct LexicalError: Error {
    package enum Code: Hashable, Sendable {
        /// `name == "jo`
        case unterminatedString
        /// `a ? b`
        case unexpectedCharacter
        /// `étrange == 1`
        case nonASCIICharacter
        /// `@ == 1`, `$ == 1`, `# == 1`
        case loneMark
        /// `0x == 1`
        case invalidNumber
        /// `%k == 1`
        case unknownSpecifier
        /// `a %% 2`
        case percentSign
        /// `"\ud800"`
        case loneSurrogate
    }

    let code: Code
    let range: Range<Int>

    init(_ code: Code, _ range: Range<Int>) {
        self.code = code
        self.range = range
    }
}

// MARK: - Tolerant lexing

/// A token of a format that may be unfinished or invalid, such as a line that is being edited.
///
///     name == "jo
///
/// yields a word, a symbol, and an error from the quote to the end.
package struct TolerantToken: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `age`, `==`, `"jo"`
        case token(Token.Kind)
        /// `"jo`, `@ `, `%k`, `é`: bytes that are not a token of the language
        case error(LexicalError.Code)
    }

    package let kind: Kind
    /// UTF-8 offsets into the format.
    package let range: Range<Int>
}

extension TolerantToken {
    /// Divides any string into tokens, skipping white space; never throws.
    ///
    /// The ranges are ascending and disjoint, and cover everything but white space. An unterminated string reaches to the end;
    /// after any other error lexing resumes after the offending bytes. Keywords, symbols and specifiers are the same as for the
    /// parser, but a word is a keyword in any position, including `name.first`.
    package static func tokens(of text: String) -> [TolerantToken] {
        var copy = text
        return copy.withUTF8 { bytes in
            let lexer = Lexer(bytes)
            var tokens: [TolerantToken] = []
            var offset = 0
            while let token = lexer.tolerantToken(at: offset) {
                tokens.append(token)
                offset = token.range.upperBound
            }
            return tokens
        }
    }
}

extension Lexer {
    /// Returns the token or the error after an offset; nil at the end.
    fileprivate func tolerantToken(at offset: Int) -> TolerantToken? {
        do throws(LexicalError) {
            let token = try token(at: offset)
            return token.kind == .end ? nil : TolerantToken(kind: .token(token.kind), range: token.range)
        } catch {
            let start = spaceEnd(from: offset)
            let end = error.code == .unterminatedString ? bytes.count : max(error.range.upperBound, start + 1)
            return TolerantToken(kind: .error(error.code), range: start..<end)
        }
    }
}
