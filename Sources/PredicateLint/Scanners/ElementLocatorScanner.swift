/// Finds the predicates with which programs of Appium locate elements, in Python, Java, Kotlin, JavaScript, TypeScript,
/// Ruby and C#.
///
///     driver.find_element(AppiumBy.IOS_PREDICATE, "label == 'OK'")
///     @iOSXCUITFindBy(iOSNsPredicate = "label == 'OK'")
///     $('-ios predicate string:label == "OK"')
enum ElementLocatorScanner {
    /// Names after which the predicate is an argument, and the name of the strategy.
    private static let marks: [StaticString] = [
        "IOS_PREDICATE", "iOSNsPredicate", "IosNSPredicate", "IosNsPredicate", "IOSNsPredicate", "by_ios_predicate",
        "-ios predicate string", ":predicate,",
    ]

    static func texts(in bytes: Bytes) -> [StoredFormat] {
        marks.flatMap { mark -> [StoredFormat] in
            var result: [StoredFormat] = []
            var offset = 0
            while let start = bytes.firstOffset(of: mark, from: offset) {
                let end = start + mark.utf8CodeUnitCount
                offset = end
                guard !isComment(start, bytes), let text = text(after: end, bytes) else { continue }
                offset = max(end, text.literal.upperBound)
                guard !isName(text) else { continue }
                result.append(
                    StoredFormat(text: text, kind: .stored, name: start..<end, entity: PredicateHosts.appium))
            }
            return result
        }
    }

    /// True after `//` or `#` at the start of a line.
    private static func isComment(_ offset: Int, _ bytes: Bytes) -> Bool {
        let first = bytes.blankEnd(from: bytes.lineStart(before: offset))
        return bytes[first] == UInt8(ascii: "#") || bytes[first] == UInt8(ascii: "*") || bytes.matches("//", at: first)
    }

    /// True for the name of a strategy, which follows in a list of strategies or where the mark itself is defined, and
    /// for the name of a locator: `-ios class chain`, `accessibility id`, `LOGIN_BUTTON`.
    private static func isName(_ text: FormatText) -> Bool {
        let word = text.text
        return word.hasPrefix("-ios ") || word.hasPrefix("-android ") || strategies.contains(word)
            || word.contains("_") && word.utf8.allSatisfy { $0.isName && !(0x61...0x7A).contains($0) }
    }

    private static let strategies: Set<String> = [
        "id", "name", "xpath", "css selector", "link text", "partial link text", "tag name", "class name",
        "accessibility id", "image", "custom",
    ]

    /// The string after a mark: the rest of the literal, or the next argument.
    private static func text(after mark: Int, _ bytes: Bytes) -> FormatText? {
        let rest = bytes.nameEnd(from: mark)
        var reader = ProgramString(bytes)
        if bytes[rest] == UInt8(ascii: ":"), rest == mark, let quote = openQuote(before: mark, bytes) {
            return reader.rest(of: quote, from: rest + 1)
        }
        var start = rest
        if bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") { start += 1 }
        let limit = start + 64
        while start < limit, bytes[start].isSpace || "(,=:".utf8.contains(bytes[start]) { start += 1 }
        return start > rest ? reader.strings(from: start) : nil
    }

    /// The quote of the literal that contains the name of the strategy.
    private static func openQuote(before offset: Int, _ bytes: Bytes) -> UInt8? {
        let before = bytes[offset - "-ios predicate string".utf8.count - 1]
        return "\"'`".utf8.contains(before) ? before : nil
    }
}

/// Reads the strings of other languages: literals with escapes and interpolations, joined with `+`.
///
///     "label == '" + name + "'"      f"label == '{name}'"      `label == "${name}"`      "label == '%s'"
struct ProgramString {
    private let bytes: Bytes
    private var text = FormatText()
    private var offset = 0

    private static let longest = 1 << 16

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// The literals from an offset on; nil if there is none, or nothing of it is known.
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

    /// The rest of a literal that has begun.
    mutating func rest(of quote: UInt8, from start: Int) -> FormatText? {
        offset = start
        contents(quote: quote, length: 1, hasBraces: false)
        text.literal = start..<max(start, offset - 1)
        return known
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
        offset = prefix + (isTriple ? 3 : 1)
        contents(quote: quote, length: isTriple ? 3 : 1, hasBraces: hasBraces)
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
        if hasBraces, byte == open, next == open {
            text.appendEscape(CollectionOfOne(byte), source: offset..<offset + 2)
            offset += 2
            return true
        }
        if hasBraces, byte == UInt8(ascii: "}"), next == byte {
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

    /// Such strings take no arguments, so nothing is said about their holes.
    private mutating func append(hole range: Range<Int>) {
        text.appendHole(.init(expression: range, isNumber: true), shown: bytes[range], source: range)
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
