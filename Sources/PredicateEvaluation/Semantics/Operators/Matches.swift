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
    /// A pattern, and what answers most texts without it.
    private struct Compiled: Sendable {
        let pattern: WholePattern
        let leaf: Leaf
    }

    private let mode: FoldMode
    private let limits: PredicateLimits
    private let patterns = PatternCache<Compiled>()

    init(_ mode: FoldMode, _ limits: PredicateLimits) {
        self.mode = mode
        self.limits = limits
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        let compiled = try patterns.value(for: pattern) { (pattern) throws(Fault) in
            let whole = try WholePattern(pattern, mode, limits)
            return Compiled(pattern: whole, leaf: Leaf(Self.description(of: whole)))
        }
        if let result = compiled.leaf.result(of: left) { return result }
        return try compiled.pattern.matches(text)
    }

    func leaf(against right: PredicateValue) throws(Fault) -> LeafDescription? {
        guard case .string(let pattern) = right else { return nil }
        return Self.description(of: try WholePattern(pattern, mode, limits))
    }

    private static func description(of pattern: WholePattern) -> LeafDescription {
        LeafDescription(texts: .pattern(pattern), null: false)
    }
}
