import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Evaluates a format for an object of any type.
func holds(
    _ format: String, _ arguments: [PredicateValue] = [], for object: Any? = nil, variables: PredicateVariables = [:],
    registry: EvaluationRegistry = .standard
) throws -> Bool {
    let predicate = try FormatPredicate(format: format, arguments: arguments)
    return try PredicateEvaluator(predicate, registry: registry).evaluate(with: object, variables: variables)
}

/// Evaluates an expression format for an object of any type.
func value(
    of format: String, _ arguments: [PredicateValue] = [], for object: Any? = nil, variables: PredicateVariables = [:],
    registry: EvaluationRegistry = .standard
) throws -> KeyedValue {
    let expression = try FormatExpression(format: format, arguments: arguments)
    return try ExpressionEvaluator(expression, registry: registry).value(with: object, variables: variables)
}

/// The error that a piece of work throws.
func evaluationError(_ work: () throws -> some Any) -> EvaluationError? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? EvaluationError
    }
}

/// A person whose keys are read without reflection.
struct Citizen: KeyValueCoding, Hashable, Sendable {
    var name: String
    var age: Int
    var friends: [Citizen] = []

    var allKeys: [String] { ["name", "age", "friends"] }

    func value(forKey key: String) -> KeyedValue? {
        switch key {
        case "name": name.keyedValue
        case "age": age.keyedValue
        case "friends": friends.keyedValue
        default: nil
        }
    }
}
