import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// The conditions of a model on the values of attributes that are no bounds: patterns, and rules of compiled models.
///
/// `SELF MATCHES "[A-Z][a-z]*"` with 1680; a rule has the number that the model gives it.
struct ValidationConditions {
    private struct Condition {
        let evaluator: PredicateEvaluator
        let number: Int
        let reason: String
    }

    private var conditions: [String: [Condition]] = [:]

    /// Throws `invalidValue` for a condition that cannot be evaluated.
    init(_ model: ManagedObjectModel, _ entity: String) throws(CoreDataError) {
        for attribute in model.storedAttributes(of: entity) {
            guard attribute.regularExpression != nil || !attribute.validations.isEmpty else { continue }
            do {
                conditions[attribute.name] = try Self.conditions(of: attribute)
            } catch {
                let reason =
                    "the condition of the model cannot be evaluated: \((error as? any PredicateDiagnostic)?.title ?? "\(error)")"
                throw CoreDataError(.invalidValue(key: attribute.name, entity: entity, reason: reason))
            }
        }
    }

    private static func conditions(of attribute: AttributeDescription) throws -> [Condition] {
        var found: [Condition] = []
        if let pattern = attribute.regularExpression {
            let node = PredicateNode.string(
                StringPredicate(.evaluatedObject, .matches, .constantValue(.string(pattern))))
            found.append(
                Condition(
                    evaluator: try PredicateEvaluator(FormatPredicate(node)), number: 1680,
                    reason: "it does not match \(pattern)"))
        }
        for rule in attribute.validations {
            var number = 1550
            if case .integer(let given)? = rule.warning { number = Int(clamping: given) }
            found.append(
                Condition(
                    evaluator: try PredicateEvaluator(try rule.predicate.predicate()), number: number,
                    reason: "it does not satisfy \(rule.predicate)"))
        }
        return found
    }

    /// Throws `invalidValue` for a value that does not meet a condition; one that is an error does not.
    func check(_ value: PredicateValue, of attribute: String, in entity: String) throws(CoreDataError) {
        for condition in conditions[attribute] ?? [] {
            guard (try? condition.evaluator.evaluate(value.keyedValue)) != true else { continue }
            throw CoreDataError(
                .invalidValue(key: attribute, entity: entity, reason: condition.reason, number: condition.number))
        }
    }
}
