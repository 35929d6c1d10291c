/// Colours text for a terminal, or leaves it as it is.
package struct Painter: Sendable {
    /// What a piece of text is; each has a colour of its own.
    package enum Role: Sendable, CaseIterable {
        case keyword
        case string
        case number
        case function
        case variable
        case specifier
        case heading
        /// What is of less interest
        case faint
        /// What holds
        case good
        /// What does not, and what is wrong
        case bad
        /// What deserves a look
        case notable

        /// The parameters of the escape sequence that turns the colour on.
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

    /// Text in the colour of its role.
    package func paint(_ text: String, _ role: Role) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(role.code)m\(text)\u{1B}[0m" : text
    }

    /// An error with its title in colour: `error:` and `hint:` stand at the beginnings of lines.
    package func paint(error text: String) -> String {
        guard isColoured else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("error:") { return paint("error:", .bad) + paint(String(line.dropFirst(6)), .heading) }
            if line.hasPrefix("hint:") { return paint("hint:", .good) + line.dropFirst(5) }
            return line.drop { $0 == " " }.hasPrefix("^") ? paint(String(line), .bad) : String(line)
        }.joined(separator: "\n")
    }
}
