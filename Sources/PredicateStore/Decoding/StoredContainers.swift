import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

/// The keys of one object.
struct StoredKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: StoredObject
    let place: DecodingPlace

    var codingPath: [any CodingKey] { place.path.map(PathKey.init) }
    var allKeys: [Key] { object.allKeys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { (try? content(key)) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        if case .value(let value) = try content(key) { value == .null } else { false }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try content(key).decode(type, place.appending(key.stringValue))
    }

    /// A key that the entity lacks is an error here, too: it is more likely misspelt than meant to be absent.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let content = try content(key)
        if case .value(.null) = content { return nil }
        return try content.decode(type, place.appending(key.stringValue))
    }

    /// The value of an attribute, of the primary key, or the objects of a relationship.
    private func content(_ key: Key) throws(StoreError) -> StoredContent {
        let name = key.stringValue
        if let value = try object.value(of: name) { return .value(value) }
        if let related = try object.content(of: name) { return related }
        let nearMisses = NearMiss.candidates(for: name, among: object.allKeys)
        throw place.appending(name).failing(.noSuchKey(nearMisses: nearMisses))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { StoredDecoder(content: .object(object), place: place) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws(StoreError) -> StoredDecoder {
        StoredDecoder(content: try content(key), place: place.appending(key.stringValue))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

    private func optional<Value: StoredDecodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        guard case .value(let value) = try content(key) else {
            throw place.appending(key.stringValue).failing(.kind(expected: "a value", found: "a relationship"))
        }
        return value == .null ? nil : try Value.decoded(value, place.appending(key.stringValue))
    }
}

extension StoredContent {
    /// Decodes a type that a column holds, or any other by its own code.
    func decode<Value: Decodable>(_ type: Value.Type, _ place: DecodingPlace) throws -> Value {
        guard place.path.count <= StoredDecoder.deepest else {
            throw place.failing(.nestingTooDeep(limit: StoredDecoder.deepest))
        }
        if case .value(let value) = self {
            if let plain = type as? any StoredDecodable.Type, let result = try plain.value(value, place) as? Value {
                return result
            }
            if value == .null, !(type is any OptionalType.Type) { throw place.failing(.isNil) }
        }
        return try Value(from: StoredDecoder(content: self, place: place))
    }
}

extension StoredDecodable {
    /// The value; NULL is a problem of its own.
    fileprivate static func value(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self {
        if value == .null, Self.self != PredicateValue.self { throw place.failing(.isNil) }
        return try decoded(value, place)
    }
}

/// An optional, which decodes nil itself.
private protocol OptionalType {}

extension Optional: OptionalType {}

/// The objects of a to-many relationship.
struct StoredUnkeyedContainer: UnkeyedDecodingContainer {
    let objects: [StoredObject]
    let place: DecodingPlace
    private(set) var currentIndex = 0

    init(objects: [StoredObject], place: DecodingPlace) {
        self.objects = objects
        self.place = place
    }

    var codingPath: [any CodingKey] { place.path.map(PathKey.init) }
    var count: Int? { objects.count }
    var isAtEnd: Bool { currentIndex >= objects.count }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoder = try nextDecoder()
        return try decoder.content.decode(type, decoder.place)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try nextDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nextDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try nextDecoder() }

    private mutating func nextDecoder() throws(StoreError) -> StoredDecoder {
        let inner = place.appending("\(currentIndex)")
        guard currentIndex < objects.count else { throw inner.failing(.isNil) }
        defer { currentIndex += 1 }
        return StoredDecoder(content: .object(objects[currentIndex]), place: inner)
    }
}

/// A value of a column for a type with code of its own, such as an enum with raw values.
struct StoredValueContainer: SingleValueDecodingContainer {
    let decoder: StoredDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        if case .value(let value) = decoder.content { value == .null } else { false }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if case .value = decoder.content, type is any StoredDecodable.Type {
            return try decoder.content.decode(type, decoder.place)
        }
        return try Value(from: decoder)
    }
}
