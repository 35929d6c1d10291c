import PredicateSyntax

/// A key path read once and followed for many objects, by the rules of key-value coding.
///
/// `dept.name`, `friends.@avg.age`, `tags.count`
///
/// - nil anywhere gives nil; so does a missing key of a dictionary.
/// - A key through an array maps over its elements, with `<null>` for nil; through a set likewise, dropping nil and
///   duplicates. A value that is itself a collection stays nested, and the next key maps over the inner ones.
/// - A collection operator takes all keys behind it for each element; `self` is the element.
package struct ResolvedKeyPath: Hashable, Sendable {
    package let steps: [KeyPathStep]

    /// Reads the components. Throws ``EvaluationError/Code/nestingTooDeep(limit:)`` for more components than a tree
    /// may nest.
    package init(components: [String]) throws(EvaluationError) {
        guard components.count <= Limits.standard.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: Limits.standard.nesting))
        }
        self.steps = components.map(KeyPathStep.init)
    }

    /// The same of a path with a base or without; nil where a variable holds one of its keys.
    init?(_ path: KeyPathExpression) throws(EvaluationError) {
        var steps: [KeyPathStep] = []
        steps.reserveCapacity(path.components.count)
        for component in path.components {
            guard case .key(let name) = component else { return nil }
            steps.append(KeyPathStep(name))
        }
        guard steps.count <= Limits.standard.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: Limits.standard.nesting))
        }
        self.steps = steps
    }

    /// The value at the end of the path; the object itself for a path without components.
    package func value(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathWalk(union: false).value(from: object, steps[...])
    }

    /// The value at the end of the path, where a to-many step behind another one gives the union of the inner
    /// collections and not a collection of collections: what `ANY depts.employees.age > 60` looks through.
    package func flattenedValue(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathWalk(union: true).value(from: object, steps[...])
    }
}

/// Follows the steps of a key path.
struct KeyPathWalk {
    /// Whether mapping over a collection joins the collections that it finds.
    let union: Bool

    func value(from object: KeyedValue, _ steps: ArraySlice<KeyPathStep>) throws(EvaluationError) -> KeyedValue {
        var value = object
        for index in steps.indices {
            if value.isNull { return .null }
            switch steps[index] {
            case .receiver: continue
            case .key(let key, let property): value = try self.value(of: key, property, in: value, depth: 0)
            case .unknownOperator(let name): value = try Self.value(ofUnknownOperator: name, in: value)
            case .collectionOperator(let found):
                return try apply(found, to: value, rest: steps[(index + 1)...])
            }
        }
        return value
    }

    /// The value of one key: asked of an object, mapped over a collection.
    private func value(
        of key: String, _ property: ValueProperty?, in receiver: KeyedValue, depth: Int
    ) throws(EvaluationError) -> KeyedValue {
        switch receiver {
        case .object(let object): return try Self.value(of: key, property, in: object, receiver)
        case .value(.dictionary(let entries)):
            return entries.value(exactly: key)?.keyedValue ?? property?.value(of: receiver) ?? .null
        case .value(.null), .value(.nullObject): return .null
        case .value(.object(let object)): return try value(of: key, property, in: object.keyedValue, depth: depth)
        case .value, .collection: break
        }
        if let kind = receiver.collectionKind, let elements = receiver.elements {
            if let property, let value = property.value(ofCollection: receiver), !elements.contains(key: key) {
                return value
            }
            return try mapped(key, property, over: elements, kind: kind, depth: depth + 1)
        }
        if let value = property?.value(of: receiver) { return value }
        throw Self.undefinedKey(key, of: receiver, among: ValueProperty.names(for: receiver))
    }

    private static func value(
        of key: String, _ property: ValueProperty?, in object: any KeyValueCoding, _ receiver: KeyedValue
    ) throws(EvaluationError) -> KeyedValue {
        if let value = object.value(forKey: key) ?? property?.value(of: receiver) { return value }
        if object.toleratesMissingKeys { return .null }
        throw undefinedKey(key, of: receiver, among: object.allKeys)
    }

    private func mapped(
        _ key: String, _ property: ValueProperty?, over elements: [KeyedValue], kind: KeyedCollection.Kind, depth: Int
    ) throws(EvaluationError) -> KeyedValue {
        guard depth < Limits.standard.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: Limits.standard.nesting))
        }
        var values: [KeyedValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            let value = try self.value(of: key, property, in: element, depth: depth)
            if value.isNull {
                if kind != .set { values.append(.value(.nullObject)) }
            } else if union, value.collectionKind != nil, let inner = value.elements {
                values += inner
            } else {
                values.append(value)
            }
        }
        return KeyedValue(elements: kind == .array ? values : values.distinct, kind: kind)
    }

    /// A dictionary may hold a key that looks like an operator: `@owner == "jo"`.
    private static func value(
        ofUnknownOperator name: String, in receiver: KeyedValue
    ) throws(EvaluationError) -> KeyedValue {
        switch receiver {
        case .object(let object): if let value = object.value(forKey: name) { return value }
        case .value(.dictionary(let entries)): if let value = entries.value(exactly: name) { return value.keyedValue }
        case .value, .collection: break
        }
        throw EvaluationError(.unknownCollectionOperator(name, nearMisses: CollectionOperator.nearMisses(of: name)))
    }

    private static func undefinedKey(
        _ key: String, of receiver: KeyedValue, among names: [String]
    ) -> EvaluationError {
        let nearMisses = NearMiss.candidates(for: key, among: names)
        return EvaluationError(.undefinedKey(key, of: receiver.className, nearMisses: nearMisses))
    }
}

extension [KeyedValue] {
    /// Whether one of the elements is an object or a dictionary that has the key itself.
    fileprivate func contains(key: String) -> Bool {
        contains { element in
            switch element {
            case .object(let object): object.value(forKey: key) != nil
            case .value(.dictionary(let entries)): entries.value(exactly: key) != nil
            case .value, .collection: false
            }
        }
    }
}
