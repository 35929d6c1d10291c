package import PredicateSyntax

extension ExpressionEvaluator {
    /// Returns the value for an object; nil if an operand is nil, as in SQL. [NSP-484]
    package func valueOrNil(
        _ object: KeyedValue, _ variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> PredicateValue {
        try keyedValueOrNil(object, variables).predicateValue ?? .null
    }

    /// Returns the value for an object; the value may be an object itself. Returns nil if an operand is nil.
    package func keyedValueOrNil(
        _ object: KeyedValue, _ variables: PredicateVariables
    ) throws(EvaluationError) -> KeyedValue {
        try EvaluationError.unlessNil { () throws(EvaluationError) in
            try value(object, variables: variables)
        } ?? .value(.null)
    }
}

extension PredicateEvaluator {
    /// Returns true if a record satisfies the condition of HAVING, which is false if an operand is nil, as in SQL.
    package func holds(
        _ record: KeyedValue, _ variables: PredicateVariables
    ) throws(EvaluationError) -> Bool {
        try EvaluationError.unlessNil { () throws(EvaluationError) in
            try evaluate(record, variables: variables)
        } ?? false
    }
}

extension EvaluationError {
    /// Returns the result of an evaluation; nil if an operand is nil where a value is needed.
    fileprivate static func unlessNil<Result>(
        _ evaluate: () throws(EvaluationError) -> Result
    ) throws(EvaluationError) -> Result? {
        do throws(EvaluationError) {
            return try evaluate()
        } catch {
            if error.isAboutNil { return nil }
            throw error
        }
    }

    /// A Boolean value that indicates whether an operand is nil where a value is needed.
    fileprivate var isAboutNil: Bool {
        switch code {
        case .notANumber(let found), .notAnInteger(let found), .notAString(let found), .argumentKind(_, _, let found),
            .notACollection(let found):
            found.valueClass == nil
        case .emptyCollection: true
        default: false
        }
    }
}
