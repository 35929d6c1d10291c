public import Foundation
public import PredicateSyntax

/// An expression prepared for evaluation with many objects, like a ``PredicateEvaluator`` whose result is a value.
///
/// ```swift
/// let total = try ExpressionEvaluator(FormatExpression("sum(prices) * 1.19"))
/// try total.value(with: ["prices": [1, 2]])
/// ```
public struct ExpressionEvaluator: Sendable {
    /// The expression to evaluate.
    package var expression: FormatExpression { FormatExpression(node, source: source) }
    let plan: any ExpressionPlan
    /// The variables on the left of `:=`.
    package let assigned: [String]
    private let variables: PlanVariables
    // The parts of the expression, which may keep this evaluator.
    private let node: ExpressionNode
    private let source: PredicateSourceMap?

    /// Prepares an expression. The parameters and errors are the same as for
    /// ``PredicateEvaluator/init(_:variables:registry:limits:locale:)``.
    public init(
        _ expression: FormatExpression, variables: PredicateVariables = .init(),
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard, locale: Locale? = nil
    ) throws(EvaluationError) {
        let settings = PlanSettings.with(variables, registry, limits, locale)
        do {
            let survey = try TreeSurvey(.expression(expression.node), limits: settings.limits)
            var planner = Planner(settings, survey)
            plan = try planner.plan(expression.node)
            self.variables = PlanVariables(planner.variables, settings, survey)
            assigned = survey.assigned.map(\.text)
        } catch {
            throw error.located(in: expression)
        }
        (node, source) = (expression.node, expression.source)
    }

    /// The steps of a key path; nil for another expression.
    var steps: [KeyPathStep]? {
        switch plan.shape {
        case .object: []
        case .path(nil, let steps): steps
        case .path, .constant, .variable, .arithmetic, .subquery, .conditional, .call, .opaque: nil
        }
    }

    func slots(_ variables: PredicateVariables) -> [EvaluationContext.Slot] { self.variables.slots(for: variables) }

    /// Evaluates the expression with an object of any type: a dictionary, an object with keys, a value, or nil.
    ///
    /// `try evaluator.value(with: ["prices": [1, 2]])`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func value(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> KeyedValue {
        try value(KeyedValue(bridging: object), variables: variables)
    }

    /// Evaluates the expression with an object of any type, and adds assigned values to the variables.
    ///
    /// `try evaluator.value(with: row, variables: &variables)`: after `$total := a + b` the variables have a value
    /// for `total`. If the evaluation throws, they do not change. [NSP-180]
    /// - Throws: ``EvaluationError`` with the offending node.
    public func value(
        with object: Any?, variables: inout PredicateVariables
    ) throws(EvaluationError) -> KeyedValue {
        var context = EvaluationContext(
            object: KeyedValue(bridging: object), slots: self.variables.slots(for: variables))
        do {
            let value = try plan.value(&context)
            self.variables.copyAssigned(from: context, to: &variables)
            return value
        } catch {
            throw error.located(in: expression)
        }
    }

    /// Evaluates the expression with a value: `try evaluator.value(.value(["prices": [1, 2]]))`.
    package func value(_ object: KeyedValue, variables: PredicateVariables = [:]) throws(EvaluationError) -> KeyedValue
    {
        var context = EvaluationContext(object: object, slots: self.variables.slots(for: variables))
        do {
            return try plan.value(&context)
        } catch {
            throw error.located(in: expression)
        }
    }
}

extension FormatExpression {
    /// Evaluates the expression with an object of any type.
    ///
    /// `try FormatExpression("sum(prices)").value(with: ["prices": [1, 2]])`
    ///
    /// The first call makes an evaluator, which the expression and its copies keep.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func value(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> KeyedValue {
        let evaluator = try kept.evaluator { () throws(EvaluationError) in try ExpressionEvaluator(self) }
        return try evaluator.value(with: object, variables: variables)
    }
}
