extension Error {
    /// The error of this type with which a call ends, nil where it ends without one or with another:
    /// `EvaluationError.thrown { try evaluator.evaluate(with: row) }?.code`.
    ///
    /// `#expect(throws:)` returns the error from Swift 6.1 on.
    package static func thrown<Outcome>(by call: () throws -> Outcome) -> Self? {
        do {
            _ = try call()
            return nil
        } catch {
            return error as? Self
        }
    }
}
