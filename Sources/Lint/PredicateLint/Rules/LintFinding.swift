import PredicateChecks

/// A mistake in a format string or its call, at a place in the source.
package struct LintFinding: Hashable, Sendable {
    package var rule: LintRule
    package var level: LintLevel
    /// The code of the checker's finding; nil for findings of other rules.
    package var code: PredicateFinding.Code?
    /// A description of the mistake, in one line.
    package var text: String
    /// Suggestions, each in one line.
    package var hints: [String] = []
    /// The range in the source.
    package var range: Range<Int>
    /// The format string, with escapes resolved; empty if it is unknown.
    package var format: String = ""
    /// The range in the source from the first quote of the format to the last one; empty if it is unknown.
    package var literal: Range<Int> = 0..<0
    /// The places through which a value comes, beginning with its origin; empty if they are unknown.
    package var way: [Range<Int>] = []
    /// A change of the source that corrects the mistake and is certain to keep the meaning.
    package var fix: LintFix?
    /// A change of the format that an editor may offer. The source may need escapes for its replacement.
    package var suggestion: LintFix?
    /// True for a finding that is shown only if the configuration sets a level for its rule.
    var isQuiet = false

    /// The description with the code of the checker's finding: `age holds -32768 to 32767 (out-of-range)`
    package var message: String { code.map { "\(text) (\($0.rawValue))" } ?? text }
}

extension LintFinding {
    /// The finding without its fix, if the literal has bytes that are not UTF-8, because a fix would replace these.
    func withoutFix(in bytes: Bytes) -> LintFinding {
        guard fix != nil || suggestion != nil, WrongBytes.first(in: literal, bytes) != nil else { return self }
        var copy = self
        copy.fix = nil
        copy.suggestion = nil
        return copy
    }
}

/// A change of a source: `'%@'` → `%@`.
package struct LintFix: Hashable, Sendable {
    /// The title: `Remove the quotes`.
    package var title: String
    /// The edits, which do not overlap.
    package var edits: [LintEdit]
    /// False for a change that is only probably intended, so that the user decides.
    package var isCertain = true
}

extension LintFix {
    /// The fix of a check, which replaces a range of the source.
    init(_ fix: PredicateFinding.Fix, _ hint: String?, at range: Range<Int>) {
        self.init(
            title: hint.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Write \(fix.replacement)",
            edits: [LintEdit(range: range, replacement: fix.replacement)], isCertain: fix.isCertain)
    }
}

/// A range of a source in bytes, and its replacement.
package struct LintEdit: Hashable, Sendable {
    package var range: Range<Int>
    package var replacement: String

    package init(range: Range<Int>, replacement: String) {
        self.range = range
        self.replacement = replacement
    }
}

/// A format string of a source, valid or not.
package struct FoundFormat: Sendable {
    /// The string with the positions of its bytes. A conditional such as `a ? "…" : "…"` has one format for each branch.
    package var text: FormatText
    package var kind: FoundCall.Kind
    /// The name of the call: `NSPredicate`, `predicateWithFormat`.
    package var name: Range<Int>
    /// The string that was parsed: the format with stand-ins for its holes.
    package var parsed: FormatText
    /// The entity of the objects, if the source shows it.
    package var entity: String?
}

/// The result for one source.
package struct LintResult: Sendable {
    /// The format strings, in source order.
    package var formats: [FoundFormat] = []
    /// The findings, in source order.
    package var findings: [LintFinding] = []
    /// Findings that are shown only if the configuration sets a level for their rule.
    package var quiet: [LintFinding] = []
    /// The functions of the source that pass a parameter on as a format.
    package var wrappers: [CallName] = []
    /// The members that other sources may declare and that the findings depend on.
    package var needs: Set<NeededMember> = []
    /// The words and names in Swift or Objective-C code; nil for other sources.
    var words: SourceWords?
    /// The types of a source that may declare entities, if the source was read for its calls or macros.
    var types: SourceTypes?

    package init() {}

    /// True if the findings may depend on entities and types of other sources.
    var needsTypes: Bool {
        guard let words else { return false }
        return words.mayUseMacros || words.contains(.formatPredicate) || words.contains(.entityComment)
    }
}

extension LintEdit {
    /// The edits of several fixes, in source order. A fix that overlaps an earlier one is left out.
    static func merged(_ fixes: [LintFix]) -> [LintEdit] {
        var result: [LintEdit] = []
        for fix in fixes where !fix.edits.contains(where: { edit in result.contains { $0.conflicts(with: edit) } }) {
            result += fix.edits
        }
        return result.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
        }.map(\.element)
    }

    private func conflicts(with other: LintEdit) -> Bool {
        if range.isEmpty || other.range.isEmpty {
            // Two insertions at the same offset do not overlap.
            return !(range.isEmpty && other.range.isEmpty)
                && range.lowerBound < other.range.upperBound && other.range.lowerBound < range.upperBound
        }
        return range.overlaps(other.range)
    }

    /// Returns the source after edits, which must be in source order and must not overlap.
    package static func apply(_ edits: [LintEdit], to source: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(source.count + 64)
        var offset = 0
        for edit in edits where edit.range.lowerBound >= offset && edit.range.upperBound <= source.count {
            result += source[offset..<edit.range.lowerBound]
            result += Array(edit.replacement.utf8)
            offset = edit.range.upperBound
        }
        return result + source[offset...]
    }
}
