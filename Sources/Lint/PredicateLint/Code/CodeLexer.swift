/// The languages that the lexer reads.
enum CodeLanguage {
    case swift
    case objectiveC
}

/// A token of Swift or Objective-C, in as much detail as finding calls requires.
struct CodeToken {
    enum Kind {
        /// The end of the source.
        case end
        /// `filter`, `` `default` ``, `#keyPath`, `$0`
        case word
        /// `42`, `1.5e3`
        case number
        /// `"…"`, `#"…"#`, `"""…"""`, `@"…"`, including interpolations
        case string
        /// `'a'`, `/[a-z]+/`
        case opaque
        /// One character of punctuation.
        case symbol
        /// `#if 0`, `#else`, `#endif`: the whole line
        case condition
        /// `#define NAME …`, `#import …`: the whole line and its continuation lines
        case directive
    }

    let kind: Kind
    /// The character of a symbol; 0 for other tokens.
    let symbol: UInt8
    // 32-bit numbers, because all tokens of a source are kept.
    private let first, last: UInt32

    init(kind: Kind, start: Int, end: Int, symbol: UInt8 = 0) {
        (self.kind, self.symbol) = (kind, symbol)
        (first, last) = (UInt32(clamping: start), UInt32(clamping: end))
    }

    var start: Int { Int(first) }
    var end: Int { Int(last) }
    var range: Range<Int> { start..<end }

    @inline(__always)
    func `is`(_ mark: Unicode.Scalar) -> Bool { symbol == UInt8(ascii: mark) }
}

/// Divides Swift or Objective-C into tokens. It accepts any bytes: a byte that cannot begin a token is a symbol.
///
/// Comments and white space are skipped. The time is linear: an unterminated string or comment ends at the end of its
/// line, or of the source if it may span lines.
struct CodeLexer {
    var bytes: Bytes
    let language: CodeLanguage
    /// The previous token, which distinguishes a regular expression from a division.
    var previous = CodeToken(kind: .end, start: 0, end: 0)
    /// The number of unsuccessful searches for the end of a multi-line interpolation that are still allowed.
    private(set) var patience = 32

    init(_ bytes: Bytes, _ language: CodeLanguage) {
        self.bytes = bytes
        self.language = language
    }

    /// Returns the next token at or after an offset.
    mutating func token(at offset: Int) -> CodeToken {
        let start = trivia(from: offset)
        let token = start < bytes.count ? begin(at: start) : CodeToken(kind: .end, start: bytes.count, end: bytes.count)
        previous = token
        return token
    }

    /// The end of white space and comments.
    private func trivia(from offset: Int) -> Int {
        var start = offset
        while start < bytes.count {
            let byte = bytes.buffer[start]
            if byte.isSpace || byte == 0 {
                start += 1
            } else if byte == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") {
                start = bytes.lineEnd(from: start)
            } else if byte == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "*") {
                start = commentEnd(from: start)
            } else if byte == UInt8(ascii: "\\"), language == .objectiveC, bytes[start + 1].isNewline {
                start += 2
            } else {
                break
            }
        }
        return start
    }

    /// `/* … */`; Swift comments nest.
    private func commentEnd(from start: Int) -> Int {
        var (offset, depth) = (start + 2, 1)
        while offset < bytes.count {
            if bytes.buffer[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") {
                depth -= 1
                offset += 2
                if depth == 0 { return offset }
            } else if language == .swift, bytes.matches("/*", at: offset) {
                depth += 1
                offset += 2
            } else {
                offset += 1
            }
        }
        return bytes.count
    }

    private mutating func begin(at start: Int) -> CodeToken {
        let byte = bytes.buffer[start]
        if byte.isNameStart { return name(at: start) }
        if byte.isDigit { return CodeToken(kind: .number, start: start, end: numberEnd(from: start)) }
        switch byte {
        case UInt8(ascii: "\""): return string(at: start)
        case UInt8(ascii: "#"): return hash(at: start)
        case UInt8(ascii: "@") where language == .objectiveC && bytes[start + 1] == UInt8(ascii: "\""):
            return string(at: start)
        case UInt8(ascii: "'") where language == .objectiveC:
            return CodeToken(kind: .opaque, start: start, end: lineLiteralEnd(from: start + 1, closing: byte))
        case UInt8(ascii: "`") where language == .swift: return quotedName(at: start)
        case UInt8(ascii: "/") where language == .swift:
            if let end = bareRegexEnd(from: start) { return CodeToken(kind: .opaque, start: start, end: end) }
        default: break
        }
        return CodeToken(kind: .symbol, start: start, end: start + 1, symbol: byte)
    }

    private mutating func name(at start: Int) -> CodeToken {
        let end = bytes.nameEnd(from: start)
        if language == .objectiveC, bytes[end] == UInt8(ascii: "\""), bytes[end - 1] == UInt8(ascii: "R"),
            end - start < 4,
            let rawEnd = rawStringEnd(from: end)
        {
            return CodeToken(kind: .opaque, start: start, end: rawEnd)
        }
        return CodeToken(kind: .word, start: start, end: end)
    }

    /// `` `default` ``
    private func quotedName(at start: Int) -> CodeToken {
        let end = bytes.nameEnd(from: start + 1)
        guard end > start + 1, bytes[end] == UInt8(ascii: "`") else {
            return CodeToken(kind: .symbol, start: start, end: start + 1, symbol: bytes[start])
        }
        return CodeToken(kind: .word, start: start + 1, end: end + 1)
    }

    /// `42`, `0xFF`, `1.5e-3`, `1_000`; `0..<9` is three tokens.
    private func numberEnd(from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let byte = bytes.buffer[end]
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            let isExponent = isSign && bytes[end - 1] | 0x20 == UInt8(ascii: "e") && !bytes.matches("0x", at: start)
            let isPoint = byte == UInt8(ascii: ".") && bytes[end + 1].isDigit
            guard byte.isName || isExponent || isPoint else { break }
            end += 1
        }
        return end
    }

    private mutating func string(at start: Int) -> CodeToken {
        let end = language == .swift ? swiftStringEnd(from: start) : cStringEnd(from: start)
        return CodeToken(kind: .string, start: start, end: max(end, start + 1))
    }

    /// The end of a single-line literal with escapes: its closing quote or the end of the line.
    func lineLiteralEnd(from offset: Int, closing: UInt8) -> Int {
        var end = offset
        while end < bytes.count {
            let byte = bytes.buffer[end]
            if byte == closing { return end + 1 }
            if byte.isNewline { return end }
            end += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    /// `#"raw"#`, `#/regex/#`, `#keyPath`, `#if`, `#define`
    private mutating func hash(at start: Int) -> CodeToken {
        if language == .swift {
            var end = start
            while bytes[end] == UInt8(ascii: "#") { end += 1 }
            if bytes[end] == UInt8(ascii: "\"") { return string(at: start) }
            if bytes[end] == UInt8(ascii: "/") {
                return CodeToken(kind: .opaque, start: start, end: extendedRegexEnd(from: end, hashes: end - start))
            }
            // A run of other hashes is one token, so that each hash is scanned once.
            if end - start > 1 { return CodeToken(kind: .opaque, start: start, end: end) }
        }
        if isAtLineStart(start), let directive = directive(at: start) { return directive }
        let end = bytes.nameEnd(from: start + 1)
        guard end > start + 1 else {
            return CodeToken(kind: .symbol, start: start, end: start + 1, symbol: bytes[start])
        }
        return CodeToken(kind: .word, start: start, end: end)
    }

    func isAtLineStart(_ offset: Int) -> Bool {
        var start = offset
        while start > 0, bytes[start - 1].isBlank { start -= 1 }
        return start == 0 || bytes[start - 1].isNewline
    }
}

// MARK: - Swift

extension CodeLexer {
    /// The end of a Swift string literal that begins with `#` or a quote.
    mutating func swiftStringEnd(from start: Int, depth: Int = 0) -> Int {
        let opening = SwiftQuote(bytes, at: start)
        var offset = opening.end
        while offset < bytes.count {
            let byte = bytes.buffer[offset]
            if byte == UInt8(ascii: "\""), opening.closes(bytes, at: offset) { return offset + opening.closingLength }
            if !opening.isMultiline, byte.isNewline { return offset }
            guard byte == UInt8(ascii: "\\"), opening.escapes(bytes, at: offset) else {
                offset += 1
                continue
            }
            let escaped = offset + 1 + opening.hashes
            if bytes[escaped] == UInt8(ascii: "(") {
                offset = interpolationEnd(from: escaped + 1, isMultiline: opening.isMultiline, depth: depth)
            } else {
                offset = bytes[escaped].isNewline && !opening.isMultiline ? escaped : escaped + 1
            }
        }
        return bytes.count
    }

    /// The offset after the closing parenthesis of an interpolation.
    ///
    /// An interpolation in a single-line literal may span lines if it ends soon. An unterminated one ends the literal
    /// at the end of its line.
    mutating func interpolationEnd(from start: Int, isMultiline: Bool, depth: Int) -> Int {
        let mayBreak = isMultiline || patience > 0
        let limit = isMultiline ? bytes.count : min(bytes.count, start + 4096)
        var (offset, open, firstBreak) = (start, 1, Int?.none)
        while offset < limit {
            let byte = bytes.buffer[offset]
            switch byte {
            case UInt8(ascii: "("): open += 1
            case UInt8(ascii: ")"):
                open -= 1
                if open == 0 { return offset + 1 }
            case UInt8(ascii: "\"") where depth < 32:
                let hashed = bytes[offset - 1] == UInt8(ascii: "#") && offset > start
                offset = swiftStringEnd(
                    from: hashed ? hashStart(before: offset, from: start) : offset, depth: depth + 1)
                continue
            case 0x0A, 0x0D:
                if !mayBreak { return offset }
                firstBreak = firstBreak ?? offset
            default: break
            }
            offset += 1
        }
        guard !isMultiline, let firstBreak else { return min(offset, bytes.count) }
        patience -= 1
        return firstBreak
    }

    private func hashStart(before quote: Int, from limit: Int) -> Int {
        var start = quote
        while start > limit, bytes[start - 1] == UInt8(ascii: "#") { start -= 1 }
        return start
    }

    /// `/[a-z]"+/`: a regular expression where a value may begin, closed on the same line.
    private func bareRegexEnd(from start: Int) -> Int? {
        let next = bytes[start + 1]
        guard !next.isSpace, next != UInt8(ascii: ")"), next != UInt8(ascii: "="), mayBeginValue else { return nil }
        let end = lineLiteralEnd(from: start + 1, closing: UInt8(ascii: "/"))
        return bytes[end - 1] == UInt8(ascii: "/") && end > start + 2 ? end : nil
    }

    /// True if a value may follow the previous token, false if an operator must follow.
    private var mayBeginValue: Bool {
        switch previous.kind {
        case .end, .condition, .directive: true
        case .symbol:
            !previous.is(")") && !previous.is("]") && !previous.is("}") && !previous.is("?") && !previous.is("!")
        case .word: bytes.equals("return", previous.range) || bytes.equals("in", previous.range)
        case .number, .string, .opaque: false
        }
    }

    /// `#/…/#`
    private func extendedRegexEnd(from slash: Int, hashes: Int) -> Int {
        let mayBreak = bytes[slash + 1].isNewline
        var offset = slash + 1
        while offset < bytes.count {
            if bytes.buffer[offset].isNewline, !mayBreak { return offset }
            if bytes.buffer[offset] == UInt8(ascii: "/") {
                var end = offset + 1
                while end - offset - 1 < hashes, bytes[end] == UInt8(ascii: "#") { end += 1 }
                if end - offset - 1 == hashes { return end }
            }
            offset += bytes.buffer[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }
}

// MARK: - Objective-C

extension CodeLexer {
    /// `@"…"`, `"…"`; a backslash at the end of a line continues the literal.
    private func cStringEnd(from start: Int) -> Int {
        var offset = start + (bytes[start] == UInt8(ascii: "@") ? 2 : 1)
        while offset < bytes.count {
            let byte = bytes.buffer[offset]
            if byte == UInt8(ascii: "\"") { return offset + 1 }
            if byte.isNewline { return offset }
            offset += byte == UInt8(ascii: "\\") ? (bytes.matches("\r\n", at: offset + 1) ? 3 : 2) : 1
        }
        return bytes.count
    }

    /// `R"x(…)x"` of C++.
    private func rawStringEnd(from quote: Int) -> Int? {
        var open = quote + 1
        while open < quote + 18, bytes[open] != UInt8(ascii: "("), bytes[open] != 0, !bytes[open].isSpace { open += 1 }
        guard bytes[open] == UInt8(ascii: "(") else { return nil }
        let closing = ")" + bytes.text(quote + 1..<open) + "\""
        return bytes.firstOffset(of: closing, from: open).map { $0 + closing.utf8.count } ?? bytes.count
    }
}

/// The opening of a string literal of Swift: `"`, `"""`, `##"`.
struct SwiftQuote {
    let hashes: Int
    let isMultiline: Bool
    /// The first quote.
    let quote: Int
    /// The offset after the opening.
    let end: Int

    init(_ bytes: Bytes, at start: Int) {
        var quote = start
        while bytes[quote] == UInt8(ascii: "#") { quote += 1 }
        hashes = quote - start
        self.quote = quote
        let isTriple = bytes.matches("\"\"\"", at: quote)
        // Without a third quote, `""` is an empty literal. `#"""#` is a literal that contains a quote.
        isMultiline = isTriple && (hashes == 0 || !Self.isClosed(bytes, at: quote + 2, hashes: hashes))
        end = quote + (isMultiline ? 3 : 1)
    }

    private static func isClosed(_ bytes: Bytes, at quote: Int, hashes: Int) -> Bool {
        (0..<hashes).allSatisfy { bytes[quote + 1 + $0] == UInt8(ascii: "#") }
    }

    var closingLength: Int { (isMultiline ? 3 : 1) + hashes }

    /// True if the quote at an offset closes the literal.
    func closes(_ bytes: Bytes, at offset: Int) -> Bool {
        if isMultiline, !bytes.matches("\"\"\"", at: offset) { return false }
        return Self.isClosed(bytes, at: offset + (isMultiline ? 2 : 0), hashes: hashes)
    }

    /// True if the backslash at an offset begins an escape.
    func escapes(_ bytes: Bytes, at offset: Int) -> Bool {
        (0..<hashes).allSatisfy { bytes[offset + 1 + $0] == UInt8(ascii: "#") }
    }
}
