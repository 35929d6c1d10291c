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

/// `TERNARY(age > 17, "adult", "child")`: only the chosen expression is evaluated.
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

    var shape: ExpressionShape { .conditional(predicate, trueExpression, falseExpression) }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        try predicate.holds(&context) ? try trueExpression.value(&context) : try falseExpression.value(&context)
    }
}

/// `SUBQUERY(friends, $f, $f.age > 21)`: the elements for which the predicate holds, in a collection of the same
/// kind.
///
/// Keys without the variable refer to the evaluated object, not to the element. [NSP-118] A dictionary is searched by
/// its values, and the result is an array. nil gives nil. Throws `notACollection` for other values, and `exceeds` if
/// nested loops take too many steps.
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

/// `a UNION b`, `a INTERSECT {1, 2}`, `a MINUS b`: always a set, which contains equal values once.
///
/// The left side is an array, a set or an ordered set; the right side may also be a dictionary, whose values are
/// used. Throws `notACollection` for other values, including nil, and `notEquatable` for elements that cannot be
/// compared.
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

/// `a[0]`, `a["key"]`: an element of an array by its position, an element of a dictionary by its key.
///
/// A set gives the element that equals the index, a dictionary the value whose key equals the index; both give nil if
/// there is none. An index of nil gives nil. Throws `indexOutOfRange`, and `notIndexable` for an index of another
/// kind or a base that is not a collection.
final class IndexPlan: ExpressionPlan {
    let node: Int
    private let base: any ExpressionPlan
    private let index: any ExpressionPlan

    init(_ base: any ExpressionPlan, _ index: any ExpressionPlan, node: Int) {
        self.base = base
        self.index = index
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let whole = try base.value(&context)
        let position = try index.value(&context)
        if whole.isNull { return .null }
        do {
            return try whole.element(at: position)
        } catch {
            throw EvaluationError(error, operands: [base.node, index.node], whole: node)
        }
    }
}

/// `a[FIRST]`, `a[LAST]`, `a[SIZE]`: the ends of an array, and the number of its elements.
///
/// FIRST and LAST of an empty collection are nil; of a set they are arbitrary elements. SIZE also takes a dictionary. nil gives
/// nil. Throws `notIndexable` for other values.
final class SymbolIndexPlan: ExpressionPlan {
    let node: Int
    private let base: any ExpressionPlan
    private let symbol: IndexExpression.SymbolicIndex

    init(_ base: any ExpressionPlan, _ symbol: IndexExpression.SymbolicIndex, node: Int) {
        self.base = base
        self.symbol = symbol
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let whole = try base.value(&context)
        if whole.isNull { return .null }
        guard let element = element(of: whole) else {
            throw EvaluationError(.notIndexable(found: whole.found, index: symbol.rawValue), node: base.node)
        }
        return element
    }

    private func element(of whole: KeyedValue) -> KeyedValue? {
        switch symbol {
        case .first: whole.collectionKind == nil ? nil : whole.element(atOffset: 0) ?? .null
        case .last: whole.collectionKind == nil ? nil : whole.element(atOffset: (whole.elementCount ?? 0) - 1) ?? .null
        case .size: whole.elementCount.map { .value(.integer(Int64($0))) }
        }
    }
}

extension KeyedValue {
    /// Returns the element at an index.
    func element(at position: KeyedValue) throws(Fault) -> KeyedValue {
        switch collectionKind {
        case .array, .orderedSet: return try element(atPosition: position)
        case .set:
            let wanted = position
            return elements?.first { isEqual($0, wanted) } ?? .null
        case nil: return try entry(at: position)
        }
    }

    @inline(never)
    private func element(atPosition position: KeyedValue) throws(Fault) -> KeyedValue {
        guard let number = position.number else {
            throw Fault(.notIndexable(found: found, index: position.found.description), operand: 1)
        }
        guard let wide = number.exactInteger, let offset = Int(exactly: wide) else {
            throw Fault(.notAnInteger(found: position.found), operand: 1)
        }
        guard let element = element(atOffset: offset) else {
            throw Fault(.indexOutOfRange(offset, count: elementCount ?? 0), operand: 1)
        }
        return element
    }

    @inline(never)
    private func entry(at key: KeyedValue) throws(Fault) -> KeyedValue {
        guard isDictionary else {
            throw Fault(.notIndexable(found: found, index: key.found.description), operand: 0)
        }
        return entry(for: key) ?? .null
    }

    /// Returns the element at an offset, without copying the others; nil outside the bounds.
    @inline(never)
    func element(atOffset offset: Int) -> KeyedValue? {
        switch self {
        case .value(.array(let elements)), .value(.orderedSet(let elements)):
            return elements.indices.contains(offset) ? elements[offset].keyedValue : nil
        case .collection(let collection):
            return collection.elements.indices.contains(offset) ? collection.elements[offset] : nil
        case .value, .object:
            guard let elements, elements.indices.contains(offset) else { return nil }
            return elements[offset]
        }
    }
}
