import Foundation
import PredicateSyntax

/// The target of an encoded value; containers grow in it while the value encodes itself.
final class EncodedNode {
    private enum Content {
        case empty
        case single(PredicateValue)
        case keyed([String: EncodedNode])
        case unkeyed([EncodedNode], isSet: Bool)
    }

    private var content = Content.empty
    private var depth: Int

    init(depth: Int = 0) {
        self.depth = depth
    }

    var predicateValue: PredicateValue {
        switch content {
        // A value that writes nothing is an object without keys.
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

    /// The node of a key, made on first access.
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
        // Released first, so that appending does not copy the array.
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

    /// Encodes a value: types of the language as themselves, all others by their own `encode(to:)`.
    func encode<Value: Encodable>(_ value: Value, codingPath: [any CodingKey]) throws {
        guard depth < PredicateLimits.standard.nesting else {
            throw EvaluationError(.nestingTooDeep(limit: PredicateLimits.standard.nesting))
        }
        if let plain = value as? any SelfEncoding { return set(plain.predicateValue) }
        try value.encode(to: ValueEncoder(node: self, codingPath: codingPath))
        if value is any SetEncoding, case .unkeyed(let nodes, _) = content { content = .unkeyed(nodes, isSet: true) }
    }
}

/// Types that are not taken apart by encoding.
private protocol SelfEncoding: PredicateValueConvertible {}

extension Date: SelfEncoding {}
extension Data: SelfEncoding {}
extension UUID: SelfEncoding {}
extension URL: SelfEncoding {}
extension Decimal: SelfEncoding {}
extension String: SelfEncoding {}
extension Bool: SelfEncoding {}
extension Int: SelfEncoding {}
extension Double: SelfEncoding {}

/// A set writes itself as an array; it is a set again afterwards.
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
    func encode(_ value: Bool) { node.set(value.predicateValue) }
    func encode(_ value: String) { node.set(value.predicateValue) }
    func encode(_ value: Double) { node.set(value.predicateValue) }
    func encode(_ value: Float) { node.set(value.predicateValue) }
    func encode(_ value: Int) { node.set(value.predicateValue) }
    func encode(_ value: Int8) { node.set(value.predicateValue) }
    func encode(_ value: Int16) { node.set(value.predicateValue) }
    func encode(_ value: Int32) { node.set(value.predicateValue) }
    func encode(_ value: Int64) { node.set(value.predicateValue) }
    func encode(_ value: UInt) { node.set(value.predicateValue) }
    func encode(_ value: UInt8) { node.set(value.predicateValue) }
    func encode(_ value: UInt16) { node.set(value.predicateValue) }
    func encode(_ value: UInt32) { node.set(value.predicateValue) }
    func encode(_ value: UInt64) { node.set(value.predicateValue) }
    func encode(_ value: some Encodable) throws { try node.encode(value, codingPath: codingPath) }
}
