public import Foundation
public import PredicateSyntax

/// A predicate prepared for evaluation with many objects.
///
/// ```swift
/// let adults = try PredicateEvaluator(FormatPredicate("age >= $AGE"))
/// try adults.evaluate(with: person, variables: ["AGE": 18])
/// ```
///
/// Everything that does not depend on the object is done once, when the evaluator is made: names are resolved,
/// needles folded, patterns compiled, constants folded. An evaluator never changes and may be shared by threads.
///
/// All `evaluate` functions give the same result but differ in speed. The first object that is evaluated alone is
/// evaluated node by node, so that a predicate for one object costs little. After that, a bytecode program for the type
/// evaluates an object with keys, a struct or class whose stored properties are keys, a string, a number and a
/// `[String: Any]`; for an object that is passed as `Any` the program is looked up first. Objects that are bridged or
/// read by `Mirror`, and predicates with variables, are evaluated node by node, which takes longer. For many objects,
/// `filtered(using:)` and the related functions are the fastest, with variables too.
public struct PredicateEvaluator: Sendable {
    /// The predicate to evaluate.
    package var predicate: FormatPredicate { core.predicate }
    private let core: EvaluatorCore
    /// The programs of the core, accessible without reference counting; nil if the caller can bind variables.
    private let quickPrograms: Unmanaged<ProgramCache>?

    /// Prepares a predicate.
    ///
    /// `try PredicateEvaluator(FormatPredicate("age >= $AGE"), variables: ["AGE": 18])`
    ///
    /// - Parameters:
    ///   - predicate: The predicate, with its variables.
    ///   - variables: Values that never change. They are folded into the plan: values passed later for the same names
    ///     have no effect. Only plain data is kept: pass live objects to each evaluation.
    ///   - registry: The functions, messages, selectors and type identifiers that the predicate may use.
    ///   - limits: Limits for the tree, and for the work of each evaluation.
    ///   - locale: The locale for `[l]`: `name <[cl] "ö"`. Without a locale `[l]` has no effect. [NSP-184]
    /// - Throws: ``EvaluationError`` for an error that can be found without an object: an unknown function, an
    ///   invalid pattern, an index after a dot, a tree that exceeds the limits.
    public init(
        _ predicate: FormatPredicate, variables: PredicateVariables = .init(),
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard, locale: Locale? = nil
    ) throws(EvaluationError) {
        do {
            core = try EvaluatorCore(predicate, PlanSettings.with(variables, registry, limits, locale))
        } catch {
            throw error.located(in: predicate)
        }
        quickPrograms = core.hasVariables ? nil : core.programs.map(Unmanaged.passUnretained)
    }

    /// Evaluates the predicate with an object of any type, a dictionary, an object with keys, a value or nil, and values for
    /// its variables.
    ///
    /// `try evaluator.evaluate(with: ["age": 30], variables: ["AGE": 18])`
    ///
    /// The dynamic type of the object determines the program, so the result is the same as for a known type. Types
    /// that do not define their keys have the keys of their stored properties: see `ReflectedObject`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(
        with object: Any?, variables: PredicateVariables = .init()
    ) throws(EvaluationError) -> Bool {
        if let result = quickResult(of: object) { return result }
        guard let object else { return try evaluate(.null, variables: variables) }
        return try evaluate(opened: object, variables)
    }

    /// Returns the result of an existing program for an object that was passed as `Any`; nil if the object is nil or if
    /// there is no such program.
    package func quickResult(of object: Any?) -> Bool? {
        // A copy of the object would be reference-counted.
        withUnsafePointer(to: object) { object in
            if Any?.isNil(at: object) { return nil }
            // The wrapped value is stored at the address of the optional.
            return UnsafeRawPointer(object).assumingMemoryBound(to: Any.self).withValue { quickResult(opened: $0) }
        }
    }

    private func quickResult<Object>(opened object: Object) -> Bool? {
        withUnsafePointer(to: object) { quickResult(UnsafeRawPointer($0), ObjectIdentifier(Object.self)) }
    }

    /// Evaluates the predicate with an object that was passed as `Any`. The call opens it, so that `Object` is its
    /// dynamic type.
    @inline(never)
    private func evaluate<Object>(
        opened object: Object, _ variables: PredicateVariables
    ) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: object) { (object) throws(EvaluationError) in
            // A generic function of the program passes `any P` inside an `Any`.
            if let object = OpaqueExistential.value(at: object) {
                return try evaluate(with: object, variables: variables)
            }
            return try evaluateSlowly(object, variables) { KeyedValue(bridging: $0) }
        }
    }

    /// Evaluates the predicate with an object of any type and values for its variables, and adds assigned values to
    /// the variables.
    ///
    /// `try evaluator.evaluate(with: row, variables: &variables)`: after `($total := a + b) > 3` the variables have a
    /// value for `total`. If the evaluation throws, they do not change. [NSP-180]
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

    /// Evaluates the predicate with an object that has keys.
    ///
    /// `try evaluator.evaluate(with: person)` where `Person: KeyValueCoding`
    /// - Throws: ``EvaluationError`` with the offending node.
    @inlinable
    public func evaluate(with object: some KeyValueCoding) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: object) { (object) throws(EvaluationError) in try evaluate(at: object) }
    }

    /// Evaluates the predicate with a value, node by node.
    ///
    /// `try evaluator.evaluate(.value(["age": 30]))`
    ///
    /// Every evaluation without a program begins here. Programs must give the same result.
    package func evaluate(_ value: KeyedValue, variables: PredicateVariables = [:]) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: value, slots: core.variables.slots(for: variables))
        do {
            return try core.plan.holds(&context)
        } catch {
            throw error.located(in: predicate)
        }
    }

    /// Evaluates the predicate with an object in memory, without copying it.
    @inlinable
    package func evaluate<Object: KeyValueCoding>(at object: UnsafePointer<Object>) throws(EvaluationError) -> Bool {
        if let result = quickResult(UnsafeRawPointer(object), ObjectIdentifier(Object.self)) { return result }
        return try evaluateSlowly(object, .init()) { $0.keyedValue }
    }

    /// Returns the result of an existing program. The function is not generic, so only two pointers are passed.
    @usableFromInline
    func quickResult(_ object: UnsafeRawPointer, _ type: ObjectIdentifier) -> Bool? {
        quickPrograms?._withUnsafeGuaranteedRef { $0.result(for: object, type) }.decided
    }

    /// Evaluates an object that no existing program decides: the first object, by the plan; the second object of a type, for
    /// which a program is made; an object that its program leaves to the plan.
    @inline(never)
    @usableFromInline
    func evaluateSlowly<Object>(
        _ object: UnsafePointer<Object>, _ variables: PredicateVariables, _ keyedValue: (Object) -> KeyedValue
    ) throws(EvaluationError) -> Bool {
        do {
            if !core.hasVariables, let result = try core.programs?.holds(object) { return result }
        } catch {
            throw error.located(in: predicate)
        }
        return try evaluate(keyedValue(object.pointee), variables: variables)
    }
}

// MARK: - Policies

extension PredicateEvaluator {
    /// Prepares a predicate from an untrusted source if a policy allows it. The evaluator uses the limits of the
    /// policy.
    ///
    /// `try PredicateEvaluator(predicate, policy: .untrusted)`
    /// - Throws: ``EvaluationError/Code/refused(_:)`` for a predicate that the policy does not allow; otherwise the
    ///   errors of the other initializer.
    public init(
        _ predicate: FormatPredicate, policy: PredicatePolicy, variables: PredicateVariables = .init(),
        registry: EvaluationRegistry = .standard, locale: Locale? = nil
    ) throws(EvaluationError) {
        do {
            try policy.check(predicate)
        } catch {
            throw EvaluationError(.refused(error))
        }
        try self.init(predicate, variables: variables, registry: registry, limits: policy.limits, locale: locale)
    }
}

// MARK: - Batches

extension PredicateEvaluator {
    /// Returns the evaluation of many objects with the same variables. Its errors have no text.
    func batch(_ variables: PredicateVariables) -> Batch {
        Batch(
            plan: core.plan, slots: core.variables.slots(for: variables), programs: core.programs,
            hasVariables: core.hasVariables)
    }

    /// Runs work on a batch, and adds the predicate's text to its errors.
    func withBatch<Outcome>(
        _ variables: PredicateVariables, _ work: (Batch) throws(EvaluationError) -> Outcome
    ) throws(EvaluationError) -> Outcome {
        try locatingErrors { () throws(EvaluationError) in try work(batch(variables)) }
    }

    /// Runs work, and adds the predicate's text to its errors.
    func locatingErrors<Outcome>(_ work: () throws(EvaluationError) -> Outcome) throws(EvaluationError) -> Outcome {
        do { return try work() } catch { throw error.located(in: predicate) }
    }
}

/// The contents of an evaluator in one object: copying an evaluator copies one reference.
private final class EvaluatorCore: Sendable {
    // The parts of the predicate, which may keep this evaluator.
    private let node: PredicateNode
    private let source: PredicateSourceMap?
    let plan: any PredicatePlan
    let variables: PlanVariables
    let hasVariables: Bool
    /// The bytecode programs made from the plan; nil for a predicate that assigns variables, which only plans support.
    let programs: ProgramCache?

    init(_ predicate: FormatPredicate, _ settings: PlanSettings) throws(EvaluationError) {
        let survey = try TreeSurvey(.predicate(predicate.node), limits: settings.limits)
        var planner = Planner(settings, survey)
        (node, source) = (predicate.node, predicate.source)
        plan = try planner.plan(predicate.node)
        variables = PlanVariables(planner.variables, settings, survey)
        hasVariables = variables.takeValues
        programs = survey.assigned.isEmpty ? ProgramCache(plan, variables.slots(for: [:])) : nil
    }

    var predicate: FormatPredicate { FormatPredicate(node, source: source) }
}

extension FormatPredicate {
    /// Evaluates the predicate with an object of any type: a dictionary, an object with keys, a value, or nil.
    ///
    /// `try FormatPredicate("age >= $AGE").evaluate(with: ["age": 30], variables: ["AGE": 18])`
    ///
    /// The first call makes an evaluator, which the predicate and its copies keep.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> Bool {
        if let result = kept.quickResult(of: object) { return result }
        return try evaluator().evaluate(with: object, variables: variables)
    }
}
