/// What a linter is told: levels of rules, names of further calls.
package struct LintSettings: Hashable, Sendable {
    /// Levels that differ from the standard ones; nil turns a rule off.
    package var levels: [LintRule: LintLevel?] = [:]
    /// Further calls that take a format: `find(where:)`.
    package var calls: [CallName] = []
    /// A longer literal is not looked at, in bytes of the source.
    package var longestLiteral = 1 << 20

    package init() {}

    /// True for a rule that is not off.
    func isOn(_ rule: LintRule) -> Bool { (levels[rule] ?? rule.standardLevel) != nil }

    /// The level of a finding: that of its rule where it is set, or else its own; nil if its rule is off, and for a
    /// quiet one of a rule whose level is not set.
    func level(of finding: LintFinding) -> LintLevel? {
        if let level = levels[finding.rule] { return level }
        return finding.rule.standardLevel == nil || finding.isQuiet ? nil : finding.level
    }
}
