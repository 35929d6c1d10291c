import Observation
import PredicateSyntax

/// Any struct, class or tuple as an object: its stored properties are its keys.
///
/// `address.city == "Oslo"` on `ReflectedObject(person)`
///
/// Inherited properties, lazy properties and properties with a wrapper or a macro have their declared names; an
/// element of a tuple has its label, or a number in quotes, `pair."0"`. The offsets of the properties are found once
/// per type, except on Apple's platforms: there, `Mirror` reads the properties on every access, which takes
/// microseconds. `Mirror` also reads a `weak` property, an enum with payloads, a property of a type with a custom
/// mirror, and a property wrapper that is a class. Conform to ``KeyPathCoding`` if speed matters.
///
/// Reflection cannot read everything. Evaluation throws an error with a hint for a lazy property before its first use
/// (``EvaluationError/Code/unreadLazyKey(_:of:)``), a computed property
/// (``EvaluationError/Code/undefinedKey(_:of:nearMisses:)``), the state of an actor
/// (``EvaluationError/Code/isolatedKey(_:of:)``), a property of an `@Observable` class inside `withObservationTracking`,
/// which would not see the read (``EvaluationError/Code/untrackedKey(_:of:)``), a property wrapper that stores its value
/// neither as `wrappedValue` nor as `value` (``EvaluationError/Code/unreadWrapper(_:of:)``), and a comparison of a value
/// that is not `Equatable`, or of an enum without raw values with a constant
/// (``EvaluationError/Code/notEquatable(_:against:)``). [NSP-172] [NSP-174]
package struct ReflectedObject: KeyValueCoding {
    package let base: Any
    private let mirrorsOnly: Bool
    /// True for the storage of a property that may be a property wrapper: its keys can be read, its value is unknown.
    let isStorage: Bool

    /// Makes an object from a value, whose properties are read on access.
    package init(_ base: Any) {
        self.init(base, mirrorsOnly: false)
    }

    /// Makes an object; if `mirrorsOnly` is true it is read by mirrors and not by offsets.
    private init(_ base: Any, mirrorsOnly: Bool, isStorage: Bool = false) {
        self.base = base
        self.mirrorsOnly = mirrorsOnly
        self.isStorage = isStorage
    }

    package func value(forKey key: String) -> KeyedValue? {
        if mirrorsOnly { return mirroredValue(forKey: key).map(Self.mirrored) }
        return storedValue(forKey: key) ?? mirroredValue(forKey: key)
    }

    private func mirroredValue(forKey key: String) -> KeyedValue? {
        var mirror = self.mirror
        while let level = mirror {
            if let value = value(forKey: key, in: level) { return value }
            mirror = level.superclassMirror
        }
        return nil
    }

    /// Returns a value whose objects are read by mirrors and not by offsets, for comparing the two.
    package static func mirrored(_ value: KeyedValue) -> KeyedValue {
        switch value {
        case .value: return value
        case .object(let object):
            return (object as? ReflectedObject).map {
                .object(ReflectedObject($0.base, mirrorsOnly: true, isStorage: $0.isStorage))
            } ?? value
        case .collection(let collection):
            return KeyedValue(elements: collection.elements.map(mirrored), kind: collection.kind)
        }
    }

    /// Returns the value of a key by its offset; nil if only a mirror can find the key, or if there is no such key.
    private func storedValue(forKey key: String) -> KeyedValue? {
        let type = type(of: base)
        guard let layout = StoredLayout.of(type), let property = layout[key] else { return nil }
        if layout.isClass {
            let object = base as AnyObject
            guard Swift.type(of: object) == type else { return nil }
            return withExtendedLifetime(object) { property.value(of: Unmanaged.passUnretained(object).toOpaque()) }
        }
        // An existential inside another one is opened only once, and is not a value of the type that it contains.
        func read<Base>(_ base: Base) -> KeyedValue? {
            Base.self == type ? withUnsafePointer(to: base) { property.value(of: UnsafeRawPointer($0)) } : nil
        }
        return read(base)
    }

    package var allKeys: [String] {
        var keys: [String] = []
        var mirror = self.mirror
        while let level = mirror {
            keys += level.children.compactMap { $0.label.map(Self.declaredName) }
            mirror = level.superclassMirror
        }
        return keys
    }

    /// The mirror of the object; nil for an actor, whose state only the actor may read.
    private var mirror: Mirror? { isActor ? nil : Mirror(reflecting: base) }

    private var isActor: Bool { base is any Actor }

    /// Returns the error for a key that the object may have but reflection cannot read; nil for any other key.
    func obstacle(to key: String) -> EvaluationError.Code? {
        let type = String(describing: type(of: base))
        if isActor { return .isolatedKey(key, of: type) }
        var mirror = self.mirror
        while let level = mirror {
            if level.children.contains(where: { Self.isUnreadLazy($0.label, $0.value, key) }) {
                return .unreadLazyKey(key, of: type)
            }
            if base is any Observable, level.children.contains(where: { $0.label == "_" + key }) {
                return .untrackedKey(key, of: type)
            }
            mirror = level.superclassMirror
        }
        return nil
    }

    /// True for the storage of a lazy property of that name before its first use.
    private static func isUnreadLazy(_ label: String?, _ value: Any, _ key: String) -> Bool {
        guard let label, label.hasPrefix(lazyPrefix), declaredName(label).hasSameCodePoints(as: key) else {
            return false
        }
        let storage = Mirror(reflecting: value)
        return storage.displayStyle == .optional && storage.children.isEmpty
    }

    /// Returns the property of that name, or else its backing storage.
    private func value(forKey key: String, in mirror: Mirror) -> KeyedValue? {
        var backing: KeyedValue?
        for child in mirror.children {
            guard let label = child.label else { continue }
            if label.hasSameCodePoints(as: key) { return KeyedValue(bridging: child.value) }
            if Self.declaredName(label).hasSameCodePoints(as: key), !Self.isUnreadLazy(label, child.value, key) {
                backing = backingValue(child.value, label: label)
            }
        }
        return backing
    }

    /// Returns the value of a property from its backing storage; nil if the read would have to be tracked.
    private func backingValue(_ storage: Any, label: String) -> KeyedValue? {
        guard label.hasPrefix("_") else { return KeyedValue(bridging: storage) }
        if base is any Observable {
            return ObservationScope.isTracking ? nil : KeyedValue(bridging: Self.wrappedValue(storage) ?? storage)
        }
        if let value = Self.wrappedValue(storage) { return KeyedValue(bridging: value) }
        return .object(ReflectedObject(storage, mirrorsOnly: mirrorsOnly, isStorage: true))
    }

    static let lazyPrefix = "$__lazy_storage_$_"

    /// Returns the declared name: `name` for `_name` and `$__lazy_storage_$_name`, `0` for `.0`.
    static func declaredName(_ label: String) -> String {
        if label.hasPrefix(lazyPrefix) { return String(label.dropFirst(lazyPrefix.count)) }
        let isBacking = label.count > 1 && (label.hasPrefix("_") || label.hasPrefix("."))
        return isBacking ? String(label.dropFirst()) : label
    }

    /// The names under which property wrappers store their values, likely names first.
    static let namesOfWrappedValues = ["wrappedValue", "_wrappedValue", "value", "_value", "storage"]

    /// Returns the value inside a property wrapper, and unchanged a value that cannot be a wrapper. Nil for a struct or a class
    /// that may be a wrapper but stores its value under another name or computes it.
    private static func wrappedValue(_ storage: Any) -> Any? {
        guard StoredLayout.isReflected(type(of: storage)) else { return storage }
        let mirror = Mirror(reflecting: storage)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { return storage }
        for name in namesOfWrappedValues {
            if let child = mirror.children.first(where: { $0.label == name }) { return child.value }
        }
        return nil
    }
}
