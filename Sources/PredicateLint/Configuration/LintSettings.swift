/// What a linter is told: levels of rules, names of further calls.
package struct LintSettings: Hashable, Sendable {
    /// Levels that differ from the standard ones; nil turns a rule off.
    package var levels: [LintRule: LintLevel?] = [:]
    /// Further calls that take a format: `find(where:)`.
    package var calls: [CallName] = []
    /// A longer literal is not looked at, in bytes of the source.
    package var longestLiteral = 1 << 20

    package init() {}

    /// The level of a finding; nil if its rule is off. A finding that is graver than its rule stays so.
    func level(of finding: LintFinding) -> LintLevel? {
        if let level = levels[finding.rule] { return level }
        guard let standard = finding.rule.standardLevel else { return nil }
        return max(standard, finding.level)
    }
}
