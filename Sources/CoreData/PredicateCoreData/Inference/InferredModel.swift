import PredicateModel
import PredicateStore

extension CoreDataStore {
    /// Infers a model for a store that contains none: `try CoreDataStore.inferredModel(of: "Things.sqlite")`
    ///
    /// The entities of a SQLite store are those that it lists. Columns, their values and join tables determine the attributes
    /// and relationships, whose names are in lowercase. An XML store contains the names of types and destinations. Parts that
    /// the file does not determine are made up: inverses of to-one relationships, and the entities of keys that no object has.
    /// Everything is optional. If only the numbers of objects show to which entity a relationship leads, its user information
    /// lists the other entities under `candidates`. `ZNOTE1` next to `ZNOTE` is a second key `note` if the objects with values
    /// are of other entities; if one of the columns has no values, the key is `note1`, and `otherName` in its user information
    /// is `note`. The version identifier is `inferred`. [NSP-476]
    ///
    /// Throws a ``CoreDataError``: `notAStore`, `binaryStore`, and the errors of reading the file.
    public static func inferredModel(of path: String) throws(CoreDataError) -> ManagedObjectModel {
        guard let (connection, file) = try FileTables.opened(path) else {
            var inference = DocumentInference(XMLStoreDocument(try contents(path).0, path))
            return try inference.model()
        }
        var inference = try TableInference(connection, file)
        return try inference.model()
    }
}

extension ManagedObjectModel {
    /// The key of the user information of an inferred relationship that lists the other entities to which it may lead.
    static let candidates = "candidates"

    /// The key of the user information of an inferred property that may have another name in a subentity.
    static let otherName = "otherName"

    /// Notes about uncertain parts: destinations of relationships that are based only on the numbers of objects, and names of
    /// keys whose columns are numbered, possibly because a subentity has the same key.
    package var notesOnInference: [String] {
        entities.flatMap { entity in
            let destinations = entity.relationships.compactMap { relationship -> String? in
                guard case .string(let others)? = relationship.userInfo[Self.candidates] else { return nil }
                return "\(entity.name).\(relationship.name) may lead to \(others) as well as to"
                    + " \(relationship.destinationEntityName ?? "")"
            }
            let properties =
                entity.attributes.map { ($0.name, $0.userInfo) } + entity.relationships.map { ($0.name, $0.userInfo) }
            return destinations
                + properties.compactMap { name, userInfo in
                    guard case .string(let other)? = userInfo[Self.otherName] else { return nil }
                    return "\(entity.name).\(name) may be a second key '\(other)', of a subentity: no values tell"
                }
        }
    }
}

/// The entities of a model that is being inferred, in the order in which they were found.
struct InferredEntities {
    private var entities: [String: EntityDescription] = [:]
    private(set) var names: [String] = []

    subscript(name: String) -> EntityDescription? { entities[name] }

    mutating func add(_ entity: EntityDescription) {
        if entities.updateValue(entity, forKey: entity.name) == nil { names.append(entity.name) }
    }

    mutating func add(_ attribute: AttributeDescription, to entity: String) {
        entities[entity]?.attributes.append(attribute)
    }

    mutating func add(_ relationship: RelationshipDescription, to entity: String) {
        entities[entity]?.relationships.append(relationship)
    }

    mutating func setParent(_ parent: String, of entity: String) { entities[entity]?.superentityName = parent }

    /// Makes two relationships inverses of each other.
    mutating func relate(_ key: String, of entity: String, _ inverse: String, of other: String) {
        for (entity, key, other, inverse) in [(entity, key, other, inverse), (other, inverse, entity, key)] {
            guard let place = entities[entity]?.relationships.firstIndex(where: { $0.name == key }) else { continue }
            entities[entity]?.relationships[place].inverseName = inverse
            entities[entity]?.relationships[place].inverseEntityName = other
        }
    }

    func hasInverse(_ key: String, of entity: String) -> Bool {
        entities[entity]?.relationships.contains { $0.name == key && $0.inverseName != nil } ?? false
    }

    /// The entity and its superentities.
    func lineage(of name: String) -> [String] {
        var line: [String] = []
        var next: String? = name
        while let name = next, !line.contains(name) {
            line.append(name)
            next = entities[name]?.superentityName
        }
        return line
    }

    func isEntity(_ name: String, kindOf other: String) -> Bool { lineage(of: name).contains(other) }

    func children(of name: String) -> [String] { names.filter { entities[$0]?.superentityName == name } }

    /// True if neither the entity nor a superentity or subentity has the key.
    func isFree(_ key: String, in entity: String) -> Bool {
        names.allSatisfy { name in
            !(isEntity(name, kindOf: entity) || isEntity(entity, kindOf: name)) || entities[name]?.property(key) == nil
        }
    }

    var model: ManagedObjectModel {
        ManagedObjectModel(names.compactMap { entities[$0] }, versionIdentifiers: ["inferred"])
    }
}
