public import PredicateSyntax

/// An expression made ready to be worked out for many objects.
///
/// `let total = try ExpressionEvaluator(try FormatExpression("sum(prices) * 1.19"))`, then
/// `try total.value(with: ["prices": [1, 2]])`
///
/// As ``PredicateEvaluator``, but the outcome is a value.
public struct ExpressionEvaluator: Sendable {
    /// The expression that this evaluates.
    public let expression: FormatExpression
    private let plan: any ExpressionPlan
    private let variables: VariableTable
    private let settings: PlanSettings
    private let depth: Int

    /// Prepares an expression; arguments and errors are those of ``PredicateEvaluator/init(_:variables:registry:limits:)``.
    public init(
        _ expression: FormatExpression, variables: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard
    ) throws(EvaluationError) {
        let settings = PlanSettings(constants: variables, registry: registry, limits: limits)
        let survey = try TreeSurvey(.expression(expression.node), limits: limits)
        var planner = Planner(settings, survey)
        self.plan = try planner.plan(expression.node)
        self.expression = expression
        self.variables = planner.variables
        self.settings = settings
        self.depth = survey.depth
    }

    /// The value for anything: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try evaluator.value(with: ["prices": [1, 2]])`
    ///
    /// Throws an ``EvaluationError`` that names the sub-expression at fault.
    public func value(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> KeyedValue {
        try value(KeyedValue(bridging: object), variables: variables)
    }

    /// The value for an object that offers keys, without looking at its type first.
    public func value(
        with object: some KeyValueCoding, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> KeyedValue {
        try value(object.keyedValue, variables: variables)
    }

    /// The value for a value: `try evaluator.value(.value(["prices": [1, 2]]))`.
    public func value(_ object: KeyedValue, variables: PredicateVariables = [:]) throws(EvaluationError) -> KeyedValue {
        let slots = self.variables.isEmpty ? [] : self.variables.bound(to: variables, settings, depth: depth)
        var context = EvaluationContext(object: object, slots: slots)
        return try plan.value(&context)
    }
}

extension FormatExpression {
    /// The value for anything: `try FormatExpression("sum(prices)").value(with: ["prices": [1, 2]])`.
    ///
    /// The expression is made ready anew in each call: for many objects make an ``ExpressionEvaluator`` once. Throws an
    /// ``EvaluationError`` that names the sub-expression at fault.
    public func value(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> KeyedValue {
        try ExpressionEvaluator(self).value(with: object, variables: variables)
    }
}
