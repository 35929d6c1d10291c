import PredicateChecks
import PredicateSyntax

/// Colours text for a terminal, or leaves it unchanged.
package struct Painter: Sendable {
    /// The role of a piece of text; each has a colour.
    package enum Role: Sendable, CaseIterable {
        case keyword
        case string
        case number
        case function
        case variable
        case specifier
        case heading
        /// Text of less interest
        case faint
        /// A clause that holds
        case good
        /// A clause that does not hold, an error
        case bad
        /// A note
        case notable

        /// The parameters of the escape sequence for the colour.
        fileprivate var code: String {
            switch self {
            case .keyword: "1;34"
            case .string: "32"
            case .number: "36"
            case .function: "35"
            case .variable, .specifier: "33"
            case .heading: "1"
            case .faint: "2"
            case .good: "32"
            case .bad: "1;31"
            case .notable: "1;33"
            }
        }
    }

    package var isColoured: Bool

    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    package func paint(_ text: String, _ role: Role) -> String {
        text.isEmpty ? text : opening(role) + text + closing
    }

    /// Returns the escape sequence that begins text in a role; empty without colours.
    package func opening(_ role: Role) -> String { isColoured ? "\u{1B}[\(role.code)m" : "" }

    /// The escape sequence that ends coloured text; empty without colours.
    package var closing: String { isColoured ? "\u{1B}[0m" : "" }

    /// Returns an error in colour. Its lines begin with `error:` and `hint:`.
    package func paint(error text: String) -> String {
        guard isColoured else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("error:") { return paint("error:", .bad) + paint(String(line.dropFirst(6)), .heading) }
            if line.hasPrefix("hint:") { return paint("hint:", .good) + line.dropFirst(5) }
            return line.drop { $0 == " " }.hasPrefix("^") ? paint(String(line), .bad) : String(line)
        }.joined(separator: "\n")
    }
}

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
    /// The role of the token; nil for a token without a colour.
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
