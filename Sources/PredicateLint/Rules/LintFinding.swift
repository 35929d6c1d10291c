import PredicateChecks

/// Something wrong with a format string, or with its call, at a place of the source.
package struct LintFinding: Hashable, Sendable {
    package var rule: LintRule
    package var level: LintLevel
    /// The kind of what the checker finds; nil for the findings of other rules.
    package var code: PredicateFinding.Code?
    /// One line that says what is wrong.
    package var text: String
    /// Cures, each one line.
    package var hints: [String] = []
    /// The bytes of the source that it is about.
    package var range: Range<Int>
    /// The format string as the source spells it; empty where it is not known.
    package var format: String = ""
    /// The bytes of the source from the first quote of the format to its last one; empty where it is not known.
    package var literal: Range<Int> = 0..<0
    /// A change of the source that mends it and keeps the meaning, where there is one for certain.
    package var fix: LintFix?
    /// A change that an editor may offer.
    package var suggestion: LintSuggestion?
    /// True for what is shown only where the configuration sets a level for its rule.
    var isQuiet = false

    /// What is wrong, with the kind of what the checker finds: `age holds -32768 to 32767 (out-of-range)`
    package var message: String { code.map { "\(text) (\($0.rawValue))" } ?? text }
}

/// A change of a format that is probably meant, for a person to decide.
package struct LintSuggestion: Hashable, Sendable {
    /// What it does: `Write name == nil`
    package var title: String
    /// The bytes of the source that spell what is replaced.
    package var range: Range<Int>
    /// The text of the format in their place, which the source may have to spell with escapes.
    package var replacement: String
    /// True if it is what was meant beyond doubt.
    package var isCertain: Bool

    init(_ fix: PredicateFinding.Fix, _ hint: String?, at range: Range<Int>) {
        title = hint.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Write \(fix.replacement)"
        self.range = range
        replacement = fix.replacement
        isCertain = fix.isCertain
    }
}

/// A change of a source: `'%@'` → `%@`.
package struct LintFix: Hashable, Sendable {
    /// What it does: `Remove the quotes`.
    package var title: String
    /// Replacements, which do not overlap.
    package var edits: [LintEdit]
}

/// A range of a source, in bytes, and the text that replaces it.
package struct LintEdit: Hashable, Sendable {
    package var range: Range<Int>
    package var replacement: String

    package init(range: Range<Int>, replacement: String) {
        self.range = range
        self.replacement = replacement
    }
}

/// A format string of a source, right or wrong.
package struct FoundFormat: Sendable {
    /// The text with the places of its bytes; a choice of texts, as `a ? "…" : "…"` is, gives one of these for each.
    package var text: FormatText
    package var kind: FoundCall.Kind
    /// The name of the call: `NSPredicate`, `predicateWithFormat`.
    package var name: Range<Int>
    /// The text that was parsed: that of the source, with stand-ins in the place of its holes.
    package var parsed: FormatText
    /// The entity whose objects it is about, where the source tells.
    package var entity: String?
}

/// What was found in one source.
package struct LintResult: Sendable {
    /// The format strings, in the order of the source.
    package var formats: [FoundFormat] = []
    /// The findings, in the order of the source.
    package var findings: [LintFinding] = []
    /// What is shown only where the configuration sets a level for its rule.
    package var quiet: [LintFinding] = []

    package init() {}
}
