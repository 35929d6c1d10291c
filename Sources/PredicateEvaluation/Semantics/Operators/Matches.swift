import Foundation
import PredicateSyntax
import PredicateText

/// `name MATCHES[c] "j.*n"`: a regular expression in ICU syntax that must cover the whole string.
///
/// nil on either side gives false, and so does an empty pattern. `[d]` folds the diacritics out of the text and of
/// the pattern; what the pattern says by escape, such as `\u00E9`, stays.
///
/// Throws `invalidPattern`, `patternTooCostly` for a pattern that tries too many ways through a text, `exceeds` for a
/// pattern or a text that is too long, `notAString` for every other value.
final class Matches: Relation {
    private let mode: FoldMode
    private let limits: PredicateLimits
    private let patterns = PatternCache<WholePattern>()
    /// The leaves of patterns that are values of objects.
    private let leaves = PatternCache<Leaf>()

    init(_ mode: FoldMode, _ limits: PredicateLimits) {
        self.mode = mode
        self.limits = limits
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        let whole = try whole(pattern)
        let leaf = leaves.value(for: pattern) { _ in Leaf(Self.description(of: whole)) }
        if let result = leaf.result(of: .value(.string(text))) { return result }
        return try whole.matches(text)
    }

    func check(_ right: PredicateValue) throws(Fault) {
        if case .string(let pattern) = right { _ = try whole(pattern) }
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let pattern) = right, let whole = try? whole(pattern) else { return nil }
        return Self.description(of: whole)
    }

    private static func description(of pattern: WholePattern) -> LeafDescription {
        LeafDescription(texts: .pattern(pattern), null: false)
    }

    private func whole(_ pattern: String) throws(Fault) -> WholePattern {
        try patterns.value(for: pattern) { (pattern) throws(Fault) in try WholePattern(pattern, mode, limits) }
    }
}
