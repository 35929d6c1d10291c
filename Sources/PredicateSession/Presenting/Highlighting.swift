import PredicateChecks
import PredicateSyntax

extension Painter {
    /// Returns a format string with syntax colours.
    package func highlight(_ format: String) -> String {
        guard isColoured else { return format }
        let bytes = Array(format.utf8)
        var result = ""
        var end = 0
        for token in FormatToken.tokens(of: format) {
            result += String(decoding: bytes[end..<token.range.lowerBound], as: UTF8.self)
            let text = String(decoding: bytes[token.range], as: UTF8.self)
            result += token.kind.role.map { paint(text, $0) } ?? text
            end = token.range.upperBound
        }
        return result + String(decoding: bytes[end...], as: UTF8.self)
    }
}

extension FormatToken.Kind {
    /// The role of the token; nil for ordinary text.
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
