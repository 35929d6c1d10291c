import PredicateEvaluation
import PredicateSyntax

/// A parsed format string: a predicate or an expression.
enum ParsedFormat: Hashable, Sendable {
    case predicate(FormatPredicate)
    case expression(FormatExpression)

    enum Kind: Hashable, Sendable {
        case predicate, expression
    }

    init(
        _ kind: Kind, _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions = .standard
    ) throws(PredicateFormatError) {
        switch kind {
        case .predicate:
            self = .predicate(try FormatPredicate(format: format, arguments: arguments, options: options))
        case .expression:
            self = .expression(try FormatExpression(format: format, arguments: arguments, options: options))
        }
    }

    var kind: Kind {
        switch self {
        case .predicate: .predicate
        case .expression: .expression
        }
    }

    /// The canonical print.
    var printed: String {
        switch self {
        case .predicate(let predicate): predicate.predicateFormat
        case .expression(let expression): expression.expressionFormat
        }
    }

    var tree: TreeNode {
        switch self {
        case .predicate(let predicate): .predicate(predicate.node)
        case .expression(let expression): .expression(expression.node)
        }
    }

    /// The format with values in place of variables.
    func substituting(_ values: [String: PredicateValue]) throws(PredicateFormatError) -> ParsedFormat {
        switch self {
        case .predicate(let predicate): .predicate(try predicate.substituting(values))
        case .expression(let expression): .expression(try expression.substituting(values))
        }
    }

    /// The outcome for each of some objects.
    func outcomes(
        for objects: [PredicateValue], _ variables: [String: PredicateValue], limits: PredicateLimits = .standard
    ) -> [Outcome] {
        do throws(EvaluationError) {
            switch self {
            case .predicate(let predicate):
                let evaluator = try PredicateEvaluator(predicate, registry: .conformance, limits: limits)
                return objects.map { Outcome(evaluator, $0, PredicateVariables(variables)) }
            case .expression(let expression):
                let evaluator = try ExpressionEvaluator(expression, registry: .conformance, limits: limits)
                return objects.map { Outcome(evaluator, $0, PredicateVariables(variables)) }
            }
        } catch {
            return objects.map { _ in .failure(error) }
        }
    }

    func outcome(for object: PredicateValue, _ variables: [String: PredicateValue]) -> Outcome {
        outcomes(for: [object], variables).first ?? .value(.null)
    }
}
