/// A scanned string: the range between its quotes.
struct StringSpan {
    var range: Range<Int>
    var hasEscapes: Bool
}

extension JSONParser {
    /// string = '"' { character | escape } '"'. Checks the string without building it.
    mutating func scanString() throws(Fault) -> StringSpan {
        let opening = index
        var hasEscapes = false
        var highBits: UInt64 = 0
        index += 1
        while true {
            skipOrdinaryText(&highBits)
            guard index < bytes.count else { throw Fault(.unterminatedString, at: opening) }
            if bytes[index] == Byte.quote { break }
            guard bytes[index] == Byte.backslash else { throw Fault(.controlCharacter(bytes[index]), at: index) }
            hasEscapes = true
            _ = try scanEscape(opening: opening)
        }
        let range = opening + 1..<index
        index += 1
        if highBits != 0 { try checkUTF8(range) }
        return StringSpan(range: range, hasEscapes: hasEscapes)
    }

    private func checkUTF8(_ range: Range<Int>) throws(Fault) {
        if let offset = UTF8Validation.firstFault(in: bytes, range) { throw Fault(.invalidUTF8, at: offset) }
    }

    /// Skips bytes up to the next quote, backslash or control character, eight at a time if possible.
    private mutating func skipOrdinaryText(_ highBits: inout UInt64) {
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let stops = StringStops.stops(in: word)
            if stops != 0 {
                let bits = stops.trailingZeroBitCount & ~7
                highBits |= word & ((1 &<< UInt64(bits)) &- 1) & 0x8080_8080_8080_8080
                index += bits >> 3
                return
            }
            highBits |= word & 0x8080_8080_8080_8080
            index += 8
        }
        while index < bytes.count, bytes[index] >= Byte.space, bytes[index] != Byte.quote,
            bytes[index] != Byte.backslash
        {
            highBits |= UInt64(bytes[index] & 0x80)
            index += 1
        }
    }
}

extension JSONParser {
    /// escape = '\' ( '"' | '\' | '/' | "b" | "f" | "n" | "r" | "t" | "u" hex4 [ '\' "u" hex4 ] )
    private mutating func scanEscape(opening: Int) throws(Fault) -> Unicode.Scalar {
        let start = index
        guard index + 1 < bytes.count else { throw Fault(.unterminatedString, at: opening) }
        let letter = bytes[index + 1]
        index += 2
        if let scalar = Self.shortEscape(letter) { return scalar }
        guard letter == 0x75, let first = scanHexadecimal() else { throw Fault(.invalidEscape, at: start) }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == Byte.backslash, bytes[index + 1] == 0x75 else {
            throw Fault(.loneSurrogate, at: start)
        }
        index += 2
        guard let second = scanHexadecimal() else { throw Fault(.invalidEscape, at: index - 2) }
        guard second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
        else { throw Fault(.loneSurrogate, at: start) }
        return scalar
    }

    /// Four hexadecimal digits.
    private mutating func scanHexadecimal() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = bytes[index + offset].hexadecimal else { return nil }
            value = value << 4 | digit
        }
        index += 4
        return value
    }

    private static func shortEscape(_ letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case Byte.quote, Byte.backslash, Byte.slash: Unicode.Scalar(letter)
        case 0x62: "\u{8}"
        case 0x66: "\u{C}"
        case 0x6E: "\n"
        case 0x72: "\r"
        case 0x74: "\t"
        default: nil
        }
    }
}

extension JSONParser {
    /// Returns the string of a span.
    func makeString(_ span: StringSpan) -> String {
        span.hasEscapes ? makeUnescapedString(span.range) : bytes.text(span.range)
    }

    /// Returns the string without escapes. No escape is shorter than its result, so the capacity suffices.
    private func makeUnescapedString(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { target in
            Self.unescape(bytes.slice(range), into: target)
        }
    }

    /// Copies a checked text with its escapes resolved, and returns the number of bytes written.
    static func unescape(
        _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var parser = JSONParser(text)
        var count = 0
        while parser.index < parser.bytes.count {
            parser.copyNext(to: target, &count)
        }
        return count
    }

    /// Copies one byte or one escape; the span was checked before.
    private mutating func copyNext(to target: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
        guard bytes[index] == Byte.backslash, let scalar = try? scanEscape(opening: index) else {
            target[count] = bytes[index]
            count += 1
            index += 1
            return
        }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            target[count] = byte
            count += 1
        }
    }
}
