public import PredicateSyntax

/// A predicate made ready to be asked about many objects.
///
/// `let adults = try PredicateEvaluator(try FormatPredicate("age >= $AGE"))`, then
/// `try adults.evaluate(with: person, bindings: ["AGE": 18])`
///
/// Everything that does not depend on the object is done once, when the evaluator is made: names are looked up, search
/// texts folded, patterns compiled, constants worked out. An evaluator never changes and may be shared by threads.
public struct PredicateEvaluator: Sendable {
    /// The predicate that this evaluates.
    public let predicate: FormatPredicate
    private let plan: any PredicatePlan
    private let variables: VariableTable
    private let settings: PlanSettings
    private let depth: Int

    /// Prepares a predicate.
    ///
    /// `try PredicateEvaluator(predicate, constants: ["AGE": 18])`
    ///
    /// - `constants` are values of variables that never change; bindings for the same names have no effect.
    /// - `registry` says which functions, messages, selectors and type identifiers there are.
    ///
    /// Throws what can be known without an object: an unknown function, an invalid pattern, an index after a dot, a tree
    /// deeper than `limits` allow.
    public init(
        _ predicate: FormatPredicate, constants: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard, limits: Limits = .standard
    ) throws(EvaluationError) {
        let settings = PlanSettings(constants: constants, registry: registry, limits: limits)
        let survey = try TreeSurvey(.predicate(predicate.node), limits: limits)
        var planner = Planner(settings, survey)
        self.plan = try planner.plan(predicate.node)
        self.predicate = predicate
        self.variables = planner.variables
        self.settings = settings
        self.depth = survey.depth
    }

    /// Whether the predicate holds for anything: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try evaluator.evaluate(with: ["age": 30])`
    ///
    /// Types that do not say how their keys are read are looked into by reflection, which is slow.
    /// Throws an ``EvaluationError`` that names the sub-expression at fault.
    public func evaluate(with object: Any?, bindings: Bindings = [:]) throws(EvaluationError) -> Bool {
        try evaluate(KeyedValue(bridging: object), bindings: bindings)
    }

    /// Whether the predicate holds for an object that offers keys, without looking at its type first.
    ///
    /// `try evaluator.evaluate(with: person)` where `Person: KeyValueCoding`
    public func evaluate(
        with object: some KeyValueCoding, bindings: Bindings = [:]
    ) throws(EvaluationError) -> Bool {
        try evaluate(object.keyedValue, bindings: bindings)
    }

    /// Whether the predicate holds for a value: `try evaluator.evaluate(.value(["age": 30]))`.
    public func evaluate(_ value: KeyedValue, bindings: Bindings = [:]) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: value, slots: slots(for: bindings))
        return try plan.holds(&context)
    }

    /// The evaluation of many objects under the same bindings.
    func batch(_ bindings: Bindings) -> Batch {
        Batch(plan: plan, slots: slots(for: bindings))
    }

    private func slots(for bindings: Bindings) -> [EvaluationContext.Slot] {
        variables.isEmpty ? [] : variables.bound(to: bindings, settings, depth: depth)
    }

    /// Variables bound once, for any number of objects.
    struct Batch {
        fileprivate let plan: any PredicatePlan
        fileprivate let slots: [EvaluationContext.Slot]

        func evaluate(_ value: KeyedValue) throws(EvaluationError) -> Bool {
            var context = EvaluationContext(object: value, slots: slots)
            return try plan.holds(&context)
        }
    }
}
