import Foundation
import PredicateSyntax

/// The state of one evaluation: the object, and the variables by slot.
struct EvaluationContext {
    /// The value of `SELF`.
    var object: KeyedValue
    /// The variables; planning has turned every name into a position here.
    var slots: [Slot]
    /// The steps that have been counted, and their limit: see `Work`.
    var steps = 0
    /// Nil outside of loops, where nothing is counted.
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

/// The variables of a plan by slot, which are bound for each evaluation.
struct VariableTable: Sendable {
    /// The name of every slot; nil for that of a `SUBQUERY`, which no binding reaches.
    private(set) var names: [String?] = []
    private var slots: [ExactName: Int] = [:]
    /// The slot of all variables, which blocks are given; -1 without a block.
    private var slotOfAll = -1

    /// True if an evaluation may give one of them a value; those of a `SUBQUERY` take none.
    var takesValues: Bool { slotOfAll >= 0 || names.contains { $0 != nil } }

    var isEmpty: Bool { names.isEmpty }

    /// The slot of a free variable.
    mutating func slot(for name: String) -> Int {
        if let slot = slots[ExactName(name)] { return slot }
        let slot = addSlot(name)
        slots[ExactName(name)] = slot
        return slot
    }

    /// A slot of its own for the variable of a `SUBQUERY`, whatever the name means outside.
    mutating func addSlot(_ name: String? = nil) -> Int {
        names.append(name)
        return names.count - 1
    }

    /// The slot of all variables.
    mutating func slotForAll() -> Int {
        if slotOfAll < 0 { slotOfAll = addSlot() }
        return slotOfAll
    }

    /// The value of each slot, by its name.
    func bound(to variables: PredicateVariables, _ settings: PlanSettings, depth: Int) -> [EvaluationContext.Slot] {
        var slots = named(variables, settings, depth: depth)
        if slotOfAll >= 0 { slots[slotOfAll] = .all(variables.overlaid(by: settings.constants), names: names) }
        return slots
    }

    private func named(
        _ variables: PredicateVariables, _ settings: PlanSettings, depth: Int
    ) -> [EvaluationContext.Slot] {
        // One that has no value ends the evaluation, so that the names like those of a few are enough.
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

/// The settings of planning.
///
/// A class, since planners and evaluators are copied.
final class PlanSettings: Sendable {
    /// Values of variables that are constant for the evaluator.
    let constants: [String: PredicateValue]
    let registry: EvaluationRegistry
    let limits: PredicateLimits
    /// The locale of `[l]`; nil where it has no effect.
    let locale: Locale?

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

/// An expression that a variable is bound to: planned when it is first needed, and then kept for the evaluation.
///
/// `$record.age` with `$record` bound to `boss`.
///
/// Variables in it mean the variables of the evaluation, not those of a `SUBQUERY` around the variable. Each expression
/// counts as that much more nesting, so that one bound to itself ends in an error.
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

    /// The value for the object of an evaluation. The error has no node, since it lies in no node of the outer tree.
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
