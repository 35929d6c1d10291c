import PredicateSyntax

/// A property of plain values that key paths reach by name: the name is looked up once, not for every object.
///
/// `name.length == 5`, `number.stringValue BEGINSWITH "1"`, `tags.count > 2`
///
/// One name may belong to several kinds of value: `length` to strings and data, `path` to URLs alone.
package struct ValueProperty: Hashable, Sendable {
    private let universal: UniversalKey?
    private let string: StringKey?
    private let number: NumberKey?
    private let date: DateKey?
    private let data: DataKey?
    private let uuid: UUIDKey?
    private let url: URLKey?
    private let collection: CollectionKey?
    private let dictionary: DictionaryKey?

    /// Makes the property of a name; nil if no kind of value has one.
    package init?(rawValue name: String) {
        guard Self.mayBeName(name), Self.allNames.contains(name) else { return nil }
        universal = UniversalKey(rawValue: name)
        string = StringKey(rawValue: name)
        number = NumberKey(rawValue: name)
        date = DateKey(rawValue: name)
        data = DataKey(rawValue: name)
        uuid = UUIDKey(rawValue: name)
        url = URLKey(rawValue: name)
        collection = CollectionKey(rawValue: name)
        dictionary = DictionaryKey(rawValue: name)
    }

    /// True if the property is a text that may be far larger than the value.
    var isDescription: Bool { universal == .description }

    /// The property of a value; nil if its kind has no such property.
    package func value(of receiver: KeyedValue) -> KeyedValue? {
        switch receiver {
        case .value(.null): return .null
        case .value(let value): if let found = self.value(of: value) { return .value(found) }
        case .object, .collection: break
        }
        return value(ofCollection: receiver) ?? value(ofDictionary: receiver) ?? universal?.value(of: receiver)
    }

    /// The property of an array or a set itself, apart from those of its elements; nil for other values.
    package func value(ofCollection receiver: KeyedValue) -> KeyedValue? {
        guard let collection, let kind = receiver.collectionKind, let elements = receiver.elements else { return nil }
        return collection.value(of: elements, kind: kind)
    }

    private func value(ofDictionary receiver: KeyedValue) -> KeyedValue? {
        guard let dictionary, let keys = receiver.dictionaryKeys else { return nil }
        return dictionary.value(of: receiver, keys)
    }

    private func value(of value: PredicateValue) -> PredicateValue? {
        switch value {
        case .bool, .integer, .double, .decimal:
            guard let number, let receiver = Number(value) else { return nil }
            return number.value(of: receiver)
        case .string(let value): return string?.value(of: value)
        case .date(let value): return date?.value(of: value)
        case .data(let value): return data?.value(of: value)
        case .uuid(let value): return uuid?.value(of: value)
        case .url(let value): return url?.value(of: value)
        case .null, .nullObject, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    /// The names of the properties of a value.
    package static func names(for receiver: KeyedValue) -> [String] {
        guard case .value(let value) = receiver, let kind = value.kind else {
            return UniversalKey.allCases.map(\.rawValue)
        }
        return kind.keys
    }

    /// The names of the properties of a class of Foundation; none for other classes.
    package static func names(forClass name: String) -> [String] { CastType(rawValue: name)?.kind.ownKeys ?? [] }

    /// False if no property with the same first letter has a name of this length: most keys need no hash.
    private static func mayBeName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first &- 0x61 < 26 else { return true }
        let length = name.utf8.count
        return length < 64 && lengths[Int(first &- 0x61)] & (1 << UInt64(length)) != 0
    }

    /// For each letter the lengths of the names that begin with it, one bit for each.
    private static let lengths: [UInt64] = {
        var lengths = [UInt64](repeating: 0, count: 26)
        for name in allNames {
            guard let first = name.utf8.first, first &- 0x61 < 26 else { continue }
            lengths[Int(first &- 0x61)] |= 1 << UInt64(name.utf8.count)
        }
        return lengths
    }()

    private static let allNames: Set<String> = Set(PredicateValue.Kind.allCases.flatMap(\.keys))
}

extension UniversalKey {
    func value(of receiver: KeyedValue) -> KeyedValue? {
        switch self {
        case .class: receiver.isNull ? .null : .value(.type(receiver.valueClass))
        case .description: .value(.string(receiver.descriptionText))
        case .self: receiver
        }
    }
}

extension CollectionKey {
    func value(of elements: [KeyedValue], kind: KeyedCollection.Kind) -> KeyedValue {
        switch self {
        case .count: .value(.integer(Int64(elements.count)))
        case .firstObject, .anyObject: elements.first ?? .null
        case .lastObject: elements.last ?? .null
        case .allObjects, .array: KeyedValue(elements: elements, kind: .array)
        case .set: KeyedValue(elements: elements.distinct, kind: .set)
        }
    }
}

extension DictionaryKey {
    func value(of dictionary: KeyedValue, _ keys: [KeyedValue]) -> KeyedValue {
        switch self {
        case .count: .value(.integer(Int64(keys.count)))
        case .allKeys: KeyedValue(elements: keys, kind: .array)
        case .allValues: KeyedValue(elements: dictionary.elements ?? [], kind: .array)
        }
    }
}
