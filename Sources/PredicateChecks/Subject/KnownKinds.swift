import PredicateSyntax

/// The kinds of values that an expression can have.
package struct KnownKinds: Hashable, Sendable {
    /// The kinds of its values, without nil.
    package var kinds: Set<ValueKind>
    /// True if the expression has many values, each of one of the kinds.
    package var isToMany = false

    package init(_ kinds: Set<ValueKind>, isToMany: Bool = false) {
        self.kinds = kinds
        self.isToMany = isToMany
    }

    /// Returns true if a value of these kinds can equal a value of other kinds.
    package func canEqual(_ other: Set<ValueKind>) -> Bool {
        kinds.contains { kind in other.contains { kind.canEqual($0) } }
    }

    /// `a number`, `a number or a string`
    package var noun: String {
        kinds.sorted { $0.rawValue < $1.rawValue }.map(\.noun).joined(separator: " or ")
    }
}

/// What is known about the keys of objects: from data, or from a model.
package protocol KeyKnowledge: Sendable {
    /// Returns the kinds of the values at a path of keys; nil if they are unknown.
    ///
    /// `elementKeys` is the number of trailing keys that lead on from one element of a collection, the variable of a
    /// SUBQUERY; nil for a path from the object.
    func kinds(at path: [String], elementKeys: Int?) -> KnownKinds?

    /// Returns true if objects have a key, even one that looks like an operator: `@id`
    func hasKey(_ key: String) -> Bool

    /// Returns true if all values at a path are whole numbers, false if some are not; nil if that is unknown.
    func isWhole(at path: [String]) -> Bool?
}

extension CheckSubject {
    /// Returns the kinds of a node's values; nil if they are unknown.
    package func kinds(of node: PlacedNode) -> KnownKinds? {
        guard let expression = node.expression, !isUnknown(node) else { return nil }
        switch expression {
        case .constantValue(let value): return ValueKind(value).map { KnownKinds([$0]) }
        case .keyPath(let path): return kinds(of: path, expression, node)
        case .function(let call): return call.resultKind.map { KnownKinds([$0]) }
        case .cast(let cast): return cast.resultKind.map { KnownKinds([$0]) }
        case .aggregate, .subquery, .set: return KnownKinds([.array])
        case .evaluatedObject, .variable, .member, .message, .index, .symbol, .conditional, .assignment, .anyKey,
            .block, .fetch:
            return nil
        }
    }

    private func kinds(of path: KeyPathExpression, _ expression: ExpressionNode, _ node: PlacedNode) -> KnownKinds? {
        if let keys, let route = expression.keys(in: node.scope) {
            guard case .variable? = path.base else { return keys.kinds(at: route, elementKeys: nil) }
            return keys.kinds(at: route, elementKeys: path.components.count)
        }
        return path.collectionOperator?.resultKind.map { KnownKinds([$0]) }
    }
}

extension KeyPathExpression {
    /// The first collection operator of the path: `@count` of `friends.@count`
    package var collectionOperator: CollectionOperator? {
        for case .key(let key) in components {
            if let found = CollectionOperator(rawValue: key) { return found }
        }
        return nil
    }
}

extension CollectionOperator {
    /// The kind of the result; nil if it depends on the elements.
    package var resultKind: ValueKind? {
        switch self {
        case .count, .sum, .average: .number
        case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets,
            .unionOfSets, .allKeys, .allValues:
            .array
        case .minimum, .maximum: nil
        }
    }
}

extension FunctionExpression {
    /// The kind of the result; nil if it depends on the arguments.
    fileprivate var resultKind: ValueKind? {
        guard case .predefined(let function) = function else { return nil }
        switch function {
        case .sum, .count, .average, .median, .stddev, .add, .subtract, .multiply, .divide, .modulus, .sqrt, .log, .ln,
            .power, .exp, .floor, .ceiling, .abs, .trunc, .negate, .random, .randomn, .bitwiseAnd, .bitwiseOr,
            .bitwiseXor, .leftShift, .rightShift, .onesComplement, .length, .distance:
            return .number
        case .uppercase, .lowercase: return .string
        case .now: return .date
        case .mode: return .array
        case .min, .max, .noindex: return nil
        }
    }
}

extension CastExpression {
    fileprivate var resultKind: ValueKind? {
        switch type {
        case "NSString": .string
        case "NSNumber", "NSDecimalNumber": .number
        case "NSDate": .date
        default: nil
        }
    }
}
