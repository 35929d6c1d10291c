import Observation
import PredicateSyntax
import Synchronization

#if !canImport(Darwin)
    @_spi(Reflection) import Swift
#endif

/// The stored properties of a type as keys, with their offsets, which are found once per type.
///
/// A type has none if `ReflectedObject` must use `Mirror`: a type with a custom mirror, an actor, and types that are not
/// objects to a predicate, such as enums with raw values.
///
/// `@unchecked`: a layout does not change after initialization.
final class StoredLayout: @unchecked Sendable {
    /// A key and the stored property that holds its value.
    struct Property {
        /// The name, which is compared by code points.
        let name: String
        /// The offset of the value in the object.
        let offset: Int
        let type: any Any.Type
        /// True for a lazy property, whose storage is nil until its first use.
        let isLazy: Bool
        /// True for a property of an `@Observable` class, which must not be read here while reads are tracked.
        let isTracked: Bool
        /// Reads the value at an address, with the same result as `KeyedValue(bridging:)`.
        fileprivate let read: StoredReader

        /// Returns the value in the object at an address; nil for a lazy property before its first use, and if the read
        /// would have to be tracked.
        func value(of object: UnsafeRawPointer) -> KeyedValue? {
            if isTracked, ObservationScope.isTracking { return nil }
            let value = read(object + offset)
            return isLazy && value.isNull ? nil : value
        }
    }

    let isClass: Bool
    private let properties: [String: Property]

    private init(_ properties: [String: Property], isClass: Bool) {
        self.properties = properties
        self.isClass = isClass
    }

    /// The property of a key; nil if only `Mirror` can find it, or if there is no such key.
    subscript(key: String) -> Property? {
        guard let property = properties[key], property.name.hasSameCodePoints(as: key) else { return nil }
        return property
    }

    /// The properties in the order of their storage, each once, by its declared name.
    var declared: [Property] {
        let names = properties.values.filter { ReflectedObject.declaredName($0.name) == $0.name }
        return names.sorted { ($0.offset, $0.name) < ($1.offset, $1.name) }
    }

    /// Makes the layout of a type.
    fileprivate convenience init?(reflecting type: any Any.Type) {
        guard Self.isReflected(type), let levels = Self.levels(of: type) else { return nil }
        let isObservable = type is any Observable.Type
        var properties: [String: Property] = [:]
        var taken: Set<String> = []
        for level in levels {
            let (found, doubtful) = Self.properties(of: level, isObservable: isObservable)
            for (key, property) in found where !taken.contains(key) { properties[key] = property }
            taken.formUnion(found.keys)
            taken.formUnion(doubtful)
        }
        self.init(properties, isClass: type is AnyClass)
    }

    /// True if values of the type are bridged as reflected objects.
    static func isReflected(_ type: any Any.Type) -> Bool {
        !(type is any ForeignContainer.Type || type is any KeyedValueConvertible.Type
            || type is any RawRepresentable.Type || isNumber(type)
            || type is any CustomReflectable.Type || type is any Actor.Type)
    }

    /// True for a number that the language has no conformance for: `Float80`, or one of another package.
    private static func isNumber(_ type: any Any.Type) -> Bool {
        type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type
    }

    /// Returns the stored properties of a class, of its superclass, and so on, level by level; one level for a struct.
    private static func levels(of type: any Any.Type) -> [ArraySlice<StoredField>]? {
        guard let fields = StoredField.all(of: type) else { return nil }
        guard var next = type as? AnyClass else { return [fields[...]] }
        var levels: [ArraySlice<StoredField>] = []
        var end = fields.count
        while let superclass = _getSuperclass(next) {
            let start = StoredField.all(of: superclass)?.count ?? 0
            guard start <= end else { return nil }
            levels.append(fields[start..<end])
            (next, end) = (superclass, start)
        }
        return levels + [fields[..<end]]
    }
}

extension StoredLayout {
    /// Returns the keys of one level, and the keys that are left to `Mirror` because they depend on what the storage
    /// contains.
    private static func properties(
        of level: ArraySlice<StoredField>, isObservable: Bool
    ) -> ([String: Property], doubtful: Set<String>) {
        var found: [String: Property] = [:]
        var doubtful: Set<String> = []
        func add(_ key: String, _ property: Property?) {
            guard let property, found[key] == nil else {
                found[key] = nil
                return _ = doubtful.insert(key)
            }
            if !doubtful.contains(key) { found[key] = property }
        }
        for field in level {
            let declared = ReflectedObject.declaredName(field.name)
            if declared != field.name { add(declared, backing(declared, field, isTracked: isObservable)) }
            add(field.name, plain(field.name, field.type, at: field.offset, field))
        }
        return (found, doubtful)
    }

    private static func plain(
        _ name: String, _ type: any Any.Type, at offset: Int, isLazy: Bool = false, isTracked: Bool = false,
        _ field: StoredField
    ) -> Property? {
        guard field.isStrong else { return nil }
        return Property(
            name: name, offset: offset, type: type, isLazy: isLazy, isTracked: isTracked,
            read: StoredReading.reader(of: type))
    }

    /// Returns a property for the storage of a lazy property, of a property wrapper, or of a macro; nil for storage that
    /// may be a property wrapper whose value is unknown.
    private static func backing(_ name: String, _ field: StoredField, isTracked: Bool) -> Property? {
        if field.name.hasPrefix(ReflectedObject.lazyPrefix) {
            // The storage of a lazy property is optional. If the property is itself optional, its value may be nil even after
            // its first use.
            guard let storage = field.type as? any OptionalValue.Type, !(storage.wrapped is any OptionalValue.Type)
            else { return nil }
            return plain(name, field.type, at: field.offset, isLazy: true, field)
        }
        guard field.name.hasPrefix("_") else { return plain(name, field.type, at: field.offset, field) }
        if field.type is any KeyedValueConvertible.Type {
            return plain(name, field.type, at: field.offset, isTracked: isTracked, field)
        }
        guard isReflected(field.type), !(field.type is AnyClass), let parts = StoredField.all(of: field.type) else {
            return nil
        }
        for label in ReflectedObject.namesOfWrappedValues {
            guard let value = parts.first(where: { $0.name == label }) else { continue }
            let offset = field.offset + value.offset
            return field.isStrong ? plain(name, value.type, at: offset, isTracked: isTracked, value) : nil
        }
        return isTracked ? plain(name, field.type, at: field.offset, isTracked: true, field) : nil
    }
}

// MARK: - Cache

extension StoredLayout {
    /// Returns the layout of a type, which is made once per process; nil if values are read by `Mirror`.
    static func of(_ type: any Any.Type) -> StoredLayout? { cache.layout(of: type) }

    private static let cache = LayoutCache()

    /// The layouts of all requested types. Entries are only added, so that a lookup takes no lock. A program has a
    /// limited number of types.
    ///
    /// `@unchecked`: one atomic pointer publishes each list, and published entries do not change.
    private final class LayoutCache: @unchecked Sendable {
        private struct Entry {
            let type: ObjectIdentifier
            let layout: StoredLayout?
            let next: UnsafePointer<Entry>?
        }

        private static let count = 256
        private let lists: UnsafeMutablePointer<PublishedPointer>

        init() {
            lists = .allocate(capacity: Self.count)
            for index in 0..<Self.count { (lists + index).initialize(to: PublishedPointer()) }
        }

        func layout(of type: any Any.Type) -> StoredLayout? {
            let key = ObjectIdentifier(type)
            // Addresses of metadata hardly differ in their low bits: metadata are aligned, and a few hundred bytes long.
            let list = lists + (Int(bitPattern: key) >> 5) & (Self.count - 1)
            var entry = Self.first(list)
            while let current = entry {
                if current.pointee.type == key { return current.pointee.layout }
                entry = current.pointee.next
            }
            return add(key, type, list)
        }

        private static func first(_ list: UnsafeMutablePointer<PublishedPointer>) -> UnsafePointer<Entry>? {
            list.pointee.pointer?.assumingMemoryBound(to: Entry.self)
        }

        @inline(never)
        private func add(
            _ key: ObjectIdentifier, _ type: any Any.Type, _ list: UnsafeMutablePointer<PublishedPointer>
        ) -> StoredLayout? {
            let layout = StoredLayout(reflecting: type)
            let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
            let next = Self.first(list)
            entry.initialize(to: Entry(type: key, layout: layout, next: next))
            if !list.pointee.publish(entry, replacing: next) {
                // Another thread added an entry: the next lookup adds this one.
                entry.deinitialize(count: 1)
                entry.deallocate()
            }
            return layout
        }
    }
}

// MARK: - Fields

/// A stored property, as described by the metadata of its type.
struct StoredField {
    /// The name of the storage: `age`, `_name` of a property wrapper, `$__lazy_storage_$_cost`.
    let name: String
    /// The offset in bytes: in a value of a struct, or in an instance of a class.
    let offset: Int
    let type: any Any.Type
    /// False for `weak` and `unowned` references, whose storage is not a plain reference.
    let isStrong: Bool
}

extension StoredField {
    /// Returns the stored properties of a struct, a tuple or a class, superclasses first; nil if the runtime cannot list them.
    ///
    /// This is the only use of the standard library's private reflection interface. It is unavailable on Apple's
    /// platforms, where `Mirror` reads all properties.
    static func all(of type: any Any.Type) -> [StoredField]? {
        #if canImport(Darwin)
            nil
        #else
            let isClass = type is AnyClass
            guard isClass || isProduct(type), let isStrong = FieldOwnership.reader else { return nil }
            var fields: [StoredField] = []
            _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: isClass ? 1 : 0)) {
                name, offset, fieldType, _ in
                let field = StoredField(
                    name: String(cString: name), offset: offset, type: fieldType,
                    isStrong: isStrong(type, fields.count))
                fields.append(field)
                return true
            }
            return fields
        #endif
    }

    #if !canImport(Darwin)
        /// True for a struct or a tuple. Metadata begin with their kind.
        private static func isProduct(_ type: any Any.Type) -> Bool {
            let kind = unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self)
            return kind == _MetadataKind.struct.rawValue || kind == _MetadataKind.tuple.rawValue
        }
    #endif
}

#if !canImport(Darwin)
    /// The ownership of stored properties, which `_forEachField` does not report.
    private enum FieldOwnership {
        /// Returns true for a field that is neither weak nor unowned. Nil if the runtime answers incorrectly for
        /// known fields, as another version might.
        static let reader: (@Sendable (any Any.Type, Int) -> Bool)? = {
            let known = (0..<3).map { isStrong(Known.self, $0) }
            return known == [true, false, false] ? isStrong : nil
        }()

        private final class Known {
            let strong: AnyObject? = nil
            weak var weak: AnyObject?
            unowned let unowned: AnyObject

            init(_ object: AnyObject) {
                unowned = object
            }
        }

        /// The beginning of the standard library's `_FieldReflectionMetadata`.
        private struct Metadata {
            var name: UnsafePointer<CChar>?
            var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
            var isStrong: Bool
            var isVariable: Bool
        }

        @Sendable private static func isStrong(_ type: any Any.Type, _ index: Int) -> Bool {
            // More memory than the runtime needs, in case another version writes more.
            withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { room in
                room.initializeMemory(as: UInt8.self, repeating: 0)
                guard let start = room.baseAddress else { return false }
                _ = metadata(ofChild: type, index: index, start)
                let found = start.load(as: Metadata.self)
                found.free?(found.name)
                return found.isStrong
            }
        }
    }

    /// The entry point of `_forEachField`.
    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    private func metadata(
        ofChild type: any Any.Type, index: Int, _ metadata: UnsafeMutableRawPointer
    ) -> any Any.Type
#endif

// MARK: - Reading

/// Reads a value in memory, with the same result as `KeyedValue(bridging:)`.
typealias StoredReader = (UnsafeRawPointer) -> KeyedValue

/// The readers of stored values. They decide once per type what the bridge would decide for each value.
enum StoredReading {
    static func reader(of type: any Any.Type) -> StoredReader { type is AnyClass ? bridging(type) : known(type) }

    private static func known(_ type: any Any.Type) -> StoredReader {
        if OpaqueExistential.isOne(type) {
            return { KeyedValue(bridging: $0.assumingMemoryBound(to: Any.self).pointee) }
        }
        if let type = type as? any OptionalValue.Type {
            let inner = reader(of: type.wrapped)
            return { type.isNil(at: $0) ? .null : inner($0) }
        }
        if type is any ForeignContainer.Type { return bridging(type) }
        if let type = type as? any KeyedValueConvertible.Type { return convertible(type) }
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

/// The types `Any` and `any P`, unless P is a protocol for classes only. A value of such a type begins like an `Any`: room for
/// a value of any type, then its type.
///
/// A generic function that converts `any P` to `Any` wraps one existential in the other, which only a cast undoes.
enum OpaqueExistential {
    /// Returns a value of such a type as an `Any` of the value's own type; nil for any other type.
    @inline(__always)
    static func value<Object>(at address: UnsafePointer<Object>) -> Any? {
        isOne(Object.self) ? UnsafeRawPointer(address).assumingMemoryBound(to: Any.self).pointee : nil
    }

    /// The metadata of an existential type are its kind, 0x303, and flags. The highest flag is set unless all values are class
    /// instances; the flags below it mark types such as `any Error`.
    static func isOne(_ type: any Any.Type) -> Bool {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == 0x303 else { return false }
        return metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self) & 0xFF00_0000 == 0x8000_0000
    }
}

/// An optional of any type. The wrapped value is stored at the address of the optional.
package protocol OptionalValue {
    static var wrapped: any Any.Type { get }
    /// True if the optional at an address is nil.
    static func isNil(at address: UnsafeRawPointer) -> Bool
    /// The wrapped value; nil if there is none.
    var some: Any? { get }
}

extension Optional: OptionalValue {
    package static var wrapped: any Any.Type { Wrapped.self }

    package var some: Any? { self }

    package static func isNil(at address: UnsafeRawPointer) -> Bool {
        address.assumingMemoryBound(to: Wrapped?.self).withValue { if case .none = $0 { true } else { false } }
    }
}

// MARK: - Objects in memory

/// The objects of a selection vector, at a constant stride in memory.
@usableFromInline
package struct ObjectRun {
    @usableFromInline let start: UnsafeRawPointer
    /// The stride of the objects in bytes.
    @usableFromInline let stride: Int
    /// The indices of the objects; nil for the first `count`.
    @usableFromInline let numbers: UnsafePointer<UInt16>?
    @usableFromInline let count: Int

    package init(_ start: UnsafeRawPointer, stride: Int, _ numbers: UnsafePointer<UInt16>?, count: Int) {
        self.start = start
        self.stride = stride
        self.numbers = numbers
        self.count = count
    }

    /// Makes a run of one object.
    package init(_ object: UnsafeRawPointer) {
        self.init(object, stride: 0, nil, count: 1)
    }

    @inlinable
    @inline(__always)
    subscript(_ index: Int) -> UnsafeRawPointer {
        guard let numbers else { return start + index &* stride }
        return start + Int(numbers[index]) &* stride
    }
}

/// A pointer that one thread publishes and all threads read without a lock.
///
/// `@unchecked`: every access to the pointer is atomic.
struct PublishedPointer: ~Copyable, @unchecked Sendable {
    private let atomic = Atomic<UnsafeRawPointer?>(nil)

    @inline(__always)
    var pointer: UnsafeRawPointer? { atomic.load(ordering: .acquiring) }

    /// Publishes a pointer in place of another; returns false if another thread was first.
    func publish(_ pointer: UnsafeRawPointer, replacing expected: UnsafeRawPointer?) -> Bool {
        atomic.compareExchange(expected: expected, desired: pointer, ordering: .acquiringAndReleasing).exchanged
    }
}
