import Foundation
import PredicateEvaluation
internal import PredicateSQL
import PredicateSQLite
import PredicateSyntax

/// The location of a value that is being decoded: its entity and the path of keys to it.
struct DecodingPlace {
    /// The entity of the object at the root of the path.
    var entity: String
    var path: [String] = []

    func appending(_ key: String) -> DecodingPlace {
        DecodingPlace(entity: entity, path: path + [key])
    }

    func failing(_ problem: StoreError.DecodingProblem) -> StoreError {
        StoreError(.undecodable(key: path.joined(separator: "."), entity: entity, problem))
    }
}

/// The input of a decoder: an object, the objects of a relationship, or the value of a column.
enum StoredContent {
    case object(StoredObject)
    case objects([StoredObject])
    case value(PredicateValue)
}

/// Decodes objects of a store as values of a `Decodable` type: coding keys are keys of the entity.
///
/// Decoding is strict: an unknown key, NULL for a property that is not optional, and a value of another type are
/// errors that name the key. Numbers are converted if no precision is lost.
struct StoredDecoder: Decoder {
    let content: StoredContent
    let place: DecodingPlace
    /// The depth limit, because objects may refer to each other in cycles.
    static let deepest = 32

    var codingPath: [any CodingKey] { place.path.map(PathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes an object. Wraps errors of the type's own `init(from:)` in a store error.
    static func decode<Value: Decodable>(_ type: Value.Type, from object: StoredObject) throws(StoreError) -> Value {
        let place = DecodingPlace(entity: object.id.entity)
        do {
            return try Value(from: StoredDecoder(content: .object(object), place: place))
        } catch let error as StoreError {
            throw error
        } catch {
            throw place.failing(.host(words(of: error)))
        }
    }

    private static func words(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            return context.debugDescription
        @unknown default: return "\(error)"
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch content {
        case .object, .value(.dictionary): return KeyedDecodingContainer(StoredKeyedContainer(decoder: self))
        case .objects, .value: throw mismatch("an object with keys")
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch content {
        case .objects(let objects):
            return StoredUnkeyedContainer(elements: objects.map(StoredContent.object), place: place)
        case .value(.array(let values)):
            return StoredUnkeyedContainer(elements: values.map(StoredContent.value), place: place)
        case .object, .value: throw mismatch("a to-many relationship")
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { StoredValueContainer(decoder: self) }

    private func mismatch(_ expected: String) -> StoreError {
        place.failing(.kind(expected: expected, found: content.kind))
    }
}

/// A coding key with any name.
struct PathKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init("\(intValue)") }
}

extension StoredContent {
    /// The kind of content, for error messages.
    var kind: String {
        switch self {
        case .object: "an object"
        case .objects: "a to-many relationship"
        case .value(let value): value.kindWords
        }
    }
}

extension PredicateValue {
    /// The kind of value, for error messages.
    fileprivate var kindWords: String {
        switch self {
        case .null, .nullObject: "nil"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .double: "a double"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array: "an array"
        case .type, .set, .orderedSet, .dictionary, .object, .expression, .predicate: "another value"
        }
    }
}

/// The keyed container of one object, or of a composite value, which contains only the elements that are not nil.
struct StoredKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: StoredDecoder
    private var place: DecodingPlace { decoder.place }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        let names: [String] =
            switch decoder.content {
            case .object(let object): object.allKeys
            case .value(.dictionary(let elements)): Array(elements.keys)
            case .objects, .value: []
            }
        return names.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { (try? content(key)) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        if case .value(let value) = try content(key) { value == .null } else { false }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try content(key).decode(type, place.appending(key.stringValue))
    }

    /// Treats an unknown key as an error here too: it is more likely a misspelling than a key that is meant to be absent.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let content = try content(key)
        if case .value(.null) = content { return nil }
        return try content.decode(type, place.appending(key.stringValue))
    }

    /// The value of an attribute or of the primary key, or the objects of a relationship; nil for a missing element of a
    /// composite value.
    private func content(_ key: Key) throws(StoreError) -> StoredContent {
        let name = key.stringValue
        switch decoder.content {
        case .object(let object): return try content(name, of: object)
        case .value(.dictionary(let elements)): return .value(elements[name] ?? .null)
        case .objects, .value: return .value(.null)
        }
    }

    private func content(_ name: String, of object: StoredObject) throws(StoreError) -> StoredContent {
        if let value = try object.value(of: name) { return .value(value) }
        if let related = try object.content(of: name) { return related }
        if name == SQLObjectID.ownKey { return .object(object) }
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

    func superDecoder() throws -> any Decoder { decoder }
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
    /// Decodes a column value directly, or any other type by its own `init(from:)`.
    func decode<Value: Decodable>(_ type: Value.Type, _ place: DecodingPlace) throws -> Value {
        guard place.path.count <= StoredDecoder.deepest else {
            throw place.failing(.nestingTooDeep(limit: StoredDecoder.deepest))
        }
        if case .value(let value) = self {
            if let plain = type as? any StoredDecodable.Type, let result = try plain.value(value, place) as? Value {
                return result
            }
            if value == .null, !(type is any OptionalType.Type) { throw place.failing(.isNil) }
        } else if type is any StoredDecodable.Type {
            throw place.failing(.kind(expected: "a value", found: kind))
        }
        if Value.self == SQLObjectID.self, case .object(let object) = self, let id = object.id as? Value { return id }
        return try Value(from: StoredDecoder(content: self, place: place))
    }
}

extension StoredDecodable {
    /// Decodes the value. For NULL, throws a separate problem.
    fileprivate static func value(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self {
        if value == .null, Self.self != PredicateValue.self { throw place.failing(.isNil) }
        return try decoded(value, place)
    }
}

/// Detects optional types, which decode nil themselves.
private protocol OptionalType {}

extension Optional: OptionalType {}

/// The unkeyed container of a to-many relationship or an array.
struct StoredUnkeyedContainer: UnkeyedDecodingContainer {
    let elements: [StoredContent]
    let place: DecodingPlace
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { place.path.map(PathKey.init) }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < elements.count, case .value(.null) = elements[currentIndex] else { return false }
        currentIndex += 1
        return true
    }

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
        guard currentIndex < elements.count else { throw inner.failing(.isNil) }
        defer { currentIndex += 1 }
        return StoredDecoder(content: elements[currentIndex], place: inner)
    }
}

/// The single-value container of a column, for types such as enums with raw values.
struct StoredValueContainer: SingleValueDecodingContainer {
    let decoder: StoredDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        if case .value(let value) = decoder.content { value == .null } else { false }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == SQLObjectID.self || type is any StoredDecodable.Type {
            return try decoder.content.decode(type, decoder.place)
        }
        return try Value(from: decoder)
    }
}

/// A type that a column value is converted to directly.
protocol StoredDecodable {
    /// Converts the value. Throws if it is of another kind or out of range.
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self
}

extension DecodingPlace {
    fileprivate func mismatch(_ expected: String, _ value: PredicateValue) -> StoreError {
        failing(.kind(expected: expected, found: StoredContent.value(value).kind))
    }
}

extension StoredDecodable where Self: FixedWidthInteger {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self {
        let number: Self?
        switch value {
        case .integer(let integer): number = Self(exactly: integer)
        case .double(let double): number = Self(exactly: double)
        case .bool(let flag): number = flag ? 1 : 0
        default: throw place.mismatch("an integer", value)
        }
        guard let number else { throw place.failing(.doesNotFit("\(Self.self)", found: value.printed)) }
        return number
    }
}

extension StoredDecodable where Self: BinaryFloatingPoint {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self {
        let number: Self?
        switch value {
        case .double(let double): number = Self(exactly: double)
        case .integer(let integer): number = Self(exactly: integer)
        default: throw place.mismatch("a number", value)
        }
        guard let number else { throw place.failing(.doesNotFit("\(Self.self)", found: value.printed)) }
        return number
    }
}

extension Int: StoredDecodable {}
extension Int8: StoredDecodable {}
extension Int16: StoredDecodable {}
extension Int32: StoredDecodable {}
extension Int64: StoredDecodable {}
extension UInt: StoredDecodable {}
extension UInt8: StoredDecodable {}
extension UInt16: StoredDecodable {}
extension UInt32: StoredDecodable {}
extension UInt64: StoredDecodable {}
extension Double: StoredDecodable {}
extension Float: StoredDecodable {}

extension Bool: StoredDecodable {
    /// A column without a Boolean type holds 0 and 1.
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Bool {
        switch value {
        case .bool(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        default: throw place.mismatch("a Boolean", value)
        }
    }
}

extension String: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> String {
        guard case .string(let text) = value else { throw place.mismatch("a string", value) }
        return text
    }
}

extension Date: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Date {
        guard case .date(let date) = value else { throw place.mismatch("a date", value) }
        return date
    }
}

extension Data: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Data {
        guard case .data(let data) = value else { throw place.mismatch("data", value) }
        return data
    }
}

extension UUID: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> UUID {
        guard case .uuid(let uuid) = value else { throw place.mismatch("a UUID", value) }
        return uuid
    }
}

extension URL: StoredDecodable {
    /// SQLite has no URL type: URLs are stored as strings.
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> URL {
        guard case .string(let text) = value, let url = URL(string: text) else { throw place.mismatch("a URL", value) }
        return url
    }
}

extension Decimal: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Decimal {
        switch value {
        case .decimal(let decimal): return decimal
        case .integer(let integer): return Decimal(integer)
        case .double(let double): return try shortest(double, place)
        default: throw place.mismatch("a decimal number", value)
        }
    }

    /// The decimal number with the fewest digits that rounds to a double. Core Data stores a decimal number as that double.
    private static func shortest(_ double: Double, _ place: DecodingPlace) throws(StoreError) -> Decimal {
        if let decimal = StoredText.decimal(double) { return decimal }
        throw place.failing(.doesNotFit("Decimal", found: PredicateValue.double(double).printed))
    }
}

extension SQLObjectID {
    /// The coding key of an object's own identity, unless the entity has a key of this name.
    static let ownKey = "objectID"
}

/// Any value, including nil.
extension PredicateValue: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> PredicateValue { value }
}
