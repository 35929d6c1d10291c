import Foundation
import PredicateSyntax

// Foundation's classes as values of `%@` and of keys, for code that was written for NSPredicate.

extension NSNumber: PredicateValueConvertible, KeyedValueConvertible {
    /// Booleans, integers, floating point and decimals each as themselves.
    public var predicateValue: PredicateValue {
        if let number = self as? NSDecimalNumber { return .decimal(number.decimalValue) }
        if isBoolean { return .bool(boolValue) }
        switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): return uint64Value.predicateValue
        default: return .integer(int64Value)
        }
    }

    public var keyedValue: KeyedValue { .value(predicateValue) }

    private var isBoolean: Bool {
        #if canImport(Darwin)
            CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
            // Here only Booleans have the type of a C character; 8-bit integers are stored wider.
            UInt8(bitPattern: objCType.pointee) == UInt8(ascii: "c")
        #endif
    }
}

extension NSNull: PredicateValueConvertible, KeyedValueConvertible {
    public var predicateValue: PredicateValue { .nullObject }
    public var keyedValue: KeyedValue { .value(.nullObject) }
}

extension NSString: PredicateValueConvertible, KeyedValueConvertible {
    public var predicateValue: PredicateValue { .string(String(describing: self)) }
    public var keyedValue: KeyedValue { .value(predicateValue) }
}

extension NSDate: PredicateValueConvertible, KeyedValueConvertible {
    public var predicateValue: PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate))
    }

    public var keyedValue: KeyedValue { .value(predicateValue) }
}

extension NSData: PredicateValueConvertible, KeyedValueConvertible {
    public var predicateValue: PredicateValue { .data(Data(referencing: self)) }
    public var keyedValue: KeyedValue { .value(predicateValue) }
}

extension NSUUID: PredicateValueConvertible, KeyedValueConvertible {
    public var predicateValue: PredicateValue { UUID(uuidString: uuidString).map(PredicateValue.uuid) ?? .null }
    public var keyedValue: KeyedValue { .value(predicateValue) }
}

extension NSURL: PredicateValueConvertible, KeyedValueConvertible {
    public var predicateValue: PredicateValue {
        // Optional on Darwin, and not on Linux.
        let text: String? = absoluteString
        return text.flatMap { URL(string: $0) }.map(PredicateValue.url) ?? .null
    }

    public var keyedValue: KeyedValue { .value(predicateValue) }
}

extension NSArray: PredicateValueConvertible, KeyedValueConvertible, ForeignContainer {
    /// A live object among the elements becomes a ``PredicateObject``.
    public var predicateValue: PredicateValue { keyedValue.argument }
    public var keyedValue: KeyedValue { keyedValue(depth: 0) }

    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(self.lazy.map { $0 }, kind: .array, depth: depth)
    }
}

extension NSSet: PredicateValueConvertible, KeyedValueConvertible, ForeignContainer {
    /// A live object among the elements becomes a ``PredicateObject``.
    public var predicateValue: PredicateValue { keyedValue.argument }
    public var keyedValue: KeyedValue { keyedValue(depth: 0) }

    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(allObjects, kind: .set, depth: depth)
    }
}

extension NSOrderedSet: PredicateValueConvertible, KeyedValueConvertible, ForeignContainer {
    /// A live object among the elements becomes a ``PredicateObject``.
    public var predicateValue: PredicateValue { keyedValue.argument }
    public var keyedValue: KeyedValue { keyedValue(depth: 0) }

    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(array, kind: .orderedSet, depth: depth)
    }
}

extension NSDictionary: PredicateValueConvertible, KeyedValueConvertible {
    /// A live object among the values becomes a ``PredicateObject``.
    public var predicateValue: PredicateValue { keyedValue.argument }

    /// A copy of the entries, bridged on access.
    public var keyedValue: KeyedValue {
        Bridge.dictionary(allKeys.lazy.compactMap { key in self.object(forKey: key).map { (key: key, value: $0) } })
    }
}

extension KeyedValue {
    /// The value as an argument of a predicate, live objects boxed.
    package var argument: PredicateValue {
        argument(depth: 0)
    }

    private func argument(depth: Int) -> PredicateValue {
        if case .value(let value) = self { return value }
        guard depth < PredicateLimits.standard.nesting else { return .null }
        if let entries { return .dictionary(entries.mapValues { $0.argument(depth: depth + 1) }) }
        if let kind = collectionKind, let elements {
            let arguments = elements.map { KeyedValue.value($0.argument(depth: depth + 1)) }
            if case .value(let value) = KeyedValue(elements: arguments, kind: kind) { return value }
        }
        if let range { return range.predicateValue }
        return hostObject.map { .object(PredicateObject(BoxedObject($0))) } ?? .null
    }
}

/// A live object inside a Foundation collection that was passed as an argument.
///
/// Its type does not promise safety across threads, nor do Foundation's collections: an object must not change while
/// the predicate is shared.
struct BoxedObject: KeyValueCoding, Hashable, @unchecked Sendable {
    let base: Any

    init(_ base: Any) {
        self.base = base
    }

    var keyedValue: KeyedValue {
        (base as? any KeyValueCoding)?.keyedValue ?? .object(ReflectedObject(base))
    }

    func value(forKey key: String) -> KeyedValue? {
        guard case .object(let object) = keyedValue else { return nil }
        return object.value(forKey: key)
    }

    static func == (left: BoxedObject, right: BoxedObject) -> Bool {
        isEqual(left.keyedValue, right.keyedValue)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(DistinctValue(keyedValue))
    }
}
