import PredicateSyntax

/// One walk along the steps of a key path.
struct KeyPathWalk {
    /// True if mapping over a collection joins the collections that it finds.
    let union: Bool
    private let limits: PathLimits
    /// The elements visited after the first collection: paths through collections in collections multiply, and objects
    /// may refer to one another in a circle.
    var work = 0
    /// True after the first collection.
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

    /// The value at the end of the steps; nil ends the walk.
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
            case .collectionOperator(let operation):
                return try apply(operation, to: value, rest: steps[(index + 1)...])
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

    /// The value of one key of an object, or of each element of a collection.
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

    /// Checks the size of a description, which may be far larger than its collection. Throws `resultTooLarge`.
    @inline(never)
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
        if let reflected = object as? ReflectedObject { try Self.checkObstacle(to: key, property, in: reflected) }
        if let property { try checkDescription(property, of: receiver) }
        if let value = property?.value(of: receiver) { return value }
        throw Self.undefinedKey(key, of: receiver, among: object.allKeys)
    }

    /// Throws what keeps reflection from reading a key. The properties of every value, such as `class`, touch no state of an
    /// actor.
    @inline(never)
    private static func checkObstacle(
        to key: String, _ property: ValueProperty?, in object: ReflectedObject
    ) throws(EvaluationError) {
        guard let code = object.obstacle(to: key) else { return }
        if case .isolatedKey = code, property?.value(of: .object(object)) != nil { return }
        throw EvaluationError(code)
    }

    @inline(never)
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

    /// The value of a key that looks like an operator, which a dictionary may have: `@owner == "jo"`.
    @inline(never)
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

    @inline(never)
    private static func undefinedKey(
        _ key: String, of receiver: KeyedValue, among names: [String]
    ) -> EvaluationError {
        var nearMisses = NearMiss.candidates(for: key, among: names)
        if nearMisses.isEmpty { nearMisses = NearMiss.completions(of: key, among: names) }
        return EvaluationError(.undefinedKey(key, of: receiver.className, nearMisses: nearMisses))
    }
}

extension KeyValueCoding {
    /// True if the object has the key, even one that cannot be read.
    fileprivate func has(_ key: String) -> Bool {
        if value(forKey: key) != nil { return true }
        return (self as? ReflectedObject)?.obstacle(to: key) != nil
    }
}

extension [KeyedValue] {
    /// True if one of the elements is an object or a dictionary that has the key itself.
    fileprivate func contains(key: String) -> Bool {
        contains { element in
            switch element {
            case .object(let object): object.has(key)
            case .value(.dictionary(let entries)): entries.value(exactly: key) != nil
            case .value, .collection: false
            }
        }
    }
}
