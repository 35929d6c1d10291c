import PredicateSyntax
import PredicateText

/// A regular expression for the UTF-8 of texts: `name MATCHES[c] "j.*n"` where the names are in a database.
///
/// A simple pattern runs on its automaton; for what that leaves open the text becomes a string.
package struct TextPattern {
    private let whole: WholePattern
    private let arena = Arena()
    private let simple: UnsafePointer<SimplePattern>?

    /// Compiles a pattern. Throws `invalidPattern`, and `exceeds` for one that is too long.
    package init(
        _ pattern: String, _ mode: FoldMode, limits: PredicateLimits = .standard
    ) throws(EvaluationError) {
        whole = try Self.placing { () throws(Fault) in try WholePattern(pattern, mode, limits) }
        let arena = arena
        simple = SimplePattern(pattern, mode, limits, in: arena).map { arena.store($0) }
    }

    /// True if the pattern covers the text. Throws `patternTooCostly`, and `exceeds` for a text that is too long.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Bool {
        switch simple?.pointee.result(of: text) {
        case .yes: true
        case .no: false
        case .unknown, nil: try matchesGenerally(text)
        }
    }

    @inline(never)
    private func matchesGenerally(_ text: UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Bool {
        try Self.placing { () throws(Fault) in try whole.matches(String(decoding: text, as: UTF8.self)) }
    }

    /// Errors as those of a comparison of two operands.
    private static func placing<Result>(_ work: () throws(Fault) -> Result) throws(EvaluationError) -> Result {
        do throws(Fault) { return try work() } catch { throw EvaluationError(error, operands: [0, 1], whole: 2) }
    }
}
