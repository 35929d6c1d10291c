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
/// Throws `invalidPattern`, `patternTooCostly` for a string that takes the matcher too many steps, `exceeds` for a
/// pattern or a string that is too long, `notAString` for every other value.
final class Matches: Relation {
    private let mode: FoldMode
    private let limits: PredicateLimits
    private let patterns = PatternCache<WholePattern>()

    init(_ mode: FoldMode, _ limits: PredicateLimits) {
        self.mode = mode
        self.limits = limits
    }

    var compilesOperands: Bool { true }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let text = try left.requiredText(operand: 0)
        let pattern = try right.requiredText(operand: 1)
        return try whole(pattern).matches(text)
    }

    func check(_ right: PredicateValue) throws(Fault) {
        if case .string(let pattern) = right { _ = try whole(pattern) }
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        guard case .string(let pattern) = right, let whole = try? whole(pattern) else { return nil }
        return LeafDescription(texts: .pattern(whole), null: false)
    }

    private func whole(_ pattern: String) throws(Fault) -> WholePattern {
        try patterns.value(for: pattern) { (pattern) throws(Fault) in try WholePattern(pattern, mode, limits) }
    }
}

/// A cache of compiled patterns that are not constant: `name LIKE pattern`.
///
/// The number of entries is bounded, and a full cache is emptied. This keeps the common case of few patterns fast,
/// and the worst case no slower than compiling each time. Several threads may use the cache.
final class PatternCache<Compiled: Sendable>: Sendable {
    private let store = Locked<[ExactName: Compiled]>([:])
    private static var capacity: Int { 64 }

    /// Returns the cached pattern, or compiles it and adds it to the cache.
    func value<Failure: Error>(
        for pattern: String, compile: (String) throws(Failure) -> Compiled
    ) throws(Failure) -> Compiled {
        // By code points: two strings that Swift considers equal may be different patterns.
        let key = ExactName(pattern)
        if let found = store.withLock({ $0[key] }) { return found }
        let compiled = try compile(pattern)
        store.withLock { store in
            if store.count >= Self.capacity { store.removeAll(keepingCapacity: true) }
            store[key] = compiled
        }
        return compiled
    }
}
