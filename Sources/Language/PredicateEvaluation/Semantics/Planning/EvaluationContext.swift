import Foundation
public import PredicateSyntax

/// The state of one evaluation: the object, and the values of the variables by slot.
struct EvaluationContext {
    /// The value of `SELF`.
    var object: KeyedValue
    /// The values of the variables. Planning has replaced every name by an index of this array.
    var slots: [Slot]
    /// The number of steps counted so far.
    var steps = 0
    /// The maximum number of steps; nil outside of loops, where steps are not counted.
    var mostSteps: Int?

    /// The value of a variable.
    enum Slot {
        /// `$limit` without a value
        case unbound(nearMisses: [String])
        case value(KeyedValue)
        /// `$record` bound to an expression: evaluated in place of the variable
        case expression(BoundExpression)
        /// A value that `:=` has given in this evaluation
        case assigned(KeyedValue)
        /// All variables of the evaluation, for blocks, and the name of every slot
        case all(PredicateVariables, names: [String?])
    }
}

/// The variables of a plan by slot. Each evaluation gives them values.
struct VariableTable: Sendable {
    /// The name of each slot; nil for the variable of a `SUBQUERY`, which cannot be bound from outside.
    private(set) var names: [String?] = []
    private var slots: [ExactName: Int] = [:]
    /// The slot that holds all variables, for blocks; -1 if there is no block.
    private var slotOfAll = -1

    /// True if the caller of an evaluation can give one of the variables a value. Variables of a `SUBQUERY` take
    /// none.
    var takesValues: Bool { slotOfAll >= 0 || names.contains { $0 != nil } }

    var isEmpty: Bool { names.isEmpty }

    /// The slot of a free variable.
    mutating func slot(for name: String) -> Int {
        if let slot = slots[ExactName(name)] { return slot }
        let slot = addSlot(name)
        slots[ExactName(name)] = slot
        return slot
    }

    /// Adds a slot for the variable of a `SUBQUERY`, whatever the name means outside.
    mutating func addSlot(_ name: String? = nil) -> Int {
        names.append(name)
        return names.count - 1
    }

    /// The slot that holds all variables.
    mutating func slotForAll() -> Int {
        if slotOfAll < 0 { slotOfAll = addSlot() }
        return slotOfAll
    }

    func bound(to variables: PredicateVariables, _ settings: PlanSettings, depth: Int) -> [EvaluationContext.Slot] {
        var slots = named(variables, settings, depth: depth)
        if slotOfAll >= 0 { slots[slotOfAll] = .all(variables.overlaid(by: settings.constants), names: names) }
        return slots
    }

    private func named(
        _ variables: PredicateVariables, _ settings: PlanSettings, depth: Int
    ) -> [EvaluationContext.Slot] {
        // The first variable that is read without a value ends the evaluation, so near misses of a few names are enough.
        var missing = 0
        return names.map { name in
            guard let name else { return .unbound(nearMisses: []) }
            guard let value = variables[name] ?? settings.constants[exactly: name].map(\.keyedValue) else {
                missing += 1
                return .unbound(nearMisses: missing > 8 ? [] : NearMiss.candidates(for: name, among: variables.names))
            }
            guard case .value(.expression(let node)) = value else { return .value(value) }
            return .expression(BoundExpression(node, variables, settings, depth: depth))
        }
    }
}

/// The variables of a plan, with what an evaluation needs to bind them.
struct PlanVariables: Sendable {
    private let table: VariableTable
    private let settings: PlanSettings
    private let depth: Int

    init(_ table: VariableTable, _ settings: PlanSettings, _ survey: TreeSurvey) {
        self.table = table
        self.settings = settings
        depth = survey.depth
    }

    var takeValues: Bool { table.takesValues }

    /// Copies the values that `:=` has assigned in an evaluation. [NSP-180]
    func copyAssigned(from context: EvaluationContext, to variables: inout PredicateVariables) {
        variables.takeAssigned(table.names, context.slots)
    }

    func slots(for variables: PredicateVariables) -> [EvaluationContext.Slot] {
        table.isEmpty ? [] : table.bound(to: variables, settings, depth: depth)
    }
}

extension PredicateVariables {
    /// Makes variables from values of any type: `PredicateVariables(bridging: ["AGE": NSNumber(value: 18)])`.
    public init(bridging values: [String: Any?]) {
        self.init(values.mapValues { KeyedValue(bridging: $0) })
    }

    /// Returns the variables with constants added, which take precedence.
    fileprivate func overlaid(by constants: [String: PredicateValue]) -> PredicateVariables {
        var all = self
        for (name, value) in constants { all[name] = value.keyedValue }
        return all
    }

    /// Takes the values that `:=` has assigned; `names` are the names of the slots.
    mutating func takeAssigned(_ names: [String?], _ slots: [EvaluationContext.Slot]) {
        for (name, slot) in zip(names, slots) {
            if let name, case .assigned(let value) = slot { self[name] = value }
        }
    }
}

// MARK: - Settings

/// The settings of planning.
///
/// This is a class, since planners and evaluators are copied.
final class PlanSettings: Sendable {
    /// The values of variables that are constant for the evaluator.
    let constants: [String: PredicateValue]
    let registry: EvaluationRegistry
    let limits: PredicateLimits
    /// The locale of `[l]`; nil if `[l]` has no effect.
    let locale: Locale?

    /// The settings of most plans, which share them.
    private static let standard = PlanSettings(constants: [:], registry: .standard, limits: .standard)

    static func with(
        _ variables: PredicateVariables, _ registry: EvaluationRegistry, _ limits: PredicateLimits, _ locale: Locale?
    ) -> PlanSettings {
        if variables.isEmpty, locale == nil, registry.isStandard, limits == .standard { return standard }
        return PlanSettings(constants: variables.plainValues, registry: registry, limits: limits, locale: locale)
    }

    init(
        constants: [String: PredicateValue], registry: EvaluationRegistry, limits: PredicateLimits,
        locale: Locale? = nil
    ) {
        self.constants = constants
        self.registry = registry
        self.limits = limits
        self.locale = locale
    }
}

/// An expression as the value of a variable: it is planned when it is first needed, and then kept for the evaluation.
///
/// `$record.age` with `$record` bound to `boss`.
///
/// Variables in the expression are the variables of the evaluation, not of an enclosing `SUBQUERY`. The nesting of the
/// expression is added to the nesting of the predicate, so that an expression bound to itself throws an error.
final class BoundExpression {
    private let node: ExpressionNode
    private let variables: PredicateVariables
    private let settings: PlanSettings
    private let depth: Int
    private var plan: (any ExpressionPlan, [EvaluationContext.Slot])?

    init(_ node: ExpressionNode, _ variables: PredicateVariables, _ settings: PlanSettings, depth: Int) {
        self.node = node
        self.variables = variables
        self.settings = settings
        self.depth = depth
    }

    /// Returns the value for the object of an evaluation. An error has no node, since the expression is not part of
    /// the tree.
    func value(in outer: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let (plan, slots) = try prepared()
        var context = EvaluationContext(
            object: outer.object, slots: slots, steps: outer.steps, mostSteps: outer.mostSteps)
        defer { outer.steps = context.steps }
        do {
            return try plan.value(&context)
        } catch {
            throw EvaluationError(error.code)
        }
    }

    private func prepared() throws(EvaluationError) -> (any ExpressionPlan, [EvaluationContext.Slot]) {
        if let plan { return plan }
        let survey: TreeSurvey
        var planner: Planner
        let root: any ExpressionPlan
        do {
            survey = try TreeSurvey(.expression(node), limits: settings.limits)
            planner = Planner(settings, survey)
            root = try planner.plan(node)
        } catch {
            throw EvaluationError(error.code)
        }
        let total = depth + survey.depth
        guard total <= settings.limits.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: settings.limits.nesting))
        }
        let made = (root, planner.variables.bound(to: variables, settings, depth: total))
        plan = made
        return made
    }
}

// MARK: - Plans of variables

/// `$limit`
///
/// Throws `unboundVariable` without a value.
final class VariablePlan: ExpressionPlan {
    let node: Int
    private let slot: Int
    private let name: String

    init(_ slot: Int, _ name: String, node: Int) {
        self.slot = slot
        self.name = name
        self.node = node
    }

    var shape: ExpressionShape { .variable(slot: slot) }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        if case .value(let value) = context.slots[slot] { return value }
        do {
            return try context.value(inSlot: slot, of: name)
        } catch {
            throw error.placed(at: node)
        }
    }
}

/// `$a := 1 + 2`: the value of the expression. The variable has this value until the end of the evaluation.
///
/// Throws `resultTooLarge` for a value that repeated assignments have made too large.
final class AssignmentPlan: ExpressionPlan {
    let node: Int
    private let slot: Int
    private let expression: any ExpressionPlan
    private let limits: PredicateLimits

    init(slot: Int, _ expression: any ExpressionPlan, _ limits: PredicateLimits, node: Int) {
        self.slot = slot
        self.limits = limits
        self.expression = expression
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let value = try expression.value(&context)
        do {
            try ResultLimit.check(value, limits)
        } catch {
            throw EvaluationError(error, operands: [], whole: node)
        }
        context.slots[slot] = .assigned(value)
        return value
    }
}

extension EvaluationContext {
    /// The value of the variable in a slot.
    mutating func value(inSlot slot: Int, of name: String) throws(EvaluationError) -> KeyedValue {
        switch slots[slot] {
        case .value(let value), .assigned(let value): return value
        case .expression(let expression): return try expression.value(in: &self)
        case .unbound(let nearMisses): throw EvaluationError(.unboundVariable(name, nearMisses: nearMisses))
        case .all: throw EvaluationError(.unboundVariable(name, nearMisses: []))
        }
    }
}

/// The count of work in nested loops over collections.
///
/// `SUBQUERY(a, $x, SUBQUERY(a, $y, $y == $x).@count > 1).@count`: a million comparisons for a thousand elements.
///
/// Counting begins at a `SUBQUERY` and includes everything inside it. Outside, the work is bounded by the size of the
/// predicate and of the object, and nothing is counted. Programs have no such loops, and do not count.
extension EvaluationContext {
    /// Counts one step and the weight of a value; throws `exceeds`.
    @inline(__always)
    mutating func spend(on value: @autoclosure () -> KeyedValue, at node: Int) throws(EvaluationError) {
        if mostSteps != nil { try spend(1 + value().weight, at: node) }
    }

    /// Returns the values of the arguments of a call, and counts each of them.
    mutating func values(of arguments: [any ExpressionPlan], at node: Int) throws(EvaluationError) -> [KeyedValue] {
        var values: [KeyedValue] = []
        values.reserveCapacity(arguments.count)
        for argument in arguments {
            let value = try argument.value(&self)
            try spend(on: value, at: node)
            values.append(value)
        }
        return values
    }

    mutating func spend(_ count: Int, at node: Int) throws(EvaluationError) {
        guard let mostSteps else { return }
        steps += count
        if steps > mostSteps { throw EvaluationError(.exceeds(.evaluationSteps, limit: mostSteps), node: node) }
    }
}

extension KeyedValue {
    /// The number of steps that a whole value takes: one for 64 bytes of a string and one for each element.
    var weight: Int {
        if let text { return text.utf8.count / 64 }
        guard isCompound else { return 0 }
        var weight = 0
        var waiting = [self]
        while let next = waiting.popLast() {
            guard next.isCompound, let elements = next.elements else {
                weight += (next.text?.utf8.count ?? 0) / 64
                continue
            }
            weight += elements.count
            waiting += elements
        }
        return weight
    }
}

extension PredicateLimits {
    /// True if bytecode, which does not count, could exceed these limits.
    var needCounting: Bool { PathLimits(self).needCounting }
}
