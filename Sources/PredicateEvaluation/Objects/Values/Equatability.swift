import PredicateSyntax

// Values of the host that `==` cannot decide about: unequal as far as anyone knows, and no answer. [NSP-172]

extension KeyedValue {
    /// A comparison without an answer: the type of the value that nothing compares, and the other value.
    struct OpenComparison {
        let type: String
        let other: KeyedValue
    }

    /// True if the value may contain an object of the host.
    var isLive: Bool {
        switch self {
        case .object, .collection: true
        case .value(let value): value.holdsObject(depth: 0)
        }
    }

    /// The reason why two values that are not equal are not unequal either; nil if they are.
    ///
    /// A struct, an enum or a tuple is compared by its `==`; one without it, or an enum without raw values beside a constant,
    /// has no answer. Class instances are compared by identity, and collections by their elements: one pair that differs
    /// decides.
    func openComparison(with other: KeyedValue) -> OpenComparison? {
        openComparison(with: other, depth: 0)
    }

    private func openComparison(with other: KeyedValue, depth: Int) -> OpenComparison? {
        if isNull || other.isNull || depth > PredicateLimits.standard.nesting { return nil }
        if let kind = collectionKind, kind == other.collectionKind, let own = elements, let others = other.elements {
            if kind == .set { return (own + others).lazy.compactMap { $0.openAlone(beside: $0) }.first }
            guard own.count == others.count else { return nil }
            return Self.openPair(Array(zip(own, others)), depth)
        }
        if let keys = dictionaryKeys, other.isDictionary, elementCount == other.elementCount {
            return Self.openPair(keys.map { (entry(for: $0) ?? .null, other.entry(for: $0) ?? .null) }, depth)
        }
        return openAlone(beside: other) ?? other.openAlone(beside: self)
    }

    /// The first pair without an answer; nil if one pair is unequal.
    private static func openPair(_ pairs: [(KeyedValue, KeyedValue)], _ depth: Int) -> OpenComparison? {
        var found: OpenComparison?
        for (left, right) in pairs where !isEqual(left, right) {
            guard let open = left.openComparison(with: right, depth: depth + 1) else { return nil }
            found = found ?? open
        }
        return found
    }

    /// The open comparison of a value that has no `==` for the other one.
    fileprivate func openAlone(beside other: KeyedValue) -> OpenComparison? {
        guard let host = hostObject, !isDictionary, !(type(of: host) is AnyClass) else { return nil }
        let otherHost = other.isDictionary ? nil : other.hostObject
        let isOpen: Bool
        if host is any Equatable {
            isOpen = otherHost == nil && isReflected && Mirror(reflecting: host).displayStyle == .enum
        } else {
            isOpen = isReflected || otherHost.map { type(of: $0) == type(of: host) } == true
        }
        return isOpen ? OpenComparison(type: "\(type(of: host))", other: other) : nil
    }

    /// True for a value that the library knows by reflection alone.
    private var isReflected: Bool {
        switch self {
        case .object(let object): object is ReflectedObject
        case .value(.object(let object)): object.keyedValue.isReflected
        case .value, .collection: false
        }
    }
}

extension [KeyedValue] {
    /// Throws `notEquatable` if the elements cannot be told apart: of two or more, one that nothing compares.
    package func checkEquatable() throws(EvaluationError) {
        guard count > 1 else { return }
        for case .object(let object) in self {
            let element = KeyedValue.object(object)
            guard let open = element.openAlone(beside: element) else { continue }
            throw EvaluationError(.notEquatable(open.type, against: FoundValue(element)))
        }
    }
}

extension PredicateValue {
    /// True if an object stands in the value, above the deepest level that is compared.
    fileprivate func holdsObject(depth: Int) -> Bool {
        guard depth < PredicateLimits.standard.nesting else { return false }
        switch self {
        case .object: return true
        case .array(let values), .orderedSet(let values): return values.contains { $0.holdsObject(depth: depth + 1) }
        case .set(let values): return values.contains { $0.holdsObject(depth: depth + 1) }
        case .dictionary(let values): return values.values.contains { $0.holdsObject(depth: depth + 1) }
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .expression, .predicate:
            return false
        }
    }
}
