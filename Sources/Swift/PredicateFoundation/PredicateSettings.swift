#if !canImport(Darwin)
    public import Foundation
    internal import PredicateConversion
    public import PredicateEvaluation
    public import PredicateSyntax
    import Synchronization

    /// The settings with which every NSPredicate and NSExpression of the program is evaluated.
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

    /// A use of a property that expressions of this kind lack: `keyPath` of a constant.
    struct MisuseError: Error, CustomStringConvertible {
        let description: String

        /// `this constantValue expression does not have a key path: 1`
        init(expected: String, of expression: FoundationExpression) {
            description =
                "error: this \(expression.expressionType) expression does not have \(expected): \(expression)\n"
                + "hint: check expressionType first"
        }

        /// `\Person.<computed (Bool)> of Person has no name in predicates`
        init(unnamed keyPath: AnyKeyPath) {
            let error = PredicateConversionError(.unnamed(keyPath))
            let hints = error.code.namingHints + ["or write the key as a string: NSExpression(forKeyPath: \"name\")"]
            description = (["error: \(error.title)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
        }

        init(_ description: String) {
            self.description = description
        }
    }

    /// The evaluator of an object, which the first evaluation makes and all later ones find with one atomic load.
    ///
    /// An error from making it is kept too. The pointer is set once and never replaced, so references to its target
    /// need not be counted.
    struct Prepared<Evaluator: Sendable>: ~Copyable, Sendable {
        private typealias Outcome = Unmanaged<PreparationOutcome<Evaluator>>
        private let outcome = Atomic<Outcome?>(nil)

        deinit {
            outcome.load(ordering: .acquiring)?.release()
        }

        /// The evaluator; the first access creates it with `make`.
        @inline(__always)
        func evaluator(_ make: () throws(EvaluationError) -> Evaluator) throws(EvaluationError) -> Evaluator {
            let ready = outcome.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.evaluator }
            if let ready { return ready }
            return try prepare(make).get()
        }

        /// Calls a function with the evaluator without reference counting; nil before the first access.
        @inline(__always)
        func ready<Value>(_ body: (borrowing Evaluator) -> Value?) -> Value? {
            outcome.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { outcome in
                if let evaluator = outcome.evaluator { body(evaluator) } else { nil }
            }
        }

        /// Makes the evaluator, unless there is an outcome already or another thread makes one first.
        @inline(never)
        private func prepare(
            _ make: () throws(EvaluationError) -> Evaluator
        ) -> Result<Evaluator, EvaluationError> {
            if let earlier = outcome.load(ordering: .acquiring) {
                return earlier._withUnsafeGuaranteedRef { $0.result }
            }
            let made = PreparationOutcome(make)
            let kept = Outcome.passRetained(made)
            let exchange = outcome.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing)
            if !exchange.exchanged { kept.release() }
            return made.result
        }
    }

    /// An evaluator, or the error from making it.
    private final class PreparationOutcome<Evaluator: Sendable>: Sendable {
        let result: Result<Evaluator, EvaluationError>
        /// The evaluator unless there was an error; copying it costs one reference.
        let evaluator: Evaluator?

        init(_ make: () throws(EvaluationError) -> Evaluator) {
            result = Result(catching: make)
            evaluator = try? result.get()
        }
    }
#endif
