import PredicateEvaluation

/// What a registered function found wrong: SQLite carries only the words of an error, so that the error itself waits
/// here until the statement has failed.
///
/// One for each connection, and used under its lock only.
final class FunctionFault {
    private var error: EvaluationError?

    func report(_ error: EvaluationError) {
        self.error = error
    }

    func clear() {
        error = nil
    }

    func take() -> EvaluationError? {
        defer { error = nil }
        return error
    }
}
