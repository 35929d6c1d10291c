extension Lexer {
    /// `42`: decimal digits; nil for a number that may be longer.
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

    /// The radix of an integer token: 10 unless a prefix says otherwise.
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

    /// The end of a dot and the digits after it; a dot alone counts if no key can follow it, as in `10.`.
    private func fractionEnd(from dot: Int) -> Int? {
        guard byte(at: dot) == UInt8(ascii: ".") else { return nil }
        let end = digitsEnd(from: dot + 1)
        return end == dot + 1 && beginsKey(byte(at: end)) ? nil : end
    }

    private func beginsKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: ByteClass.isWordStart(byte)
        }
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
    /// `%@`, `%K`, `%ld`: the longest specifier of the printf family; a `d` after `%u` or `%lu` belongs to it, as
    /// shipped code relies on. [NSP-033]
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
