import PredicateSyntax

// MARK: - Collection operators

extension KeyPathWalk {
    /// Applies an operator, and the steps after it to each element. A dictionary stands for its values.
    mutating func apply(
        _ operation: CollectionOperator, to receiver: KeyedValue, rest: ArraySlice<KeyPathStep>
    ) throws(EvaluationError) -> KeyedValue {
        switch operation {
        case .allKeys, .allValues:
            return try follow(Self.entries(operation, of: receiver), rest)
        case .count:
            guard let count = receiver.elementCount else { throw Self.notACollection(receiver) }
            return try follow(.value(.integer(Int64(count))), rest)
        case .sum: return .value(try sum(of: leaves(receiver, rest)).predicateValue)
        case .average: return try average(of: leaves(receiver, rest))
        case .minimum, .maximum: return try extreme(of: leaves(receiver, rest), operation)
        case .unionOfObjects, .distinctUnionOfObjects:
            return try Self.union(leaves(receiver, rest), operation, kind: receiver.collectionKind ?? .array)
        case .unionOfArrays, .distinctUnionOfArrays:
            return try Self.union(innerLeaves(receiver, rest), operation, kind: .array)
        case .unionOfSets, .distinctUnionOfSets:
            return try Self.union(innerLeaves(receiver, rest), operation, kind: .set)
        }
    }

    @inline(never)
    static func notACollection(_ value: KeyedValue) -> EvaluationError {
        EvaluationError(.notACollection(found: FoundValue(classOf: value)))
    }

    /// `@allKeys`, `@allValues`
    @inline(never)
    private static func entries(
        _ operation: CollectionOperator, of receiver: KeyedValue
    ) throws(EvaluationError) -> KeyedValue {
        guard let keys = receiver.dictionaryKeys else { throw notACollection(receiver) }
        return KeyedValue(elements: operation == .allKeys ? keys : receiver.elements ?? [], kind: .array)
    }

    /// The values at the end of the path, one for each element.
    private mutating func leaves(
        _ receiver: KeyedValue, _ rest: ArraySlice<KeyPathStep>
    ) throws(EvaluationError) -> [KeyedValue] {
        guard let elements = receiver.elements else { throw Self.notACollection(receiver) }
        try count(elements.count)
        var leaves: [KeyedValue] = []
        leaves.reserveCapacity(elements.count)
        for element in elements {
            leaves.append(try follow(element, rest))
        }
        return leaves
    }

    /// The elements of the collections at the end of the path, one collection for each element; nil has none.
    private mutating func innerLeaves(
        _ receiver: KeyedValue, _ rest: ArraySlice<KeyPathStep>
    ) throws(EvaluationError) -> [KeyedValue] {
        var found: [KeyedValue] = []
        for collection in try leaves(receiver, rest) where !collection.isNull {
            guard let elements = collection.elements else { throw Self.notACollection(collection) }
            try count(elements.count)
            found += elements
        }
        return found
    }

    /// The values that are not nil, without duplicates if the operator says distinct or the result is a set.
    @inline(never)
    private static func union(
        _ values: [KeyedValue], _ operation: CollectionOperator, kind: KeyedCollection.Kind
    ) throws(EvaluationError) -> KeyedValue {
        let present = values.filter { !$0.isNull }
        switch operation {
        case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
            try present.checkEquatable()
            return KeyedValue(elements: present.distinct, kind: kind)
        case .unionOfObjects, .unionOfArrays, .unionOfSets:
            return KeyedValue(elements: kind == .array ? present : present.distinct, kind: kind)
        case .count, .sum, .average, .minimum, .maximum, .allKeys, .allValues:
            return KeyedValue(elements: present, kind: kind)
        }
    }
}

// MARK: - Numbers over a collection

extension KeyPathWalk {
    /// The sum, 0 without elements; nil counts as 0.
    @inline(never)
    private func sum(of values: [KeyedValue]) throws(EvaluationError) -> Number {
        try total(of: values).sum()
    }

    /// The sum by the count, nil without elements. A decimal if the sum is one, else a double.
    @inline(never)
    private func average(of values: [KeyedValue]) throws(EvaluationError) -> KeyedValue {
        if values.isEmpty { return .null }
        return .value(try total(of: values).average(of: values.count).predicateValue)
    }

    private func total(of values: [KeyedValue]) throws(EvaluationError) -> NumberTotal {
        var total = NumberTotal()
        for value in values where !value.isNull { try total.add(Self.number(value)) }
        return total
    }

    @inline(never)
    private static func number(_ value: KeyedValue) throws(EvaluationError) -> Number {
        guard case .value(let plain) = value, let number = Number(plain) else {
            throw EvaluationError(.notANumber(found: FoundValue(classOf: value)))
        }
        return number
    }

    /// The least or the greatest value, nil without one; nil is skipped.
    @inline(never)
    private func extreme(
        of values: [KeyedValue], _ operation: CollectionOperator
    ) throws(EvaluationError) -> KeyedValue {
        var best: KeyedValue?
        for value in values where !value.isNull {
            let order = try Self.order(value, best ?? value)
            if best == nil || order == (operation == .minimum ? .less : .greater) { best = value }
        }
        return best ?? .null
    }

    /// The order of two values; only numbers, texts and dates have one.
    @inline(never)
    private static func order(_ left: KeyedValue, _ right: KeyedValue) throws(EvaluationError) -> NumberOrder {
        if case .value(let left) = left, case .value(let right) = right {
            switch (left, right) {
            case (.string(let left), .string(let right)):
                if left.hasSameCodePoints(as: right) { return .equal }
                return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
            case (.date(let left), .date(let right)):
                return NumberOrder(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
            default:
                if let left = Number(left), let right = Number(right) { return left.compare(right) }
            }
        }
        throw EvaluationError(.incomparable(left: FoundValue(classOf: left), right: FoundValue(classOf: right)))
    }
}
