import PredicateEvaluation

/// The error of a registered function in the running statement: SQLite passes on its message only, so that the error is
/// kept here until the statement has failed.
///
/// One per connection, used under its lock.
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
