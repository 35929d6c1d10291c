/// Reads strings of other programming languages: literals with escapes and interpolations, joined with `+`.
///
///     "label == '" + name + "'"      f"label == '{name}'"      `label == "${name}"`      "label == '%s'"
struct ProgramString {
    private let bytes: Bytes
    private var text = FormatText()
    private var offset = 0

    private static let longest = 1 << 16

    /// True to mark all holes as harmless, because such strings take no arguments.
    private let areHarmless: Bool

    init(_ bytes: Bytes, areHarmless: Bool = true) {
        self.bytes = bytes
        self.areHarmless = areHarmless
    }

    /// The string of the literals at an offset; nil if there are none, or if the whole string is unknown.
    mutating func strings(from start: Int) -> FormatText? {
        offset = start
        guard literal() else { return nil }
        var end = offset
        while end < start + Self.longest {
            let next = bytes.spaceEnd(from: end)
            if bytes[next] == UInt8(ascii: "+"), bytes[next + 1] != UInt8(ascii: "+") {
                offset = bytes.spaceEnd(from: next + 1)
                if !literal() { operand() }
            } else if isQuote(bytes[next]), bytes[next - 1].isSpace {
                offset = next
                guard literal() else { break }
            } else {
                break
            }
            guard offset > end else { break }
            end = offset
        }
        text.literal = start..<end
        return known
    }

    /// The rest of a literal that has begun, with the strings that `+` adds to it.
    mutating func rest(of quote: UInt8, from start: Int) -> FormatText? {
        offset = start
        contents(quote: quote, length: 1, hasBraces: false)
        text.literal = start..<max(start, offset - 1)
        let next = bytes.spaceEnd(from: offset)
        if text.segments.isEmpty, bytes[next] == UInt8(ascii: "+") {
            offset = bytes.spaceEnd(from: next + 1)
            let added = offset
            if literal() { text.literal = added..<offset } else { operand() }
        }
        return known
    }

    /// The expression of the only hole, if the string consists of one hole.
    var onlyHole: Range<Int>? {
        text.segments.count == 1 ? text.holes.first.map { Self.expression($0.hole.expression, bytes) } : nil
    }

    /// The name in `${name}`, `{name}`, `#{name}`.
    static func expression(_ range: Range<Int>, _ bytes: Bytes) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, "$#{".utf8.contains(bytes[start]) { start += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: "}") || bytes[end - 1].isSpace { end -= 1 }
        return start..<end
    }

    private var known: FormatText? { text.segments.contains { !$0.isHole } ? text : nil }

    private func isQuote(_ byte: UInt8) -> Bool { "\"'`".utf8.contains(byte) }

    /// `"…"`, `f'…'`, `$"…"`, `"""…"""`
    private mutating func literal() -> Bool {
        var prefix = offset
        while prefix < offset + 2, bytes[prefix].isLetter || "$@".utf8.contains(bytes[prefix]) { prefix += 1 }
        guard isQuote(bytes[prefix]) else { return false }
        let hasBraces = (offset..<prefix).contains {
            bytes[$0] | 0x20 == UInt8(ascii: "f") || bytes[$0] == UInt8(ascii: "$")
        }
        let quote = bytes[prefix]
        let isTriple = bytes[prefix + 1] == quote && bytes[prefix + 2] == quote
        let before = text
        offset = prefix + (isTriple ? 3 : 1)
        contents(quote: quote, length: isTriple ? 3 : 1, hasBraces: hasBraces)
        if !hasBraces, bytes.matches(".format(", at: offset) {
            (text, offset) = (before, prefix + (isTriple ? 3 : 1))
            contents(quote: quote, length: isTriple ? 3 : 1, hasBraces: true)
        }
        return true
    }

    /// Reads up to the closing quotes, and moves past them.
    private mutating func contents(quote: UInt8, length: Int, hasBraces: Bool) {
        let limit = min(bytes.count, offset + Self.longest)
        while offset < limit {
            let byte = bytes[offset]
            if byte == quote, (0..<length).allSatisfy({ bytes[offset + $0] == quote }) {
                offset += length
                return
            }
            if byte.isNewline, length == 1, quote != UInt8(ascii: "`") { return }
            if byte == UInt8(ascii: "\\") {
                escape()
            } else if !hole(hasBraces: hasBraces, hasDollars: quote != UInt8(ascii: "'")) {
                text.appendCopy(bytes[offset..<offset + 1], from: offset)
                offset += 1
            }
        }
    }

    private mutating func escape() {
        let next = bytes[offset + 1]
        let character =
            switch next {
            case UInt8(ascii: "n"): UInt8(0x0A)
            case UInt8(ascii: "t"): UInt8(0x09)
            default: next
            }
        text.appendEscape(CollectionOfOne(character), source: offset..<min(offset + 2, bytes.count))
        offset = min(offset + 2, bytes.count)
    }

    /// `{name}` of a formatted string, `${name}`, `$name`, `#{name}`, `%s`; returns false for anything else.
    private mutating func hole(hasBraces: Bool, hasDollars: Bool) -> Bool {
        let (byte, next) = (bytes[offset], bytes[offset + 1])
        let open = UInt8(ascii: "{")
        if hasBraces, byte == open || byte == UInt8(ascii: "}"), next == byte {
            text.appendEscape(CollectionOfOne(byte), source: offset..<offset + 2)
            offset += 2
            return true
        }
        if hasBraces, byte == open { return hole(to: closing(from: offset)) }
        if byte == UInt8(ascii: "%"), "sdf@".utf8.contains(next), !bytes[offset + 2].isName {
            return hole(to: offset + 2)
        }
        if hasDollars, byte == UInt8(ascii: "$") || byte == UInt8(ascii: "#"), next == open {
            return hole(to: closing(from: offset + 1))
        }
        if hasDollars, byte == UInt8(ascii: "$"), next.isLetter { return hole(to: bytes.nameEnd(from: offset + 1)) }
        return false
    }

    private func closing(from open: Int) -> Int? {
        bytes.firstOffset(ofByte: UInt8(ascii: "}"), from: open, reach: 1024).map { $0 + 1 }
    }

    private mutating func hole(to end: Int?) -> Bool {
        guard let end, end <= bytes.count else { return false }
        append(hole: offset..<end)
        return true
    }

    private mutating func append(hole range: Range<Int>) {
        text.appendHole(.init(expression: range, isHarmless: areHarmless), shown: bytes[range], source: range)
        offset = range.upperBound
    }

    /// An expression between two literals.
    private mutating func operand() {
        let start = offset
        var depth = 0
        while offset < min(bytes.count, start + 256) {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
            let isEnd = byte == UInt8(ascii: "+") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
            if depth < 0 || depth == 0 && (isEnd || byte.isNewline) { break }
            offset += 1
        }
        var end = offset
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        if end > start { append(hole: start..<end) }
    }
}
