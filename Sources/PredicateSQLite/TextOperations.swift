internal import PredicateEvaluation
import PredicateText

/// `predicates2_compare(name, 'john', 'c')`: the order of a text and a folded needle.
final class TextOrder: TextOperation {
    /// The needle is kept alive for the pointers to it.
    private let needle: PreparedNeedle
    private let flat: FlatNeedle

    static var cacheCapacity: Int { 0 }

    init(_ needle: String, _ mode: FoldMode) {
        self.needle = PreparedNeedle(needle, mode)
        flat = self.needle.flat
    }

    @inline(__always)
    func result(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        Int32(truncatingIfNeeded: flat.order(of: text))
    }
}

/// `predicates2_contains(name, 'oh', 'cd')`: a search for a folded needle; `predicates2_like(name, 'j?h*n', 'cd')`: a pattern
/// for the whole text.
///
/// An empty needle is never found.
final class NeedleSearch: TextOperation {
    /// The needle is kept alive for the pointers to it.
    private let needle: PreparedNeedle
    private let flat: FlatNeedle
    private let match: TextMatch
    /// The result for every text, of a pattern such as `*`.
    private let constant: Bool?

    static var cacheCapacity: Int { 0 }

    init(_ match: TextMatch, _ operand: String, _ mode: FoldMode) {
        let shape = match == .like ? LikePattern(operand, mode).shape : .match(match, PreparedNeedle(operand, mode))
        switch shape {
        case .constant(let result): (self.match, needle, constant) = (match, PreparedNeedle("", mode), result)
        case .match(let match, let needle): (self.match, self.needle, constant) = (match, needle, nil)
        }
        flat = needle.flat
    }

    @inline(__always)
    func result(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        constant ?? match.holds(text, flat) ? 1 : 0
    }
}

/// `predicates_matches(name, 'j.*n', 'c')`: a regular expression that covers the whole text.
///
/// Regular expressions are those of the evaluator, with its limit on backtracking; an invalid pattern, or one that exceeds
/// the limit, is an error.
final class PatternMatch: TextOperation {
    private let expression: TextPattern

    static var cacheCapacity: Int { 64 }

    init(_ operand: String, _ mode: FoldMode) throws(EvaluationError) {
        expression = try TextPattern(operand, mode)
    }

    @inline(__always)
    func result(_ text: UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Int32 {
        try expression.matches(text) ? 1 : 0
    }
}
