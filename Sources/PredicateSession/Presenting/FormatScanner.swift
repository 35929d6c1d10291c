import PredicateSyntax

/// A piece of a format string, as it is coloured and listed.
package struct FormatToken: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `AND`, `BEGINSWITH`
        case keyword
        /// `age`, `#size`, `@count`
        case key
        /// `sum` before a parenthesis, `modulus:by:`
        case function
        /// `$limit`
        case variable
        /// `"jo"`
        case string
        /// A string without its closing quote
        case openString
        /// `42`, `0x2A`, `1e5`
        case number
        /// `%@`, `%K`, `%ld`
        case specifier
        /// `==`
        case symbol
        /// What no format may hold there
        case invalid
    }

    package var kind: Kind
    /// UTF-8 offsets into the format.
    package var range: Range<Int>
}

/// Divides any text into the pieces of a format string, the wrong and the unfinished too: what a line under way is
/// coloured, completed and continued by.
///
/// It shares the tables of words and signs with the parser, but never refuses anything.
package struct FormatScanner {
    private let bytes: [UInt8]
    private var offset = 0
    private let specifiers: [Int: Int]

    /// The pieces of a format, without the white space between them.
    package static func tokens(of format: String) -> [FormatToken] {
        var scanner = FormatScanner(format)
        var tokens: [FormatToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    private init(_ format: String) {
        bytes = Array(format.utf8)
        let found = FormatPredicate.specifiers(in: format).map { ($0.range.lowerBound, $0.range.upperBound) }
        specifiers = Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    private mutating func next() -> FormatToken? {
        while offset < bytes.count, bytes[offset] == 0x20 || (0x09...0x0D).contains(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { return nil }
        let start = offset
        let kind = scan(bytes[offset])
        offset = max(offset, start + 1)
        return FormatToken(kind: kind, range: start..<offset)
    }

    private mutating func scan(_ byte: UInt8) -> FormatToken.Kind {
        if Self.isWordStart(byte) { return word() }
        if Self.isDigit(byte) || (byte == UInt8(ascii: ".") && Self.isDigit(peek(1))) { return number() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string()
        case UInt8(ascii: "%"): return specifier()
        case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"): return marked(byte)
        default: return symbol()
        }
    }

    private func peek(_ distance: Int) -> UInt8 {
        offset + distance < bytes.count ? bytes[offset + distance] : 0
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension FormatScanner {
    private static func isWordStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func skipWord() {
        while offset < bytes.count, Self.isWordStart(bytes[offset]) || Self.isDigit(bytes[offset]) { offset += 1 }
    }

    private mutating func word() -> FormatToken.Kind {
        let start = offset
        skipWord()
        let isAfterDot = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
        if let keyword = typeIdentifierOperator(from: start) {
            offset = start + keyword.rawValue.utf8.count
            return .keyword
        }
        if Keyword(word: text(start..<offset)) != nil, !isAfterDot { return .keyword }
        return skipSelector() || nextText == UInt8(ascii: "(") ? .function : .key
    }

    /// `UTI-EQUALS`: words with hyphens inside.
    private func typeIdentifierOperator(from start: Int) -> Keyword? {
        [Keyword.utiConformsTo, .utiEquals].first { keyword in
            let end = start + keyword.rawValue.utf8.count
            return end <= bytes.count && text(start..<end).uppercased() == keyword.rawValue
        }
    }

    /// Over `:by:`, when colons follow the word at once.
    private mutating func skipSelector() -> Bool {
        guard peek(0) == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") else { return false }
        while peek(0) == UInt8(ascii: ":") {
            offset += 1
            if Self.isWordStart(peek(0)) { skipWord() }
        }
        return true
    }

    /// The first byte that is no white space, from here.
    private var nextText: UInt8 {
        bytes[offset...].first { $0 != 0x20 && !(0x09...0x0D).contains($0) } ?? 0
    }

    private mutating func number() -> FormatToken.Kind {
        while offset < bytes.count {
            let byte = bytes[offset]
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            let isExponent = isSign && offset > 0 && bytes[offset - 1] | 0x20 == UInt8(ascii: "e")
            guard Self.isDigit(byte) || Self.isWordStart(byte) || byte == UInt8(ascii: ".") || isExponent else { break }
            offset += 1
        }
        return .number
    }

    private mutating func string() -> FormatToken.Kind {
        let quote = bytes[offset]
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            offset = min(offset + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
            if byte == quote { return .string }
        }
        return .openString
    }

    private mutating func specifier() -> FormatToken.Kind {
        guard let end = specifiers[offset] else {
            offset += 1
            skipWord()
            return .invalid
        }
        offset = end
        return .specifier
    }

    /// `@count`, `#size`, `#"first name"`, `$limit`, `$#size`
    private mutating func marked(_ mark: UInt8) -> FormatToken.Kind {
        offset += 1
        if mark == UInt8(ascii: "$"), peek(0) == UInt8(ascii: "#") { offset += 1 }
        let kind: FormatToken.Kind = mark == UInt8(ascii: "$") ? .variable : .key
        if mark != UInt8(ascii: "@"), peek(0) == UInt8(ascii: "\"") || peek(0) == UInt8(ascii: "'") {
            return string() == .string ? kind : .openString
        }
        guard Self.isWordStart(peek(0)) else { return .invalid }
        skipWord()
        return kind
    }

    private mutating func symbol() -> FormatToken.Kind {
        let longest = Symbol.allCases.map { Array($0.rawValue.utf8) }
            .filter { bytes[offset...].starts(with: $0) }.max { $0.count < $1.count }
        if let longest {
            offset += longest.count
            return .symbol
        }
        repeat { offset += 1 } while offset < bytes.count && bytes[offset] & 0xC0 == 0x80
        return .invalid
    }
}
