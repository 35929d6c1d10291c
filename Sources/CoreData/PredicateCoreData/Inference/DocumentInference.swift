import PredicateModel

/// Infers a model from the objects of an XML store, which name their types and those of their relationships.
struct DocumentInference {
    private let document: XMLStoreDocument
    private var entities = InferredEntities()
    private var ids = XMLStoreIDs()
    /// The types of the objects.
    private var types: [Int64: String] = [:]
    /// The attributes and relationships of each type, with the links of the relationships.
    private var attributes: [String: [String: AttributeType]] = [:]
    private var relationships: [String: [String: Links]] = [:]

    private struct Links {
        var destination: String
        var counts: (minimum: Int, maximum: Int)
        var pairs: Set<Pair> = []
    }

    private struct Pair: Hashable {
        let source: Int64
        let target: Int64
        var reversed: Pair { Pair(source: target, target: source) }
    }

    init(_ document: XMLStoreDocument) {
        self.document = document
    }

    mutating func model() throws(CoreDataError) -> ManagedObjectModel {
        var reader = self
        let header = try document.read { (object) throws(CoreDataError) in
            reader.add(object)
            return true
        }
        self = reader
        let metadata = StoreMetadata(uuid: header.uuid, values: header.values)
        // The metadata contains the names of the entities in the spelling of the model.
        let names = Dictionary(
            metadata.entityNames.map { ($0.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        let found = Set(attributes.keys).union(relationships.values.flatMap { $0.values.map(\.destination) })
        let known = { (type: String) in names[type] ?? type }
        for type in found.sorted() { entities.add(EntityDescription(known(type), isAbstract: attributes[type] == nil)) }
        attributes = Dictionary(uniqueKeysWithValues: attributes.map { (known($0.key), $0.value) })
        relationships = Dictionary(
            uniqueKeysWithValues: relationships.map { type, links in
                (
                    known(type),
                    links.mapValues { Links(destination: known($0.destination), counts: $0.counts, pairs: $0.pairs) }
                )
            })
        types = types.mapValues(known)
        findParents()
        for name in entities.names where entities[name]?.superentityName == nil { hoist(to: name) }
        addProperties()
        return entities.model
    }

    private mutating func add(_ object: XMLStoreObject) {
        let type = object.type.uppercased()
        guard let source = ids.key(of: object.id[...]) else { return }
        types[source] = type
        if attributes[type] == nil { attributes[type] = [:] }
        for child in object.node.children {
            guard let name = child["name"]?.lowercased() else { continue }
            if child.name == "attribute" {
                attributes[type]?[name] = XMLStoreValues.type(named: child["type"] ?? "")
            } else if let destination = child["destination"]?.uppercased() {
                let counts = (child["type"] ?? "").split(separator: "/").map { Int($0) ?? 0 }
                // Taken out, so that the pairs are not copied.
                var links =
                    relationships[type]?.removeValue(forKey: name)
                    ?? Links(destination: destination, counts: (counts.first ?? 0, counts.last ?? 0))
                for id in (child["idrefs"] ?? "").split(separator: " ") {
                    if let target = ids.key(of: id) { links.pairs.insert(Pair(source: source, target: target)) }
                }
                relationships[type, default: [:]][name] = links
            }
        }
    }

    /// If a related object has another type than the relationship's destination, this type is a subentity of the destination.
    private mutating func findParents() {
        for (_, found) in relationships.sorted(by: { $0.key < $1.key }) {
            for (_, links) in found.sorted(by: { $0.key < $1.key }) {
                for type in Set(links.pairs.compactMap { types[$0.target] }).sorted()
                where type != links.destination && entities[type]?.superentityName == nil
                    && !entities.isEntity(links.destination, kindOf: type)
                {
                    entities.setParent(links.destination, of: type)
                }
            }
        }
    }

    /// Moves the properties that all subentities have to the superentity.
    private mutating func hoist(to name: String) {
        let children = entities.children(of: name)
        for child in children { hoist(to: child) }
        let all = children + (attributes[name] == nil ? [] : [name])
        guard let first = children.first else { return }
        for (key, type) in attributes[first] ?? [:] where all.allSatisfy({ attributes[$0]?[key] == type }) {
            for child in children { attributes[child]?[key] = nil }
            attributes[name, default: [:]][key] = type
        }
        for (key, links) in relationships[first] ?? [:]
        where all.allSatisfy({ relationships[$0]?[key]?.destination == links.destination }) {
            let pairs = all.reduce(into: Set<Pair>()) { $0.formUnion(relationships[$1]?[key]?.pairs ?? []) }
            for child in children { relationships[child]?[key] = nil }
            relationships[name, default: [:]][key] = Links(
                destination: links.destination, counts: links.counts, pairs: pairs)
        }
    }

    private mutating func addProperties() {
        for name in entities.names {
            for (key, type) in (attributes[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                entities.add(AttributeDescription(key, type), to: name)
            }
            for (key, links) in (relationships[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                entities.add(
                    RelationshipDescription(
                        key, destination: links.destination, isToMany: links.counts.maximum != 1,
                        minimumCount: links.counts.minimum, maximumCount: links.counts.maximum), to: name)
            }
        }
        for name in entities.names {
            for (key, links) in (relationships[name] ?? [:]).sorted(by: { $0.key < $1.key })
            where !links.pairs.isEmpty && !entities.hasInverse(key, of: name) {
                let reversed = Set(links.pairs.map(\.reversed))
                let inverse = entities.lineage(of: links.destination).flatMap { other in
                    (relationships[other] ?? [:]).sorted { $0.key < $1.key }.map { (other, $0.key, $0.value) }
                }.first { other, key, links in
                    entities.isEntity(name, kindOf: links.destination) && links.pairs == reversed
                        && !entities.hasInverse(key, of: other)
                }
                if let inverse { entities.relate(key, of: name, inverse.1, of: inverse.0) }
            }
        }
    }
}

extension XMLStoreValues {
    /// The attribute type with a name in files.
    static func type(named name: String) -> AttributeType {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date, .binaryData, .uuid, .uri,
            .transformable,
        ]
        return types.first { typeName($0) == name } ?? .string
    }
}
