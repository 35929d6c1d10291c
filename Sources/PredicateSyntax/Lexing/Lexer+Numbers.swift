extension Lexer {
    /// `42`: digits and nothing else of a number; nil where there may be more to it.
    @inline(__always)
    mutating func digits() -> Token? {
        let length = digitCount(from: 0)
        guard length > 0, bytes[offset] != UInt8(ascii: "0"), !isFractionOrExponent(peek(length)) else { return nil }
        return take(.integer, length: length)
    }

    /// `42`, `0x2A`, `0o52`, `0b101010`, `4.2`, `.5`, `10.`, `9.2e-5`
    mutating func number() throws(LexicalError) -> Token {
        if bytes[offset] == UInt8(ascii: "0"), let radix = Self.radix(ofPrefix: peek(1)) {
            return try prefixedInteger(radix: radix)
        }
        var length = digitCount(from: 0)
        guard isFractionOrExponent(peek(length)) else { return take(.integer, length: length) }
        var kind = Token.Kind.integer
        if let fraction = fractionLength(from: length) {
            kind = .floatingPoint
            length += fraction
        }
        if let exponent = exponentLength(from: length) {
            kind = .floatingPoint
            length += exponent
        }
        return take(kind, length: length)
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

    private mutating func prefixedInteger(radix: Int) throws(LexicalError) -> Token {
        let length = wordLength(from: 2)
        let digits = bytes[offset + 2..<offset + 2 + length]
        let areDigits = digits.allSatisfy { ByteClass.hexValue($0).map { $0 < UInt32(radix) } ?? false }
        guard areDigits, !digits.isEmpty else {
            throw LexicalError(.invalidNumber, offset..<offset + 2 + length)
        }
        return take(.integer, length: 2 + length)
    }

    @inline(__always)
    private func digitCount(from distance: Int) -> Int {
        let start = offset + distance
        var end = start
        while end < bytes.count, ByteClass.isDigit(bytes[end]) { end += 1 }
        return end - start
    }

    @inline(__always)
    private func isFractionOrExponent(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
    }

    /// The dot and the digits after it; a dot alone counts when no key can follow it, as in `10.`.
    private func fractionLength(from distance: Int) -> Int? {
        guard peek(distance) == UInt8(ascii: ".") else { return nil }
        let digits = digitCount(from: distance + 1)
        if digits > 0 { return 1 + digits }
        return beginsKey(peek(distance + 1)) ? nil : 1
    }

    private func beginsKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: ByteClass.isWordStart(byte)
        }
    }

    private func exponentLength(from distance: Int) -> Int? {
        guard peek(distance) | 0x20 == UInt8(ascii: "e") else { return nil }
        let isSigned = peek(distance + 1) == UInt8(ascii: "-") || peek(distance + 1) == UInt8(ascii: "+")
        let digits = digitCount(from: distance + (isSigned ? 2 : 1))
        return digits > 0 ? (isSigned ? 2 : 1) + digits : nil
    }
}

extension Lexer {
    /// `%@`, `%K`, `%ld`: the longest specifier of the printf family; a `d` after `%u` or `%lu` belongs to it, as
    /// shipped code relies on. [NSP-033]
    mutating func specifier() throws(LexicalError) -> Token {
        var length = 1
        while isLengthModifier(peek(length)), length < 4 { length += 1 }
        guard let kind = FormatSpecifier.Kind(conversion: peek(length), hasLength: length > 1) else {
            throw LexicalError(specifierError(length), offset..<scalarEnd(offset + length))
        }
        let isUnsigned = peek(length) == UInt8(ascii: "u")
        length += 1
        if isUnsigned, peek(length) == UInt8(ascii: "d"), !ByteClass.isWord(peek(length + 1)) { length += 1 }
        return take(.specifier(kind), length: length)
    }

    private func isLengthModifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "q"), UInt8(ascii: "L"), UInt8(ascii: "z"),
            UInt8(ascii: "t"), UInt8(ascii: "j"):
            true
        default: false
        }
    }

    private func specifierError(_ length: Int) -> LexicalError.Code {
        peek(length) == UInt8(ascii: "%") ? .percentSign : .unknownSpecifier
    }
}
