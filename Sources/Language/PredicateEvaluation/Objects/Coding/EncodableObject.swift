import Foundation
import PredicateSyntax

/// An `Encodable` value as an object: its keys are the ones that its `encode(to:)` writes.
///
/// `address.city == "Oslo"` on `try EncodableObject(person)`
///
/// The value is encoded once, when the object is made. Dates, data, UUIDs, URLs and decimals are kept; nested values
/// become dictionaries. A value that encodes itself as an array or as a single value is that value: in `try
/// EncodableObject([18, 65])` SELF is the array. [NSP-174]
public struct EncodableObject: KeyValueCoding, Hashable, Sendable {
    /// The encoded value: a dictionary, unless the value writes an array or a single value.
    package let encoded: PredicateValue
    /// A Boolean value that indicates whether a missing key is nil instead of an error.
    public let toleratesMissingKeys: Bool

    /// Encodes a value. Set `toleratesMissingKeys` if its `encode(to:)` omits keys, as a handwritten one may do.
    /// - Throws: ``EvaluationError/Code/notEncodable(_:_:)`` if the value's own encoding throws.
    public init(_ value: some Encodable, toleratesMissingKeys: Bool = false) throws(EvaluationError) {
        self.encoded = try PredicateValue(encoding: value)
        self.toleratesMissingKeys = toleratesMissingKeys
    }

    /// The object; if the value is not a dictionary, the value itself.
    public var keyedValue: KeyedValue {
        if case .dictionary = encoded { return .object(self) }
        return encoded.keyedValue
    }

    public func value(forKey key: String) -> KeyedValue? {
        encoded.value(forKey: key)
    }

    public var allKeys: [String] { encoded.allKeys.inOrder() }
}

extension PredicateValue {
    /// Encodes a value as plain data, as an argument for `%@`.
    ///
    /// `address == %@` with `try PredicateValue(encoding: address)`
    ///
    /// - Throws: ``EvaluationError/Code/notEncodable(_:_:)`` if the value's own encoding throws.
    public init(encoding value: some Encodable) throws(EvaluationError) {
        let node = EncodedNode()
        do {
            try node.encode(value, codingPath: [])
        } catch let error as EvaluationError {
            throw error
        } catch {
            let failure = EvaluationError.HostError(name: "encode(to:)", throwing: error, saying: Self.reason(error))
            throw EvaluationError(.notEncodable("\(Swift.type(of: value))", failure))
        }
        self = node.predicateValue
    }

    /// Returns the description of an error; for an `EncodingError` this is its debug description.
    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}

// MARK: - Encoding

/// The target of an encoded value; containers grow in it while the value encodes itself.
final class EncodedNode {
    private enum EncodedContent {
        case empty
        case single(PredicateValue)
        case keyed([String: EncodedNode])
        case unkeyed([EncodedNode], isSet: Bool)
    }

    private var content = EncodedContent.empty
    private var depth: Int

    init(depth: Int = 0) {
        self.depth = depth
    }

    var predicateValue: PredicateValue {
        switch content {
        // A value that encodes nothing is an object without keys.
        case .empty: .dictionary([:])
        case .single(let value): value
        case .keyed(let nodes): .dictionary(nodes.mapValues(\.predicateValue))
        case .unkeyed(let nodes, isSet: false): .array(nodes.map(\.predicateValue))
        case .unkeyed(let nodes, isSet: true): .set(Set(nodes.map(\.predicateValue)))
        }
    }

    func set(_ value: PredicateValue) {
        content = .single(value)
    }

    func becomeKeyed() {
        if case .keyed = content { return }
        content = .keyed([:])
    }

    func becomeUnkeyed() {
        if case .unkeyed = content { return }
        content = .unkeyed([], isSet: false)
    }

    /// Returns the node of a key, which is made on first access.
    func child(_ key: String) -> EncodedNode {
        guard case .keyed(var nodes) = content else { return EncodedNode(depth: depth + 1) }
        let node = nodes[key] ?? EncodedNode(depth: depth + 1)
        content = .empty
        nodes[key] = node
        content = .keyed(nodes)
        return node
    }

    func appendChild() -> EncodedNode {
        let node = EncodedNode(depth: depth + 1)
        guard case .unkeyed(var nodes, let isSet) = content else { return node }
        // The content is released first, so that appending does not copy the array.
        content = .empty
        nodes.append(node)
        content = .unkeyed(nodes, isSet: isSet)
        return node
    }

    var count: Int {
        switch content {
        case .unkeyed(let nodes, _): nodes.count
        case .keyed(let nodes): nodes.count
        case .empty, .single: 0
        }
    }

    /// Encodes a value: types of the language directly, all others by their own `encode(to:)`.
    func encode<Value: Encodable>(_ value: Value, codingPath: [any CodingKey]) throws {
        if let plain = value as? any SelfEncoding { return set(plain.predicateValue) }
        guard depth < PredicateLimits.standard.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: PredicateLimits.standard.nesting))
        }
        try value.encode(to: ValueEncoder(node: self, codingPath: codingPath))
        if value is any SetEncoding, case .unkeyed(let nodes, _) = content { content = .unkeyed(nodes, isSet: true) }
    }
}

/// Types that are encoded as one value; those of the standard library would otherwise encode themselves without end.
private protocol SelfEncoding: PredicateValueConvertible {}

extension Date: SelfEncoding {}
extension Data: SelfEncoding {}
extension UUID: SelfEncoding {}
extension URL: SelfEncoding {}
extension Decimal: SelfEncoding {}
extension String: SelfEncoding {}
extension Bool: SelfEncoding {}
extension Double: SelfEncoding {}
extension Float: SelfEncoding {}
extension Int: SelfEncoding {}
extension Int8: SelfEncoding {}
extension Int16: SelfEncoding {}
extension Int32: SelfEncoding {}
extension Int64: SelfEncoding {}
extension Int128: SelfEncoding {}
extension UInt: SelfEncoding {}
extension UInt8: SelfEncoding {}
extension UInt16: SelfEncoding {}
extension UInt32: SelfEncoding {}
extension UInt64: SelfEncoding {}
extension UInt128: SelfEncoding {}
extension Duration: SelfEncoding {}

/// A set encodes itself as an array; the result is a set again.
private protocol SetEncoding {}

extension Set: SetEncoding {}

/// The encoder of one value into a node.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeKeyed()
        return KeyedEncodingContainer(KeyedValueContainer<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeUnkeyed()
        return UnkeyedValueContainer(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.set(.null) }
    func encode(_ value: some Encodable) throws { try node.encode(value, codingPath: codingPath) }
}

// MARK: - Containers

/// The encoding container of an object's keys.
struct KeyedValueContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    private func encoder(_ key: any CodingKey) -> ValueEncoder {
        ValueEncoder(node: node.child(key.stringValue), codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(key).encode(value) }

    // The default implementation omits nil. Here nil is written, so that the key is known.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { present(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) { present(value, key) }

    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
        guard let value else { return encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    private func present(_ value: (some PredicateValueConvertible)?, _ key: Key) {
        node.child(key.stringValue).set(value.predicateValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder(SuperKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private enum SuperKey: String, CodingKey {
    case `super`
}

/// The encoding container of an array's elements.
struct UnkeyedValueContainer: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    var count: Int { node.count }

    private func encoder() -> ValueEncoder {
        ValueEncoder(node: node.appendChild(), codingPath: codingPath)
    }

    func encodeNil() { encoder().encodeNil() }
    func encode(_ value: some Encodable) throws { try encoder().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }
}
