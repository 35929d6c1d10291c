#if !canImport(Darwin)
    import PredicateEvaluation
    import PredicateSyntax
    import Synchronization

    /// A predicate with its evaluator, which the first evaluation makes.
    final class PredicateCore: Sendable {
        let predicate: FormatPredicate
        /// The closure of a predicate that is nothing else.
        let foreign: ForeignBlock?
        private let prepared = AtomicLazyReference<Prepared<PredicateEvaluator>>()

        init(_ predicate: FormatPredicate) {
            self.predicate = predicate
            foreign = nil
        }

        init(foreign block: @escaping ForeignBlock.Call) {
            predicate = FormatPredicate(foreign: block)
            foreign = ForeignBlock(call: block)
        }

        var node: PredicateNode { predicate.node }

        var evaluator: PredicateEvaluator {
            get throws(EvaluationError) {
                if let prepared = prepared.load() { return try prepared.outcome.get() }
                return try prepared.storeIfNil(Prepared { () throws(EvaluationError) in try make() }).outcome.get()
            }
        }

        private func make() throws(EvaluationError) -> PredicateEvaluator {
            let settings = PredicateSettings.current
            return try PredicateEvaluator(
                predicate, registry: settings.registry, limits: settings.limits, locale: settings.locale)
        }

        func evaluate(with object: Any?) -> Bool {
            do throws(EvaluationError) {
                return try evaluator.evaluate(with: object)
            } catch {
                return PredicateSettings.answer(false, for: error)
            }
        }

        func evaluate(with object: Any?, bindings: [String: Any]) -> Bool {
            if bindings.isEmpty { return evaluate(with: object) }
            do throws(EvaluationError) {
                return try evaluator.evaluate(with: object, variables: PredicateVariables(bridging: bindings))
            } catch {
                return PredicateSettings.answer(false, for: error)
            }
        }
    }

    /// An evaluator, or the error that kept it from being made: either is kept for all evaluations to come.
    final class Prepared<Evaluator: Sendable>: Sendable {
        let outcome: Result<Evaluator, EvaluationError>

        init(_ make: () throws(EvaluationError) -> Evaluator) {
            outcome = Result(catching: make)
        }
    }
#endif
