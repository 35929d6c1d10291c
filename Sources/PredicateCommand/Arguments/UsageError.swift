import PredicateSyntax

/// An error in a command line, with hints.
///
/// `predicate filter --cuont`
struct UsageError: CustomStringConvertible {
    private let message: String
    private let hints: [String]

    init(_ message: String, hints: [String] = [], in command: Command? = nil) {
        let help = command.map { "predicate help \($0.rawValue)" } ?? "predicate --help"
        self.message = message
        self.hints = hints + ["see '\(help)'"]
    }

    init(unknownCommand name: String) {
        let names = Command.allCases.map(\.rawValue)
        let isPredicate = name.contains { $0.isWhitespace || "=<>".contains($0) }
        let hints =
            isPredicate ? ["a command comes before the predicate: predicate filter 'age >= 21' people.jsonl"] : []
        self.init("unknown command '\(name)'", hints: hints + Self.suggestions(for: name, among: names))
    }

    init(unknownOption option: String, in command: Command? = nil, names: [String] = ["--help", "--version"]) {
        let suggestions =
            ForeignOption.hint(option, among: names).map { [$0] } ?? Self.suggestions(for: option, among: names)
        let hints =
            suggestions.isEmpty ? ["put -- before an argument that begins with a hyphen"] : suggestions
        self.init("unknown option '\(option)'", hints: hints, in: command)
    }

    /// `-1` in the place of a file: the number of matches, as head, tail and grep take it.
    init(unknownNumber word: String, in command: Command) {
        self.init(
            "unknown option '\(word)'", hints: ["--first \(word.dropFirst()) stops after so many matches"], in: command)
    }

    var description: String {
        (["error: \(message)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    /// Returns a hint for a mistyped or abbreviated word: `did you mean --count?`
    static func suggestions(for word: String, among names: [String]) -> [String] {
        var candidates = NearMiss.candidates(for: word, among: names)
        if word.utf8.count > 2 { candidates += names.filter { $0.hasPrefix(word) && !candidates.contains($0) } }
        return candidates.isEmpty ? [] : ["did you mean \(candidates.prefix(3).joined(separator: " or "))?"]
    }
}
