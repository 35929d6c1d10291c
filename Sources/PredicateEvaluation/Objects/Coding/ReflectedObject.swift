import PredicateSyntax

/// Any struct, class or tuple as an object: its stored properties are its keys.
///
/// `address.city == "Oslo"` on `ReflectedObject(person)`
///
/// Inherited properties, lazy ones (nil before their first use) and those of a property wrapper or a macro have the name
/// they were declared with; the elements of a tuple their label, or a number in quotes, `pair."0"`. Computed properties
/// are unknown to reflection. An enum without raw values equals no constant, and a struct that is not `Equatable` equals
/// nothing. Every access takes microseconds: conform to ``KeyPathCoding`` if that matters.
public struct ReflectedObject: KeyValueCoding {
    /// The object whose properties are read.
    package let base: Any

    /// Makes an object of a value, which is read on access.
    public init(_ base: Any) {
        self.base = base
    }

    public func value(forKey key: String) -> KeyedValue? {
        var mirror: Mirror? = Mirror(reflecting: base)
        while let level = mirror {
            if let value = Self.value(forKey: key, in: level) { return value }
            mirror = level.superclassMirror
        }
        return nil
    }

    public var allKeys: [String] {
        var keys: [String] = []
        var mirror: Mirror? = Mirror(reflecting: base)
        while let level = mirror {
            keys += level.children.compactMap { $0.label.map(Self.declaredName) }
            mirror = level.superclassMirror
        }
        return keys
    }

    /// The property of that name, else its backing storage.
    private static func value(forKey key: String, in mirror: Mirror) -> KeyedValue? {
        var backing: KeyedValue?
        for child in mirror.children {
            guard let label = child.label else { continue }
            if label.hasSameCodePoints(as: key) { return KeyedValue(bridging: child.value) }
            if declaredName(label).hasSameCodePoints(as: key) {
                backing = KeyedValue(bridging: wrappedValue(child.value, label: label))
            }
        }
        return backing
    }

    private static let lazyPrefix = "$__lazy_storage_$_"

    /// `_name` and `$__lazy_storage_$_name` are declared as `name`, `.0` is written as `0`.
    private static func declaredName(_ label: String) -> String {
        if label.hasPrefix(lazyPrefix) { return String(label.dropFirst(lazyPrefix.count)) }
        let isBacking = label.count > 1 && (label.hasPrefix("_") || label.hasPrefix("."))
        return isBacking ? String(label.dropFirst()) : label
    }

    /// The value inside a property wrapper; other values stay what they are.
    private static func wrappedValue(_ value: Any, label: String) -> Any {
        guard label.hasPrefix("_"), !(value is any KeyedValueConvertible) else { return value }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { return value }
        for name in ["wrappedValue", "_wrappedValue", "value", "_value", "storage"] {
            if let child = mirror.children.first(where: { $0.label == name }) { return child.value }
        }
        return value
    }
}
