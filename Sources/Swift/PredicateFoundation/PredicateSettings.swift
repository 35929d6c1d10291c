public import Foundation
public import PredicateEvaluation
public import PredicateSyntax

/// The settings with which a program evaluates every NSPredicate and NSExpression. On Apple's platforms they apply only to
/// what Apple's classes lack and this package evaluates for them.
///
/// ```swift
/// PredicateSettings.current.errorPolicy = .answerFalse { error in logger.error("\(error)") }
/// PredicateSettings.current.registry.registerFunction("mgl_round:") { arguments in … }
/// ```
///
/// An object takes the registry, the limits and the locale at its first evaluation and keeps them, so set them
/// when the program starts. The error policy is read at each error.
public struct PredicateSettings: Sendable {
    /// The treatment of evaluation errors in methods that cannot throw.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ErrorPolicy: Sendable {
        /// Stops the program with the rendered error, where Apple's classes raise an exception.
        case stop
        /// Predicates evaluate to false, expressions to nil, and two objects compare as equal. The closure is
        /// called with the error first.
        case answerFalse(@Sendable (any Error) -> Void)
    }

    /// The treatment of evaluation errors.
    public var errorPolicy = ErrorPolicy.stop
    /// The functions, messages and selectors that formats can name.
    public var registry = EvaluationRegistry.standard
    /// The limits for trees and for the work of an evaluation.
    public var limits = PredicateLimits.standard
    /// The locale whose rules `[l]` uses; without a locale `[l]` has no effect. [NSP-184]
    public var locale: Locale?

    private static let storage = Locked(PredicateSettings())

    /// The settings of the program. They can be read and set on any thread.
    public static var current: PredicateSettings {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}

extension PredicateSettings {
    var context: PredicateContext { PredicateContext(registry: registry, locale: locale, limits: limits) }

    /// Handles an error according to the policy and returns the given result in its place.
    static func answer<Answer>(_ answer: Answer, for error: any Error) -> Answer {
        switch current.errorPolicy {
        case .stop: stop("\(error)")
        case .answerFalse(let report):
            report(error)
            return answer
        }
    }

    /// Stops the program with a message, where Apple's classes raise an exception and no return value can express
    /// the error.
    static func stop(_ words: String) -> Never {
        fatalError(words)
    }
}
