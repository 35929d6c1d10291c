/// Something wrong with a format string, or with its call, at a place of the source.
package struct LintFinding: Hashable, Sendable {
    package var rule: LintRule
    package var level: LintLevel
    /// One line that says what is wrong.
    package var message: String
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

    package init() {}
}
