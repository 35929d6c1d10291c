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

    init(_ mode: FoldMode, _ limits: PredicateLimits) {
        self.mode = mode
        self.limits = limits
    }

    var kind: RelationKind { .matches(mode, limits) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        let compiled = try patterns.value(for: pattern) { (pattern) throws(Fault) in
            try WholePattern(pattern, mode, limits)
        }
        return try compiled.matches(text)
    }

    func test(against right: PredicateValue) throws(Fault) -> (any ValueTest)? {
        guard case .string(let pattern) = right else { return nil }
        return KnownExpression(try WholePattern(pattern, mode, limits))
    }
}

/// `name MATCHES "j.*n"` with the pattern compiled.
final class KnownExpression: ValueTest {
    private let pattern: WholePattern

    init(_ pattern: WholePattern) {
        self.pattern = pattern
    }

    /// Whether the pattern covers a text; nil where finding out is an error.
    func matches(_ text: String) -> Bool? {
        try? pattern.matches(text)
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        if let text = left.text { return try pattern.matches(text) }
        if left.isNull { return false }
        throw Fault(.notAString(found: left.found), operand: 0)
    }
}
