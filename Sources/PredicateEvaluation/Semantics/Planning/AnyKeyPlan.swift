import PredicateSyntax

/// `ANYKEY == "jo"`: the comparison with each attribute of the object in turn, true if one holds. [NSP-179]
///
/// An attribute that the operator does not take is left out: `age` where the comparison is with a text. Every other error
/// is thrown, `unlistedKeys` for an object that has keys and lists none.
final class AnyKeyPlan: PredicatePlan {
    let node: Int
    /// The comparison, in which a slot stands for `ANYKEY`.
    private let comparison: any PredicatePlan
    private let slot: Int
    /// The node of `ANYKEY`, and that of the other side.
    private let sides: (anyKey: Int, other: Int)

    init(_ comparison: any PredicatePlan, slot: Int, _ sides: (anyKey: Int, other: Int), node: Int) {
        self.comparison = comparison
        self.slot = slot
        self.sides = sides
        self.node = node
    }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        guard let attributes = context.object.attributes else {
            throw EvaluationError(.unlistedKeys(of: context.object.className), node: sides.anyKey)
        }
        try context.spend(attributes.count, at: node)
        for attribute in attributes {
            context.slots[slot] = .value(attribute)
            do throws(EvaluationError) {
                if try comparison.holds(&context) { return true }
            } catch {
                guard leavesOut(error) else { throw error }
            }
        }
        return false
    }

    /// True for the error of an attribute of a kind that the operator does not take.
    private func leavesOut(_ error: EvaluationError) -> Bool {
        switch error.code {
        case .incomparable, .notEquatable: error.node == node || error.node == sides.anyKey
        case .notAString: [node, sides.anyKey, sides.other].contains(error.node)
        case .notACollection, .notAContainer: error.node == sides.anyKey
        case .notANumber, .notAnInteger, .integerOverflow, .divisionByZero, .notARange, .undefinedKey,
            .unknownCollectionOperator, .notAKey, .indexOutOfRange, .notIndexable, .symbolOutsideIndex,
            .unboundVariable,
            .unknownFunction, .argumentCount, .unknownMessage, .unknownSelector, .unknownCastType, .castFailed,
            .invalidPattern, .patternTooCostly, .resultTooLarge, .emptyCollection, .argumentKind, .notEvaluable,
            .unlistedKeys, .unreadLazyKey, .isolatedKey, .notEncodable, .subpredicateCount, .nestingTooDeep, .exceeds,
            .host:
            false
        }
    }
}

/// `ANYKEY` in its comparison: the attribute whose turn it is.
private final class AttributePlan: ExpressionPlan {
    let node: Int
    private let slot: Int

    init(slot: Int, node: Int) {
        self.slot = slot
        self.node = node
    }

    func value(_ context: inout EvaluationContext) -> KeyedValue {
        context.slots[slot].value ?? .null
    }
}

extension Planner {
    /// The plan of a comparison with `ANYKEY` on one side; on both sides it is refused.
    @inline(never)
    mutating func plan<Operator>(
        anyKey comparison: OperatorComparison<Operator>,
        _ relation: (inout Planner, _ node: Int) throws(EvaluationError) -> any Relation
    ) throws(EvaluationError) -> any PredicatePlan {
        let slot = variables.addSlot()
        let left = try operand(comparison.leftExpression, slot)
        if left is AttributePlan, comparison.rightExpression.isAnyKey {
            throw EvaluationError(.notEvaluable("ANYKEY"), node: nextNode())
        }
        let right = try operand(comparison.rightExpression, slot)
        let node = nextNode()
        let plan = try Self.plan(left, try relation(&self, node), right, comparison.modifier, node)
        let isLeft = left is AttributePlan
        let sides = (anyKey: isLeft ? left.node : right.node, other: isLeft ? right.node : left.node)
        return AnyKeyPlan(plan, slot: slot, sides, node: node)
    }

    private mutating func operand(_ node: ExpressionNode, _ slot: Int) throws(EvaluationError) -> any ExpressionPlan {
        node.isAnyKey ? AttributePlan(slot: slot, node: nextNode()) : try plan(node)
    }
}
