import PredicateSyntax

/// A property of plain values that key paths reach by name: the name is looked up once, not for every object.
///
/// `name.length == 5`, `number.stringValue BEGINSWITH "1"`, `tags.count > 2`
///
/// One name may belong to several kinds of value: `length` to strings and data, `path` to URLs alone.
package struct ValueProperty: Hashable, Sendable {
    private let universal: UniversalProperty?
    private let string: StringProperty?
    private let number: NumberProperty?
    private let date: DateProperty?
    private let data: DataProperty?
    private let uuid: UUIDProperty?
    private let url: URLProperty?
    private let collection: CollectionProperty?
    private let dictionary: DictionaryProperty?

    /// Makes the property of a name; nil if no kind of value has one.
    package init?(rawValue name: String) {
        guard Self.mayBeName(name), Self.allNames.contains(name) else { return nil }
        universal = UniversalProperty(rawValue: name)
        string = StringProperty(rawValue: name)
        number = NumberProperty(rawValue: name)
        date = DateProperty(rawValue: name)
        data = DataProperty(rawValue: name)
        uuid = UUIDProperty(rawValue: name)
        url = URLProperty(rawValue: name)
        collection = CollectionProperty(rawValue: name)
        dictionary = DictionaryProperty(rawValue: name)
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
        names(ofKind: receiver) + names(of: UniversalProperty.self)
    }

    @inline(never)
    private static func names<Property: CaseIterable & RawRepresentable<String>>(of kind: Property.Type) -> [String] {
        kind.allCases.map(\.rawValue)
    }

    private static func names(ofKind receiver: KeyedValue) -> [String] {
        guard case .value(let value) = receiver else { return [] }
        switch value {
        case .bool, .integer, .double, .decimal: return names(of: NumberProperty.self)
        case .string: return names(of: StringProperty.self)
        case .date: return names(of: DateProperty.self)
        case .data: return names(of: DataProperty.self)
        case .uuid: return names(of: UUIDProperty.self)
        case .url: return names(of: URLProperty.self)
        case .array, .set, .orderedSet: return names(of: CollectionProperty.self)
        case .dictionary: return names(of: DictionaryProperty.self)
        case .null, .nullObject, .type, .object, .expression, .predicate: return []
        }
    }

    /// The names of the properties of a class of Foundation; none for other classes.
    package static func names(forClass name: String) -> [String] {
        switch name {
        case "NSNumber", "NSDecimalNumber": names(of: NumberProperty.self)
        case "NSString": names(of: StringProperty.self)
        case "NSDate": names(of: DateProperty.self)
        case "NSData": names(of: DataProperty.self)
        case "NSUUID": names(of: UUIDProperty.self)
        case "NSURL": names(of: URLProperty.self)
        default: []
        }
    }

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

    private static let allNames: Set<String> = Set(
        names(of: UniversalProperty.self) + names(of: StringProperty.self)
            + names(of: NumberProperty.self) + names(of: DateProperty.self)
            + names(of: DataProperty.self) + names(of: UUIDProperty.self)
            + names(of: URLProperty.self) + names(of: CollectionProperty.self)
            + names(of: DictionaryProperty.self))
}

/// Properties of every value.
enum UniversalProperty: String, CaseIterable {
    /// `class == %@`
    case `class`
    /// `description == "jo"`
    case description
    /// `SELF.self`
    case `self`

    func value(of receiver: KeyedValue) -> KeyedValue? {
        switch self {
        case .class: receiver.isNull ? .null : .value(.type(receiver.valueClass))
        case .description: .value(.string(receiver.descriptionText))
        case .self: receiver
        }
    }
}

/// Properties of arrays and sets whose elements have no key of that name.
enum CollectionProperty: String, CaseIterable {
    /// `tags.count > 2`
    case count
    /// `tags.firstObject == "a"`
    case firstObject
    /// `tags.lastObject == "z"`
    case lastObject
    /// `tags.anyObject != nil`
    case anyObject
    /// `tags.allObjects`: an array
    case allObjects
    /// `tags.array`
    case array
    /// `tags.set`
    case set

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

/// Properties of dictionaries that have no key of that name.
enum DictionaryProperty: String, CaseIterable {
    /// `rooms.count > 2`
    case count
    /// `"kitchen" IN rooms.allKeys`: in the order of their code points, numbers first
    case allKeys
    /// `20 IN rooms.allValues`
    case allValues

    func value(of dictionary: KeyedValue, _ keys: [KeyedValue]) -> KeyedValue {
        switch self {
        case .count: .value(.integer(Int64(keys.count)))
        case .allKeys: KeyedValue(elements: keys, kind: .array)
        case .allValues: KeyedValue(elements: dictionary.elements ?? [], kind: .array)
        }
    }
}
