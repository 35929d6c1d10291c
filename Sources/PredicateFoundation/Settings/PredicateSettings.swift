#if !canImport(Darwin)
    public import Foundation
    public import PredicateEvaluation
    public import PredicateSyntax
    import Synchronization

    /// What every NSPredicate and NSExpression of the program is evaluated with.
    ///
    /// ```swift
    /// PredicateSettings.current.errorPolicy = .answerFalse { error in logger.error("\(error)") }
    /// PredicateSettings.current.registry.registerFunction("mgl_round:") { arguments in … }
    /// ```
    ///
    /// An object takes the registry, the limits and the locale when it is first evaluated, and keeps them: set them when the program
    /// starts. The policy is asked at each error.
    public struct PredicateSettings: Sendable {
        /// What an error of an evaluation does, in methods that cannot throw.
        public enum ErrorPolicy: Sendable {
            /// The program stops with the rendered error, as Apple's raises.
            case stop
            /// A predicate is false, an expression nil, two objects have the same order; the closure is given the error first.
            case answerFalse(@Sendable (any Error) -> Void)
        }

        /// What an error of an evaluation does.
        public var errorPolicy = ErrorPolicy.stop
        /// The functions, messages and selectors that formats can name.
        public var registry = EvaluationRegistry.standard
        /// Bounds on trees and on the work of an evaluation.
        public var limits = PredicateLimits.standard
        /// The locale by whose rules `[l]` compares; without one `[l]` has no effect. [NSP-184]
        public var locale: Locale?

        private static let storage = Mutex(PredicateSettings())

        /// The settings of the program, which threads may read and set.
        public static var current: PredicateSettings {
            get { storage.withLock { $0 } }
            set { storage.withLock { $0 = newValue } }
        }
    }

    extension PredicateSettings {
        /// Treats an error as the policy says and returns the answer that stands for it.
        static func answer<Answer>(_ answer: Answer, for error: any Error) -> Answer {
            switch current.errorPolicy {
            case .stop: stop("\(error)")
            case .answerFalse(let report):
                report(error)
                return answer
            }
        }

        /// Stops the program with words: what Apple's classes raise an exception for, and no return value can say.
        static func stop(_ words: String) -> Never {
            fatalError(words)
        }
    }
#endif
