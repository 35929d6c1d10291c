import PredicateChecks

/// Joins the lines of a session into entries: a command, a predicate or an expression on one or more lines.
///
/// An entry continues on the next line while a bracket or a quote is open, and after an operator: `age > 5 AND`. An
/// empty line ends it.
package struct EntryBuilder {
    /// The lines of the entry so far.
    private var entry = ""
    /// Returns true if a string is a valid predicate, expression or command.
    private let isRead: (String) -> Bool

    package init(isRead: @escaping (String) -> Bool) {
        self.isRead = isRead
    }

    /// True if the next line continues an entry.
    package var isOpen: Bool { !entry.isEmpty }

    /// Discards the lines so far.
    package mutating func clear() { entry = "" }

    /// Ends the entry at the end of the input.
    package mutating func finish() -> [String] {
        defer { clear() }
        return isOpen ? [entry] : []
    }

    /// Adds a line and returns the entries that it completes.
    ///
    /// Pasted lines are separated even if one of them is invalid: after `age >`, a line that cannot continue the
    /// entry and is valid by itself begins a new entry.
    package mutating func add(_ line: String) -> [String] {
        guard isOpen else { return begin(line) }
        let former = entry
        let openings = OpenInput.state(of: former)
        if openings == .operator, line.trimmed.hasPrefix(":") { return [former] + begin(line) }
        entry += "\n" + line
        if !line.isEmpty, Self.isOpen(entry) { return [] }
        if openings == .operator, !line.isEmpty, !isRead(entry), isRead(line) { return [former] + begin(line) }
        return finish()
    }

    private mutating func begin(_ line: String) -> [String] {
        entry = line
        return Self.isOpen(line) && !line.isEmpty ? [] : finish()
    }

    /// Returns true if the entry continues on the next line. Most commands end with their line.
    private static func isOpen(_ entry: String) -> Bool {
        guard entry.hasPrefix(":") else { return OpenInput.state(of: entry) != .closed }
        guard let command = try? SessionCommandLine(entry), command.command.takesFormat || command.command == .object
        else {
            return false
        }
        let state = OpenInput.state(of: command.rest)
        // JSON has no operators.
        return command.command == .object ? state == .bracket : state != .closed
    }
}

/// Turns an entry of several lines into one line with the same meaning, because a terminal's history consists of lines.
///
/// A line break between tokens becomes a space. Inside quotes it becomes the escape `\n`, which formats and JSON have in
/// common.
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
                // An escaped line break equals a line break.
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
    /// A Boolean value that indicates whether the token may contain quotes, like `#"first name"`.
    fileprivate var holdsQuotes: Bool {
        switch self {
        case .string, .openString, .key, .variable: true
        case .keyword, .function, .number, .specifier, .symbol, .invalid: false
        }
    }
}
