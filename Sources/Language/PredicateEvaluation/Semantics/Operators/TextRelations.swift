import Foundation
import PredicateSyntax
import PredicateText

/// `name BEGINSWITH[cd] "jo"`, `name ENDSWITH "son"`. False if either side is nil or the needle is empty.
///
/// Throws `notAString` for every other value.
final class TextRelation: Relation {
    private let match: TextMatch
    private let mode: FoldMode

    init(_ match: TextMatch, _ mode: FoldMode) {
        self.match = match
        self.mode = mode
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let piece = try right.requiredText(operand: 1)
        return match.holds(text, piece, mode)
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let text) = right else { return nil }
        return LeafDescription(texts: .matches(match, PreparedNeedle(text, mode)), null: false)
    }
}

/// `name LIKE[c] "jo?n*"`: the pattern matches the whole string; `*` matches any number of code points, `?` exactly
/// one.
///
/// False if either side is nil or the pattern is empty. Throws `notAString` for every other value.
final class Like: Relation {
    private let mode: FoldMode
    private let patterns = PatternCache<LikePattern>()

    init(_ mode: FoldMode) {
        self.mode = mode
    }

    var compilesOperands: Bool { true }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        return patterns.value(for: pattern) { LikePattern($0, mode) }.matches(text)
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let pattern) = right else { return nil }
        switch LikePattern(pattern, mode).shape {
        case .constant(let result): return LeafDescription(texts: .constant(result), null: false)
        case .match(let match, let needle): return LeafDescription(texts: .matches(match, needle), null: false)
        }
    }
}

/// `name MATCHES[c] "j.*n"`: a regular expression in ICU syntax that must match the whole string.
///
/// False if either side is nil or the pattern is empty. `[d]` removes diacritics from the string and from the
/// pattern, but not from escapes such as `\u00E9`.
///
/// Throws `invalidPattern`, `patternTooCostly` for a pattern that tries too many alternatives, `exceeds` for a
/// pattern or a string that is too long, `notAString` for every other value.
final class Matches: Relation {
    private let mode: FoldMode
    private let limits: PredicateLimits
    private let patterns = PatternCache<WholePattern>()
    /// The leaves of patterns that are not constant.
    private let leaves = PatternCache<Leaf>()

    init(_ mode: FoldMode, _ limits: PredicateLimits) {
        self.mode = mode
        self.limits = limits
    }

    var compilesOperands: Bool { true }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        let whole = try whole(pattern)
        let leaf = leaves.value(for: pattern) { _ in Leaf(Self.description(of: whole, isGeneral: false)) }
        if let result = leaf.result(of: .value(.string(text))) { return result }
        return try whole.matches(text)
    }

    func check(_ right: PredicateValue) throws(Fault) {
        if case .string(let pattern) = right { _ = try whole(pattern) }
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let pattern) = right, let whole = try? whole(pattern) else { return nil }
        return Self.description(of: whole, isGeneral: true)
    }

    private static func description(of pattern: WholePattern, isGeneral: Bool) -> LeafDescription {
        LeafDescription(texts: .pattern(pattern, isGeneral: isGeneral), null: false)
    }

    private func whole(_ pattern: String) throws(Fault) -> WholePattern {
        try patterns.value(for: pattern) { (pattern) throws(Fault) in try WholePattern(pattern, mode, limits) }
    }
}

/// A regular expression that matches only whole strings.
///
/// `j.*n` matches `jon` and not `jonas`; `a|ab` matches `ab`.
struct WholePattern: Sendable {
    /// The number of steps after which the matcher reports progress and can be stopped.
    private static let stepsPerReport = 10_000

    let pattern: String
    let mode: FoldMode
    let limits: PredicateLimits
    private let foldsDiacritics: Bool
    /// Nil for the empty pattern, which matches nothing.
    private let expression: NSRegularExpression?
    private let runs: PatternRuns

    /// Compiles a pattern. Throws `invalidPattern`, and `exceeds` for one that is too long.
    init(_ pattern: String, _ mode: FoldMode, _ limits: PredicateLimits) throws(Fault) {
        guard pattern.utf8.count <= limits.patternLength else {
            throw Fault(.exceeds(.patternLength, limit: limits.patternLength), operand: 1)
        }
        self.pattern = pattern
        self.mode = mode
        self.limits = limits
        runs = PatternRuns(patience: limits.patternSteps / Self.stepsPerReport)
        foldsDiacritics = mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive
        guard !pattern.isEmpty else {
            expression = nil
            return
        }
        let folded = foldsDiacritics ? Self.withoutMarks(pattern) : pattern
        let ignoresCase = mode == .caseInsensitive || mode == .caseAndDiacriticInsensitive
        guard let expression = Self.anchored(folded, ignoresCase ? .caseInsensitive : []) else {
            throw Fault(.invalidPattern(pattern), operand: 1)
        }
        self.expression = expression
    }

    /// Compiles the pattern with anchors around it.
    ///
    /// The pattern must be valid by itself: `a)|(b` would become valid with anchors. A comment or an open quotation
    /// at its end would swallow the closing anchor, so a line end or `\E` precedes the anchor.
    private static func anchored(_ pattern: String, _ options: NSRegularExpression.Options) -> NSRegularExpression? {
        guard (try? NSRegularExpression(pattern: pattern, options: options)) != nil else { return nil }
        for ending in ["", "\n", "\\E"] {
            let anchored = "\\A(?:\(pattern)\(ending))\\z"
            if let expression = try? NSRegularExpression(pattern: anchored, options: options) { return expression }
        }
        return nil
    }

    /// True if the pattern matches the whole string. Throws `patternTooCostly`, and `exceeds` for a string that is
    /// too long.
    func matches(_ text: String) throws(Fault) -> Bool {
        var steps = 0
        return try matches(text, steps: &steps)
    }

    /// True if the pattern matches the whole string; adds the steps that the matcher has reported.
    func matches(_ text: String, steps: inout Int) throws(Fault) -> Bool {
        guard text.utf8.count <= limits.subjectLength else {
            throw Fault(.exceeds(.subjectLength, limit: limits.subjectLength), operand: 0)
        }
        guard let expression else { return false }
        let subject = foldsDiacritics ? Self.withoutMarks(text) : text
        let (result, reports) = runs.matches(expression, subject)
        steps &+= reports &* Self.stepsPerReport
        guard let result else {
            throw Fault(.patternTooCostly(pattern), operand: 1)
        }
        return result
    }

    /// Returns the string without marks. It is composed, so that `.` matches a letter and a class can contain one:
    /// `"が" MATCHES[d] "[が]"`.
    private static func withoutMarks(_ text: String) -> String {
        Folding.fold(text, .diacriticInsensitive).precomposedStringWithCanonicalMapping
    }
}

/// A cache of compiled patterns that are not constant: `name LIKE pattern`.
///
/// The number of entries is bounded, and a full cache is emptied. This keeps the common case of few patterns fast,
/// and the worst case no slower than compiling each time. Several threads may use the cache.
///
/// `@unchecked`: a lock protects every access to the entries.
final class PatternCache<Compiled: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let capacity: Int
    private var store: [ExactName: Compiled] = [:]

    init(capacity: Int = 64) {
        self.capacity = capacity
    }

    /// Returns the cached pattern, or compiles it and adds it to the cache.
    func value<Failure: Error>(
        for pattern: String, compile: (String) throws(Failure) -> Compiled
    ) throws(Failure) -> Compiled {
        // By code points: two strings that Swift considers equal may be different patterns.
        let key = ExactName(pattern)
        if let found = lock.withLock({ store[key] }) { return found }
        let compiled = try compile(pattern)
        lock.withLock {
            if store.count >= capacity { store.removeAll(keepingCapacity: true) }
            store[key] = compiled
        }
        return compiled
    }
}
