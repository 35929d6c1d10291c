/// A token of a format string: its kind and its source range. Its contents are decoded from the format on demand.
package struct Token {
    package enum Kind: Hashable, Sendable {
        /// The end of the format.
        case end
        /// `age`: letters, digits and underscores that do not spell a keyword
        case word
        /// `AND`
        case keyword(Keyword)
        /// `#size`, `#"first name"`
        case escapedWord
        /// `@count`
        case atWord
        /// `$limit`, `$#size`
        case variable
        /// `"jo"`
        case string
        /// `42`, `0x2A`
        case integer
        /// `4.2`, `1e5`
        case floatingPoint
        /// `%@`
        case specifier(FormatSpecifier.Kind)
        /// `==`
        case symbol(Symbol)
    }

    let kind: Kind
    /// True for a string with escapes.
    let hasEscapes: Bool
    private let lowerBound: UInt32
    private let upperBound: UInt32

    /// Offsets take four bytes each, since the stack of a deeply nested format holds many tokens. Formats are far
    /// shorter than 4 GiB.
    init(kind: Kind, start: Int, end: Int, hasEscapes: Bool = false) {
        self.kind = kind
        self.hasEscapes = hasEscapes
        lowerBound = UInt32(truncatingIfNeeded: start)
        upperBound = UInt32(truncatingIfNeeded: end)
    }

    var start: Int { Int(lowerBound) }
    var end: Int { Int(upperBound) }

    var range: Range<Int> { start..<end }

    func `is`(_ symbol: Symbol) -> Bool {
        if case .symbol(symbol) = kind { true } else { false }
    }

    func `is`(_ keyword: Keyword) -> Bool {
        if case .keyword(keyword) = kind { true } else { false }
    }
}

// MARK: - Classes of bytes

/// The kinds of tokens that a byte can begin or continue.
struct ByteClass: OptionSet {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let space = ByteClass(rawValue: 1)
    static let digit = ByteClass(rawValue: 2)
    static let wordStart = ByteClass(rawValue: 4)
    static let word = ByteClass(rawValue: 8)
    /// A one-byte symbol that is never the start of a longer one: `(`, `,`, `+`
    static let mark = ByteClass(rawValue: 16)
    static let quote = ByteClass(rawValue: 32)
    /// A symbol that may be the start of a longer one: `<`, `=`, `*`
    static let openMark = ByteClass(rawValue: 64)

    /// The classes of all bytes.
    ///
    /// Allocated once and never freed: a pointer avoids reference counting for every byte.
    struct ByteTable: @unchecked Sendable {
        private struct ByteEntry {
            var classes: ByteClass
            var mark: Symbol
            var markBeforeEqual: Symbol
            /// Padding: entries of four bytes are indexed faster than entries of three.
            var padding: UInt8 = 0
        }

        private let entries: UnsafePointer<ByteEntry>

        init() {
            let entries = UnsafeMutablePointer<ByteEntry>.allocate(capacity: 256)
            for byte in UInt8.min...UInt8.max {
                let mark = Symbol.longest(byte, UInt8(ascii: " ")) ?? .nullObject
                let longer = Symbol.longest(byte, UInt8(ascii: "=")) ?? .nullObject
                let entry = ByteEntry(classes: ByteClass(of: byte), mark: mark, markBeforeEqual: longer)
                (entries + Int(byte)).initialize(to: entry)
            }
            self.entries = UnsafePointer(entries)
        }

        @inline(__always)
        subscript(_ byte: UInt8) -> ByteClass { entries[Int(byte)].classes }

        /// The symbol that a byte forms before a space.
        @inline(__always)
        func mark(_ byte: UInt8) -> Symbol { entries[Int(byte)].mark }

        /// The symbol that a byte forms before an equals sign, which may be part of the symbol.
        @inline(__always)
        func markBeforeEqual(_ byte: UInt8) -> Symbol { entries[Int(byte)].markBeforeEqual }
    }

    static let table = ByteTable()

    private init(of byte: UInt8) {
        var classes: ByteClass = []
        if Self.isSpace(byte) { classes.insert(.space) }
        if Self.isDigit(byte) { classes.insert(.digit) }
        if Self.isWordStart(byte) { classes.insert(.wordStart) }
        if Self.isWord(byte) { classes.insert(.word) }
        if Symbol.longest(byte, UInt8(ascii: " ")) != nil {
            classes.insert(Symbol.beginsLonger(byte) ? .openMark : .mark)
        }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { classes.insert(.quote) }
        self = classes
    }
}

extension ByteClass {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte &- 0x09 <= 0x0D - 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// True for a byte that may begin an identifier: ASCII letters and the underscore only. [NSP-012]
    static func isWordStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    }

    static func isWord(_ byte: UInt8) -> Bool {
        isWordStart(byte) || isDigit(byte)
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

// MARK: - Specifiers

/// A part of a format string that takes an argument.
///
/// `%@`, `%K`, `%ld`
package struct FormatSpecifier: Hashable, Sendable {
    /// The kind of argument that a specifier takes.
    package enum Kind: Hashable, Sendable {
        /// `%@`: any value, which becomes a constant
        case value
        /// `%K`: a string, which becomes a key path
        case keyPath
        /// `%d`, `%lu`, `%x`, `%c`, …: an integer
        case integer
        /// `%f`, `%g`, `%e`, `%a`: a number
        case floatingPoint
        /// `%s`, `%S`: a string
        case text
    }

    package let kind: Kind
    /// The source range as UTF-8 offsets.
    package let range: Range<Int>
}

extension FormatSpecifier.Kind {
    /// Makes the kind of a printf conversion letter; nil for any other letter. [NSP-033]
    init?(conversion: UInt8, hasLength: Bool) {
        switch conversion {
        case UInt8(ascii: "@") where !hasLength: self = .value
        case UInt8(ascii: "K") where !hasLength: self = .keyPath
        case _ where "dDiuUoOxXcC".utf8.contains(conversion): self = .integer
        case _ where "fFeEgGaA".utf8.contains(conversion): self = .floatingPoint
        case UInt8(ascii: "s") where !hasLength, UInt8(ascii: "S") where !hasLength: self = .text
        default: return nil
        }
    }
}

// MARK: - Reading

/// A cursor over the tokens of a format that also gives access to the tokens before and after it.
///
/// Tokens are lexed in batches into a buffer that the caller provides, which is several times faster than one call
/// for each token.
struct TokenReader {
    /// The capacity of the buffer in tokens.
    static let capacity = 64

    let lexer: Lexer
    /// The lexed tokens are followed by two `.end` tokens; at the first of them, the reader refills the buffer.
    private let buffer: UnsafeMutablePointer<Token>
    private var cursor: UnsafeMutablePointer<Token>
    /// True once the whole format has been lexed.
    private var isComplete = false

    /// Makes a reader before the first token, with a buffer for ``capacity`` tokens.
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

    @inline(__always)
    var previous: Token { (cursor - 1).pointee }

    /// The token after the one at the cursor; `.end` for an error.
    @inline(__always)
    var next: Token {
        let next = (cursor + 1).pointee
        return next.kind == .end ? lexer.lookUp(at: token.end) : next
    }

    /// The number of comma-separated tokens from the cursor on, among those lexed so far: an estimate of the length
    /// of a list.
    @inline(__always)
    var listedAhead: Int {
        var (position, count) = (cursor, 1)
        while (position + 1).pointee.is(Symbol.comma) {
            position += 2
            count &+= 1
        }
        return count
    }

    /// Returns the number of literals after the brace at the cursor if the list holds nothing else; 0 for other lists
    /// and for lists longer than the buffer.
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

    /// Advances one token; stays at `.end` at the end.
    @inline(__always)
    mutating func advance() throws(LexicalError) {
        cursor += 1
        if cursor.pointee.kind == .end { try refillAtEnd() }
    }

    /// Refills the buffer when the cursor has reached its end, unless the whole format has been lexed.
    @inline(never)
    private mutating func refillAtEnd() throws(LexicalError) {
        if isComplete {
            if previous.kind == .end { cursor -= 1 }
            return
        }
        try refill()
    }

    /// Refills the buffer: the previous token comes first, followed by as many new tokens as fit.
    @inline(never)
    private mutating func refill() throws(LexicalError) {
        buffer.pointee = previous
        cursor = buffer + 1
        try fill(from: previous.end)
    }

    /// Lexes tokens up to the end of the format or to an error, which is thrown when the cursor reaches it.
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
