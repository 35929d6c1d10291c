import PredicateSyntax

/// The survey of a tree before it is planned: it is within the limits, and assigns certain variables.
///
/// `$a := 1 + 2`: three levels, assigns `a`.
struct TreeSurvey {
    /// Levels of nesting: 1 for a lone `SELF`.
    let depth: Int
    /// The names on the left of `:=`.
    let assigned: Set<ExactName>

    /// Throws `nestingTooDeep`, and `exceeds` for too many nodes and for a constant that is too large.
    init(_ root: TreeNode, limits: PredicateLimits) throws(EvaluationError) {
        do throws(TreeExcess) {
            let review = try TreeReview(root, limits)
            (depth, assigned) = (review.depth, review.assigned)
        } catch {
            let code: EvaluationError.Code =
                error.limit == .nesting
                ? .nestingTooDeep(limit: limits.nesting) : .exceeds(error.limit, limit: limits[error.limit])
            throw EvaluationError(code, node: error.node)
        }
    }
}
