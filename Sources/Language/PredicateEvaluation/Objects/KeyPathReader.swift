import PredicateSyntax

/// A key path that is resolved once and followed for many objects, by the rules of key-value coding.
///
/// `dept.name`, `friends.@avg.age`, `tags.count`
///
/// - nil on the way gives nil, and so does a missing key of a dictionary.
/// - A key of an array is read from each element, with `<null>` for nil; for a set, nil and duplicates are dropped.
///   If a value is itself a collection it stays nested, and the next key is read from the elements of the inner
///   collections.
/// - A collection operator reads all keys after it from each element; `self` is the element.
package struct ResolvedKeyPath: Hashable, Sendable {
    package let steps: [KeyPathStep]
    let limits: PathLimits

    /// Resolves the components. Throws ``EvaluationError/Code/exceeds(_:limit:)`` for more of them than a path may
    /// have, and ``EvaluationError/Code/nestingTooDeep(limit:)`` for more collection operators than a tree may nest.
    package init(components: [String], _ limits: PredicateLimits = .standard) throws(EvaluationError) {
        try Self.check(components.count, limits)
        self.limits = PathLimits(limits)
        self.steps = components.map(KeyPathStep.init)
        try Self.checkOperators(steps, limits)
    }

    /// Checks the number of components. [NSP-169]
    private static func check(_ count: Int, _ limits: PredicateLimits) throws(EvaluationError) {
        guard count <= limits.pathKeys else {
            throw EvaluationError(.exceeds(.pathKeys, limit: limits.pathKeys))
        }
    }

    /// Checks the number of collection operators: each follows the keys after it recursively.
    private static func checkOperators(_ steps: [KeyPathStep], _ limits: PredicateLimits) throws(EvaluationError) {
        guard steps.count > limits.nesting else { return }
        let count = steps.count { if case .collectionOperator = $0 { true } else { false } }
        if count > limits.nesting { throw EvaluationError(.nestingTooDeep(limit: limits.nesting)) }
    }

    /// Resolves the keys of a path; nil if one of them is a variable.
    init?(_ path: KeyPathExpression, _ limits: PredicateLimits) throws(EvaluationError) {
        var steps: [KeyPathStep] = []
        steps.reserveCapacity(path.count)
        for index in 0..<path.count {
            guard case .key(let name) = path[index] else { return nil }
            steps.append(KeyPathStep(name))
        }
        try Self.check(steps.count, limits)
        try Self.checkOperators(steps, limits)
        self.limits = PathLimits(limits)
        self.steps = steps
    }

    /// Returns the value at the end of the path; the object itself for a path without components.
    package func value(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathReader(union: false, limits).value(from: object, steps[...])
    }

    /// Returns the value at the end of the path. Two to-many steps in a row give one flat collection instead of a
    /// collection of collections: the operand of `ANY depts.employees.age > 60`.
    package func flattenedValue(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathReader(union: true, limits).value(from: object, steps[...])
    }

    /// Returns the value at the end of the path. If the evaluation counts its work, the work of following the path is included.
    func value(
        from object: KeyedValue, union: Bool, in context: inout EvaluationContext
    ) throws(EvaluationError) -> KeyedValue {
        var walk = KeyPathReader(union: union, limits)
        guard context.mostSteps != nil else { return try walk.follow(object, steps[...]) }
        walk.work = context.steps
        walk.hasMapped = true
        defer { context.steps = walk.work }
        return try walk.follow(object, steps[...])
    }
}

/// The limits that each path keeps.
struct PathLimits: Hashable, Sendable {
    let nesting: Int
    let evaluationSteps: Int
    let resultSize: Int

    static let standard = PathLimits(.standard)

    init(_ limits: PredicateLimits) {
        (nesting, evaluationSteps, resultSize) = (limits.nesting, limits.evaluationSteps, limits.resultSize)
    }

    /// True if programs, which do not count work, could exceed these limits.
    var needCounting: Bool { evaluationSteps < Self.standard.evaluationSteps }
}

// MARK: - Steps

/// One component of a key path, resolved once, so that strings are not compared for each object.
package enum KeyPathStep: Hashable, Sendable {
    /// `name`: a key, with the property of plain values of the same name
    case key(String, ValueProperty?)
    /// `#self`: the receiver
    case receiver
    /// `@count`
    case collectionOperator(KeyPathOperator)
    /// `@owner`: not an operator, but possibly a key of a dictionary
    case unknownOperator(String)

    package init(_ component: String) {
        let first = component.utf8.first
        if first == UInt8(ascii: "@") {
            self = KeyPathOperator(rawValue: component).map(Self.collectionOperator) ?? .unknownOperator(component)
        } else if first == UInt8(ascii: "s"), component.hasSameCodePoints(as: "self") {
            self = .receiver
        } else {
            self = .key(component, ValueProperty(rawValue: component))
        }
    }
}

// MARK: - Reading

/// Reads one value along the steps of a key path.
struct KeyPathReader {
    /// True if nested collections are joined into one.
    let union: Bool
    private let limits: PathLimits
    /// The number of elements visited after the first collection. They are counted because paths through nested
    /// collections multiply the work, and objects may refer to each other in a cycle.
    var work = 0
    /// True after the first collection.
    var hasMapped = false
    /// True for the last key of the path, whose value must be known.
    private var isLast = false

    init(union: Bool, _ limits: PathLimits = .standard) {
        self.union = union
        self.limits = limits
    }

    func value(from object: KeyedValue, _ steps: ArraySlice<KeyPathStep>) throws(EvaluationError) -> KeyedValue {
        var walk = self
        return try walk.follow(object, steps)
    }

    /// Returns the value at the end of the steps, or nil as soon as a value is nil.
    mutating func follow(
        _ object: KeyedValue, _ steps: ArraySlice<KeyPathStep>
    ) throws(EvaluationError) -> KeyedValue {
        var value = object
        for index in steps.indices {
            if value.isNull { return .null }
            switch steps[index] {
            case .receiver: continue
            case .key(let key, let property):
                isLast = index == steps.endIndex - 1
                value = try self.value(of: key, property, in: value, depth: 0)
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

    /// Returns the value of one key of an object, or the values of the elements of a collection.
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
        if let value = object.value(forKey: key) {
            if isLast, case .object(let found as ReflectedObject) = value, found.isStorage {
                throw EvaluationError(.unreadWrapper(key, of: "\(type(of: found.base))"))
            }
            return value
        }
        if object.toleratesMissingKeys { return .null }
        if let reflected = object as? ReflectedObject { try Self.checkObstacle(to: key, property, in: reflected) }
        if let property { try checkDescription(property, of: receiver) }
        if let value = property?.value(of: receiver) { return value }
        throw Self.undefinedKey(key, of: receiver, among: object.allKeys)
    }

    /// Throws the reason why reflection cannot read a key. The properties of every value, such as `class`, do not
    /// access the state of an actor.
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

    /// Returns the value of a key that begins like an operator, which a dictionary may have: `@owner == "jo"`.
    @inline(never)
    private static func value(
        ofUnknownOperator name: String, in receiver: KeyedValue
    ) throws(EvaluationError) -> KeyedValue {
        switch receiver {
        case .object(let object): if let value = object.value(forKey: name) { return value }
        case .value(.dictionary(let entries)): if let value = entries.value(exactly: name) { return value.keyedValue }
        case .value, .collection: break
        }
        throw EvaluationError(.unknownCollectionOperator(name, nearMisses: KeyPathOperator.nearMisses(of: name)))
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
    /// True if the object has the key, even if it cannot be read.
    fileprivate func has(_ key: String) -> Bool {
        if value(forKey: key) != nil { return true }
        return (self as? ReflectedObject)?.obstacle(to: key) != nil
    }
}

extension [KeyedValue] {
    /// True if an element is an object or a dictionary that has the key itself.
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

// MARK: - Collection operators

extension KeyPathReader {
    /// Applies an operator to a collection, and reads the steps after it from each element. A dictionary is replaced
    /// by its values.
    mutating func apply(
        _ operation: KeyPathOperator, to receiver: KeyedValue, rest: ArraySlice<KeyPathStep>
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
        _ operation: KeyPathOperator, of receiver: KeyedValue
    ) throws(EvaluationError) -> KeyedValue {
        guard let keys = receiver.dictionaryKeys else { throw notACollection(receiver) }
        return KeyedValue(elements: operation == .allKeys ? keys : receiver.elements ?? [], kind: .array)
    }

    /// Returns the values at the end of the path, one for each element.
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

    /// Returns the elements of the collections at the end of the path, one collection for each element; nil counts as
    /// empty.
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

    /// Returns the values that are not nil, without duplicates if the operator is a distinct one or the result is a
    /// set.
    @inline(never)
    private static func union(
        _ values: [KeyedValue], _ operation: KeyPathOperator, kind: KeyedCollection.Kind
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

extension KeyPathReader {
    /// Returns the sum; 0 for no elements. nil counts as 0.
    @inline(never)
    private func sum(of values: [KeyedValue]) throws(EvaluationError) -> Number {
        try total(of: values).sum()
    }

    /// Returns the sum divided by the count; nil for no elements. The result is a decimal if the sum is one,
    /// otherwise a double.
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

    /// Returns the least or the greatest value; nil if there is none. nil is skipped.
    @inline(never)
    private func extreme(
        of values: [KeyedValue], _ operation: KeyPathOperator
    ) throws(EvaluationError) -> KeyedValue {
        var best: KeyedValue?
        for value in values where !value.isNull {
            let order = try Self.order(value, best ?? value)
            if best == nil || order == (operation == .minimum ? .less : .greater) { best = value }
        }
        return best ?? .null
    }

    @inline(never)
    private static func order(_ left: KeyedValue, _ right: KeyedValue) throws(EvaluationError) -> NumberOrder {
        if let order = left.order(right, .none) { return order }
        throw EvaluationError(.incomparable(left: FoundValue(classOf: left), right: FoundValue(classOf: right)))
    }
}
