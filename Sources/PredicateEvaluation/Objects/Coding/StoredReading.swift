import PredicateSyntax

/// Reads a value where it is stored, as the bridge reads it: `KeyedValue(bridging:)`.
typealias StoredReader = (UnsafeRawPointer) -> KeyedValue

/// How stored values of a type are read: what the bridge finds out for each value is found once for their type.
enum StoredReading {
    static func reader(of type: any Any.Type) -> StoredReader { type is AnyClass ? bridging(type) : known(type) }

    private static func known(_ type: any Any.Type) -> StoredReader {
        if type == Any.self { return { KeyedValue(bridging: $0.assumingMemoryBound(to: Any.self).pointee) } }
        if let type = type as? any OptionalValue.Type {
            let inner = reader(of: type.wrapped)
            return { type.isNil(at: $0) ? .null : inner($0) }
        }
        if type is any ForeignContainer.Type { return bridging(type) }
        if let type = type as? any KeyedValueConvertible.Type { return convertible(type) }
        if type is any PredicateValueConvertible.Type { return bridging(type) }
        if let type = type as? any RawRepresentable.Type { return rawValue(type) }
        return bridging(type)
    }

    private static func convertible<Value: KeyedValueConvertible>(_ type: Value.Type) -> StoredReader {
        { $0.assumingMemoryBound(to: Value.self).withValue { $0.keyedValue } }
    }

    private static func rawValue<Value: RawRepresentable>(_ type: Value.Type) -> StoredReader {
        let reader = reader(of: Value.RawValue.self)
        return { address in
            let raw = address.assumingMemoryBound(to: Value.self).withValue { $0.rawValue }
            return withUnsafePointer(to: raw) { reader(UnsafeRawPointer($0)) }
        }
    }

    private static func bridging(_ type: any Any.Type) -> StoredReader {
        func open<Value>(_ type: Value.Type) -> StoredReader {
            { KeyedValue(bridging: $0.assumingMemoryBound(to: Value.self).pointee) }
        }
        return _openExistential(type, do: open)
    }
}

/// An optional of any type. What it wraps is stored where the optional is.
protocol OptionalValue {
    /// The type of what it wraps.
    static var wrapped: any Any.Type { get }
    /// True if the optional at an address is nil.
    static func isNil(at address: UnsafeRawPointer) -> Bool
}

extension Optional: OptionalValue {
    static var wrapped: any Any.Type { Wrapped.self }

    static func isNil(at address: UnsafeRawPointer) -> Bool {
        address.assumingMemoryBound(to: Wrapped?.self).withValue { if case .none = $0 { true } else { false } }
    }
}
