import PredicateSyntax
import PredicateText

/// A string that every match of a regular expression contains: `Zürich,8` for `.*Zürich,8[1-9].*`.
///
/// It is searched for before the general matcher runs, which takes a hundred times as long. [NSP-490]
struct RequiredText: BitwiseCopyable {
    /// A shorter string is so frequent that the search saves nothing.
    private static let least = 3

    private let needle: FlatNeedle
    /// The greatest length of a string that the matcher takes; a longer one is an error.
    private let longest: Int

    /// Nil for a pattern without such a string, and if letters are folded.
    init?(_ pattern: String, _ mode: FoldMode, _ limits: PredicateLimits, in arena: Arena) {
        switch mode {
        case .none: break
        case .caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive: return nil
        }
        guard let text = PatternTree(pattern).requiredText, text.utf8.count >= Self.least else { return nil }
        needle = arena.needle(Array(text.utf8), .none)
        longest = limits.subjectLength
    }

    /// Returns true if a string does not contain the text, so that the pattern does not match it.
    @inline(__always)
    func isMissing(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count <= longest && !needle.isContained(in: text)
    }
}
