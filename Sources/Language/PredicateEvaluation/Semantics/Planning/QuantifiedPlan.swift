import PredicateSyntax

/// `ANY ages > 21`, `ALL ages > minimum`: an operator between each element of the left side and the right side.
///
/// The right side is evaluated once. For an empty collection, ALL holds and ANY does not; nil on the left counts as
/// an empty collection. A path over two to-many keys, `ANY teams.players.age > 21`, compares the elements of the
/// nested arrays.
///
/// Throws `notACollection` unless the left side is an array, a set or an ordered set.
final class QuantifiedPlan: PredicatePlan {
    let node: Int
    /// True for `ALL`, false for `ANY`.
    let needsAll: Bool
    let left: any ExpressionPlan
    let right: any ExpressionPlan
    let relation: any Relation
    /// The comparison of one element with the right side, if that is a constant.
    let leaf: Leaf?

    init(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan, needsAll: Bool, node: Int
    ) throws(EvaluationError) {
        self.node = node
        self.needsAll = needsAll
        self.left = left
        self.right = right
        self.relation = relation
        let constant = right.constant
        leaf = constant.map { Leaf(relation, $0) }
        do {
            if let constant { try relation.check(constant) }
        } catch {
            throw EvaluationError(error, operands: [left.node, right.node], whole: node)
        }
    }

    var shape: PredicateShape { .quantified(self) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        let leftValue = try left.value(&context)
        let rightValue = try right.value(&context)
        try context.spend(on: leftValue, at: node)
        if leftValue.isNull { return needsAll }
        guard leftValue.collectionKind != nil, let elements = leftValue.elements else {
            throw EvaluationError(.notACollection(found: leftValue.found), node: left.node)
        }
        do {
            return try holds(for: elements, rightValue)
        } catch {
            throw EvaluationError(error, operands: [left.node, right.node], whole: node)
        }
    }

    private func holds(for elements: [KeyedValue], _ rightValue: KeyedValue) throws(Fault) -> Bool {
        let leaf = try leaf(for: rightValue, elements.count)
        let deciding = !needsAll
        for element in elements {
            if let result = leaf?.result(of: element) {
                if result == deciding { return deciding }
            } else if try relation.holds(element, rightValue) == deciding {
                return deciding
            }
        }
        return !deciding
    }

    /// Returns the leaf of the plan, or a leaf for the elements of this object, so that a needle that is not constant
    /// is folded once.
    private func leaf(for right: KeyedValue, _ count: Int) throws(Fault) -> Leaf? {
        if let leaf { return leaf }
        guard count > 1, case .value(let value) = right else { return nil }
        try relation.check(value)
        return Leaf(relation, value)
    }
}

/// `ANYKEY == "jo"`: compares each attribute of the object, and is true if one comparison holds. [NSP-179]
///
/// Attributes of a kind that the operator does not take are skipped: `age`, if the other side is a string. Throws
/// every other error, and `unlistedKeys` for an object that does not list its keys.
final class AnyKeyPlan: PredicatePlan {
    let node: Int
    /// The comparison, in which a slot holds the attribute.
    private let comparison: any PredicatePlan
    private let slot: Int
    /// The node of `ANYKEY`, and the node of the other side.
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

    /// True for an error because the operator does not accept this kind of attribute.
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
            .unlistedKeys, .unreadLazyKey, .isolatedKey, .untrackedKey, .unreadWrapper, .notEncodable,
            .subpredicateCount, .nestingTooDeep, .exceeds, .refused, .host:
            false
        }
    }
}

/// `ANYKEY` in its comparison: the current attribute.
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
    /// Plans a comparison with `ANYKEY` on one side. On both sides it is an error.
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
        let plan = try plan(left, try relation(&self, node), right, comparison.modifier, node)
        let isLeft = left is AttributePlan
        let sides = (anyKey: isLeft ? left.node : right.node, other: isLeft ? right.node : left.node)
        return AnyKeyPlan(plan, slot: slot, sides, node: node)
    }

    private mutating func operand(_ node: ExpressionNode, _ slot: Int) throws(EvaluationError) -> any ExpressionPlan {
        node.isAnyKey ? AttributePlan(slot: slot, node: nextNode()) : try plan(node)
    }
}
