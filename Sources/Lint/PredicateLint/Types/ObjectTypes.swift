import PredicateSyntax

/// The classes and structures of the project that are the objects of predicates in memory, or of Realm. Key-value coding reads
/// only the properties that are visible to Objective-C.
///
/// `(players as NSArray).filtered(using: NSPredicate(format: "nickname == 'jo'"))`
struct ObjectTypes: WordedSchema {
    private let own: SourceTypes
    private let members: SourceTypes
    private let isOfRealm: Bool
    /// The kinds of the values of enums, by the names of the enums.
    private var kinds: [String: PredicateValue.Kind] = [:]

    /// Nil if not all members of a class are known, or if the call does not use such objects.
    init?(_ type: String, _ call: FoundCall, _ reader: TextReader) {
        let whole = NeededMember(type: type, name: NeededMember.whole)
        isOfRealm = call.kind == .realm
        if isOfRealm { reader.needs.note(whole) }
        guard reader.language == .swift, call.kind == .predicate || isOfRealm,
            reader.bytes.firstOffset(of: "import NSPredicates") == nil, reader.members.isAnswer,
            reader.needs.all.contains(whole),
            !reader.declarations.isGeneric(type)
        else { return nil }
        (own, members) = (reader.needs.ownTypes(reader.source), reader.members)
        guard let known = self.type(type), known.form != .value || !isOfRealm else { return nil }
        for property in known.properties.values.compactMap(\.type) where property.kind == nil && !property.isCollection
        {
            kinds[property.name] = reader.memberType("rawValue", of: property)?.kind
        }
    }

    /// The type, if no other type can add members to it, as a base class or protocol of another module may.
    private func type(_ name: String) -> SourceType? {
        guard let type = own[name] ?? members[name], own[name] == nil || members[name] == nil, !type.isPartial,
            type.generics.isEmpty
        else { return nil }
        switch type.form {
        case .value: return !type.supertypes.isSubset(of: Self.plain) ? nil : type
        case .object:
            let bases = isOfRealm ? Self.realm : ["NSObject"]
            return type.supertypes.isSubset(of: Self.plain.union(bases))
                && isOfRealm == !type.supertypes.isDisjoint(with: Self.realm) ? type : nil
        case .model, .enumeration: return nil
        }
    }

    /// Protocols without properties for key-value coding.
    private static let plain: Set<String> = [
        "Codable", "Decodable", "Encodable", "Hashable", "Equatable", "Comparable", "Identifiable", "Sendable",
        "NSCoding", "NSSecureCoding", "NSCopying", "ObservableObject", "CustomStringConvertible",
        "ObjectKeyIdentifiable",
    ]
    private static let realm: Set<String> = ["Object", "EmbeddedObject", "RealmSwiftObject"]
    /// Keys that every object has.
    private static let general: Set<String> = [
        "self", "description", "debugDescription", "hash", "class", "superclass", "className", "objectSchema", "realm",
    ]

    private func declared(_ key: String, of entity: String) -> SourceProperty? {
        let member = NeededMember(type: entity, name: key)
        return own.property(member) ?? members.property(member)
    }

    // MARK: Schema

    var origin: SchemaOrigin { .declared }

    func entity(named name: String) -> String? { type(name)?.name }

    func keys(of entity: String) -> [String] {
        (type(entity)?.properties ?? [:]).keys.filter { isReadable($0, entity) }.sorted()
    }

    func property(_ key: String, of entity: String) -> PredicateProperty? {
        guard !Self.general.contains(key), !key.hasPrefix("@"), let type = type(entity) else {
            return PredicateProperty()
        }
        guard type.form == .object else { return nil }
        guard let property = declared(key, of: entity) else {
            let isMethod = [key, "value", "responds"].contains {
                own.declares($0, of: entity) || members.declares($0, of: entity)
            }
            return isMethod ? PredicateProperty() : nil
        }
        guard isReadable(key, entity) else { return nil }
        guard let type = property.type, !type.isTable else { return PredicateProperty() }
        let kind = type.isCollection ? type.elementKind : type.kind ?? kinds[type.name]
        return kind.map { PredicateProperty($0, isToMany: type.isCollection) } ?? PredicateProperty()
    }

    private func isReadable(_ key: String, _ entity: String) -> Bool {
        guard let property = declared(key, of: entity), let type = type(entity) else { return false }
        return isOfRealm
            ? property.storage != .computed : type.form == .object && (property.isExposed || type.exposesMembers)
    }

    func missing(_ key: String, in entity: String) -> SchemaAbsence? {
        guard let type = type(entity) else { return nil }
        if type.form == .value {
            return SchemaAbsence(
                "\(entity) is a struct, whose properties a predicate cannot read", isError: true,
                hint: "filter with a closure, or write a class with @objc properties")
        }
        guard declared(key, of: entity) != nil else { return nil }
        return isOfRealm
            ? SchemaAbsence(
                "\(key) of \(entity) is computed, and Realm queries only stored properties", isError: true,
                hint: "compare the stored properties")
            : SchemaAbsence(
                "\(key) of \(entity) is not visible to key-value coding", isError: true,
                hint: "declare it with @objc")
    }
}
