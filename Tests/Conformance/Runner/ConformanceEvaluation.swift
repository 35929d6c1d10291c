import PredicateEvaluation
import PredicateReference
import PredicateSyntax

/// An evaluation of a case with its expected outcome, for other evaluators than the library's own.
///
/// `row {"name": "joanna"} true`: the tree of the record's format, the object, and `true`.
package struct ConformanceEvaluation {
    package let id: String
    /// The case that the evaluation belongs to.
    package let record: String
    package let tree: TreeNode
    package let object: PredicateValue
    package let variables: [String: PredicateValue]
    package let limits: PredicateLimits
    package let expectation: ExpectedOutcome

    package enum ExpectedOutcome {
        /// The value; a Boolean for a predicate
        case value(PredicateValue)
        /// An error; nil if the case does not know which
        case error(EvaluationErrorName?)
    }

    /// The functions and messages of the cases that are not part of the language.
    package static var registry: EvaluationRegistry { .conformance }
}

extension ConformanceSuite {
    /// All evaluations with a known outcome.
    package var evaluations: [ConformanceEvaluation] {
        cases.flatMap(\.evaluations)
    }
}

extension CaseRecord {
    var evaluations: [ConformanceEvaluation] {
        guard gaps.isEmpty, error == nil, let parsed = try? parsed() else { return [] }
        return rows.map { row in
            ConformanceEvaluation(
                id: "\(id), line \(row.line)", record: id, tree: parsed.tree, object: row.object, variables: variables,
                limits: options.evaluation, expectation: row.expectation.ofEvaluation)
        }
    }
}

extension CaseRow.Expectation {
    fileprivate var ofEvaluation: ConformanceEvaluation.ExpectedOutcome {
        switch self {
        case .truth(let truth): .value(.bool(truth))
        case .value(let value): .value(value)
        case .error(let name): .error(name)
        }
    }
}

extension FactCase {
    var evaluations: [ConformanceEvaluation] {
        guard let tree else { return [] }
        switch expectation {
        case .parses, .parseError: return []
        case .truth(let truth): return [evaluation(of: tree, object, .value(.bool(truth)))]
        case .value(let value): return [evaluation(of: tree, object, .value(value))]
        case .evaluationError: return [evaluation(of: tree, object, .error(nil))]
        case .filter(let keep):
            return (object.list ?? []).enumerated().map { index, object in
                evaluation(of: tree, object, .value(.bool(keep.contains(index))))
            }
        }
    }

    private var tree: TreeNode? {
        switch kind {
        case .predicate: (try? ParsedFormat(.predicate, format, arguments))?.tree
        case .expression: (try? ParsedFormat(.expression, format, arguments))?.tree
        case .api(let notation): (try? CompoundNotation.predicate(notation)).map(TreeNode.predicate)
        }
    }

    private func evaluation(
        of tree: TreeNode, _ object: PredicateValue, _ expectation: ConformanceEvaluation.ExpectedOutcome
    ) -> ConformanceEvaluation {
        ConformanceEvaluation(
            id: id, record: id, tree: tree, object: object, variables: variables, limits: .standard,
            expectation: expectation)
    }
}
