import PredicateData
import PredicateSyntax

/// Why a line has no answer, in words.
package struct SessionError: Error {
    /// With `error:` before it and the hints behind it, each on a line.
    package let text: String
    /// Whether the line itself is wrong, and another try at it may be right.
    let isMendable: Bool

    init(_ message: String, hints: [String] = [], isMendable: Bool = false) {
        self.isMendable = isMendable
        text = (["error: \(message)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    init(rendered text: String, isMendable: Bool = false) {
        self.text = text
        self.isMendable = isMendable
    }

    /// A file that cannot be read.
    init(_ error: DataError, in name: String) {
        switch error.code {
        case .openFailed: self.init(error.message)
        case .readFailed, .writeFailed: self.init("\(name): \(error.message)")
        default: self.init("\(name):\(error.line): \(error.message) (column \(error.column))")
        }
    }
}

/// Why there are no objects to ask, and what gives some.
struct NoObjects {
    let message: String
    let hint: String?

    init(_ message: String, _ hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    var line: String { hint.map { "\(message): \($0)" } ?? message }
}

/// Names that somebody may have meant.
enum Suggestion {
    /// `did you mean :load?`
    static func among(_ names: [String], for word: String, prefix: String = "") -> [String] {
        let candidates = NearMiss.candidates(for: word, among: names)
        return candidates.isEmpty ? [] : ["did you mean \(candidates.map { prefix + $0 }.joined(separator: " or "))?"]
    }
}
