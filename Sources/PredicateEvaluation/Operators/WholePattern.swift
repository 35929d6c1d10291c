import Foundation
import PredicateText

/// A regular expression that covers a whole string or does not match.
///
/// `j.*n` matches `jon` and not `jonas`; `a|ab` matches `ab`.
struct WholePattern: Sendable {
    /// How often the matcher may report progress, about every ten thousand steps, before it is stopped: some tenths
    /// of a second.
    static let patience = 1_000

    private let pattern: String
    private let foldsDiacritics: Bool
    /// Nil for the empty pattern, which matches nothing.
    private let expression: NSRegularExpression?

    /// Compiles a pattern. Throws `invalidPattern`.
    init(_ pattern: String, _ mode: FoldMode) throws(Fault) {
        self.pattern = pattern
        foldsDiacritics = mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive
        guard !pattern.isEmpty else {
            expression = nil
            return
        }
        let folded = foldsDiacritics ? Folding.fold(pattern, .diacriticInsensitive) : pattern
        let ignoresCase = mode == .caseInsensitive || mode == .caseAndDiacriticInsensitive
        guard let expression = Self.anchored(folded, ignoresCase ? .caseInsensitive : []) else {
            throw Fault(.invalidPattern(pattern), operand: 1)
        }
        self.expression = expression
    }

    /// The pattern with anchors around it.
    ///
    /// It must be valid by itself, or `a)|(b` would be after anchors are added. Where it ends in a comment or an open
    /// quotation, that would swallow the closing anchor: a line end or `\E` in between ends them.
    private static func anchored(_ pattern: String, _ options: NSRegularExpression.Options) -> NSRegularExpression? {
        guard (try? NSRegularExpression(pattern: pattern, options: options)) != nil else { return nil }
        for ending in ["", "\n", "\\E"] {
            let anchored = "\\A(?:\(pattern)\(ending))\\z"
            if let expression = try? NSRegularExpression(pattern: anchored, options: options) { return expression }
        }
        return nil
    }

    /// Whether the pattern covers the text. Throws `patternTooCostly`.
    func matches(_ text: String) throws(Fault) -> Bool {
        guard let expression else { return false }
        let subject = foldsDiacritics ? Folding.fold(text, .diacriticInsensitive) : text
        var outcome = Outcome.differs
        var progress = 0
        expression.enumerateMatches(
            in: subject, options: [.anchored, .reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: subject.utf16.count)
        ) { match, flags, stop in
            if match != nil {
                outcome = .matches
            } else if flags.contains(.internalError) {
                outcome = .gaveUp
            } else if flags.contains(.progress) {
                progress += 1
                if progress > Self.patience { outcome = .gaveUp }
            }
            if outcome != .differs { stop.pointee = true }
        }
        guard outcome != .gaveUp else { throw Fault(.patternTooCostly(pattern), operand: 1) }
        return outcome == .matches
    }

    private enum Outcome {
        case matches
        case differs
        /// The matcher was stopped, or its own stack was full.
        case gaveUp
    }
}
