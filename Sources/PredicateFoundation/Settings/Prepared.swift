#if !canImport(Darwin)
    import PredicateEvaluation
    import Synchronization

    /// The evaluator of an object, which the first evaluation makes and all others find by one atomic load.
    ///
    /// An error that keeps it from being made is kept, too. The pointer is set once and never replaced, so that no reference to
    /// what it leads to is counted.
    struct Prepared<Evaluator: Sendable>: ~Copyable, Sendable {
        private typealias Outcome = Unmanaged<PreparationOutcome<Evaluator>>
        private let outcome = Atomic<Outcome?>(nil)

        deinit {
            outcome.load(ordering: .acquiring)?.release()
        }

        /// The evaluator, made by `make` if there is none yet.
        @inline(__always)
        func evaluator(_ make: () throws(EvaluationError) -> Evaluator) throws(EvaluationError) -> Evaluator {
            let ready = outcome.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.evaluator }
            if let ready { return ready }
            return try prepare(make).get()
        }

        /// Makes the evaluator, unless there is an outcome already, or some other thread has one first.
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

    /// An evaluator, or the error that kept it from being made.
    private final class PreparationOutcome<Evaluator: Sendable>: Sendable {
        let result: Result<Evaluator, EvaluationError>
        /// The result if it is no error: one reference to copy.
        let evaluator: Evaluator?

        init(_ make: () throws(EvaluationError) -> Evaluator) {
            result = Result(catching: make)
            evaluator = try? result.get()
        }
    }
#endif
