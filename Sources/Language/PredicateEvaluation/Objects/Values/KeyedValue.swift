public import PredicateSyntax
import PredicateText

extension Dictionary where Key == String {
    /// Returns the value of a key, compared by code points. Swift's own lookup finds canonically equivalent keys,
    /// which can differ only if the key is not all ASCII. [NSP-010]
    func value(exactly key: String) -> Value? {
        guard let index = index(forKey: key) else { return nil }
        let isSame = key.isItsOnlySpelling || keys[index].hasSameCodePoints(as: key)
        return isSame ? values[index] : nil
    }

    /// The values in the order of their keys, so that results do not depend on the hash seed of the process.
    var sortedValues: [Value] {
        count > 1 ? Array(keys).inCodePointOrder().compactMap { self[$0] } : Array(values)
    }
}

/// An object that is a dictionary: its keys are data, a missing key is nil, and its values are its elements.
package protocol DictionaryCoding: KeyValueCoding {
    /// The entries; nil if a key is not a string.
    var entries: [String: KeyedValue]? { get }
    var entryCount: Int { get }
    var orderedKeys: [KeyedValue] { get }
    /// Returns the value whose key equals a value; nil if there is none.
    func value(for key: KeyedValue) -> KeyedValue?
}

extension DictionaryCoding {
    package var orderedKeys: [KeyedValue] { allKeys.inCodePointOrder().map { .value(.string($0)) } }

    package func value(for key: KeyedValue) -> KeyedValue? {
        if case .value(.string(let name)) = key { value(forKey: name) } else { nil }
    }
}

extension KeyedValue {
    /// The number; nil for every other value.
    var number: Number? {
        if case .value(let value) = self { Number(value) } else { nil }
    }

    /// Returns the order of two numbers, strings or dates; nil for other values, which have no order. [NSP-176]
    func order(_ other: KeyedValue, _ mode: FoldMode) -> NumberOrder? {
        if let left = number, let right = other.number { return left.compare(right) }
        switch (self, other) {
        case (.value(.string(let left)), .value(.string(let right))):
            let order = TextSearch.compare(left, right, mode)
            return order < 0 ? .less : order == 0 ? .equal : .greater
        case (.value(.date(let left)), .value(.date(let right))):
            return NumberOrder(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (.value, _), (.object, _), (.collection, _): return nil
        }
    }

    /// True for nil and for `<null>`: comparisons treat both as nil.
    package var isNull: Bool {
        switch self {
        case .value(.null), .value(.nullObject): true
        case .value, .object, .collection: false
        }
    }

    /// The kind of the value for comparisons; nil if the value is nil.
    package var kind: PredicateValue.Kind? {
        if isNull { return nil }
        if collectionKind != nil { return .array }
        if case .value(let data) = self { return data.kind }
        return entries == nil ? .object : .dictionary
    }

    /// The kind of an array or a set; nil for dictionaries and other values.
    package var collectionKind: KeyedCollection.Kind? {
        switch self {
        case .value(.array): .array
        case .value(.set): .set
        case .value(.orderedSet): .orderedSet
        case .collection(let collection): collection.kind
        case .value, .object: nil
        }
    }

    /// The elements of an array or a set, the values of a dictionary; nil for other values.
    ///
    /// `21 IN ages`
    package var elements: [KeyedValue]? {
        switch self {
        case .value(.array(let values)), .value(.orderedSet(let values)): values.map(\.keyedValue)
        case .value(.set(let values)): values.map(\.keyedValue)
        case .value(.dictionary(let values)): values.sortedValues.map(\.keyedValue)
        case .collection(let collection): collection.elements
        case .object(let object): (object as? any DictionaryCoding).map { Self.sortedValues($0) }
        case .value: nil
        }
    }

    /// The number of ``elements``; nil if there are none.
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

    /// Returns the values of a dictionary in the order of its keys.
    private static func sortedValues(_ dictionary: any DictionaryCoding) -> [KeyedValue] {
        if let entries = dictionary.entries { return entries.sortedValues }
        return dictionary.orderedKeys.compactMap { dictionary.value(for: $0) }
    }

    /// True for a dictionary with keys of any kind.
    package var isDictionary: Bool {
        switch self {
        case .value(.dictionary): true
        case .object(let object): object is any DictionaryCoding
        case .value, .collection: false
        }
    }

    /// The keys of a dictionary in order; nil for other values.
    package var dictionaryKeys: [KeyedValue]? {
        switch self {
        case .value(.dictionary(let entries)):
            Array(entries.keys).inCodePointOrder().map { .value(.string($0)) }
        case .object(let object): (object as? any DictionaryCoding)?.orderedKeys
        case .value, .collection: nil
        }
    }

    /// Returns the value of a dictionary whose key equals a value; nil if there is none, and for other values.
    /// [NSP-171]
    package func entry(for key: KeyedValue) -> KeyedValue? {
        switch self {
        case .value(.dictionary(let entries)):
            if case .value(.string(let name)) = key { entries.value(exactly: name)?.keyedValue } else { nil }
        case .object(let object): (object as? any DictionaryCoding)?.value(for: key)
        case .value, .collection: nil
        }
    }

    /// The entries of a dictionary whose keys are strings; nil for other values.
    package var entries: [String: KeyedValue]? {
        switch self {
        case .value(.dictionary(let values)): values.mapValues(\.keyedValue)
        case .object(let object): (object as? any DictionaryCoding)?.entries
        case .value, .collection: nil
        }
    }

    /// The elements of nested collections in one flat array; nil unless the value is an array or a set.
    ///
    /// A dictionary is not flattened, nor is a collection that is nested deeper than ``PredicateLimits/standard``
    /// allows.
    package var flattened: [KeyedValue]? {
        guard collectionKind != nil else { return nil }
        return leaves(depth: 0)
    }

    private func leaves(depth: Int) -> [KeyedValue] {
        guard depth < PredicateLimits.standard.nesting, collectionKind != nil, let elements else { return [self] }
        return elements.flatMap { $0.leaves(depth: depth + 1) }
    }

    /// The host's own object: `person.hostObject as? Person`. Nil for data and collections.
    public var hostObject: Any? {
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

    /// The value as plain data, which a tree can contain; nil if it contains a live object.
    package var predicateValue: PredicateValue? {
        predicateValue(depth: 0)
    }

    private func predicateValue(depth: Int) -> PredicateValue? {
        switch self {
        case .value(let value): return value
        case .object, .collection: break
        }
        if case .object(let range as PredicateRange) = self { return range.predicateValue }
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

extension String {
    /// True for an ASCII string that is canonically equivalent only to itself, so that a dictionary finds no other
    /// key.
    ///
    /// The Kelvin sign is equivalent to `K`, the Greek question mark to `;`, varia to a grave accent.
    var isItsOnlySpelling: Bool {
        utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "K") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "`") }
    }
}

extension [String] {
    /// The keys in the order of their code points.
    @inline(never)
    package func inCodePointOrder() -> [String] {
        sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension KeyedValue {
    /// The values of an object's attributes, in the order of their keys' code points: the values of `ANYKEY`.
    /// [NSP-179]
    ///
    /// Nested objects, dictionaries and collections of them are not attributes. A value without keys has no
    /// attributes; nil if an object has keys but does not list them.
    package var attributes: [KeyedValue]? {
        switch self {
        case .value(.dictionary(let entries)): entries.sortedValues.map(\.keyedValue).filter(\.isAttribute)
        case .value(.object(let object)):
            Self.attributes(of: (object.base as? any KeyValueCoding) ?? ReflectedObject(object.base))
        case .object(let object): Self.attributes(of: object)
        case .value, .collection: []
        }
    }

    private static func attributes(of object: any KeyValueCoding) -> [KeyedValue]? {
        if let plain = object as? PredicateValue { return KeyedValue.value(plain).attributes }
        let keys = object.attributeKeys
        if keys.isEmpty, !object.toleratesMissingKeys { return nil }
        return keys.inCodePointOrder().compactMap(object.value(forKey:)).filter(\.isAttribute)
    }

    /// True for a value without keys, and for a collection of such values.
    private var isAttribute: Bool {
        switch self {
        case .value(let value): value.isAttribute
        case .object(let object): (object as? PredicateValue)?.isAttribute ?? false
        case .collection: false
        }
    }
}

extension PredicateValue {
    fileprivate var isAttribute: Bool {
        switch self {
        case .array(let values), .orderedSet(let values): !values.contains(where: \.hasKeys)
        case .set(let values): !values.contains(where: \.hasKeys)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .dictionary, .object, .expression, .predicate:
            !hasKeys
        }
    }

    private var hasKeys: Bool {
        switch self {
        case .dictionary, .object: true
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array,
            .set, .orderedSet, .expression, .predicate:
            false
        }
    }
}
