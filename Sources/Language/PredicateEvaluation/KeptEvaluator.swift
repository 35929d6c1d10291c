import PredicateSyntax

/// The evaluator of a predicate or of an expression, or the error from making it.
private final class KeptEvaluator<Evaluator: Sendable>: Sendable {
    let result: Result<Evaluator, EvaluationError>
    /// The evaluator unless there was an error; copying it costs one reference.
    let evaluator: Evaluator?

    init(_ make: () throws(EvaluationError) -> Evaluator) {
        result = Result(catching: make)
        evaluator = try? result.get()
    }
}

extension KeptObject {
    /// Returns the evaluator, which the first call makes. All calls for one kept object must use the same type of evaluator.
    package func evaluator<Evaluator: Sendable>(
        _ make: () throws(EvaluationError) -> Evaluator
    ) throws(EvaluationError) -> Evaluator {
        if let kept = object { return try Self.result(kept).get() }
        let made = KeptEvaluator(make)
        keep(made)
        return try made.result.get()
    }

    private static func result<Evaluator: Sendable>(
        _ kept: Unmanaged<AnyObject>
    ) -> Result<Evaluator, EvaluationError> {
        kept._withUnsafeGuaranteedRef { unsafeDowncast($0, to: KeptEvaluator<Evaluator>.self).result }
    }

    /// Returns the result of an existing program of the predicate's evaluator; nil if there is none.
    package func quickResult(of subject: Any?) -> Bool? {
        object?._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: KeptEvaluator<PredicateEvaluator>.self).evaluator?.quickResult(of: subject)
        }
    }
}
