import PredicateConformance
import PredicateEvaluation
import PredicateReference
import PredicateSyntax
import Testing

/// The reference that random tests hold the evaluators to gives the answers that are on record.
@Suite struct ReferenceTests {
    @Test("the reference gives the recorded answers", arguments: DataFiles.cases + [DataFiles.facts[0]])
    func recordedAnswers(path: String) throws {
        for evaluation in try ConformanceSuite.load(path: path).evaluations {
            let outcome = Self.outcome(of: evaluation)
            #expect(evaluation.expectation.isMet(by: outcome), "\(evaluation.id): \(outcome)")
        }
    }

    @Test func noRecordIsPassedOver() throws {
        let rows = try DataFiles.cases.map { try ConformanceSuite.load(path: $0).evaluations.count }
        #expect(rows.reduce(0, +) > 1_500)
        #expect(try ConformanceSuite.load(path: DataFiles.facts[0]).evaluations.count > 600)
    }

    private static func outcome(of evaluation: ConformanceEvaluation) -> Result<ReferenceValue, ReferenceError> {
        let bindings = PredicateVariables(evaluation.variables)
        switch evaluation.tree {
        case .predicate(let node):
            return ReferenceEvaluator.holds(
                node, for: evaluation.object.keyedValue, variables: bindings,
                registry: ConformanceEvaluation.registry, limits: evaluation.limits
            ).map { ReferenceValue(PredicateValue.bool($0)) }
        case .expression(let node):
            return ReferenceEvaluator.value(
                node, for: evaluation.object.keyedValue, variables: bindings,
                registry: ConformanceEvaluation.registry, limits: evaluation.limits)
        }
    }
}

extension ConformanceEvaluation.ExpectedOutcome {
    fileprivate func isMet(by outcome: Result<ReferenceValue, ReferenceError>) -> Bool {
        switch (self, outcome) {
        case (.value(let value), .success(let found)): found.equals(ReferenceValue(value))
        case (.error(let name), .failure(let error)): name == nil || name == error.name
        case (.value, .failure), (.error, .success): false
        }
    }
}
