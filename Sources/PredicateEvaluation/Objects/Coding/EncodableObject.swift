import PredicateSyntax

/// An `Encodable` value as an object: the keys that its `encode(to:)` writes.
///
/// `address.city == "Oslo"` on `try EncodableObject(person)`
///
/// The value is encoded once, when the object is made. Dates, data, UUIDs, URLs and decimals stay what they are; nested
/// values become dictionaries. A value that encodes itself as an array or as a single value is that value: of
/// `try EncodableObject([18, 65])` SELF is the array. [NSP-174]
public struct EncodableObject: KeyValueCoding, Hashable, Sendable {
    /// The encoded value: a dictionary, unless the value writes an array or a single value.
    package let encoded: PredicateValue
    /// A Boolean value that indicates whether a missing key is nil instead of an error.
    public let toleratesMissingKeys: Bool

    /// Encodes a value. Set `toleratesMissingKeys` if it leaves keys out, as an `encode(to:)` written by hand may do.
    /// - Throws: ``EvaluationError/Code/notEncodable(_:_:)`` if the value's own encoding throws.
    public init(_ value: some Encodable, toleratesMissingKeys: Bool = false) throws(EvaluationError) {
        self.encoded = try PredicateValue(encoding: value)
        self.toleratesMissingKeys = toleratesMissingKeys
    }

    /// The object, unless its value is no dictionary.
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
    /// Encodes a value as plain data, to be passed for `%@`.
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

    /// What an error says of itself; an `EncodingError` has words of its own.
    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
