import PredicateSyntax

/// Swift types of a model: a struct for each entity and for each composite type.
///
/// ```swift
/// let code = ModelSwiftCode(model, access: .public)
/// print(code.text)            // one file
/// for file in code.files { print(file.name) }     // Album.swift, Photo.swift
/// ```
///
/// The structs conform to `KeyPathCoding`, so that predicates read them by key paths that the compiler checks, and to
/// `Codable`, so that a fetch decodes them: `try store.fetchAll(Album.self)`. A store's `insert` and `update` take their
/// `objectValues`.
///
/// - The struct of an entity has the inherited properties too: rows of a store are read by flat keys, and structs do
///   not inherit. An abstract entity has a struct as well, for objects of any of its subentities.
/// - A relationship is the `SQLObjectID` of its object, or an array or set of them, so that a fetch does not load the
///   graph behind an object. `objectID` is the object's own.
/// - A composite attribute is a nested value, a transformable one the bytes of its archive. A decimal is a `Decimal`,
///   a float a `Double`, as the columns hold it.
/// - An attribute is an enum if its validation lists its values.
/// - Transient attributes are optional, and are neither decoded nor encoded.
///
/// Names that are not valid in Swift are changed; keys and coding keys keep the names of the model.
public struct ModelSwiftCode: Sendable {
    /// The access level of the declarations.
    public enum Access: String, Hashable, Sendable, CaseIterable {
        /// In the module only; written as no modifier.
        case `internal`
        /// In the modules of the package.
        case package
        /// In all modules.
        case `public`

        /// `public `, empty for internal.
        var modifier: String { self == .internal ? "" : "\(rawValue) " }
    }

    /// A source file.
    public struct File: Hashable, Sendable {
        /// The name: `Album.swift`
        public let name: String
        /// The whole text.
        public let text: String
    }

    private let types: [(name: String, text: String)]

    /// Creates the code of a model.
    public init(_ model: ManagedObjectModel, access: Access = .internal) {
        let names = SwiftTypeNames(model)
        let composites = model.composites.compactMap { composite -> (name: String, text: String)? in
            guard let name = names.composites[ExactName(composite.name)] else { return nil }
            let properties = SwiftProperties(composite, names)
            return (name, SwiftStruct(composite, named: name, properties, access).text)
        }
        let entities = model.entitiesInPreorder.compactMap { entity -> (name: String, text: String)? in
            guard let name = names.entities[ExactName(entity.name)] else { return nil }
            let properties = SwiftProperties(entity, model, names)
            return (name, SwiftStruct(entity, named: name, properties, model, access).text)
        }
        types = entities + composites
    }

    /// All types as one file.
    public var text: String { Self.file(types.map(\.text)) }

    /// A file for each type.
    public var files: [File] {
        var taken: Set<String> = []
        return types.map { type in
            // File systems may ignore case.
            let stem = type.name.filter { $0 != "`" }
            var (name, number) = (stem, 1)
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(stem) \(number)"
            }
            return File(name: "\(name).swift", text: Self.file([type.text]))
        }
    }

    private static func file(_ types: [String]) -> String {
        let head = [
            "// Generated from a Core Data model by `predicate model swift`.", "// swift-format-ignore-file",
            "// swiftlint:disable all", "", "import Foundation", "import Predicates", "",
        ]
        return (head + types).joined(separator: "\n")
    }
}

/// The names of the types that are generated from a model.
struct SwiftTypeNames {
    private(set) var entities: [ExactName: String] = [:]
    private(set) var composites: [ExactName: String] = [:]
    /// The composite types with an attribute that is never nil. A value of any other type may itself be nil, since a store
    /// does not distinguish a value whose elements are all nil from no value.
    private(set) var mandatoryComposites: Set<ExactName> = []
    /// The names of all these types, and of the types that the code uses.
    private(set) var taken: Set<String> = Self.used

    /// The types that the code refers to, and names that no type can have.
    private static let used: Set<String> = [
        "Bool", "Data", "Date", "Decimal", "Double", "Int16", "Int32", "Int64", "String", "URL", "UUID", "Set", "Array",
        "Optional", "CodingKeys", "CodingKey", "Codable", "Hashable", "Sendable", "CaseIterable", "KeyPathCoding",
        "KeyPathTable", "PredicateValue", "PredicateValueConvertible", "SQLObjectID", "Foundation", "Predicates",
        "Swift", "Self", "Type", "Protocol", "Any",
    ]

    init(_ model: ManagedObjectModel) {
        var names = SwiftNames(reserved: Self.used)
        for entity in model.entitiesInPreorder { entities[ExactName(entity.name)] = names.add(entity.name) }
        for composite in model.composites where composites[ExactName(composite.name)] == nil {
            composites[ExactName(composite.name)] = names.add(composite.name)
            guard composite.attributes.contains(where: { $0.type != .composite && $0.isStored && !$0.isOptional })
            else { continue }
            mandatoryComposites.insert(ExactName(composite.name))
        }
        taken.formUnion((Array(entities.values) + Array(composites.values)).map { $0.filter { $0 != "`" } })
    }
}
