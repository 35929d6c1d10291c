import PredicateSyntax

/// Evaluates comparisons of constants for the checks.
///
/// ``ConstantJudge`` knows the plain ones by itself. The one that evaluates as programs do stands in a module of its own, so
/// that a tool that every build of a package builds need not have an evaluator.
package protocol PredicateJudge: Sendable {
    /// Returns the test of a predicate for a value in the place of SELF: of `SELF > 5`. It is false also for an error.
    /// Returns nil if the judge does not know.
    func test(_ predicate: PredicateNode) -> (@Sendable (PredicateValue) -> Bool)?

    /// Returns the error that a predicate is for every object; nil if it is none, or if the judge does not know.
    func failure(of predicate: FormatPredicate, variables: [String: PredicateValue]) -> PreparationFailure?
}

/// An error that is certain before any object is evaluated: `name MATCHES "("`
package struct PreparationFailure {
    package var node: Int?
    package var message: String
    package var hint: String?

    package init(node: Int?, message: String, hint: String?) {
        self.node = node
        self.message = message
        self.hint = hint
    }
}
