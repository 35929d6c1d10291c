import PredicateSyntax

/// `FormatPredicate(name: "adult") { … }`: a condition that is a closure of the host. [NSP-178]
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

/// `FormatExpression(name: "tax", arguments: [price]) { … }`: a value that a closure of the host computes. [NSP-178]
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

/// The variables that a block receives: variables passed to the evaluation, variables assigned in it so far, and the variables
/// of enclosing `SUBQUERY`s.
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
    /// The value; nil if the variable has none.
    var value: KeyedValue? {
        switch self {
        case .value(let value), .assigned(let value): value
        case .unbound, .expression, .all: nil
        }
    }
}

extension Planner {
    mutating func plan(_ block: BlockPredicate) throws(EvaluationError) -> any PredicatePlan {
        let variables = blockVariables()
        let node = nextNode()
        guard let body = block.block else { throw EvaluationError(.notEvaluable(block.name), node: node) }
        return BlockPredicatePlan(body, block.name, variables, node: node)
    }

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

/// `FETCH(request, context, NO)`: an array of the objects that a request selects from a context; for YES, their
/// number.
///
/// The context is queried once for each evaluated object. Its errors are errors of the host. Throws `argumentKind`
/// unless the arguments are a request, a context and a Boolean value; nil is not accepted.
final class FetchPlan: ExpressionPlan {
    let node: Int
    private let request: any ExpressionPlan
    private let context: any ExpressionPlan
    private let countOnly: (any ExpressionPlan)?

    init(
        _ request: any ExpressionPlan, _ context: any ExpressionPlan, countOnly: (any ExpressionPlan)?, node: Int
    ) {
        self.request = request
        self.context = context
        self.countOnly = countOnly
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let request: PredicateFetchRequest = try argument(self.request, "a fetch request", &context) {
            $0.hostObject as? PredicateFetchRequest
        }
        let source: any FetchContext = try argument(self.context, "a fetch context", &context) {
            $0.hostObject as? any FetchContext
        }
        let isCount = try isCount(&context)
        let result = try answer(to: request, from: source, isCount: isCount)
        try context.spend(on: result, at: node)
        return result
    }

    private func isCount(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        guard let countOnly else { return false }
        return try argument(countOnly, "YES or NO", &context) { value in
            switch value.number?.exactInteger {
            case 0: false
            case 1: true
            default: nil
            }
        }
    }

    private func answer(
        to request: PredicateFetchRequest, from source: any FetchContext, isCount: Bool
    ) throws(EvaluationError) -> KeyedValue {
        do {
            if isCount { return try source.count(for: request).keyedValue }
            return KeyedValue(elements: try source.objects(for: request), kind: .array)
        } catch {
            throw EvaluationError(host: error, of: "FETCH", at: node)
        }
    }

    /// Returns the value of an argument as the expected type.
    private func argument<Value>(
        _ plan: any ExpressionPlan, _ expected: String, _ context: inout EvaluationContext,
        _ convert: (KeyedValue) -> Value?
    ) throws(EvaluationError) -> Value {
        let value = try plan.value(&context)
        if let converted = convert(value) { return converted }
        throw EvaluationError(
            .argumentKind(function: "FETCH", expected: expected, found: value.found), node: plan.node)
    }
}
