import PredicateSyntax

/// An object that declares its keys in a table, without reflection and without a switch over strings.
///
/// `age >= 21` on
/// ```swift
/// struct Person: KeyPathCoding {
///     var name: String
///     var age: Int
///     static let keys: KeyPathTable<Person> = [
///         "name": .key(\.name), "age": .key(\.age), "isAdult": .computed { $0.age >= 18 },
///     ]
/// }
/// ```
///
/// Structs, enums and final classes conform; a class that is inherited from conforms to ``KeyValueCoding`` and asks a
/// table with ``KeyPathTable/value(forKey:of:)``. The type of a property is ``KeyedValueConvertible``, which for an enum with
/// raw values takes no code: `enum Status: String, KeyedValueConvertible`.
public protocol KeyPathCoding: KeyValueCoding {
    /// The keys; a `static let`, since it is asked for on every access.
    static var keys: KeyPathTable<Self> { get }
}

extension KeyPathCoding {
    public func value(forKey key: String) -> KeyedValue? {
        Self.keys.value(forKey: key, of: self)
    }

    public var allKeys: [String] { Self.keys.names }
}

/// The keys of a type, and how each is read.
///
/// `["age": .key(\.age), "isAdult": .computed { $0.age >= 18 }]`
///
/// A name that stands twice keeps its last entry.
public struct KeyPathTable<Root>: ExpressibleByDictionaryLiteral, Sendable {
    /// How one key is read.
    public struct Entry: Sendable {
        /// The key path, nil for a computed entry. Plans take the place of a stored property from it.
        public let keyPath: (PartialKeyPath<Root> & Sendable)?
        /// The type of the property, or what the closure returns.
        public let valueType: any (KeyedValueConvertible & SendableMetatype).Type
        /// Reads the key.
        public let read: @Sendable (Root) -> KeyedValue

        /// Lets a closure look at the value of one object after another, where it lies: no collection is made of a list.
        package let visit: @Sendable (ObjectRun, (UnsafeRawPointer) -> Void) -> Void

        /// Copies the values of the objects to memory for them.
        package let collect: @Sendable (ObjectRun, UnsafeMutableRawPointer) -> Void

        /// Gives up so many of the copies.
        package let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void

        /// A property: `.key(\.age)`.
        ///
        /// The key path is written anew where it is followed, so that a compiler that optimizes sees which property it is
        /// and reads that: following a key path that is kept as a value takes many times as long.
        @inlinable
        @inline(__always)
        public static func key<Value: KeyedValueConvertible & SendableMetatype>(
            _ keyPath: @autoclosure @escaping @Sendable () -> KeyPath<Root, Value> & Sendable
        ) -> Entry {
            Entry(keyPath: keyPath()) { $0[keyPath: keyPath()] }
        }

        /// A value made on access: `.computed { $0.age * 2 }`.
        @inlinable
        @inline(__always)
        public static func computed<Value: KeyedValueConvertible & SendableMetatype>(
            _ read: @escaping @Sendable (Root) -> Value
        ) -> Entry {
            Entry(keyPath: nil, read)
        }

        /// An entry whose value `read` gives: opened up in each closure, where a compiler optimizes.
        @inlinable
        @inline(__always)
        init<Value: KeyedValueConvertible & SendableMetatype>(
            keyPath: (PartialKeyPath<Root> & Sendable)?, _ read: @escaping @Sendable (Root) -> Value
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
            keyPath: (PartialKeyPath<Root> & Sendable)?, valueType: any (KeyedValueConvertible & SendableMetatype).Type,
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

        /// Where in a value of the type the property is stored, in bytes; nil for computed properties and classes.
        public var offset: Int? {
            keyPath.flatMap { MemoryLayout<Root>.offset(of: $0) }
        }
    }

    /// The keys, in the order of declaration.
    public let names: [String]
    private let entries: [String: Entry]

    public init(dictionaryLiteral elements: (String, Entry)...) {
        self.init(elements)
    }

    /// A table of names and entries; the last of one name counts.
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
    public subscript(name: String) -> Entry? {
        entries[name]
    }

    /// The value of one key; nil when the table has no such key.
    public func value(forKey key: String, of root: Root) -> KeyedValue? {
        entries[key]?.read(root)
    }
}
