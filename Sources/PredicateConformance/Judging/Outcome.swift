import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// The outcome of an evaluation.
enum Outcome {
    case value(KeyedValue)
    case failure(EvaluationError)

    init(_ evaluator: PredicateEvaluator, _ object: PredicateValue, _ variables: PredicateVariables) {
        do {
            self = .value(.value(.bool(try evaluator.evaluate(object.keyedValue, variables: variables))))
        } catch {
            self = .failure(error)
        }
    }

    init(_ evaluator: ExpressionEvaluator, _ object: PredicateValue, _ variables: PredicateVariables) {
        do {
            self = .value(try evaluator.value(object.keyedValue, variables: variables))
        } catch {
            self = .failure(error)
        }
    }

    /// Returns true if the outcome is a value; numbers are compared by value, whatever their kind.
    func isValue(_ expected: PredicateValue) -> Bool {
        switch self {
        case .value(let value): isEqual(value, expected.keyedValue)
        case .failure: false
        }
    }

    /// The outcome as failures show it.
    var shown: String {
        switch self {
        case .value(.value(let value)): value.shown
        case .value(.object), .value(.collection): "a live object"
        case .failure(let error): "error(\(EvaluationErrorName(error.code).rawValue)): \(error.code)"
        }
    }
}

extension PredicateValue {
    /// The value as failures show it: text in quotes, so that it cannot be taken for a number.
    var shown: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "true" : "false"
        case .nullObject, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            ExpressionNode.constantValue(self).expressionFormat
        }
    }
}
