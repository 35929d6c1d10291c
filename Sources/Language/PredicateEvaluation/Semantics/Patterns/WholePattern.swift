import Foundation
import PredicateSyntax
import PredicateText

/// A regular expression that matches only whole strings.
///
/// `j.*n` matches `jon` and not `jonas`; `a|ab` matches `ab`.
///
/// A pattern that describes a set of strings runs on an automaton, in linear time. Others, such as those with back references,
/// are left to ICU, which defines the meaning of all patterns.
final class WholePattern: Sendable {
    /// The number of steps after which ICU's matcher reports progress and can be stopped.
    private static let stepsPerReport = 10_000
    /// The automaton visits about this many positions in the time of one step of ICU's matcher.
    static let visitsPerStep = 16
    let limits: PredicateLimits
    let foldsDiacritics: Bool
    let automaton: PatternAutomaton?
    /// Every string that matches contains one of these; empty if nothing is required. [NSP-490]
    let required: [PreparedNeedle]
    private let pattern: String
    /// Nil if there is an automaton, and for the empty pattern, which matches nothing.
    private let expression: NSRegularExpression?
    private let runs: PatternRuns

    /// Compiles a pattern. Throws `invalidPattern`, and `exceeds` for one that is too long.
    init(_ pattern: String, _ mode: FoldMode, _ limits: PredicateLimits) throws(Fault) {
        guard pattern.utf8.count <= limits.patternLength else {
            throw Fault(.exceeds(.patternLength, limit: limits.patternLength), operand: 1)
        }
        self.pattern = pattern
        self.limits = limits
        runs = PatternRuns(patience: limits.patternSteps / Self.stepsPerReport)
        foldsDiacritics = mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive
        guard !pattern.isEmpty else {
            (automaton, expression, required) = (nil, nil, [])
            return
        }
        let folded = foldsDiacritics ? Self.withoutMarks(pattern) : pattern
        let ignoresCase = mode == .caseInsensitive || mode == .caseAndDiacriticInsensitive
        let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
        // The pattern must be valid by itself: `a)|(b` would become valid with anchors.
        guard (try? NSRegularExpression(pattern: folded, options: options)) != nil else {
            throw Fault(.invalidPattern(pattern), operand: 1)
        }
        let tree = PatternTree(folded)
        required = mode == .none ? tree.longestRequiredTexts.map { PreparedNeedle($0, .none) } : []
        automaton = PatternProgram(tree, ignoringCase: ignoresCase, limits).flatMap { PatternAutomaton($0) }
        guard automaton == nil else {
            expression = nil
            return
        }
        guard let expression = Self.anchored(folded, options) else {
            throw Fault(.invalidPattern(pattern), operand: 1)
        }
        self.expression = expression
    }

    /// Compiles the pattern with anchors around it. A comment or an open quotation at its end would swallow the closing
    /// anchor, so a line end or `\E` precedes the anchor.
    private static func anchored(_ pattern: String, _ options: NSRegularExpression.Options) -> NSRegularExpression? {
        for ending in ["", "\n", "\\E"] {
            let anchored = "\\A(?:\(pattern)\(ending))\\z"
            if let expression = try? NSRegularExpression(pattern: anchored, options: options) { return expression }
        }
        return nil
    }

    /// The maximum number of positions that the automaton may visit for a string.
    var mostVisits: Int { min(limits.patternSteps, Int.max / Self.visitsPerStep) * Self.visitsPerStep }

    /// True if the pattern matches the whole string. Throws `patternTooCostly`, and `exceeds` for a string that is
    /// too long.
    func matches(_ text: String) throws(Fault) -> Bool {
        var steps = 0
        return try matches(text, steps: &steps)
    }

    /// True if the pattern matches the whole string. Adds the steps that the matcher has taken to `steps`.
    func matches(_ text: String, steps: inout Int) throws(Fault) -> Bool {
        guard text.utf8.count <= limits.subjectLength else {
            throw Fault(.exceeds(.subjectLength, limit: limits.subjectLength), operand: 0)
        }
        if !required.isEmpty, !required.contains(where: { $0.isContained(in: text) }) { return false }
        let subject = foldsDiacritics ? Self.withoutMarks(text) : text
        guard let result = automaton == nil ? runGenerally(subject, &steps) : run(subject, &steps) else {
            throw Fault(.patternTooCostly(pattern), operand: 1)
        }
        return result
    }

    /// Returns nil for a string that takes too many steps.
    private func run(_ text: String, _ steps: inout Int) -> Bool? {
        var visits = 0
        defer { steps &+= visits / Self.visitsPerStep }
        switch automaton?.outcome(of: text, &visits, atMost: mostVisits) {
        case .matches: return true
        case .fails, .malformed: return false
        case .tooCostly, nil: return nil
        }
    }

    private func runGenerally(_ text: String, _ steps: inout Int) -> Bool? {
        guard let expression else { return false }
        let (result, reports) = runs.matches(expression, text)
        steps &+= reports &* Self.stepsPerReport
        return result
    }

    /// Returns the string without marks. It is composed, so that `.` matches a letter and a class can contain one:
    /// `"が" MATCHES[d] "[が]"`.
    private static func withoutMarks(_ text: String) -> String {
        Folding.fold(text, .diacriticInsensitive).precomposedStringWithCanonicalMapping
    }
}
