import PredicateSyntax

/// The stored properties of a struct or a class as keys: what ``ReflectedObject`` reads by `Mirror`, by offsets that are found
/// once for a type.
///
/// Nil where `Mirror` has something else to say: for a type with a mirror of its own, for an actor, and for all types that
/// are no objects to a predicate, such as enums with raw values.
///
/// `@unchecked`: nothing changes once it is made.
final class StoredLayout: @unchecked Sendable {
    /// A key, and the stored property that has its value.
    struct Property {
        /// The name, which must match by code points.
        let name: String
        /// The offset of the value in the object.
        let offset: Int
        let type: any Any.Type
        /// True for a lazy property, whose storage is nil until its first use.
        let isLazy: Bool
        /// Reads the value in an object at an address as the bridge does.
        fileprivate let read: StoredReader

        /// The value in the object at an address; nil for a lazy property before its first use.
        func value(of object: UnsafeRawPointer) -> KeyedValue? {
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

    /// The property of a key; nil for one that only `Mirror` can find, or nobody.
    subscript(key: String) -> Property? {
        guard let property = properties[key], property.name.hasSameCodePoints(as: key) else { return nil }
        return property
    }

    /// Makes the layout of a type.
    fileprivate convenience init?(reflecting type: any Any.Type) {
        guard Self.isReflected(type), let levels = Self.levels(of: type) else { return nil }
        var properties: [String: Property] = [:]
        var taken: Set<String> = []
        for level in levels {
            let (found, doubtful) = Self.properties(of: level)
            for (key, property) in found where !taken.contains(key) { properties[key] = property }
            taken.formUnion(found.keys)
            taken.formUnion(doubtful)
        }
        self.init(properties, isClass: type is AnyClass)
    }

    /// True if the bridge leaves values of the type to reflection.
    static func isReflected(_ type: any Any.Type) -> Bool {
        !(type is any ForeignContainer.Type || type is any KeyedValueConvertible.Type
            || type is any PredicateValueConvertible.Type || type is any RawRepresentable.Type
            || type is any CustomReflectable.Type || type is any Actor.Type)
    }

    /// The stored properties of a class, then those of its superclass, and so on; of a struct, one level.
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
    /// The keys of one level, and those that are left to `Mirror`, since it matters what the storage holds.
    private static func properties(of level: ArraySlice<StoredField>) -> ([String: Property], doubtful: Set<String>) {
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
            if declared != field.name { add(declared, backing(declared, field)) }
            add(field.name, plain(field.name, field.type, at: field.offset, field))
        }
        return (found, doubtful)
    }

    private static func plain(
        _ name: String, _ type: any Any.Type, at offset: Int, isLazy: Bool = false, _ field: StoredField
    ) -> Property? {
        guard field.isStrong else { return nil }
        return Property(name: name, offset: offset, type: type, isLazy: isLazy, read: StoredReading.reader(of: type))
    }

    /// A property by the storage of a lazy one, of a property wrapper, or of a macro.
    private static func backing(_ name: String, _ field: StoredField) -> Property? {
        if field.name.hasPrefix(ReflectedObject.lazyPrefix) {
            // The storage of a lazy property is optional: one that is optional itself may be nil when it has been read.
            guard let storage = field.type as? any OptionalValue.Type, !(storage.wrapped is any OptionalValue.Type)
            else { return nil }
            return plain(name, field.type, at: field.offset, isLazy: true, field)
        }
        guard field.name.hasPrefix("_") else { return nil }
        if field.type is any KeyedValueConvertible.Type { return plain(name, field.type, at: field.offset, field) }
        guard isReflected(field.type), !(field.type is AnyClass), let parts = StoredField.all(of: field.type) else {
            return nil
        }
        for label in ReflectedObject.namesOfWrappedValues {
            guard let value = parts.first(where: { $0.name == label }) else { continue }
            return field.isStrong ? plain(name, value.type, at: field.offset + value.offset, value) : nil
        }
        return plain(name, field.type, at: field.offset, field)
    }
}

// MARK: - Cache

extension StoredLayout {
    /// The layout of a type, made once in the process; nil where values are read by `Mirror`.
    static func of(_ type: any Any.Type) -> StoredLayout? { cache.layout(of: type) }

    private static let cache = LayoutCache()

    /// The layouts of all types that were asked for, by type: entries are only ever added, so that looking one up takes no
    /// lock. A program has a limited number of types.
    ///
    /// `@unchecked`: each list is published by one atomic pointer, and what it leads to does not change any more.
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
            // Metadata are aligned, and some hundred bytes long.
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
                // Some other thread added an entry: the next one who asks adds this.
                entry.deinitialize(count: 1)
                entry.deallocate()
            }
            return layout
        }
    }
}
