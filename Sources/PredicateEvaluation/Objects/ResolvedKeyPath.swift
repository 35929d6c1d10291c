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
    let limits: PathLimits

    /// Reads the components. Throws ``EvaluationError/Code/nestingTooDeep(limit:)`` for more components than a tree
    /// may nest.
    package init(components: [String], _ limits: PredicateLimits = .standard) throws(EvaluationError) {
        guard components.count <= limits.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: limits.nesting))
        }
        self.limits = PathLimits(limits)
        self.steps = components.map(KeyPathStep.init)
    }

    /// The same of a path with a base or without; nil where a variable holds one of its keys.
    init?(_ path: KeyPathExpression, _ limits: PredicateLimits) throws(EvaluationError) {
        var steps: [KeyPathStep] = []
        steps.reserveCapacity(path.count)
        for index in 0..<path.count {
            guard case .key(let name) = path[index] else { return nil }
            steps.append(KeyPathStep(name))
        }
        guard steps.count <= limits.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: limits.nesting))
        }
        self.limits = PathLimits(limits)
        self.steps = steps
    }

    /// The value at the end of the path; the object itself for a path without components.
    package func value(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathWalk(union: false, limits).value(from: object, steps[...])
    }

    /// The value at the end of the path, where a to-many step behind another one gives the union of the inner
    /// collections and not a collection of collections: what `ANY depts.employees.age > 60` looks through.
    package func flattenedValue(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathWalk(union: true, limits).value(from: object, steps[...])
    }

    /// The same, its work counted with that of the evaluation where that counts.
    func value(
        from object: KeyedValue, union: Bool, in context: inout EvaluationContext
    ) throws(EvaluationError) -> KeyedValue {
        var walk = KeyPathWalk(union: union, limits)
        guard context.mostSteps != nil else { return try walk.follow(object, steps[...]) }
        walk.work = context.steps
        walk.hasMapped = true
        defer { context.steps = walk.work }
        return try walk.follow(object, steps[...])
    }
}

/// Of the limits those that concern a path: every key of a predicate keeps them, and every walk has them at hand.
struct PathLimits: Hashable, Sendable {
    let nesting: Int
    let evaluationSteps: Int
    let resultSize: Int

    static let standard = PathLimits(.standard)

    init(_ limits: PredicateLimits) {
        (nesting, evaluationSteps, resultSize) = (limits.nesting, limits.evaluationSteps, limits.resultSize)
    }

    /// Whether programs, which do not count, would do what an evaluator with these limits must refuse.
    var needCounting: Bool { evaluationSteps < Self.standard.evaluationSteps }
}

/// Follows the steps of a key path.
struct KeyPathWalk {
    /// Whether mapping over a collection joins the collections that it finds.
    let union: Bool
    private let limits: PathLimits
    /// The elements that were looked at behind the first collection: paths through collections in collections
    /// multiply, and objects may lead back to one another.
    var work = 0
    /// Whether the first collection has been met.
    var hasMapped = false

    init(union: Bool, _ limits: PathLimits = .standard) {
        self.union = union
        self.limits = limits
    }

    /// The value at the end of the steps.
    func value(from object: KeyedValue, _ steps: ArraySlice<KeyPathStep>) throws(EvaluationError) -> KeyedValue {
        var walk = self
        return try walk.follow(object, steps)
    }

    mutating func follow(
        _ object: KeyedValue, _ steps: ArraySlice<KeyPathStep>
    ) throws(EvaluationError) -> KeyedValue {
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

    /// Counts the elements of a collection, unless it is the first one. Throws `exceeds`.
    mutating func count(_ elements: Int) throws(EvaluationError) {
        guard hasMapped else { return hasMapped = true }
        work += elements
        if work > limits.evaluationSteps {
            throw EvaluationError(.exceeds(.evaluationSteps, limit: limits.evaluationSteps))
        }
    }

    /// The value of one key: asked of an object, mapped over a collection.
    private mutating func value(
        of key: String, _ property: ValueProperty?, in receiver: KeyedValue, depth: Int
    ) throws(EvaluationError) -> KeyedValue {
        switch receiver {
        case .object(let object): return try value(of: key, property, in: object, receiver)
        case .value(.dictionary(let entries)): return entries.value(exactly: key)?.keyedValue ?? .null
        case .value(.null), .value(.nullObject): return .null
        case .value(.object(let object)): return try value(of: key, property, in: object.keyedValue, depth: depth)
        case .value, .collection: break
        }
        if let kind = receiver.collectionKind, let elements = receiver.elements {
            if let property, !elements.contains(key: key) {
                if let value = property.value(ofCollection: receiver) { return value }
            }
            return try mapped(key, property, over: elements, kind: kind, depth: depth + 1)
        }
        if let value = property?.value(of: receiver) { return value }
        throw Self.undefinedKey(key, of: receiver, among: ValueProperty.names(for: receiver))
    }

    /// The description of a collection may be far larger than the collection. Throws `resultTooLarge`.
    private func checkDescription(_ property: ValueProperty, of receiver: KeyedValue) throws(EvaluationError) {
        guard property.isDescription else { return }
        let bounds = PredicateLimits(nesting: limits.nesting, resultSize: limits.resultSize)
        do { try ResultLimit.check(descriptionOf: receiver, bounds) } catch { throw EvaluationError(error.code) }
    }

    private func value(
        of key: String, _ property: ValueProperty?, in object: any KeyValueCoding, _ receiver: KeyedValue
    ) throws(EvaluationError) -> KeyedValue {
        if let value = object.value(forKey: key) { return value }
        if object.toleratesMissingKeys { return .null }
        if let property { try checkDescription(property, of: receiver) }
        if let value = property?.value(of: receiver) { return value }
        throw Self.undefinedKey(key, of: receiver, among: object.allKeys)
    }

    private mutating func mapped(
        _ key: String, _ property: ValueProperty?, over elements: [KeyedValue], kind: KeyedCollection.Kind, depth: Int
    ) throws(EvaluationError) -> KeyedValue {
        guard depth < limits.nesting else { throw EvaluationError(.nestingTooDeep(limit: limits.nesting)) }
        try count(elements.count)
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
