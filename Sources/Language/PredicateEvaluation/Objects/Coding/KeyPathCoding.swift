import Foundation
public import PredicateSyntax

/// An object whose keys are declared in a table of key paths, without reflection and without a switch over strings.
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
/// Structs, enums and final classes can conform. A class with subclasses conforms to
/// ``/PredicateSyntax/KeyValueCoding`` instead, and reads a table with ``KeyPathTable/value(forKey:of:)``. The type
/// of each property must conform to ``/PredicateSyntax/KeyedValueConvertible``; for an enum with raw values this
/// needs no code: `enum Status: String, KeyedValueConvertible`.
public protocol KeyPathCoding: KeyValueCoding {
    /// The keys. Declare them with `static let`: they are read on every access.
    static var keys: KeyPathTable<Self> { get }
}

extension KeyPathCoding {
    public func value(forKey key: String) -> KeyedValue? {
        Self.keys.value(forKey: key, of: self)
    }

    public var allKeys: [String] { Self.keys.names }
}

// MARK: - Tables

#if compiler(>=6.2)
    /// A type of values whose metatype may be used by any task.
    public typealias SendableKeyedValue = KeyedValueConvertible & SendableMetatype
#else
    /// A type of values. Before Swift 6.2, any task may use every metatype.
    public typealias SendableKeyedValue = KeyedValueConvertible
#endif

/// The keys of a type, each with a key path or a closure that reads it.
///
/// `["age": .key(\.age), "isAdult": .computed { $0.age >= 18 }]`
///
/// If a name occurs twice, its last entry counts.
public struct KeyPathTable<Root>: ExpressibleByDictionaryLiteral, Sendable {
    /// An entry of the table: a property, or a closure.
    public struct Entry: Sendable {
        /// The key path; nil for a closure. Programs use it to find the address of a stored property.
        ///
        /// It is safe to share, because a `@Sendable` closure creates it. Its type does not say so, because Swift 6.0.3
        /// crashes on closures that return `KeyPath & Sendable`.
        package nonisolated(unsafe) let keyPath: PartialKeyPath<Root>?
        /// The type of the property, or of the closure's result.
        package let valueType: any SendableKeyedValue.Type
        package let read: @Sendable (Root) -> KeyedValue
        /// Calls a closure with the address of each object's value, without creating an array of the values.
        package let visit: @Sendable (ObjectRun, (UnsafeRawPointer) -> Void) -> Void
        /// Copies the values of the objects into uninitialized memory.
        package let collect: @Sendable (ObjectRun, UnsafeMutableRawPointer) -> Void
        /// Deinitializes copied values.
        package let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void

        /// Makes an entry for a property: `.key(\.age)`.
        ///
        /// The key path literal is repeated in each closure, so that the optimizer sees which property it reads:
        /// reading a stored key path is many times slower.
        @inlinable
        @inline(__always)
        public static func key<Value: SendableKeyedValue>(
            _ keyPath: @autoclosure @escaping @Sendable () -> KeyPath<Root, Value>
        ) -> Entry {
            Entry(keyPath: keyPath()) { $0[keyPath: keyPath()] }
        }

        /// Makes an entry for a closure that is called on access: `.computed { $0.age * 2 }`.
        @inlinable
        @inline(__always)
        public static func computed<Value: SendableKeyedValue>(
            _ read: @escaping @Sendable (Root) -> Value
        ) -> Entry {
            Entry(keyPath: nil, read)
        }

        /// Makes an entry for a closure, which the optimizer inlines into each of the closures here.
        @inlinable
        @inline(__always)
        init<Value: SendableKeyedValue>(
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
            keyPath: PartialKeyPath<Root>?, valueType: any SendableKeyedValue.Type,
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
    package let names: [String]
    private let entries: [String: Entry]

    /// Makes a table from a literal: `["age": .key(\.age)]`.
    public init(dictionaryLiteral elements: (String, Entry)...) {
        self.init(elements)
    }

    /// Makes a table from names and entries.
    package init(_ elements: [(String, Entry)]) {
        var entries: [String: Entry] = [:]
        var names: [String] = []
        for (name, entry) in elements where entries.updateValue(entry, forKey: name) == nil {
            names.append(name)
        }
        self.names = names
        self.entries = entries
    }

    /// Returns the entry of a key, to resolve a key once and read it often.
    package subscript(name: String) -> Entry? {
        entries[name]
    }

    /// Returns the value of one key; nil if the table has no such key.
    public func value(forKey key: String, of root: Root) -> KeyedValue? {
        entries[key]?.read(root)
    }
}

// MARK: - Schemas

/// A schema of a program's types, made from their keys and the types of the properties.
///
///     let schema = KeyPathSchema(Person.self)
///     try FormatPredicate("boss.nmae == 'jo'").check(against: schema, entity: schema.root)
///
/// The keys of a type are those of its table or, without one, its stored properties. On Apple's platforms nothing is known of a
/// type without a table. The types of the properties are included if they are structs or have a table. The name of an entity is
/// the name of its type, qualified if two types have the same name.
package struct KeyPathSchema: PredicateSchema {
    /// The entity of the type that the schema was made for.
    package let root: String
    private var entities: [String: [(name: String, property: PredicateProperty)]] = [:]
    private var names: [ObjectIdentifier: String] = [:]

    /// Makes a schema of a type, and of the types of its properties.
    package init<Root>(_ type: Root.Type) {
        root = String(describing: type)
        var found: [(entity: String, keys: [TypeKey])] = []
        var open: [any Any.Type] = [type]
        while let next = open.popLast() {
            guard names[ObjectIdentifier(next)] == nil, let keys = TypeKey.all(of: next) else { continue }
            let name = String(describing: next)
            let isTaken = found.contains { $0.entity == name }
            found.append((isTaken ? String(reflecting: next) : name, keys))
            names[ObjectIdentifier(next)] = found.last?.entity
            open += keys.compactMap { TypeKey.objects(in: $0.type) }
        }
        for (entity, keys) in found { entities[entity] = keys.map { ($0.name, property(of: $0.type)) } }
    }

    /// Types of the program.
    package var origin: SchemaOrigin { .declared }

    /// Returns what a key of an entity refers to; nil for a key that its type does not have.
    package func property(_ key: String, of entity: String) -> PredicateProperty? {
        guard let entries = entities[entity] else { return PredicateProperty() }
        return entries.first { $0.name.hasSameCodePoints(as: key) }?.property
    }

    /// Returns the keys of an entity in the order of its table or of its properties.
    package func keys(of entity: String) -> [String] { entities[entity]?.map(\.name) ?? [] }

    // MARK: Types

    private func property(of type: any Any.Type) -> PredicateProperty {
        if let optional = type as? any OptionalValue.Type { return property(of: optional.wrapped) }
        if let elements = TypeKey.elements(of: type) {
            var property = property(of: elements)
            // A list of lists is a list of arrays.
            if property.isToMany { property = PredicateProperty(.array) }
            property.isToMany = true
            return property
        }
        if let entity = names[ObjectIdentifier(type)], TypeKey.objects(in: type) != nil {
            return PredicateProperty(objects: entity, isToMany: false)
        }
        var property = PredicateProperty()
        property.kinds = Self.kind(of: type).map { [$0] } ?? []
        if property.kinds == [.number] { property.isWhole = type is any FixedWidthInteger.Type }
        property.typeName = String(describing: type)
        return property
    }

    private static func kind(of type: any Any.Type) -> PredicateValue.Kind? {
        if let known = kinds[ObjectIdentifier(type)] { return known }
        if type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type { return .number }
        return TypeKey.rawValue(of: type).flatMap(kind)
    }

    private static let kinds: [ObjectIdentifier: PredicateValue.Kind] = [
        ObjectIdentifier(Bool.self): .boolean, ObjectIdentifier(Decimal.self): .number,
        ObjectIdentifier(Duration.self): .number,
        ObjectIdentifier(String.self): .string, ObjectIdentifier(Substring.self): .string,
        ObjectIdentifier(Character.self): .string, ObjectIdentifier(Date.self): .date,
        ObjectIdentifier(Data.self): .data, ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(URL.self): .url,
    ]
}

/// A key of a type, with the type of its values.
package struct TypeKey {
    package let name: String
    package let type: any Any.Type
    /// False for a key that a closure or a computed property reads.
    package let isStored: Bool

    /// Returns the keys of a type: those of its table, or its stored properties. Nil for a type that is not an object, and on
    /// Apple's platforms for a type without a table.
    package static func all(of type: any Any.Type) -> [TypeKey]? {
        (type as? any KeyPathCoding.Type).map { tabled($0) }
            ?? StoredLayout.of(type)?.declared.map { TypeKey(name: $0.name, type: $0.type, isStored: true) }
    }

    private static func tabled<Root: KeyPathCoding>(_ type: Root.Type) -> [TypeKey] {
        Root.keys.names.compactMap { name in
            Root.keys[name].map {
                let isStored = type is AnyClass ? $0.keyPath != nil : $0.offset != nil
                return TypeKey(name: name, type: $0.valueType, isStored: isStored)
            }
        }
    }

    /// Returns the type of the objects in a value of this type, which may be an optional or a collection. An object of a class
    /// without a table may be of a subclass, so its keys are unknown.
    package static func objects(in type: any Any.Type) -> (any Any.Type)? {
        if let optional = type as? any OptionalValue.Type { return objects(in: optional.wrapped) }
        if let elements = elements(of: type) { return objects(in: elements) }
        return type is any KeyPathCoding.Type || !(type is AnyClass) && StoredLayout.of(type) != nil ? type : nil
    }

    /// Returns the type of the elements of a collection; nil for any other type.
    package static func elements(of type: any Any.Type) -> (any Any.Type)? {
        (type as? any ElementsType.Type)?.elements
    }

    /// Returns the type of the raw values of an enum or another type; nil for a type without them.
    package static func rawValue(of type: any Any.Type) -> (any Any.Type)? {
        func open<Raw: RawRepresentable>(_ type: Raw.Type) -> any Any.Type { Raw.RawValue.self }
        return (type as? any RawRepresentable.Type).map { open($0) }
    }
}

/// A collection, with the type of its elements.
private protocol ElementsType {
    static var elements: any Any.Type { get }
}

extension ElementsType where Self: Collection {
    fileprivate static var elements: any Any.Type { Element.self }
}

extension Array: ElementsType {}
extension ArraySlice: ElementsType {}
extension ContiguousArray: ElementsType {}
extension Set: ElementsType {}
