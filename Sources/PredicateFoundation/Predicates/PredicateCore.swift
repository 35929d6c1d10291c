#if !canImport(Darwin)
    import PredicateEvaluation
    import PredicateSyntax

    /// A predicate with its evaluator, which the first evaluation makes.
    final class PredicateCore: Sendable {
        let predicate: FormatPredicate
        /// The closure of a predicate that is nothing else.
        let foreign: ForeignBlock?
        private let prepared = Prepared<PredicateEvaluator>()

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
            get throws(EvaluationError) { try prepared.evaluator { () throws(EvaluationError) in try make() } }
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

        func evaluate(with object: Any?, bindings: [String: Any]?) -> Bool {
            guard let bindings, !bindings.isEmpty else { return evaluate(with: object) }
            do throws(EvaluationError) {
                return try evaluator.evaluate(with: object, variables: PredicateVariables(bridging: bindings))
            } catch {
                return PredicateSettings.answer(false, for: error)
            }
        }
    }
#endif
