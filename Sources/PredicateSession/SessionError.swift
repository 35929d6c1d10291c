import PredicateData
import PredicateSyntax

/// The error text for a line of input.
package struct SessionError: Error {
    /// The message after `error:`, and each hint on a line.
    package let text: String

    init(_ message: String, hints: [String] = []) {
        text = (["error: \(message)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    init(rendered text: String) {
        self.text = text
    }

    /// Creates the error for a file that cannot be read.
    init(_ error: DataError, in name: String) {
        switch error.code {
        case .openFailed: self.init(error.message)
        case .readFailed, .writeFailed: self.init("\(name): \(error.message)")
        case .unknownColumn, .recordsPathNotFound: self.init("\(name): \(error.message)")
        default: self.init("\(name):\(error.line): \(error.message) (column \(error.column))")
        }
    }
}

/// The reason why no objects are loaded, and a hint.
struct NoObjects {
    let message: String
    let hint: String?

    init(_ message: String, _ hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    var line: String { hint.map { "\(message): \($0)" } ?? message }
}

/// Suggestions for mistyped names.
enum Suggestion {
    /// `did you mean :load?`
    static func among(_ names: [String], for word: String, prefix: String = "") -> [String] {
        let candidates = NearMiss.candidates(for: word, among: names)
        return candidates.isEmpty ? [] : ["did you mean \(candidates.map { prefix + $0 }.joined(separator: " or "))?"]
    }
}
