import PredicateSession
import PredicateSyntax

/// Reads values from words of the command line.
///
/// `18`, `"text"`, `[1, 2]`, `date:2024-01-01`, `jo`
enum ArgumentValue {
    /// Returns the arguments of a format: each word is read as its specifier requires.
    static func arguments(_ words: [String], for format: String) throws(CommandFailure) -> [PredicateValue] {
        do throws(ValueError) {
            return try ValueWord.arguments(words, for: format)
        } catch {
            throw .message(error.message, hints: error.hints)
        }
    }

    /// Returns the name and value of `--set NAME=VALUE`.
    static func variable(_ setting: String) throws(CommandFailure) -> (name: String, value: PredicateValue) {
        let parts = setting.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count == 2 else { throw .message("--set takes NAME=VALUE, found '\(setting)'") }
        let name = parts[0].hasPrefix("$") ? String(parts[0].dropFirst()) : parts[0]
        guard !name.isEmpty else { throw .message("--set takes NAME=VALUE, found '\(setting)'") }
        do throws(ValueError) {
            return (name, try ValueWord.value(parts[1]))
        } catch {
            throw .message("--set \(name): \(error.message)", hints: error.hints)
        }
    }
}
