import PredicateSyntax

/// Detects unfinished input.
package enum OpenInput {
    package enum State {
        case closed
        /// `(age > 5`, `name == "jo`
        case bracket
        /// `age > 5 AND`, `age >`
        case `operator`
    }

    /// Returns the state at the end of a string. Too many closing brackets make it invalid, and so not open.
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

    /// Returns true if an operand must follow the token.
    private static func isOperator(_ token: FormatToken, _ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes[token.range], as: UTF8.self)
        switch token.kind {
        case .keyword: return Keyword(word: text)?.precedesOperand ?? false
        case .symbol: return !")]}.".contains(text)
        case .key, .function, .variable, .string, .openString, .number, .specifier, .invalid: return false
        }
    }
}
