import PredicateSyntax

extension Dictionary where Key == String {
    /// The value of a key of the same code points. Swift finds a key that is canonically equivalent, which can be
    /// another one only where the key is not all ASCII. [NSP-010]
    package func value(exactly key: String) -> Value? {
        guard let index = index(forKey: key) else { return nil }
        let isSame = key.utf8.allSatisfy { $0 < 0x80 } || keys[index].hasSameCodePoints(as: key)
        return isSame ? values[index] : nil
    }

    /// The keys as an array, in the order of their code points: `"kitchen" IN rooms.allKeys`.
    var sortedKeys: PredicateValue { .array(sortedEntries.map { .string($0.key) }) }

    /// The values in the order of their keys, so that what is asked of each in turn has the same answer in every process.
    var sortedValues: [Value] { count > 1 ? sortedEntries.map(\.value) : Array(values) }

    private var sortedEntries: [Element] { sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
}

/// A dictionary among objects: its keys are data, a missing one is nil, and its values are its elements.
package protocol DictionaryCoding: KeyValueCoding {
    var entries: [String: KeyedValue] { get }
    /// The number of entries, without looking at them.
    var entryCount: Int { get }
}

extension KeyedValue {
    /// nil or `<null>`: both compare as nil.
    package var isNull: Bool {
        switch self {
        case .value(.null), .value(.nullObject): true
        case .value, .object, .collection: false
        }
    }

    /// What the value is to `==` and indexes when it is an array or a set; nil for dictionaries and all else.
    package var collectionKind: KeyedCollection.Kind? {
        switch self {
        case .value(.array): .array
        case .value(.set): .set
        case .value(.orderedSet): .orderedSet
        case .collection(let collection): collection.kind
        case .value, .object: nil
        }
    }

    /// The elements of an array or a set, the values of a dictionary; nil for all else.
    ///
    /// `21 IN ages`
    package var elements: [KeyedValue]? {
        switch self {
        case .value(.array(let values)), .value(.orderedSet(let values)): values.map(\.keyedValue)
        case .value(.set(let values)): values.map(\.keyedValue)
        case .value(.dictionary(let values)): values.sortedValues.map(\.keyedValue)
        case .collection(let collection): collection.elements
        case .object(let object): (object as? any DictionaryCoding)?.entries.sortedValues
        case .value: nil
        }
    }

    /// How many elements there are, when ``elements`` is not nil.
    package var elementCount: Int? {
        switch self {
        case .value(.array(let values)), .value(.orderedSet(let values)): values.count
        case .value(.set(let values)): values.count
        case .value(.dictionary(let values)): values.count
        case .collection(let collection): collection.elements.count
        case .object(let object): (object as? any DictionaryCoding)?.entryCount
        case .value: nil
        }
    }

    /// The entries of a dictionary, nil for all else.
    package var entries: [String: KeyedValue]? {
        switch self {
        case .value(.dictionary(let values)): values.mapValues(\.keyedValue)
        case .object(let object): (object as? any DictionaryCoding)?.entries
        case .value, .collection: nil
        }
    }

    /// The leaves of a collection of collections, in order; nil when the value is no array and no set.
    ///
    /// A dictionary counts as one leaf, and so does what nests deeper than ``PredicateLimits/standard``.
    package var flattened: [KeyedValue]? {
        guard collectionKind != nil else { return nil }
        return leaves(depth: 0)
    }

    private func leaves(depth: Int) -> [KeyedValue] {
        guard depth < PredicateLimits.standard.nesting, collectionKind != nil, let elements else { return [self] }
        return elements.flatMap { $0.leaves(depth: depth + 1) }
    }

    /// The host's own object behind a value, without our wrappers; nil for data and collections.
    package var hostObject: Any? {
        switch self {
        case .object(let object): Self.unwrapped(object)
        case .value(.object(let object)): Self.unwrapped(object.base)
        case .value, .collection: nil
        }
    }

    private static func unwrapped(_ object: Any) -> Any {
        switch object {
        case let object as ReflectedObject: object.base
        case let object as BoxedObject: object.base
        default: object
        }
    }

    /// A collection of the elements: plain data when all of them are.
    package init(elements: [KeyedValue], kind: KeyedCollection.Kind) {
        var plain: [PredicateValue] = []
        plain.reserveCapacity(elements.count)
        for element in elements {
            guard case .value(let value) = element else {
                self = .collection(KeyedCollection(elements, kind: kind))
                return
            }
            plain.append(value)
        }
        switch kind {
        case .array: self = .value(.array(plain))
        case .set: self = .value(.set(Set(plain)))
        case .orderedSet: self = .value(.orderedSet(plain))
        }
    }

    /// The value as data that a tree can hold; nil when a live object is in it.
    package var predicateValue: PredicateValue? {
        predicateValue(depth: 0)
    }

    private func predicateValue(depth: Int) -> PredicateValue? {
        switch self {
        case .value(let value): return value
        case .object, .collection: break
        }
        guard depth < PredicateLimits.standard.nesting else { return nil }
        return plainCollection(depth: depth + 1) ?? plainDictionary(depth: depth + 1)
    }

    private func plainCollection(depth: Int) -> PredicateValue? {
        guard let kind = collectionKind, let elements else { return nil }
        var plain: [KeyedValue] = []
        for element in elements {
            guard let value = element.predicateValue(depth: depth) else { return nil }
            plain.append(.value(value))
        }
        guard case .value(let value) = KeyedValue(elements: plain, kind: kind) else { return nil }
        return value
    }

    private func plainDictionary(depth: Int) -> PredicateValue? {
        guard let entries else { return nil }
        var plain: [String: PredicateValue] = [:]
        for (key, entry) in entries {
            guard let value = entry.predicateValue(depth: depth) else { return nil }
            plain[key] = value
        }
        return .dictionary(plain)
    }
}
