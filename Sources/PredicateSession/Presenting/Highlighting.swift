import PredicateSyntax

extension Painter {
    /// A format string with its words, texts and numbers in colour.
    package func highlight(_ format: String) -> String {
        guard isColoured else { return format }
        let bytes = Array(format.utf8)
        var result = ""
        var end = 0
        for token in FormatScanner.tokens(of: format) {
            result += String(decoding: bytes[end..<token.range.lowerBound], as: UTF8.self)
            let text = String(decoding: bytes[token.range], as: UTF8.self)
            result += token.kind.role.map { paint(text, $0) } ?? text
            end = token.range.upperBound
        }
        return result + String(decoding: bytes[end...], as: UTF8.self)
    }
}

extension FormatToken.Kind {
    /// The colour of the token; nil for that of ordinary text.
    fileprivate var role: Painter.Role? {
        switch self {
        case .keyword: .keyword
        case .key, .symbol: nil
        case .function: .function
        case .variable: .variable
        case .string: .string
        case .number: .number
        case .specifier: .specifier
        case .openString, .invalid: .bad
        }
    }
}

/// Whether a line is complete, or goes on with the next one.
package enum OpenInput {
    /// `(age > 5 AND`, `name == "jo`: a bracket or a quote waits for its other half.
    ///
    /// What is wrong anyway does not wait: a bracket that closes nothing, or the wrong one.
    package static func isOpen(_ text: String) -> Bool {
        var open: [UInt8] = []
        let bytes = Array(text.utf8)
        for token in FormatScanner.tokens(of: text) {
            if token.kind == .openString { return true }
            guard token.kind == .symbol, token.range.count == 1 else { continue }
            let byte = bytes[token.range.lowerBound]
            if let closing = closing[byte] {
                open.append(closing)
            } else if closing.values.contains(byte), open.popLast() != byte {
                return false
            }
        }
        return !open.isEmpty
    }

    private static let closing: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
        UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]
}
