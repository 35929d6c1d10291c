import PredicateChecks
import PredicateSyntax

/// A name that levels and comments can use: of a rule, or of one check of `predicate-check` and `predicate-model`.
///
/// `predicate-syntax`, `syntax`, `never-holds`
package enum LintName: Hashable, Sendable {
    case rule(LintRule)
    case check(PredicateFinding.Code)

    /// Nil for a word that names neither a rule nor a check.
    package init?(_ name: String) {
        if let rule = LintRule(name: name) {
            self = .rule(rule)
        } else if let code = PredicateFinding.Code(rawValue: name) {
            self = .check(code)
        } else {
            return nil
        }
    }

    /// The name that a misspelled word probably means; nil if none is close.
    static func suggestion(for word: String) -> String? {
        NearMiss.candidates(for: word, among: all, limit: 1).first
    }

    private static let all =
        LintRule.allCases.map(\.rawValue) + LintRule.allCases.map { String($0.rawValue.dropFirst(10)) }
        + PredicateFinding.Code.allCases.map(\.rawValue)

    var isCheck: Bool { if case .check = self { true } else { false } }
}

extension LintName {
    /// The name in reports.
    package var identifier: String {
        switch self {
        case .rule(let rule): rule.rawValue
        case .check(let code): code.rawValue
        }
    }

    /// The description in help, reports and the documentation.
    package var page: CheckPage {
        switch self {
        case .rule(let rule): rule.page
        case .check(let code): code.page
        }
    }

    /// The page in Markdown.
    package var help: String {
        let addresses = if case .rule(let rule) = self { rule.addresses } else { String?.none }
        return page.markdown + (addresses.map { "\n\n" + $0 } ?? "")
    }

    /// All rules and checks.
    package static let every =
        LintRule.allCases.map(LintName.rule) + PredicateFinding.Code.allCases.map(LintName.check)

    /// The default level of findings; nil for a rule that is off by default.
    package var standardLevel: LintLevel? {
        switch self {
        case .rule(let rule): rule.standardLevel
        case .check(let code): code.level
        }
    }
}

extension LintFinding {
    /// The identifier of the finding in reports and baselines: the name of the check or of the rule.
    var identifier: String { Self.identifier(rule, code) }

    /// The code for a finding of a check; the name of the rule for all others, even if they share the code of a check.
    static func identifier(_ rule: LintRule, _ code: PredicateFinding.Code?) -> String {
        switch rule {
        case .check, .model: code?.rawValue ?? rule.rawValue
        case .syntax, .argumentCount, .argumentType, .quotedPlaceholder, .interpolation, .injection, .macro, .dynamic,
            .encoding, .suppression:
            rule.rawValue
        }
    }
}
