import Foundation
public import PredicateSyntax

/// Types of a program as what predicates are checked against: their tables of key paths, with the types of the properties.
///
///     let schema = KeyPathSchema(Person.self)
///     try FormatPredicate("boss.nmae == 'jo'").check(against: schema, entity: schema.root)
///
/// The types that properties lead to are known, too, as far as they have tables. The name of an entity is that of its type.
public struct KeyPathSchema: PredicateSchema {
    /// The entity of the type with which the schema was made.
    public let root: String
    private let entities: [String: [(name: String, property: SchemaProperty)]]

    /// The keys of a type, and those of the types that its properties have.
    public init<Root: KeyPathCoding>(_ type: Root.Type) {
        root = Self.name(of: type)
        var entities: [String: [(name: String, property: SchemaProperty)]] = [:]
        var open: [any KeyPathCoding.Type] = [type]
        while let next = open.popLast() {
            let name = Self.name(of: next)
            guard entities[name] == nil else { continue }
            let entries = Self.entries(of: next)
            entities[name] = entries.map { ($0.name, Self.property(of: $0.type)) }
            open += entries.compactMap { Self.coding(in: $0.type) }
        }
        self.entities = entities
    }

    /// Types of the program.
    public var origin: SchemaOrigin { .declared }

    /// What a key leads to; nil for one that the type's table does not have.
    public func property(_ key: String, of entity: String) -> SchemaProperty? {
        guard let entries = entities[entity] else { return SchemaProperty() }
        return entries.first { $0.name.hasSameCodePoints(as: key) }?.property
    }

    /// The keys of a type in the order of its table.
    public func keys(of entity: String) -> [String] { entities[entity]?.map(\.name) ?? [] }

    // MARK: Types

    private static func name(of type: any Any.Type) -> String { String(describing: type) }

    private static func entries<Root: KeyPathCoding>(of type: Root.Type) -> [(name: String, type: any Any.Type)] {
        Root.keys.names.compactMap { name in Root.keys[name].map { (name, $0.valueType) } }
    }

    /// The type with a table in an optional or a collection.
    private static func coding(in type: any Any.Type) -> (any KeyPathCoding.Type)? {
        if let own = type as? any KeyPathCoding.Type { return own }
        if let optional = type as? any OptionalValue.Type { return coding(in: optional.wrapped) }
        return (type as? any ElementsType.Type).flatMap { coding(in: $0.elements) }
    }

    private static func property(of type: any Any.Type) -> SchemaProperty {
        if let optional = type as? any OptionalValue.Type { return property(of: optional.wrapped) }
        if let collection = type as? any ElementsType.Type {
            var property = property(of: collection.elements)
            // A list of lists is one of arrays.
            if property.isToMany { property = SchemaProperty(.array) }
            property.isToMany = true
            return property
        }
        if let coding = type as? any KeyPathCoding.Type {
            return SchemaProperty(objects: name(of: coding), isToMany: false)
        }
        var property = SchemaProperty()
        property.kinds = kind(of: type).map { [$0] } ?? []
        if property.kinds == [.number] { property.isWhole = type is any FixedWidthInteger.Type }
        property.typeName = name(of: type)
        return property
    }

    private static func kind(of type: any Any.Type) -> PredicateValue.Kind? {
        if let known = kinds[ObjectIdentifier(type)] { return known }
        if type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type { return .number }
        return (type as? any RawRepresentable.Type).flatMap { kind(of: rawValue(of: $0)) }
    }

    private static func rawValue<Raw: RawRepresentable>(of type: Raw.Type) -> any Any.Type { Raw.RawValue.self }

    private static let kinds: [ObjectIdentifier: PredicateValue.Kind] = [
        ObjectIdentifier(Bool.self): .boolean, ObjectIdentifier(Decimal.self): .number,
        ObjectIdentifier(String.self): .string, ObjectIdentifier(Substring.self): .string,
        ObjectIdentifier(Character.self): .string, ObjectIdentifier(Date.self): .date,
        ObjectIdentifier(Data.self): .data, ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(URL.self): .url,
    ]
}

/// A collection, whose elements are of another type.
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
