import PredicateChecks

/// An entry of several lines as one line with the same meaning: what the history of a terminal can hold.
///
/// A line break between tokens becomes a blank, one inside quotes the escape `\n`, which formats and JSON share.
package enum RecalledLine {
    package static func of(_ entry: String) -> String {
        let quoted = FormatToken.tokens(of: entry).filter { $0.kind.holdsQuotes }.map(\.range)
        var line = Line()
        var inside = quoted.makeIterator()
        var next = inside.next()
        for (offset, byte) in entry.utf8.enumerated() {
            while let range = next, range.upperBound <= offset { next = inside.next() }
            line.append(byte, isQuoted: next.map { $0.contains(offset) } ?? false)
        }
        return line.text
    }

    private struct Line {
        private var bytes: [UInt8] = []
        /// True after a backslash that escapes the next byte.
        private var escapes = false

        mutating func append(_ byte: UInt8, isQuoted: Bool) {
            let isBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            guard isQuoted else {
                escapes = false
                return bytes.append(isBreak ? UInt8(ascii: " ") : byte)
            }
            if isBreak {
                // An escaped line break is the same as a line break.
                if !escapes { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: "n") : UInt8(ascii: "r"))
            } else {
                bytes.append(byte)
            }
            escapes = byte == UInt8(ascii: "\\") && !escapes
        }

        var text: String {
            let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }
            return String(decoding: bytes.prefix(end.map { $0 + 1 } ?? 0), as: UTF8.self)
        }
    }
}

extension FormatToken.Kind {
    /// True if the token may contain quotes, like `#"first name"`.
    fileprivate var holdsQuotes: Bool {
        switch self {
        case .string, .openString, .key, .variable: true
        case .keyword, .function, .number, .specifier, .symbol, .invalid: false
        }
    }
}
