import PredicateSyntax

#if compiler(<6.2)
    /// What every type fulfils before Swift 6.2, which tells types that are not for all threads.
    public typealias SendableMetatype = Any
#endif

/// The keys of a type, each with a key path or a closure that reads it.
///
/// `["age": .key(\.age), "isAdult": .computed { $0.age >= 18 }]`
///
/// The last entry of a name counts.
public struct KeyPathTable<Root>: ExpressibleByDictionaryLiteral, Sendable {
    /// An entry of the table: a property, or a closure.
    public struct Entry: Sendable {
        /// The key path, nil for a closure. Programs take the address of a stored property from it.
        ///
        /// It is for all threads, since a closure for all threads makes it: Debian's compiler of Swift 6.0 stops on closures
        /// that return `KeyPath & Sendable`.
        package nonisolated(unsafe) let keyPath: PartialKeyPath<Root>?
        /// The type of the property, or of the closure's result.
        package let valueType: any (KeyedValueConvertible & SendableMetatype).Type
        /// Reads the key.
        package let read: @Sendable (Root) -> KeyedValue
        /// Calls a closure with the address of each object's value, without an array of the values.
        package let visit: @Sendable (ObjectRun, (UnsafeRawPointer) -> Void) -> Void
        /// Copies the values of the objects to uninitialized memory.
        package let collect: @Sendable (ObjectRun, UnsafeMutableRawPointer) -> Void
        /// Deinitializes a number of copies.
        package let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void

        /// Makes an entry of a property: `.key(\.age)`.
        ///
        /// The key path literal is repeated in each closure, so that an optimizing compiler sees which property it reads:
        /// a key path that is stored as a value takes many times as long.
        @inlinable
        @inline(__always)
        public static func key<Value: KeyedValueConvertible & SendableMetatype>(
            _ keyPath: @autoclosure @escaping @Sendable () -> KeyPath<Root, Value>
        ) -> Entry {
            Entry(keyPath: keyPath()) { $0[keyPath: keyPath()] }
        }

        /// Makes an entry of a closure that is called on access: `.computed { $0.age * 2 }`.
        @inlinable
        @inline(__always)
        public static func computed<Value: KeyedValueConvertible & SendableMetatype>(
            _ read: @escaping @Sendable (Root) -> Value
        ) -> Entry {
            Entry(keyPath: nil, read)
        }

        /// Makes an entry of a closure, which an optimizing compiler inlines in each of the closures here.
        @inlinable
        @inline(__always)
        init<Value: KeyedValueConvertible & SendableMetatype>(
            keyPath: PartialKeyPath<Root>?, _ read: @escaping @Sendable (Root) -> Value
        ) {
            self.init(keyPath: keyPath, valueType: Value.self) {
                read($0).keyedValue
            } visit: { objects, look in
                for index in 0..<objects.count {
                    let value = read(objects[index].assumingMemoryBound(to: Root.self).pointee)
                    withUnsafePointer(to: value) { look(UnsafeRawPointer($0)) }
                }
            } collect: { objects, values in
                let values = values.bindMemory(to: Value.self, capacity: objects.count)
                for index in 0..<objects.count {
                    (values + index).initialize(to: read(objects[index].assumingMemoryBound(to: Root.self).pointee))
                }
            } release: { values, count in
                values.assumingMemoryBound(to: Value.self).deinitialize(count: count)
            }
        }

        @usableFromInline
        init(
            keyPath: PartialKeyPath<Root>?, valueType: any (KeyedValueConvertible & SendableMetatype).Type,
            read: @escaping @Sendable (Root) -> KeyedValue,
            visit: @escaping @Sendable (ObjectRun, (UnsafeRawPointer) -> Void) -> Void,
            collect: @escaping @Sendable (ObjectRun, UnsafeMutableRawPointer) -> Void,
            release: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void
        ) {
            self.keyPath = keyPath
            self.valueType = valueType
            self.read = read
            self.visit = visit
            self.collect = collect
            self.release = release
        }

        /// The offset of a stored property in bytes; nil for computed properties and classes.
        package var offset: Int? {
            keyPath.flatMap { MemoryLayout<Root>.offset(of: $0) }
        }
    }

    /// The keys, in the order of declaration.
    public let names: [String]
    private let entries: [String: Entry]

    /// Makes a table of a literal: `["age": .key(\.age)]`.
    public init(dictionaryLiteral elements: (String, Entry)...) {
        self.init(elements)
    }

    /// Makes a table of names and entries.
    public init(_ elements: [(String, Entry)]) {
        var entries: [String: Entry] = [:]
        var names: [String] = []
        for (name, entry) in elements where entries.updateValue(entry, forKey: name) == nil {
            names.append(name)
        }
        self.names = names
        self.entries = entries
    }

    /// The entry of a key, to be resolved once and read often.
    package subscript(name: String) -> Entry? {
        entries[name]
    }

    /// Returns the value of one key; nil if the table has no such key.
    public func value(forKey key: String, of root: Root) -> KeyedValue? {
        entries[key]?.read(root)
    }
}
