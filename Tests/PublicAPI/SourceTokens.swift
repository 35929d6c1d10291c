/// The tokens of a Swift source, without comments: words, single marks, and string literals as one token.
///
/// Enough of a lexer to find declarations, and tolerant: it knows no operators and reports no error.
struct SourceTokens {
    enum Kind { case word, mark, literal }

    struct Token {
        var kind: Kind
        var range: Range<Int>
        /// True for the first token of a line.
        var startsLine: Bool
    }

    let bytes: [UInt8]
    private(set) var tokens: [Token] = []
    private var position = 0
    private var startsLine = true

    init(_ source: String) {
        bytes = Array(source.utf8)
        while position < bytes.count { readToken() }
    }

    /// The text of one token, or nothing after the last one.
    func text(_ index: Int) -> String {
        tokens.indices.contains(index) ? String(decoding: bytes[tokens[index].range], as: UTF8.self) : ""
    }

    /// True if the line before a token is a comment of documentation; a condition of attributes may stand between.
    func isDocumented(_ index: Int) -> Bool {
        var end = bytes[..<tokens[index].range.lowerBound].lastIndex(of: UInt8(ascii: "\n")) ?? 0
        while true {
            let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = bytes[start..<end].drop { $0 == UInt8(ascii: " ") }
            guard line.starts(with: "#if hasAttribute".utf8) else { return line.starts(with: "///".utf8) }
            end = max(start - 1, 0)
        }
    }

    /// The text of several tokens on one line: one space where the source has white space or a comment, none inside
    /// the ends of brackets.
    func text(_ range: Range<Int>) -> String {
        var text = ""
        for index in range {
            let token = self.text(index)
            let isApart =
                index > range.lowerBound && tokens[index].range.lowerBound > tokens[index - 1].range.upperBound
            if isApart, let last = text.last, !"([".contains(last), !([")", "]"].contains(token)) { text += " " }
            text += token
        }
        return text
    }

    private mutating func readToken() {
        let start = position
        switch bytes[start] {
        case UInt8(ascii: "\n"):
            startsLine = true
            position += 1
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
        case UInt8(ascii: "/") where follows("//"): skipLine()
        case UInt8(ascii: "/") where follows("/*"): skipBlockComment()
        case UInt8(ascii: "#") where startsLine && isDirective: skipLine()
        case UInt8(ascii: "\""), UInt8(ascii: "#"): readLiteral(from: start)
        case let byte where Self.isWord(byte) || byte == UInt8(ascii: "@"):
            position += 1
            while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
            append(.word, from: start)
        default:
            position += 1
            append(.mark, from: start)
        }
    }

    private mutating func append(_ kind: Kind, from start: Int) {
        tokens.append(Token(kind: kind, range: start..<position, startsLine: startsLine))
        startsLine = false
    }

    /// `"…"`, `"""…"""`, `#"…"#`; a mark where no quotation follows the `#`.
    private mutating func readLiteral(from start: Int) {
        while position < bytes.count, bytes[position] == UInt8(ascii: "#") { position += 1 }
        let marks = String(repeating: "#", count: position - start)
        guard follows("\"") else {
            position = start + 1
            return append(.mark, from: start)
        }
        let quotes = follows("\"\"\"") ? "\"\"\"" : "\""
        position += quotes.utf8.count
        while position < bytes.count, !follows(quotes + marks) {
            if follows("\\" + marks) {
                position += 1 + marks.utf8.count
                if follows("(") { skipInterpolation() } else { position += 1 }
            } else {
                position += 1
            }
        }
        position = min(bytes.count, position + quotes.utf8.count + marks.utf8.count)
        append(.literal, from: start)
    }

    /// The expression of an interpolation, which may hold literals of its own.
    private mutating func skipInterpolation() {
        let (count, wasStart) = (tokens.count, startsLine)
        var depth = 0
        repeat {
            let start = position
            readToken()
            if bytes[start] == UInt8(ascii: "(") { depth += 1 }
            if bytes[start] == UInt8(ascii: ")") { depth -= 1 }
        } while depth > 0 && position < bytes.count
        tokens.removeSubrange(count...)
        startsLine = wasStart
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                position += 2
            } else if follows("*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    /// `#if`, `#elseif`, `#else`, `#endif`: the declarations of every branch count.
    private var isDirective: Bool { follows("#if") || follows("#else") || follows("#endif") }

    private func follows(_ text: String) -> Bool {
        bytes[position...].starts(with: text.utf8)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
