import Foundation
import PredicateSyntax

/// Reads the keyed archive of a model: a `.mom`, and the cache of a store.
///
/// Entities lead to each other and to their properties in circles; they are read one by one, and others are only named.
struct CompiledModelReader {
    private let archive: KeyedArchive
    private var properties: CompiledPropertyReader

    static func read(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        let archive = try KeyedArchive(bytes, limits: limits)
        var reader = CompiledModelReader(
            archive: archive, properties: CompiledPropertyReader(archive, limits: limits))
        return try reader.model(try archive.root(of: "NSManagedObjectModel"))
    }

    private mutating func model(_ root: ArchivedObject) throws(ModelError) -> ManagedObjectModel {
        var entities: [EntityDescription] = []
        for (name, value) in root.entries("NSEntities").sorted(by: { $0.key < $1.key }) {
            guard let object = value.uid.flatMap(archive.object) else { throw root.missing("NSEntities") }
            do throws(ModelError) {
                entities.append(try entity(object))
            } catch {
                throw error.inside("entity \(name)")
            }
        }
        return ManagedObjectModel(
            entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
            configurations: configurations(root), fetchRequestTemplates: try templates(root),
            composites: properties.composites.types,
            versionIdentifiers: root.elements("NSVersionIdentifiers").compactMap { archive.string($0) }
                .filter { !$0.isEmpty }.sorted())
    }

    private func configurations(_ root: ArchivedObject) -> [ModelConfiguration] {
        let found = root.entries("NSConfigurations").map { name, value in
            let members = value.uid.flatMap(archive.object)?.elements ?? []
            let names = members.compactMap {
                archive.string($0) ?? $0.uid.flatMap(archive.object)?.string("NSEntityName")
            }
            return ModelConfiguration(name, entityNames: names.sorted())
        }
        return found.filter { $0.name != "PF_DEFAULT_CONFIGURATION_NAME" }.sorted { $0.name < $1.name }
    }

    private mutating func templates(_ root: ArchivedObject) throws(ModelError) -> [FetchRequestTemplate] {
        var found: [FetchRequestTemplate] = []
        for (name, value) in root.entries("NSFetchRequestTemplates") {
            guard let object = value.uid.flatMap(archive.object) else { continue }
            do throws(ModelError) {
                found.append(try properties.fetchRequest(object, name: name))
            } catch {
                throw error.inside("fetch request \(name)")
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    private mutating func entity(_ object: ArchivedObject) throws(ModelError) -> EntityDescription {
        let name = try object.requiredString("NSEntityName")
        let renaming = object.string("NSRenamingIdentifier")
        let className = object.string("NSClassNameForEntity")
        var entity = EntityDescription(
            name, managedObjectClassName: className == "NSManagedObject" ? nil : className,
            superentity: object.object("NSSuperentity")?.string("NSEntityName"),
            isAbstract: object.bool("NSIsAbstract"), uniquenessConstraints: tuples(object, "NSUniqueTuples"),
            indexes: try properties.indexes(object), compoundIndexes: tuples(object, "NSCompoundIndexes"),
            renamingIdentifier: renaming == name ? nil : renaming,
            versionHashModifier: object.string("NSVersionHashModifier"), userInfo: try properties.userInfo(object))
        try addProperties(of: object, to: &entity)
        return entity
    }

    /// The entity's own properties: one that the superentity has under the same name is a copy of it.
    private mutating func addProperties(
        of object: ArchivedObject, to entity: inout EntityDescription
    ) throws(ModelError) {
        let inherited = Set((object.object("NSSuperentity")?.entries("NSProperties") ?? []).map { ExactName($0.key) })
        let own = object.entries("NSProperties").filter { !inherited.contains(ExactName($0.key)) }
        for (name, value) in own.sorted(by: { $0.key < $1.key }) {
            guard let property = value.uid.flatMap(archive.object) else { throw object.missing("NSProperties") }
            do throws(ModelError) {
                switch try properties.property(property, of: entity.name) {
                case .attribute(let found): entity.attributes.append(found)
                case .relationship(let found): entity.relationships.append(found)
                case .fetchedProperty(let found): entity.fetchedProperties.append(found)
                }
            } catch {
                throw error.inside("property \(name)")
            }
        }
    }

    /// Lists of names, where a name may also stand as the property itself.
    private func tuples(_ object: ArchivedObject, _ key: String) -> [[String]] {
        object.objects(key).map { tuple in
            tuple.elements.compactMap { element in
                archive.string(element) ?? element.uid.flatMap(archive.object)?.string("NSPropertyName")
            }
        }.filter { !$0.isEmpty }
    }
}
