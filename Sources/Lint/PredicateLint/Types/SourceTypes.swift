import PredicateSyntax

/// The types that the sources of a project declare, by name.
///
/// Classes of SwiftData and types with keys are entities of predicates; no configuration has to name them.
package struct SourceTypes: Hashable, Sendable {
    private var byName: [String: SourceType] = [:]
    private var extensions: [SourceType] = []
    /// The strings of the constants of all types; empty for a constant that is not harmless in each type of this name.
    private var constants: [NeededMember: Set<String>] = [:]
    /// The types of static properties, of the results of functions, `find()`, of the values of cases, `case open`, of members
    /// in protocols and in Objective-C, and the types that type aliases stand for; nil if several differ.
    private var results: [NeededMember: TypeName?] = [:]
    /// The properties that extensions add to types that these sources do not declare.
    private var added: [NeededMember: SourceProperty] = [:]
    /// True for the types that were looked up for a source: a type that was looked up as a whole has no other members.
    var isAnswer = false
    /// The types of the project. A type of the source itself takes precedence over a type of the project with the same name.
    private var outer: [String: SourceType] = [:]

    package init() {}

    /// The types of a source of Swift.
    package init(_ source: [UInt8]) { self.init(source, .swift) }

    init(_ source: [UInt8], _ language: CodeLanguage) {
        self = source.withUnsafeBufferPointer { SourceTypes(CodeScanner(Bytes($0), language, .none)) }
    }

    /// The types of these names, of any form. The empty name stands for the declarations outside all types.
    func types(named names: Set<String>) -> SourceTypes {
        var own = SourceTypes()
        own.byName = byName.filter { names.contains($0.key) }
        own.extensions = extensions.filter { names.contains($0.name) }
        own.constants = constants.filter { names.contains($0.key.type) }
        own.results = results.filter { names.contains($0.key.type) }
        return own
    }

    init(_ scanner: CodeScanner) {
        for type in scanner.types { add(type) }
        extensions = scanner.extensions
        (results, constants) = (scanner.results, scanner.constants)
    }

    package var isEmpty: Bool { byName.isEmpty && extensions.isEmpty }

    /// Adds the types of another source. A name with different declarations is ambiguous.
    package mutating func add(_ other: SourceTypes) {
        for type in other.byName.values { add(type) }
        extensions += other.extensions
        constants.merge(other.constants, uniquingKeysWith: Self.joined)
        results.merge(other.results) { $0 == $1 ? $0 : nil }
    }

    static func joined(_ first: Set<String>, _ second: Set<String>) -> Set<String> {
        first.isEmpty || second.isEmpty ? [] : first.union(second)
    }

    private mutating func add(_ type: SourceType) {
        guard let known = byName[type.name], known != type else {
            byName[type.name] = type
            return
        }
        byName[type.name]?.isAmbiguous = true
    }

    /// The types without ambiguous ones, and with the members that extensions add.
    package func resolved() -> SourceTypes {
        var result = SourceTypes()
        result.byName = byName.filter { !$0.value.isAmbiguous }
        (result.constants, result.results) = (constants, results)
        for type in extensions { result.extend(type) }
        return result
    }

    private mutating func extend(_ type: SourceType) {
        let properties = type.properties.mapValues { property in
            var property = property
            property.isExposed = property.isExposed || type.exposesMembers
            return property
        }
        guard byName[type.name] != nil else {
            for (name, property) in properties { added[NeededMember(type: type.name, name: name)] = property }
            return
        }
        byName[type.name]?.supertypes.formUnion(type.supertypes)
        byName[type.name]?.properties.merge(properties) { own, _ in own }
        if let keys = type.keys { byName[type.name]?.keys = keys }
    }

    /// True if the sources declare a property, or a function without parameters, of a type.
    func declares(_ name: String, of type: String) -> Bool {
        let member = NeededMember(type: type, name: name)
        return property(member) != nil || results.keys.contains(member)
            || results.keys.contains(NeededMember(type: type, name: name + "()"))
    }

    /// True if a source declares or extends a type.
    func know(_ type: String) -> Bool { byName[type] != nil || added.keys.contains { $0.type == type } }

    /// These types with the members that the project adds to them, and the other types of the project. A type of the project
    /// that lacks one of the properties is a different type with the same name.
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

    func property(_ member: NeededMember) -> SourceProperty? {
        byName[member.type]?.properties[member.name] ?? added[member]
    }

    /// The type of a property, static property, enum case or `rawValue`, or the result type of a function, `find()`.
    func type(of member: NeededMember) -> TypeName? {
        if let own = property(member)?.type ?? results[member] ?? nil { return own }
        guard let type = byName[member.type], type.form == .enumeration else { return nil }
        if type.cases.contains(member.name) { return TypeName(name: type.name) }
        return member.name == "rawValue" ? type.supertypes.map { TypeName(name: $0) }.first { $0.kind != nil } : nil
    }

    /// The type of a member of a type; the type's generic parameters are replaced with its arguments.
    func type(_ name: String, of owner: TypeName) -> TypeName? {
        guard let own = type(of: NeededMember(type: owner.name, name: name)) else { return nil }
        let generics = byName[owner.name]?.generics ?? []
        return generics.isEmpty ? own : own.filled(generics, owner.parts)
    }

    /// True for a number, and for a constant string without quotes and backslashes.
    func isHarmless(_ member: NeededMember) -> Bool { constants[member]?.isEmpty == false }

    /// The string of a harmless constant.
    func text(of member: NeededMember) -> String? {
        constants[member].flatMap { $0.count == 1 ? $0.first : nil }
    }

    /// True if one of these members was found.
    package func contain(_ members: Set<NeededMember>) -> Bool {
        members.contains {
            $0.name == NeededMember.whole || type(of: $0) != nil || property($0)?.objectiveCName != nil
                || isHarmless($0)
        }
    }
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
        guard !type.isCollection, let kind = type.kind else { return PredicateProperty() }
        var result = PredicateProperty(kind)
        result.typeName = type.name
        return result
    }
}
