import PredicateConformance
import PredicateEvaluation
import PredicateFoundation

/// The settings of all tests in this process: the functions of the conformance data, and errors that are gathered by the test
/// that causes them.
enum TestSettings {
    /// The errors of the evaluations inside ``gathering(_:)``.
    final class Gathered: @unchecked Sendable {
        var errors: [any Error] = []
    }

    @TaskLocal static var gathered: Gathered?

    static let installed: Void = {
        PredicateSettings.current.registry = ConformanceEvaluation.registry
        PredicateSettings.current.errorPolicy = .answerFalse { error in gathered?.errors.append(error) }
    }()

    /// Runs work, and returns its result and the errors that the policy was told of.
    static func gathering<Outcome>(_ work: () throws -> Outcome) rethrows -> (outcome: Outcome, errors: [any Error]) {
        _ = installed
        let errors = Gathered()
        let outcome = try $gathered.withValue(errors, operation: work)
        return (outcome, errors.errors)
    }
}
