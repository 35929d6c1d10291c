import Foundation
import PredicateSyntax
import PredicateText

/// A regular expression that covers a whole string or does not match.
///
/// `j.*n` matches `jon` and not `jonas`; `a|ab` matches `ab`.
struct WholePattern: Sendable {
    /// The number of steps after which the matcher reports progress, and can be stopped.
    private static let stepsPerReport = 10_000

    let pattern: String
    let mode: FoldMode
    let limits: PredicateLimits
    private let foldsDiacritics: Bool
    /// Nil for the empty pattern, which matches nothing.
    private let expression: NSRegularExpression?
    private let runs: PatternRuns

    /// Compiles a pattern. Throws `invalidPattern`, and `exceeds` for one that is too long.
    init(_ pattern: String, _ mode: FoldMode, _ limits: PredicateLimits) throws(Fault) {
        guard pattern.utf8.count <= limits.patternLength else {
            throw Fault(.exceeds(.patternLength, limit: limits.patternLength), operand: 1)
        }
        self.pattern = pattern
        self.mode = mode
        self.limits = limits
        runs = PatternRuns(patience: limits.patternSteps / Self.stepsPerReport)
        foldsDiacritics = mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive
        guard !pattern.isEmpty else {
            expression = nil
            return
        }
        let folded = foldsDiacritics ? Self.withoutMarks(pattern) : pattern
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

    /// True if the pattern covers the text. Throws `patternTooCostly`, and `exceeds` for a text that is too long.
    func matches(_ text: String) throws(Fault) -> Bool {
        guard text.utf8.count <= limits.subjectLength else {
            throw Fault(.exceeds(.subjectLength, limit: limits.subjectLength), operand: 0)
        }
        guard let expression else { return false }
        let subject = foldsDiacritics ? Self.withoutMarks(text) : text
        guard let result = runs.matches(expression, subject) else {
            throw Fault(.patternTooCostly(pattern), operand: 1)
        }
        return result
    }

    /// Composed, so that `.` stands for a letter and a class can hold one: `"が" MATCHES[d] "[が]"`.
    private static func withoutMarks(_ text: String) -> String {
        Folding.fold(text, .diacriticInsensitive).precomposedStringWithCanonicalMapping
    }
}
