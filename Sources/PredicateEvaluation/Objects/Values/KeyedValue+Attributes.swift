import PredicateSyntax

extension KeyedValue {
    /// The values of an object's attributes, in the order of their keys' code points: what `ANYKEY` stands for. [NSP-179]
    ///
    /// Nested objects and dictionaries, and collections of them, are left out. A value without keys has none; nil where an
    /// object has keys, but lists none.
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
