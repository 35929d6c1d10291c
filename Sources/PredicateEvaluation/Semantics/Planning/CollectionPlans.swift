import PredicateSyntax

/// `{age, 65}`: an array of the values of the elements; nil becomes `<null>`.
final class AggregatePlan: ExpressionPlan {
    let node: Int
    private let elements: [any ExpressionPlan]

    init(_ elements: [any ExpressionPlan], node: Int) {
        self.elements = elements
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        var values: [KeyedValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            let value = try element.value(&context)
            values.append(value.isNull ? .value(.nullObject) : value)
        }
        return KeyedValue(elements: values, kind: .array)
    }
}

/// `TERNARY(age > 17, "adult", "child")`: only the expression that is chosen is evaluated.
final class ConditionalPlan: ExpressionPlan {
    let node: Int
    private let predicate: any PredicatePlan
    private let trueExpression: any ExpressionPlan
    private let falseExpression: any ExpressionPlan

    init(
        _ predicate: any PredicatePlan, _ trueExpression: any ExpressionPlan, _ falseExpression: any ExpressionPlan,
        node: Int
    ) {
        self.predicate = predicate
        self.trueExpression = trueExpression
        self.falseExpression = falseExpression
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        try predicate.holds(&context) ? try trueExpression.value(&context) : try falseExpression.value(&context)
    }
}

/// `SUBQUERY(friends, $f, $f.age > 21)`: the elements for which the predicate holds, in a collection of the same kind.
///
/// Bare keys in the predicate belong to the evaluated object, not to the element. [NSP-118] Of a dictionary the values
/// are looked at, and the result is an array. nil gives nil. Throws `notACollection` for other values,
/// and `exceeds` where loops in loops take too many steps.
final class SubqueryPlan: ExpressionPlan {
    let node: Int
    private let collection: any ExpressionPlan
    private let slot: Int
    private let predicate: any PredicatePlan
    private let limits: PredicateLimits

    init(
        _ collection: any ExpressionPlan, slot: Int, _ predicate: any PredicatePlan, _ limits: PredicateLimits,
        node: Int
    ) {
        self.limits = limits
        self.collection = collection
        self.slot = slot
        self.predicate = predicate
        self.node = node
    }

    var shape: ExpressionShape { limits.needCounting ? .opaque : .subquery(collection, slot: slot, predicate) }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let whole = try collection.value(&context)
        if whole.isNull { return .null }
        guard let elements = whole.elements else {
            throw EvaluationError(.notACollection(found: whole.found), node: collection.node)
        }
        var kept: [KeyedValue] = []
        let outer = context.mostSteps
        context.mostSteps = limits.evaluationSteps
        defer { context.mostSteps = outer }
        for element in elements {
            try context.spend(1, at: node)
            context.slots[slot] = .value(element)
            if try predicate.holds(&context) { kept.append(element) }
        }
        return KeyedValue(elements: kept, kind: whole.collectionKind ?? .array)
    }
}

/// `a UNION b`, `a INTERSECT {1, 2}`, `a MINUS b`: always a set, in which equal values stand once.
///
/// The left side is an array, a set or an ordered set; the right side may also be a dictionary, whose values count.
/// Throws `notACollection` for other values, nil too, and `notEquatable` for elements that nothing compares.
final class SetPlan: ExpressionPlan {
    let node: Int
    private let left: any ExpressionPlan
    private let `operator`: SetExpression.Operator
    private let right: any ExpressionPlan

    init(_ left: any ExpressionPlan, _ operator: SetExpression.Operator, _ right: any ExpressionPlan, node: Int) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let leftValue = try left.value(&context)
        let rightValue = try right.value(&context)
        try context.spend(on: leftValue, at: node)
        try context.spend(on: rightValue, at: node)
        guard leftValue.collectionKind != nil, let own = leftValue.elements else {
            throw EvaluationError(.notACollection(found: leftValue.found), node: left.node)
        }
        guard let others = rightValue.elements else {
            throw EvaluationError(.notACollection(found: rightValue.found), node: right.node)
        }
        do { try (own + others).checkEquatable() } catch { throw error.placed(at: node) }
        return KeyedValue(elements: combined(own, others).distinct, kind: .set)
    }

    private func combined(_ own: [KeyedValue], _ others: [KeyedValue]) -> [KeyedValue] {
        switch `operator` {
        case .union: return own + others
        case .intersect:
            let members = Set(others.map(DistinctValue.init))
            return own.filter { members.contains(DistinctValue($0)) }
        case .minus:
            let members = Set(others.map(DistinctValue.init))
            return own.filter { !members.contains(DistinctValue($0)) }
        }
    }
}
