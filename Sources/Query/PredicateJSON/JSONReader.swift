import PredicateSyntax

/// Reads a JSON document (RFC 8259, strict) as a value.
///
/// `try JSONReader.parse(#"{"name": "jo", "age": 21}"#)`
///
/// A number without fraction and exponent is an `integer`; if it does not fit into 64 bits, it is a `decimal`, or an error if
/// that would round it. Any other number, including `1.0`, is the nearest `double`. The exponent 999 gives infinity, which
/// ``JSONWriter`` and SQLite write as `1e999` and `-1e999`; any other number outside the range of doubles is an error. The last
/// of duplicate keys counts. A byte order mark at the beginning is skipped. Nesting is limited to ``maximumDepth``.
package enum JSONReader {
    /// 512 nested arrays and objects.
    package static let maximumDepth = 512

    /// Returns the value of a document in memory. Throws a ``JSONError`` with the position.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> PredicateValue {
        var parser = JSONParser(bytes, shapes: bytes.count > 4096 ? ObjectShapes() : nil, isStrict: true)
        if bytes.starts(with: byteOrderMark) { parser.index = byteOrderMark.count }
        do {
            return try parser.parseDocument()
        } catch {
            throw error.located(in: bytes)
        }
    }

    /// Returns the value of a document: `JSONReader.parse(Array("[1, 2]".utf8))`. Throws a ``JSONError``.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> PredicateValue {
        try bytes.withUnsafeBufferPointer { bytes in Result { () throws(JSONError) in try parse(bytes) } }.get()
    }

    /// Returns the value of a document: `JSONReader.parse("[1, 2]")`. Throws a ``JSONError``.
    package static func parse(_ text: String) throws(JSONError) -> PredicateValue {
        var text = text
        return try text.withUTF8 { bytes in Result { () throws(JSONError) in try parse(bytes) } }.get()
    }

    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// A recursive-descent parser for JSON in memory, with one function for each production. Each function has two forms:
/// one checks a value (`skip…`), the other builds it (`parse…`).
package struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    package var index = 0

    /// The cache of object shapes; nil for small inputs.
    private let shapes: ObjectShapes?

    /// False to read `NaN`, `Infinity` and `-Infinity` as well, which Python writes.
    private let isStrict: Bool

    package init(_ bytes: UnsafeBufferPointer<UInt8>, isStrict: Bool = false) {
        self.init(bytes, shapes: nil, isStrict: isStrict)
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, shapes: ObjectShapes?, isStrict: Bool = false) {
        (self.bytes, self.shapes, self.isStrict) = (bytes, shapes, isStrict)
    }

    /// document = ws value ws
    package mutating func parseDocument() throws(JSONFault) -> PredicateValue {
        skipWhitespace()
        let value = try parseValue(depth: 0)
        try expectEnd()
        return value
    }

    mutating func expectEnd() throws(JSONFault) {
        skipWhitespace()
        if index < bytes.count { throw JSONFault(.trailingContent, at: index) }
    }

    /// value = object | array | string | number | "true" | "false" | "null"
    mutating func parseValue(depth: Int) throws(JSONFault) -> PredicateValue {
        guard index < bytes.count else { throw JSONFault(.unexpectedEnd, at: index) }
        switch bytes[index] {
        case Byte.quote: return .string(try parseString())
        case Byte.openBrace: return .dictionary(try parseObject(depth: depth + 1))
        case Byte.openBracket: return .array(try parseArray(depth: depth + 1))
        case Byte.minus, Byte.zero...Byte.nine: return try parseNumber()
        default: return try parseWord()
        }
    }

    /// object = "{" [ string ":" value { "," string ":" value } ] "}"
    mutating func parseObject(depth: Int) throws(JSONFault) -> [String: PredicateValue] {
        guard try openContainer(closing: Byte.closeBrace, depth: depth) else { return [:] }
        guard let shapes else {
            var members: [String: PredicateValue] = [:]
            try parseMembers(into: &members, key: try scanKey(), depth: depth)
            return members
        }
        return try parseShapedMembers(shapes, depth: depth)
    }

    /// Parses members as long as their key sequence is cached, and the rest without the cache.
    private mutating func parseShapedMembers(
        _ shapes: ObjectShapes, depth: Int
    ) throws(JSONFault) -> [String: PredicateValue] {
        var node = shapes.root
        var values: [PredicateValue] = []
        values.reserveCapacity(16)
        repeat {
            let key = try scanKey()
            guard let next = shapes.child(of: node, key, in: self) else {
                var members = node.dictionary(values)
                try parseMembers(into: &members, key: key, depth: depth)
                return members
            }
            node = next
            values.append(try parseValue(depth: depth))
        } while try continueContainer(closing: Byte.closeBrace)
        return node.dictionary(values)
    }

    /// Parses the remaining members, starting with the value of a key that was already read.
    private mutating func parseMembers(
        into members: inout [String: PredicateValue], key: StringSpan, depth: Int
    ) throws(JSONFault) {
        members[makeString(key)] = try parseValue(depth: depth)
        while try continueContainer(closing: Byte.closeBrace) {
            let key = makeString(try scanKey())
            members[key] = try parseValue(depth: depth)
        }
    }

    /// array = "[" [ value { "," value } ] "]"
    private mutating func parseArray(depth: Int) throws(JSONFault) -> [PredicateValue] {
        var elements: [PredicateValue] = []
        guard try openContainer(closing: Byte.closeBracket, depth: depth) else { return elements }
        repeat {
            elements.append(try parseValue(depth: depth))
        } while try continueContainer(closing: Byte.closeBracket)
        return elements
    }

    private mutating func parseString() throws(JSONFault) -> String {
        makeString(try scanString())
    }

    private mutating func parseNumber() throws(JSONFault) -> PredicateValue {
        if takesNegativeInfinity() { return .double(-.infinity) }
        let number = try JSONNumber(bytes, from: index)
        index = number.range.upperBound
        return try number.value(in: bytes)
    }

    private mutating func parseWord() throws(JSONFault) -> PredicateValue {
        switch bytes[index] {
        case 0x74 where takes("true"): return .bool(true)
        case 0x66 where takes("false"): return .bool(false)
        case 0x6E where takes("null"): return .null
        case 0x4E where !isStrict && takes("NaN"): return .double(.nan)
        case 0x49 where !isStrict && takes("Infinity"): return .double(.infinity)
        default: throw JSONFault(.expectedValue, at: index)
        }
    }
}

extension JSONParser {
    private mutating func takesNegativeInfinity() -> Bool { !isStrict && takes("-Infinity") }

    /// Checks a value without building it.
    package mutating func skipValue(depth: Int) throws(JSONFault) {
        guard index < bytes.count else { throw JSONFault(.unexpectedEnd, at: index) }
        switch bytes[index] {
        case Byte.quote: _ = try scanString()
        case Byte.openBrace: try skipObject(depth: depth + 1)
        case Byte.openBracket: try skipArray(depth: depth + 1)
        case Byte.minus where takesNegativeInfinity(): break
        case Byte.minus, Byte.zero...Byte.nine: index = try JSONNumber(bytes, from: index).range.upperBound
        default: _ = try parseWord()
        }
    }

    private mutating func skipObject(depth: Int) throws(JSONFault) {
        guard try openContainer(closing: Byte.closeBrace, depth: depth) else { return }
        repeat {
            _ = try scanKey()
            try skipValue(depth: depth)
        } while try continueContainer(closing: Byte.closeBrace)
    }

    private mutating func skipArray(depth: Int) throws(JSONFault) {
        guard try openContainer(closing: Byte.closeBracket, depth: depth) else { return }
        repeat {
            try skipValue(depth: depth)
        } while try continueContainer(closing: Byte.closeBracket)
    }
}

extension JSONParser {
    /// Advances past the opening bracket; returns false for an empty container, after its end.
    package mutating func openContainer(closing: UInt8, depth: Int) throws(JSONFault) -> Bool {
        if depth > JSONReader.maximumDepth {
            throw JSONFault(.nestingTooDeep(limit: JSONReader.maximumDepth), at: index)
        }
        index += 1
        skipWhitespace()
        guard index < bytes.count, bytes[index] == closing else { return true }
        index += 1
        return false
    }

    /// Advances past the comma after a member or element; returns false after the closing bracket.
    @inline(__always)
    package mutating func continueContainer(closing: UInt8) throws(JSONFault) -> Bool {
        skipWhitespace()
        guard index < bytes.count else { throw JSONFault(.unexpectedEnd, at: index) }
        let byte = bytes[index]
        guard byte == Byte.comma || byte == closing else { throw JSONFault(.expectedComma, at: index) }
        index += 1
        if byte == closing { return false }
        skipWhitespace()
        return true
    }

    /// Scans a key and its colon, up to the value.
    @inline(__always)
    package mutating func scanKey() throws(JSONFault) -> StringSpan {
        guard index < bytes.count else { throw JSONFault(.unexpectedEnd, at: index) }
        guard bytes[index] == Byte.quote else { throw JSONFault(.expectedKey, at: index) }
        let key = try scanString()
        skipWhitespace()
        guard index < bytes.count else { throw JSONFault(.unexpectedEnd, at: index) }
        guard bytes[index] == Byte.colon else { throw JSONFault(.expectedColon, at: index) }
        index += 1
        skipWhitespace()
        return key
    }

    @inline(__always)
    package mutating func skipWhitespace() {
        while index < bytes.count, bytes[index].isWhitespace { index += 1 }
    }

    private mutating func takes(_ word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        index = end
        return true
    }
}

/// A scanned string: the range between its quotes.
package struct StringSpan {
    var range: Range<Int>
    var hasEscapes: Bool
}

extension JSONParser {
    /// string = '"' { character | escape } '"'. Checks the string without building it.
    package mutating func scanString() throws(JSONFault) -> StringSpan {
        let opening = index
        var hasEscapes = false
        var highBits: UInt64 = 0
        index += 1
        while true {
            skipOrdinaryText(&highBits)
            guard index < bytes.count else { throw JSONFault(.unterminatedString, at: opening) }
            if bytes[index] == Byte.quote { break }
            guard bytes[index] == Byte.backslash else { throw JSONFault(.controlCharacter(bytes[index]), at: index) }
            hasEscapes = true
            _ = try scanEscape(opening: opening)
        }
        let range = opening + 1..<index
        index += 1
        if highBits != 0 { try checkUTF8(range) }
        return StringSpan(range: range, hasEscapes: hasEscapes)
    }

    private func checkUTF8(_ range: Range<Int>) throws(JSONFault) {
        if let offset = UTF8Validation.firstFault(in: bytes, range) { throw JSONFault(.invalidUTF8, at: offset) }
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
    private mutating func scanEscape(opening: Int) throws(JSONFault) -> Unicode.Scalar {
        let start = index
        guard index + 1 < bytes.count else { throw JSONFault(.unterminatedString, at: opening) }
        let letter = bytes[index + 1]
        index += 2
        if let scalar = Self.shortEscape(letter) { return scalar }
        guard letter == 0x75, let first = scanHexadecimal() else { throw JSONFault(.invalidEscape, at: start) }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == Byte.backslash, bytes[index + 1] == 0x75 else {
            throw JSONFault(.loneSurrogate, at: start)
        }
        index += 2
        guard let second = scanHexadecimal() else { throw JSONFault(.invalidEscape, at: index - 2) }
        guard second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
        else { throw JSONFault(.loneSurrogate, at: start) }
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
    package func makeString(_ span: StringSpan) -> String {
        span.hasEscapes ? makeUnescapedString(span.range) : bytes.text(span.range)
    }

    /// True if the string of a span has the same code points as another.
    func isString(_ span: StringSpan, _ other: String) -> Bool {
        if span.hasEscapes { return makeString(span).hasSameCodePoints(as: other) }
        return span.range.count == other.utf8.count && zip(bytes.slice(span.range), other.utf8).allSatisfy(==)
    }

    /// Returns the string without escapes. No escape is shorter than its result, so the capacity is sufficient.
    private func makeUnescapedString(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { target in
            Self.unescape(bytes.slice(range), into: target)
        }
    }

    /// Copies a checked string with its escapes resolved, and returns the number of bytes written.
    package static func unescape(
        _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var parser = JSONParser(text)
        var count = 0
        while parser.index < parser.bytes.count {
            parser.copyNext(to: target, &count)
        }
        return count
    }

    /// Copies one byte or one escape of a checked string.
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

/// The bytes that end a run of ordinary characters in a string: quotes, backslashes and control characters.
public enum StringStops {
    /// Returns a little-endian word with the high bit set in each of these bytes. Bits after the first one may be wrong.
    @inlinable
    @inline(__always)
    public static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (found | ((word &- ones &* 0x20) & ~word)) & (ones &* 0x80)
    }

    /// Skips bytes without a stop, eight at a time.
    @inlinable
    @inline(__always)
    public static func skip(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= bytes.count {
            let stops = stops(in: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            if stops != 0 { return index + stops.trailingZeroBitCount >> 3 }
            index += 8
        }
        return index
    }
}
