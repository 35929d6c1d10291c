import PredicateSyntax

/// An `Encodable` value as an object: what its `encode(to:)` writes are its keys.
///
/// `address.city == "Oslo"` on `try EncodableObject(person)`
///
/// The value is read once, when the object is made. Dates, data, UUIDs, URLs and decimals stay what they are; nested
/// values become dictionaries. Throws ``EvaluationError/Code/host(_:)`` when the value's own encoding does.
public struct EncodableObject: KeyValueCoding, Hashable, Sendable {
    /// What was encoded: a dictionary unless the value writes an array or a single value.
    public let encoded: PredicateValue
    public let toleratesMissingKeys: Bool

    /// Set `toleratesMissingKeys` where the value leaves keys out, as an `encode(to:)` written by hand may do.
    public init(_ value: some Encodable, toleratesMissingKeys: Bool = false) throws(EvaluationError) {
        self.encoded = try PredicateValue(encoding: value)
        self.toleratesMissingKeys = toleratesMissingKeys
    }

    public func value(forKey key: String) -> KeyedValue? {
        encoded.value(forKey: key)
    }

    public var allKeys: [String] { encoded.allKeys.sorted() }
}

extension KeyedValue {
    /// An `Encodable` value as plain data.
    ///
    /// `city == "Oslo"` on `try KeyedValue(encoding: address)`
    ///
    /// Throws ``EvaluationError/Code/host(_:)`` when the value's own encoding does.
    public init(encoding value: some Encodable) throws(EvaluationError) {
        self = try .value(PredicateValue(encoding: value))
    }
}

extension PredicateValue {
    /// An `Encodable` value as plain data, to be passed for `%@`.
    ///
    /// `address == %@` with `try PredicateValue(encoding: address)`
    ///
    /// Throws ``EvaluationError/Code/host(_:)`` when the value's own encoding does.
    public init(encoding value: some Encodable) throws(EvaluationError) {
        let node = EncodedNode()
        do {
            try node.encode(value, codingPath: [])
        } catch let error as EvaluationError {
            throw error
        } catch {
            throw EvaluationError(.host("\(error)"))
        }
        self = node.predicateValue
    }
}
