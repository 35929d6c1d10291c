import PredicateSyntax

/// Turns a tree into plans: one pass over it, children before parents, so that the running count is the number of each
/// node.
///
/// One file for each family of nodes; every switch is exhaustive, so a new node does not compile without its plan.
struct Planner {
    let settings: PlanSettings
    /// The free variables of the tree, and the slots of its `SUBQUERY` variables.
    var variables = VariableTable()
    private let assigned: Set<ExactName>
    /// The `SUBQUERY` variables in whose predicate the planner stands.
    private var scopes: [ExactName: Int] = [:]
    private var count = 0

    /// A planner for a tree that has been looked at.
    init(_ settings: PlanSettings, _ survey: TreeSurvey) {
        self.settings = settings
        self.assigned = survey.assigned
    }

    /// The number of the node whose children have all been planned.
    mutating func nextNode() -> Int {
        defer { count += 1 }
        return count
    }

    /// The slot of a variable.
    mutating func slot(for name: String) -> Int {
        scopes[ExactName(name)] ?? variables.slot(for: name)
    }

    /// The variables of the `SUBQUERY`s in whose predicate the planner stands, with their slots.
    var enclosing: [(name: String, slot: Int)] {
        scopes.map { ($0.key.text, $0.value) }
    }

    /// The value that a variable always has; nil where it is bound anew, or assigned.
    mutating func constant(for name: String) -> PredicateValue? {
        let exact = ExactName(name)
        guard scopes[exact] == nil, !assigned.contains(exact), let value = settings.constants[exactly: name] else {
            return nil
        }
        if case .expression = value { return nil }
        return value
    }

    /// Plans the predicate of a `SUBQUERY`, in which its variable hides others of the same name.
    mutating func plan(
        _ node: PredicateNode, withVariable name: String
    ) throws(EvaluationError) -> (plan: any PredicatePlan, slot: Int) {
        let slot = variables.addSlot()
        let outer = scopes.updateValue(slot, forKey: ExactName(name))
        defer { scopes[ExactName(name)] = outer }
        return (try plan(node), slot)
    }

    /// The plan, or its value where all operands are constants. An operation that fails is left to the evaluation.
    static func folded(_ plan: any ExpressionPlan, _ operands: [any ExpressionPlan]) -> any ExpressionPlan {
        guard operands.allSatisfy({ $0.constant != nil }) else { return plan }
        var context = EvaluationContext(object: .null, slots: [])
        guard case .value(let value)? = try? plan.value(&context) else { return plan }
        return ConstantPlan(value, node: plan.node)
    }
}
