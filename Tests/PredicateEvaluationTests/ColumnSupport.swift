import PredicateEvaluation
import PredicateSyntax
import Testing

/// Expects of so many predicates that columns answer what the plan says of each row, the first error included.
func expectSame(
    _ table: ColumnTable, _ rows: [KeyedValue], _ variables: PredicateVariables, predicates: Int, _ name: Comment,
    _ format: () -> String
) {
    var compared = 0
    while compared < predicates {
        guard let predicate = try? FormatPredicate(format: format(), arguments: []),
            let evaluator = try? PredicateEvaluator(predicate)
        else { continue }
        compared += 1
        let expected = Result { () throws(EvaluationError) in
            var places: [Int] = []
            for (place, row) in rows.enumerated() where try evaluator.evaluate(row, variables: variables) {
                places.append(place)
            }
            return places
        }
        let indices = Result { () throws(EvaluationError) in
            try table.indices(matching: evaluator, variables: variables)
        }
        let count = Result { () throws(EvaluationError) in
            try table.count(matching: evaluator, variables: variables)
        }
        #expect(indices == expected, "\(name) indices: \(predicate.predicateFormat)")
        #expect(count == expected.map(\.count), "\(name) count: \(predicate.predicateFormat)")
    }
}
