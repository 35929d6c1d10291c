import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

/// The place of a value that is decoded: its object and the keys that led to it.
struct DecodingPlace {
    /// The object whose key it is, at the end of the path.
    var entity: String
    var path: [String] = []

    func appending(_ key: String) -> DecodingPlace {
        DecodingPlace(entity: entity, path: path + [key])
    }

    func failing(_ problem: DecodingProblem) -> StoreError {
        StoreError(.undecodable(key: path.joined(separator: "."), entity: entity, problem))
    }
}

/// What a decoder reads: an object, the objects of a relationship, or a value of a column.
enum StoredContent {
    case object(StoredObject)
    case objects([StoredObject])
    case value(PredicateValue)
}

/// Decodes rows of a store as values of a `Decodable` type: keys of the type are keys of the entity.
///
/// Strict: a key that the entity lacks, NULL for a property that is not optional, and a value of another kind are errors
/// with the name of the key. Numbers are converted where that loses nothing.
struct StoredDecoder: Decoder {
    let content: StoredContent
    let place: DecodingPlace
    /// Objects may lead to each other without end.
    static let deepest = 32

    var codingPath: [any CodingKey] { place.path.map(PathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes an object. Errors of the type's own code become errors of the store.
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
        guard case .object(let object) = content else { throw mismatch("an object with keys") }
        return KeyedDecodingContainer(StoredKeyedContainer<Key>(object: object, place: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .objects(let objects) = content else { throw mismatch("a to-many relationship") }
        return StoredUnkeyedContainer(objects: objects, place: place)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { StoredValueContainer(decoder: self) }

    private func mismatch(_ expected: String) -> StoreError {
        place.failing(.kind(expected: expected, found: content.kind))
    }
}

/// A key of a path, by name alone.
struct PathKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init("\(intValue)") }
}

extension StoredContent {
    /// The kind in an error message.
    var kind: String {
        switch self {
        case .object: "an object"
        case .objects: "a to-many relationship"
        case .value(let value): value.kindWords
        }
    }
}

extension PredicateValue {
    /// The kind of a column's value in an error message.
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
        case .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate: "another value"
        }
    }
}
