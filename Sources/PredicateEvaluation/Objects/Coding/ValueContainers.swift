import PredicateSyntax

/// The encoding container of an object's keys.
struct KeyedValueContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    private func encoder(_ key: any CodingKey) -> ValueEncoder {
        ValueEncoder(node: node.child(key.stringValue), codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { encoder(key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(key).encode(value) }

    // The defaults leave nil out; here it is written, so that the key is known.
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
    func encode(_ value: Bool) { encoder().encode(value) }
    func encode(_ value: String) { encoder().encode(value) }
    func encode(_ value: Double) { encoder().encode(value) }
    func encode(_ value: Float) { encoder().encode(value) }
    func encode(_ value: Int) { encoder().encode(value) }
    func encode(_ value: Int8) { encoder().encode(value) }
    func encode(_ value: Int16) { encoder().encode(value) }
    func encode(_ value: Int32) { encoder().encode(value) }
    func encode(_ value: Int64) { encoder().encode(value) }
    func encode(_ value: UInt) { encoder().encode(value) }
    func encode(_ value: UInt8) { encoder().encode(value) }
    func encode(_ value: UInt16) { encoder().encode(value) }
    func encode(_ value: UInt32) { encoder().encode(value) }
    func encode(_ value: UInt64) { encoder().encode(value) }
    func encode(_ value: some Encodable) throws { try encoder().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }
}
