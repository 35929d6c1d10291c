import PredicateChecks

/// The lines of a session as entries: a command, a predicate or an expression on one line or several.
///
/// An entry continues on the next line while a bracket or a quote is open, and after an operator: `age > 5 AND`. An empty
/// line ends it.
package struct EntryBuilder {
    /// The lines of the entry so far.
    private var entry = ""
    /// Whether a text can be read as a predicate, an expression or a command.
    private let isRead: (String) -> Bool

    package init(isRead: @escaping (String) -> Bool) {
        self.isRead = isRead
    }

    /// True if the next line continues an entry.
    package var isOpen: Bool { !entry.isEmpty }

    /// Forgets the lines so far.
    package mutating func clear() { entry = "" }

    /// Ends the entry: the input has no further lines.
    package mutating func finish() -> [String] {
        defer { clear() }
        return isOpen ? [entry] : []
    }

    /// Adds a line, and returns the entries that are complete with it.
    ///
    /// Pasted lines are told apart even where one of them is wrong: after `age >`, a line that cannot continue it and can
    /// be read alone is an entry of its own.
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

    /// Returns true if the entry continues on the next line; most commands end with their line.
    private static func isOpen(_ entry: String) -> Bool {
        guard entry.hasPrefix(":") else { return OpenInput.state(of: entry) != .closed }
        guard let command = try? CommandLine(entry), command.command.takesFormat || command.command == .object else {
            return false
        }
        let state = OpenInput.state(of: command.rest)
        // JSON has no operators.
        return command.command == .object ? state == .bracket : state != .closed
    }
}

/// Detects texts that are unfinished.
package enum OpenInput {
    package enum State {
        case closed
        /// `(age > 5`, `name == "jo`
        case bracket
        /// `age > 5 AND`, `age >`
        case `operator`
    }

    /// The state at the end of a text. One with unbalanced closing brackets is wrong already and not open.
    package static func state(of text: String) -> State {
        var open: [UInt8] = []
        let bytes = Array(text.utf8)
        let tokens = FormatToken.tokens(of: text)
        for token in tokens {
            if token.kind == .openString { return .bracket }
            guard token.kind == .symbol, token.range.count == 1 else { continue }
            let byte = bytes[token.range.lowerBound]
            if let closing = closing[byte] {
                open.append(closing)
            } else if closing.values.contains(byte), open.popLast() != byte {
                return .closed
            }
        }
        if !open.isEmpty { return .bracket }
        guard tokens.count > 1, let last = tokens.last else { return .closed }
        return isOperator(last, bytes) ? .operator : .closed
    }

    private static let closing: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
        UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]

    /// True if something must follow the token.
    private static func isOperator(_ token: FormatToken, _ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes[token.range], as: UTF8.self)
        switch token.kind {
        case .keyword: return operators.contains(text.uppercased())
        case .symbol: return !")]}.".contains(text)
        case .key, .function, .variable, .string, .openString, .number, .specifier, .invalid: return false
        }
    }

    /// The keywords that stand between or before operands.
    private static let operators: Set<String> = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "UTI-CONFORMS-TO",
        "UTI-EQUALS", "ANY", "SOME", "ALL", "NONE",
    ]
}
