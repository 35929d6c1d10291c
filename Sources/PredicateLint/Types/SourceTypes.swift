import PredicateSyntax

/// The types that the sources of a project declare, by name.
///
/// Classes of SwiftData and types with keys are entities of predicates, found without being named in a configuration.
package struct SourceTypes: Hashable, Sendable {
    private var byName: [String: SourceType] = [:]
    private var extensions: [SourceType] = []
    /// The types of the project, which those of a source outrank.
    private var outer: [String: SourceType] = [:]

    package init() {}

    /// The types of a source of Swift.
    package init(_ source: [UInt8]) {
        self = source.withUnsafeBufferPointer { SourceTypes(Bytes($0)) }
    }

    /// The types of a source with these names, whatever they are for.
    init(named names: Set<String>, in source: [UInt8]) {
        let all = source.withUnsafeBufferPointer { SourceTypes(SwiftTokens(Bytes($0))) }
        byName = all.byName.filter { names.contains($0.key) }
        extensions = all.extensions.filter { names.contains($0.name) }
    }

    init(_ bytes: Bytes) {
        if Self.mayOccur(in: bytes) { add(SwiftTokens(bytes)) }
    }

    init(_ tokens: SwiftTokens) {
        add(tokens)
    }

    private mutating func add(_ tokens: SwiftTokens) {
        var reader = TypeReader(tokens)
        reader.read()
        for type in reader.types { add(type) }
        extensions += reader.extensions
    }

    /// Sources that declare types of which predicates are about contain one of these words.
    private static let marks: [StaticString] = ["@Model", "Codable", "KeyPathCoding"]

    package static func mayOccur(in source: [UInt8]) -> Bool {
        source.withUnsafeBufferPointer { mayOccur(in: Bytes($0)) }
    }

    static func mayOccur(in bytes: Bytes) -> Bool { marks.contains { bytes.firstOffset(of: $0) != nil } }

    /// True if the findings about a source may depend on the types of other sources.
    package static func mayBeNeeded(by source: [UInt8]) -> Bool {
        let marks: [StaticString] = ["#Predicate", "FormatPredicate", "predicate:entity"]
        return source.withUnsafeBufferPointer { buffer in
            marks.contains { Bytes(buffer).firstOffset(of: $0) != nil }
        }
    }

    package var isEmpty: Bool { byName.isEmpty && extensions.isEmpty }

    /// Adds the types of another source. A name that both declare is ambiguous.
    package mutating func add(_ other: SourceTypes) {
        for type in other.byName.values { add(type) }
        extensions += other.extensions
    }

    private mutating func add(_ type: SourceType) {
        guard let known = byName[type.name], known != type else {
            byName[type.name] = type
            return
        }
        byName[type.name]?.isAmbiguous = true
    }

    /// Types without ambiguous ones, with the members that extensions add.
    package func resolved() -> SourceTypes {
        var result = SourceTypes()
        result.byName = byName.filter { !$0.value.isAmbiguous }
        for type in extensions where result.byName[type.name] != nil {
            result.byName[type.name]?.supertypes.formUnion(type.supertypes)
            result.byName[type.name]?.properties.merge(type.properties) { own, _ in own }
            if let keys = type.keys { result.byName[type.name]?.keys = keys }
        }
        return result
    }

    /// These types with the members that the project adds to them, and the other types of the project. A type of the
    /// project that lacks a property is another one of the same name.
    func completed(by project: SourceTypes) -> SourceTypes {
        var result = self
        result.outer = project.byName
        for (name, own) in byName {
            guard let other = project.byName[name],
                own.properties.keys.allSatisfy({ other.properties[$0] != nil })
            else { continue }
            result.byName[name]?.supertypes.formUnion(other.supertypes)
            result.byName[name]?.properties.merge(other.properties) { own, _ in own }
            result.byName[name]?.keys = own.keys ?? other.keys
        }
        return result
    }

    subscript(_ name: String) -> SourceType? { byName[name] ?? outer[name] }

    func type(of member: NeededMember) -> TypeName? { byName[member.type]?.properties[member.name]?.type }

    /// True if one of these members is known.
    package func contain(_ members: Set<NeededMember>) -> Bool { members.contains { type(of: $0) != nil } }
}

// MARK: - Entities

extension SourceTypes: PredicateSchema {
    package var origin: SchemaOrigin { .declared }

    package func entity(named name: String) -> String? { byName[name]?.isEntity == true ? name : nil }

    package func keys(of entity: String) -> [String] {
        guard let type = byName[entity], type.isEntity else { return [] }
        return (type.keys.map { Array($0.keys) } ?? Array(type.properties.keys)).sorted()
    }

    package func property(_ key: String, of entity: String) -> PredicateProperty? {
        guard let type = byName[entity] else { return PredicateProperty() }
        if let keys = type.keys, type.supertypes.contains("KeyPathCoding") {
            guard let member = keys[key] else { return nil }
            return member.flatMap { type.properties[$0] }.map(schemaProperty) ?? PredicateProperty()
        }
        if let property = type.properties[key] { return schemaProperty(property) }
        let isSubclass = type.supertypes.contains {
            byName[$0].map { $0.form == .model || $0.form == .object } ?? false
        }
        return type.isPartial || isSubclass || Self.general.contains(key) ? PredicateProperty() : nil
    }

    /// Properties that SwiftData adds.
    private static let general: Set<String> = ["persistentModelID", "id", "hasChanges", "isDeleted", "modelContext"]

    private func schemaProperty(_ property: SourceProperty) -> PredicateProperty {
        guard let type = property.type else { return PredicateProperty() }
        if byName[type.name]?.isEntity == true {
            return PredicateProperty(objects: type.name, isToMany: type.isCollection)
        }
        guard !type.isCollection, let kind = Self.kinds[type.name] else { return PredicateProperty() }
        var result = PredicateProperty(kind)
        result.typeName = type.name
        return result
    }

    private static let kinds: [String: PredicateValue.Kind] = [
        "String": .string, "Int": .number, "Int16": .number, "Int32": .number, "Int64": .number, "Double": .number,
        "Float": .number, "Decimal": .number, "Bool": .boolean, "Date": .date, "Data": .data, "UUID": .uuid,
        "URL": .url,
    ]
}
