public import PredicateSyntax

/// A predicate made ready to be asked about many objects.
///
/// `let adults = try PredicateEvaluator(try FormatPredicate("age >= $AGE"))`, then
/// `try adults.evaluate(with: person, variables: ["AGE": 18])`
///
/// Everything that does not depend on the object is done once, when the evaluator is made: names are looked up, search
/// texts folded, patterns compiled, constants worked out. An evaluator never changes and may be shared by threads.
public struct PredicateEvaluator: Sendable {
    /// The predicate that this evaluates.
    public var predicate: FormatPredicate { core.predicate }
    private let core: EvaluatorCore
    /// The programs of the core, where no variable is bound from outside: reached without counting a reference.
    private let quickPrograms: Unmanaged<ProgramCache>?

    /// Prepares a predicate.
    ///
    /// `try PredicateEvaluator(predicate, constants: ["AGE": 18])`
    ///
    /// - `variables` are values that never change: they are folded into the plan, and values given later for the same names have no effect.
    /// - `registry` says which functions, messages, selectors and type identifiers there are.
    ///
    /// Throws what can be known without an object: an unknown function, an invalid pattern, an index after a dot, a tree
    /// deeper than `limits` allow.
    public init(
        _ predicate: FormatPredicate, variables: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard
    ) throws(EvaluationError) {
        let settings = PlanSettings(constants: variables, registry: registry, limits: limits)
        let survey = try TreeSurvey(.predicate(predicate.node), limits: limits)
        var planner = Planner(settings, survey)
        let plan = try planner.plan(predicate.node)
        core = EvaluatorCore(predicate, plan, planner.variables, settings, survey)
        quickPrograms = core.hasVariables ? nil : core.programs.map(Unmanaged.passUnretained)
    }

    /// Whether the predicate holds for anything: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try evaluator.evaluate(with: ["age": 30])`
    ///
    /// Types that do not say how their keys are read are looked into by reflection, which is slow.
    /// Throws an ``EvaluationError`` that names the sub-expression at fault.
    public func evaluate(with object: Any?) throws(EvaluationError) -> Bool {
        if let object, type(of: object) == [String: Any].self, let row = object as? [String: Any] {
            return try withUnsafePointer(to: row) { (place) throws(EvaluationError) in try evaluate(at: place) }
        }
        return try evaluate(KeyedValue(bridging: object))
    }

    /// The same with values for the variables: `try evaluator.evaluate(with: row, variables: ["AGE": 18])`.
    public func evaluate(with object: Any?, variables: PredicateVariables) throws(EvaluationError) -> Bool {
        try evaluate(KeyedValue(bridging: object), variables: variables)
    }

    /// Whether the predicate holds for an object that offers keys, without looking at its type first.
    ///
    /// `try evaluator.evaluate(with: person)` where `Person: KeyValueCoding`
    @inlinable
    public func evaluate(with object: some KeyValueCoding) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: object) { (place) throws(EvaluationError) in try evaluate(at: place) }
    }

    /// The same with values for the variables: `try evaluator.evaluate(with: person, variables: ["AGE": 18])`.
    public func evaluate(
        with object: some KeyValueCoding, variables: PredicateVariables
    ) throws(EvaluationError) -> Bool {
        core.hasVariables ? try evaluate(object.keyedValue, variables: variables) : try evaluate(with: object)
    }

    /// Whether the predicate holds for a value: `try evaluator.evaluate(.value(["age": 30]))`.
    ///
    /// Works by the plan alone, never by a program: slower, and the measure of what is right.
    public func evaluate(_ value: KeyedValue, variables: PredicateVariables = [:]) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: value, slots: core.slots(for: variables))
        return try core.plan.holds(&context)
    }

    /// The same for an object in memory, which need not be copied: `try evaluator.evaluate(at: &person)`.
    @inlinable
    public func evaluate<Object: KeyValueCoding>(at object: UnsafePointer<Object>) throws(EvaluationError) -> Bool {
        if let answer = quickAnswer(UnsafeRawPointer(object), ObjectIdentifier(Object.self)) { return answer }
        return try evaluateSlowly(object)
    }

    /// What a program says that is at hand: not generic, so that nothing but two pointers is handed over.
    @usableFromInline
    func quickAnswer(_ object: UnsafeRawPointer, _ type: ObjectIdentifier) -> Bool? {
        quickPrograms?._withUnsafeGuaranteedRef { $0.result(for: object, type) }.decided
    }

    /// The first object of its type, and one for which a plan must be asked.
    @inline(never)
    @usableFromInline
    func evaluateSlowly<Object: KeyValueCoding>(_ object: UnsafePointer<Object>) throws(EvaluationError) -> Bool {
        guard !core.hasVariables, let programs = core.programs, let program = programs.program(for: object) else {
            return try evaluate(object.pointee.keyedValue)
        }
        return try program.holds(UnsafeRawPointer(object), programs.slots)
    }

    /// The evaluation of many objects under the same variables.
    func batch(_ variables: PredicateVariables) -> Batch {
        Batch(
            plan: core.plan, slots: core.slots(for: variables), programs: core.programs,
            hasVariables: core.hasVariables)
    }
}

/// What an evaluator holds, in one object: so that a copy of the evaluator costs one reference.
private final class EvaluatorCore: Sendable {
    let predicate: FormatPredicate
    let plan: any PredicatePlan
    /// What is faster than the plan; nil where only the plan knows the meaning, since variables are assigned.
    let programs: ProgramCache?
    let hasVariables: Bool
    private let variables: VariableTable
    private let settings: PlanSettings
    private let depth: Int

    init(
        _ predicate: FormatPredicate, _ plan: any PredicatePlan, _ variables: VariableTable,
        _ settings: PlanSettings, _ survey: TreeSurvey
    ) {
        self.predicate = predicate
        self.plan = plan
        self.variables = variables
        self.settings = settings
        self.depth = survey.depth
        hasVariables = variables.names.contains { $0 != nil }
        let slots = variables.isEmpty ? [] : variables.bound(to: [:], settings, depth: survey.depth)
        programs = survey.assigned.isEmpty ? ProgramCache(plan, slots) : nil
    }

    func slots(for variables: PredicateVariables) -> [EvaluationContext.Slot] {
        self.variables.isEmpty ? [] : self.variables.bound(to: variables, settings, depth: depth)
    }
}
