import PredicateSyntax

/// `FormatPredicate(name: "adult") { … }`: a condition that a closure of the host decides. [NSP-178]
final class BlockPredicatePlan: PredicatePlan {
    let node: Int
    private let name: String
    private let block: FormatPredicate.Block
    private let variables: BlockVariables

    init(_ block: @escaping FormatPredicate.Block, _ name: String, _ variables: BlockVariables, node: Int) {
        self.block = block
        self.name = name
        self.variables = variables
        self.node = node
    }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        try context.spend(1, at: node)
        do {
            return try block(context.object, variables.values(in: context))
        } catch {
            throw EvaluationError(host: error, of: name, at: node)
        }
    }
}

/// `FormatExpression(name: "tax", arguments: [price]) { … }`: a value that a closure of the host works out. [NSP-178]
final class BlockExpressionPlan: ExpressionPlan {
    let node: Int
    private let name: String
    private let block: FormatExpression.Block
    private let arguments: [any ExpressionPlan]
    private let variables: BlockVariables

    init(
        _ block: @escaping FormatExpression.Block, _ name: String, _ arguments: [any ExpressionPlan],
        _ variables: BlockVariables, node: Int
    ) {
        self.block = block
        self.name = name
        self.arguments = arguments
        self.variables = variables
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        try context.spend(1, at: node)
        let values = try context.values(of: arguments, at: node)
        do {
            return try block(context.object, values, variables.values(in: context))
        } catch {
            throw EvaluationError(host: error, of: name, at: node)
        }
    }
}

/// The variables that a block is given: those passed to the evaluation, those assigned in it so far, and those of the
/// `SUBQUERY`s around the block.
struct BlockVariables: Sendable {
    /// The slot of ``EvaluationContext/Slot/all(_:names:)``.
    let slot: Int
    /// The variables of the `SUBQUERY`s, with their slots.
    let scopes: [(name: String, slot: Int)]

    func values(in context: EvaluationContext) -> PredicateVariables {
        guard case .all(var values, let names) = context.slots[slot] else { return [:] }
        values.takeAssigned(names, context.slots)
        for scope in scopes {
            if let value = context.slots[scope.slot].value { values[scope.name] = value }
        }
        return values
    }
}

extension EvaluationContext.Slot {
    /// The value of a variable that has one.
    var value: KeyedValue? {
        switch self {
        case .value(let value), .assigned(let value): value
        case .unbound, .expression, .all: nil
        }
    }
}

extension Planner {
    /// The plan of a condition that a closure decides.
    mutating func plan(_ block: BlockPredicate) throws(EvaluationError) -> any PredicatePlan {
        let variables = blockVariables()
        let node = nextNode()
        guard let body = block.block else { throw EvaluationError(.notEvaluable(block.name), node: node) }
        return BlockPredicatePlan(body, block.name, variables, node: node)
    }

    /// The plan of a value that a closure works out.
    mutating func plan(_ block: BlockExpression) throws(EvaluationError) -> any ExpressionPlan {
        let arguments = try plans(block.arguments)
        let variables = blockVariables()
        let node = nextNode()
        guard let body = block.block else { throw EvaluationError(.notEvaluable(block.name), node: node) }
        return BlockExpressionPlan(body, block.name, arguments, variables, node: node)
    }

    private mutating func blockVariables() -> BlockVariables {
        BlockVariables(slot: variables.slotForAll(), scopes: enclosing)
    }
}
