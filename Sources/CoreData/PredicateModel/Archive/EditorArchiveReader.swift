import Foundation
import PredicateSyntax

/// Reads the `elements` file of an `.xcdatamodel` of Xcode before 4.3: a keyed archive of the model editor's objects.
///
/// An entity keeps its properties in a bucket, and its settings as named attributes of stereotypes:
/// `XD_PAtt_Stereotype` has `XD_PAttK_attributeType`, `XD_PR_Stereotype` has `XD_PRK_destination`.
struct EditorArchiveReader {
    private let archive: KeyedArchive
    private var values: ArchivedValues
    private let limits: ModelLimits
    /// The number of objects that may still be read. Entities and their buckets can be shared.
    private var budget: Int
    /// The fetch requests by the UID of the fetched property to which they refer.
    private let requests: [Int: ArchivedObject]

    static func read(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        var reader = Self(try KeyedArchive(bytes, limits: limits), limits)
        return try reader.model()
    }

    private init(_ archive: KeyedArchive, _ limits: ModelLimits) {
        (self.archive, self.limits, budget) = (archive, limits, limits.objects)
        values = ArchivedValues(archive, limits: limits)
        let found = archive.objects.indices.lazy.compactMap(archive.object).filter {
            $0.className == "XDPMFetchRequest"
        }.compactMap { object in object.fields["_fetchedProperty"]?.uid.map { ($0, object) } }
        requests = Dictionary(Array(found), uniquingKeysWith: { first, _ in first })
    }

    private mutating func model() throws(ModelError) -> ManagedObjectModel {
        let root = try archive.root(of: "XDPMModel")
        let package = try root.requiredObject("_xd_rootPackage")
        var model = ManagedObjectModel()
        for object in try bucket("Classes", of: package) where object.className == "XDPMEntity" {
            let entity = try entity(object)
            model.entities.append(entity.entity)
            model.fetchRequestTemplates += entity.requests
        }
        model.entities.sort { $0.name < $1.name }
        model.fetchRequestTemplates.sort { $0.name < $1.name }
        model.configurations = try configurations(root)
        if let identifier = root.string("_modelVersionIdentifier") { model.versionIdentifiers = [identifier] }
        return model
    }

    /// The objects of a bucket, which is a dictionary by name or an array.
    private mutating func bucket(_ name: String, of object: ArchivedObject) throws(ModelError) -> [ArchivedObject] {
        let found = object.objects("XDBucketFor\(name)storage")
        try spend(found.count)
        return found
    }

    /// Counts the elements of a list, which many objects may share.
    private mutating func spend(_ count: Int) throws(ModelError) {
        budget -= count + 1
        guard budget >= 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
    }

    /// The names in a list of names or of named objects.
    private mutating func names(in list: ArchivedObject) throws(ModelError) -> [String] {
        try spend(list.elements.count)
        return list.elements.compactMap { archive.name($0, "_name") }
    }

    private mutating func configurations(_ root: ArchivedObject) throws(ModelError) -> [ConfigurationDescription] {
        var found: [ConfigurationDescription] = []
        for (name, value) in root.entries("_configurationsByName") {
            guard let list = value.uid.flatMap(archive.object) else { continue }
            found.append(ConfigurationDescription(name, entityNames: try names(in: list).sorted()))
        }
        return found.sorted { $0.name < $1.name }
    }

    /// The settings of an entity or a property: the attributes of all its stereotypes, by name.
    private mutating func settings(_ object: ArchivedObject) throws(ModelError) -> EditorSettings {
        var settings: [String: ArchivedObject] = [:]
        for stereotype in try bucket("Stereotypes", of: object) {
            for setting in try bucket("OwnedAttributes", of: stereotype) {
                if let name = setting.string("_name") { settings[name] = setting }
            }
        }
        return EditorSettings(settings)
    }

    private mutating func userInfo(
        _ settings: EditorSettings, _ key: String
    ) throws(ModelError) -> [String: PredicateValue] {
        try values.entries(settings.field(key))
    }

    // MARK: - Entities

    private mutating func entity(
        _ object: ArchivedObject
    ) throws(ModelError) -> (entity: EntityDescription, requests: [FetchRequestTemplate]) {
        let name = try object.requiredString("_name")
        return try ModelError.placing("entity \(name)") {
            () throws(ModelError) -> (EntityDescription, [FetchRequestTemplate]) in
            let settings = try settings(object)
            let className = settings.string("XD_PSK_entityClassName")
            var entity = EntityDescription(
                name, managedObjectClassName: className == "NSManagedObject" ? nil : className,
                superentity: try superentity(object),
                isAbstract: settings.bool("XD_PSK_isAbstract") || object.bool("_isAbstract"),
                renamingIdentifier: settings.renaming("XD_PSK_elementID", name),
                versionHashModifier: settings.string("XD_PSK_versionHashModifier"),
                userInfo: try userInfo(settings, "XD_PSK_userInfo"))
            entity.compoundIndexes = try names(settings.elements("XDPMCompoundIndexes"))
            entity.uniquenessConstraints = try names(settings.elements("XDPMUniquenessConstraints"))
            for property in try bucket("OwnedAttributes", of: object) { try add(property, to: &entity) }
            entity.attributes.sort { $0.name < $1.name }
            entity.relationships.sort { $0.name < $1.name }
            entity.fetchedProperties.sort { $0.name < $1.name }
            let requests = settings.elements("XD_PSK_fetchRequestsArray").compactMap { $0.uid.flatMap(archive.object) }
            try spend(requests.count)
            return (
                entity,
                try requests.map { (request) throws(ModelError) in
                    template(request, try request.requiredString("_name"), of: name)
                }
            )
        }
    }

    private mutating func superentity(_ object: ArchivedObject) throws(ModelError) -> String? {
        try bucket("Generalizations", of: object).first?.object("_general")?.string("_name")
    }

    /// Lists of keys, each an array of names or of properties.
    private mutating func names(_ lists: [PropertyListValue]) throws(ModelError) -> [[String]] {
        var found: [[String]] = []
        for list in lists.compactMap({ $0.uid.flatMap(archive.object) }) { found.append(try names(in: list)) }
        return found.filter { !$0.isEmpty }
    }

    private mutating func add(_ object: ArchivedObject, to entity: inout EntityDescription) throws(ModelError) {
        switch object.className {
        case "XDPMAttribute": entity.attributes.append(try attribute(object))
        case "XDPMRelationship": entity.relationships.append(try relationship(object))
        case "XDPMFetchedProperty": entity.fetchedProperties.append(try fetchedProperty(object))
        case let other: throw ModelError(.unexpectedClass(other, expected: "XDPMAttribute"), at: object.place)
        }
    }

    // MARK: - Properties

    private mutating func attribute(_ object: ArchivedObject) throws(ModelError) -> AttributeDescription {
        let name = try object.requiredString("_name")
        let settings = try settings(object)
        let type = AttributeType(archivedNumber: settings.integer("XD_PAttK_attributeType") ?? 0)
        var attribute = AttributeDescription(
            name, type, isOptional: settings.bool("XD_PPSK_isOptional"),
            isTransient: settings.bool("XD_PPSK_isTransient"),
            regularExpression: settings.string("XD_PAttK_regularExpressionString"),
            valueTransformerName: settings.string("XD_PAttK_valueTransformerName"),
            allowsExternalBinaryDataStorage: settings.bool("XD_PAttK_allowsExternalBinaryDataStorage"),
            isIndexed: settings.bool("XD_PPSK_isIndexed"),
            renamingIdentifier: settings.renaming("XD_PPSK_elementID", name),
            versionHashModifier: settings.string("XD_PPSK_versionHashModifier"),
            userInfo: try userInfo(settings, "XD_PPSK_userInfo"))
        let value = settings.string("XD_PAttK_defaultValueAsString")
        attribute.defaultValue = value.flatMap { type.value(fromModelFile: $0) }
        let minimum = settings.string("XD_PAttK_minValueString")
        let maximum = settings.string("XD_PAttK_maxValueString")
        if type == .string {
            attribute.minimumLength = minimum.flatMap { Int($0) }
            attribute.maximumLength = maximum.flatMap { Int($0) }
        } else {
            attribute.minimumValue = minimum.flatMap { type.value(fromModelFile: $0) }
            attribute.maximumValue = maximum.flatMap { type.value(fromModelFile: $0) }
        }
        return attribute
    }

    private mutating func relationship(_ object: ArchivedObject) throws(ModelError) -> RelationshipDescription {
        let name = try object.requiredString("_name")
        let settings = try settings(object)
        let inverse = settings.object("XD_PRK_inverseRelationship")
        let maximum = settings.integer("XD_PRK_maxCount")
        // Older editors stored only the maximum count.
        let isToMany = settings.integer("XD_PRK_isToMany").map { $0 != 0 } ?? (maximum != 1)
        return RelationshipDescription(
            name, destination: settings.object("XD_PRK_destination")?.string("_name"),
            isToMany: isToMany, isOrdered: settings.bool("XD_PRK_ordered"),
            inverse: inverse?.string("_name"), inverseEntity: inverse?.object("_owner")?.string("_name"),
            minimumCount: settings.integer("XD_PRK_minCount") ?? 0, maximumCount: isToMany ? maximum : 1,
            deleteRule: settings.integer("XD_PRK_deleteRule").flatMap(ModelDeleteRule.init) ?? .nullify,
            isOptional: settings.bool("XD_PPSK_isOptional"), isTransient: settings.bool("XD_PPSK_isTransient"),
            isIndexed: settings.bool("XD_PPSK_isIndexed"),
            renamingIdentifier: settings.renaming("XD_PPSK_elementID", name),
            versionHashModifier: settings.string("XD_PPSK_versionHashModifier"),
            userInfo: try userInfo(settings, "XD_PPSK_userInfo"))
    }

    // MARK: - Fetch requests

    private func template(_ object: ArchivedObject, _ name: String, of entity: String? = nil) -> FetchRequestTemplate {
        FetchRequestTemplate(
            name, entity: object.object("_entity")?.string("_name") ?? entity,
            predicate: object.string("_predicateString").map { ModelPredicate($0) })
    }

    private mutating func fetchedProperty(_ object: ArchivedObject) throws(ModelError) -> FetchedPropertyDescription {
        let name = try object.requiredString("_name")
        let settings = try settings(object)
        let request = requests[object.uid].map { template($0, "fetchedPropertyFetchRequest") }
        return FetchedPropertyDescription(
            name, fetchRequest: request, isOptional: settings.bool("XD_PPSK_isOptional"),
            userInfo: try userInfo(settings, "XD_PPSK_userInfo"))
    }
}

/// The settings of an entity or a property of the editor's archive.
private struct EditorSettings {
    private let settings: [String: ArchivedObject]

    init(_ settings: [String: ArchivedObject]) {
        self.settings = settings
    }

    /// The value, with UIDs unresolved.
    func field(_ name: String) -> PropertyListValue? { settings[name]?.fields["_default"] }
    func string(_ name: String) -> String? {
        settings[name]?.string("_default").flatMap { $0.isEmpty ? nil : $0 }
    }
    func integer(_ name: String) -> Int? { settings[name]?.integer("_default") }
    func bool(_ name: String) -> Bool { settings[name]?.bool("_default") ?? false }
    func object(_ name: String) -> ArchivedObject? { settings[name]?.object("_default") }
    func elements(_ name: String) -> [PropertyListValue] { settings[name]?.elements("_default") ?? [] }

    func renaming(_ key: String, _ name: String) -> String? { string(key)?.renaming(name) }
}
