import PredicateSyntax

/// `a[0]`, `a["key"]`: an array's element by its position, a dictionary's by its key.
///
/// A set gives the element equal to the index, a dictionary the value of the key equal to it; both give nil without one,
/// and so does every index of nil. Throws `indexOutOfRange`, and `notIndexable` for an index of another kind or a base
/// that is no collection.
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

/// `a[FIRST]`, `a[LAST]`, `a[SIZE]`: an array's ends and the number of its elements.
///
/// An empty collection has no first and no last element: nil. A set's first and last are any of its elements, the
/// size may be that of a dictionary. nil gives nil. Throws `notIndexable` for other values.
final class SymbolIndexPlan: ExpressionPlan {
    let node: Int
    private let base: any ExpressionPlan
    private let symbol: IndexExpression.Symbol

    init(_ base: any ExpressionPlan, _ symbol: IndexExpression.Symbol, node: Int) {
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
    /// The element that an index means.
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

    /// The element at an offset, nil outside, without a copy of the others.
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
