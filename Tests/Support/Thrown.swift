import Testing

extension Error {
    /// The error of this type that a call throws: `EvaluationError.thrown { try evaluator.evaluate(with: row) }?.code`.
    ///
    /// Records an issue and returns nil if the call throws no error of this type. `#expect(throws:)` returns the error
    /// only since Swift 6.1.
    package static func thrown<Outcome>(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, by call: () throws -> Outcome
    ) -> Self? {
        do {
            let outcome = try call()
            Issue.record(comment ?? "expected \(Self.self), returned \(outcome)", sourceLocation: sourceLocation)
        } catch let error as Self {
            return error
        } catch {
            Issue.record(comment ?? "expected \(Self.self), caught \(error)", sourceLocation: sourceLocation)
        }
        return nil
    }
}
