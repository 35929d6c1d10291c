public import Foundation
public import PredicateSyntax

/// A predicate prepared for evaluation with many objects.
///
/// ```swift
/// let adults = try PredicateEvaluator(FormatPredicate("age >= $AGE"))
/// try adults.evaluate(with: person, variables: ["AGE": 18])
/// ```
///
/// All that does not depend on the object is done once, when the evaluator is made: names are looked up, needles folded,
/// patterns compiled, constants folded. An evaluator never changes and may be shared by threads.
///
/// Each `evaluate` gives the same result; they differ in speed. An object that offers keys, a struct or class whose stored
/// properties are keys, a text, a number and a `[String: Any]` are evaluated by a bytecode program for their type, which an
/// object passed as `Any` finds a little later. Objects that are bridged or read by `Mirror`, and calls that pass variables which the predicate has, are
/// evaluated node by node, which takes longer. For many objects at once, `filtered(using:)` and its relatives are faster
/// than any of them, with variables too.
public struct PredicateEvaluator: Sendable {
    /// The predicate that this evaluates.
    public var predicate: FormatPredicate { core.predicate }
    private let core: EvaluatorCore
    /// The programs of the core, if no variable takes a value from outside: reached without counting a reference.
    private let quickPrograms: Unmanaged<ProgramCache>?

    /// Prepares a predicate.
    ///
    /// `try PredicateEvaluator(FormatPredicate("age >= $AGE"), variables: ["AGE": 18])`
    ///
    /// - Parameters:
    ///   - predicate: The predicate, with its variables.
    ///   - variables: Values that never change. They are folded into the plan: values passed later for the same names
    ///     have no effect.
    ///   - registry: The functions, messages, selectors and type identifiers that the predicate may name.
    ///   - limits: Bounds on the tree, and on the work of each evaluation.
    ///   - locale: The locale by whose rules `[l]` compares texts: `name <[cl] "ö"`. Without one `[l]` has no effect. [NSP-184]
    /// - Throws: What is known without an object: an unknown function, an invalid pattern, an index after a dot, a tree
    ///   that nests deeper than `limits` allow.
    public init(
        _ predicate: FormatPredicate, variables: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard, locale: Locale? = nil
    ) throws(EvaluationError) {
        let settings = PlanSettings(constants: variables, registry: registry, limits: limits, locale: locale)
        do {
            core = try EvaluatorCore(predicate, settings)
        } catch {
            throw error.located(in: predicate)
        }
        quickPrograms = core.hasVariables ? nil : core.programs.map(Unmanaged.passUnretained)
    }

    /// Evaluates the predicate with an object of any type: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try evaluator.evaluate(with: ["age": 30])`
    ///
    /// The object is evaluated as one of its own type, by the same program as where the type is known at the call. Types
    /// that do not say how their keys are read have those of their stored properties: see ``ReflectedObject``.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(with object: Any?) throws(EvaluationError) -> Bool {
        guard let object else { return try evaluate(.null) }
        return try evaluate(opened: object)
    }

    /// Evaluates the predicate with an object that was passed as `Any`: the call opens it, so that `Object` is its own type.
    private func evaluate<Object>(opened object: Object) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: object) { (object) throws(EvaluationError) in
            if let result = quickResult(UnsafeRawPointer(object), ObjectIdentifier(Object.self)) { return result }
            return try evaluateSlowly(object) { KeyedValue(bridging: $0) }
        }
    }

    /// Evaluates the predicate with an object of any type and values for its variables.
    ///
    /// `try evaluator.evaluate(with: row, variables: ["AGE": 18])`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(with object: Any?, variables: PredicateVariables) throws(EvaluationError) -> Bool {
        core.hasVariables
            ? try evaluate(KeyedValue(bridging: object), variables: variables) : try evaluate(with: object)
    }

    /// Evaluates the predicate with an object of any type and values for its variables, to which assignments are added.
    ///
    /// `try evaluator.evaluate(with: row, variables: &variables)`: after `($total := a + b) > 3` the variables have a value
    /// for `total`. An evaluation that throws leaves them as they were. [NSP-180]
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(
        with object: Any?, variables: inout PredicateVariables
    ) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(
            object: KeyedValue(bridging: object), slots: core.variables.slots(for: variables))
        let holds = try locatingErrors { () throws(EvaluationError) in try core.plan.holds(&context) }
        core.variables.copyAssigned(from: context, to: &variables)
        return holds
    }

    /// Evaluates the predicate with an object that offers keys.
    ///
    /// `try evaluator.evaluate(with: person)` where `Person: KeyValueCoding`
    /// - Throws: ``EvaluationError`` with the offending node.
    @inlinable
    public func evaluate(with object: some KeyValueCoding) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: object) { (object) throws(EvaluationError) in try evaluate(at: object) }
    }

    /// Evaluates the predicate with an object that offers keys and values for its variables.
    ///
    /// `try evaluator.evaluate(with: person, variables: ["AGE": 18])`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(
        with object: some KeyValueCoding, variables: PredicateVariables
    ) throws(EvaluationError) -> Bool {
        core.hasVariables ? try evaluate(object.keyedValue, variables: variables) : try evaluate(with: object)
    }

    /// Evaluates the predicate with a value, node by node.
    ///
    /// `try evaluator.evaluate(.value(["age": 30]))`
    ///
    /// The entry of every evaluation that no program does, and the reference for all programs.
    package func evaluate(_ value: KeyedValue, variables: PredicateVariables = [:]) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: value, slots: core.variables.slots(for: variables))
        do {
            return try core.plan.holds(&context)
        } catch {
            throw error.located(in: predicate)
        }
    }

    /// Evaluates the predicate with an object in memory, which need not be copied.
    @inlinable
    package func evaluate<Object: KeyValueCoding>(at object: UnsafePointer<Object>) throws(EvaluationError) -> Bool {
        if let result = quickResult(UnsafeRawPointer(object), ObjectIdentifier(Object.self)) { return result }
        return try evaluateSlowly(object) { $0.keyedValue }
    }

    /// The result of a program that is at hand: not generic, so that two pointers are all that is passed.
    @usableFromInline
    func quickResult(_ object: UnsafeRawPointer, _ type: ObjectIdentifier) -> Bool? {
        quickPrograms?._withUnsafeGuaranteedRef { $0.result(for: object, type) }.decided
    }

    /// Evaluates the first object of its type, for which a program is made, and one that its program leaves to the plan.
    @inline(never)
    @usableFromInline
    func evaluateSlowly<Object>(
        _ object: UnsafePointer<Object>, _ keyedValue: (Object) -> KeyedValue
    ) throws(EvaluationError) -> Bool {
        do {
            if !core.hasVariables, let result = try core.programs?.holds(object) { return result }
        } catch {
            throw error.located(in: predicate)
        }
        return try evaluate(keyedValue(object.pointee))
    }
}

// MARK: - Policies

extension PredicateEvaluator {
    /// Prepares a predicate from an untrusted source, if a policy allows it; the policy's limits are the evaluator's.
    ///
    /// `try PredicateEvaluator(predicate, policy: .untrusted)`
    /// - Throws: `PredicatePolicyError` for a predicate that the policy refuses, ``EvaluationError`` as the other
    ///   initialiser.
    public init(
        _ predicate: FormatPredicate, policy: PredicatePolicy, variables: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard, locale: Locale? = nil
    ) throws {
        try policy.check(predicate)
        try self.init(predicate, variables: variables, registry: registry, limits: policy.limits, locale: locale)
    }
}

// MARK: - Batches

extension PredicateEvaluator {
    /// The evaluation of many objects with the same variables. Its errors have no text.
    func batch(_ variables: PredicateVariables) -> Batch {
        Batch(
            plan: core.plan, slots: core.variables.slots(for: variables), programs: core.programs,
            hasVariables: core.hasVariables)
    }

    /// Runs work on a batch; its errors are given the predicate's text.
    func withBatch<Outcome>(
        _ variables: PredicateVariables, _ work: (Batch) throws(EvaluationError) -> Outcome
    ) throws(EvaluationError) -> Outcome {
        try locatingErrors { () throws(EvaluationError) in try work(batch(variables)) }
    }

    /// Runs work whose errors are about this predicate.
    func locatingErrors<Outcome>(_ work: () throws(EvaluationError) -> Outcome) throws(EvaluationError) -> Outcome {
        do { return try work() } catch { throw error.located(in: predicate) }
    }
}

/// The content of an evaluator, in one object: a copy of the evaluator costs one reference.
private final class EvaluatorCore: Sendable {
    let predicate: FormatPredicate
    let plan: any PredicatePlan
    let variables: PlanVariables
    let hasVariables: Bool
    /// The bytecode programs made of the plan; nil if only the plan knows the meaning, since variables are assigned.
    let programs: ProgramCache?

    init(_ predicate: FormatPredicate, _ settings: PlanSettings) throws(EvaluationError) {
        let survey = try TreeSurvey(.predicate(predicate.node), limits: settings.limits)
        var planner = Planner(settings, survey)
        self.predicate = predicate
        plan = try planner.plan(predicate.node)
        variables = PlanVariables(planner.variables, settings, survey)
        hasVariables = variables.takeValues
        programs = survey.assigned.isEmpty ? ProgramCache(plan, variables.slots(for: [:])) : nil
    }
}
