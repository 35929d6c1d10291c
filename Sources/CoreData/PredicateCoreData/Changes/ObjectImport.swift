import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Imports the objects of an export: first all of them with new keys, then their relationships.
///
/// An object is named by the URI that it had. Objects of the export may refer to each other in any order and in
/// cycles. A URI of this store that the export does not contain is an existing object.
package struct ObjectImport {
    private let writer: ObjectWriter
    private var insertions: [String: ObjectInsertion] = [:]
    /// The new objects by their former URIs.
    private var objects: [SourceID: ObjectKey] = [:]
    private var links: [Links] = []
    /// The stores and entities of URIs, numbered, so that a link takes few bytes.
    private var names = NameNumbers()
    /// How many objects of an entity were inserted, and how many of them had each relationship.
    private var counts: [String: Int] = [:]
    private var given: [String: [String: Int]] = [:]

    /// The number of inserted objects.
    package private(set) var count = 0

    /// A URI as numbers.
    private struct SourceID: Hashable {
        let store: Int32
        let entity: Int32
        let key: Int64
    }

    /// The objects of one relationship of a new object.
    private struct Links {
        let object: ObjectKey
        let relationship: Int
        let targets: [SourceID]
    }

    private var relationships: [RelationshipDescription] = []
    private var relationshipNumbers: [String: [String: Int]] = [:]

    /// Throws `readOnly`.
    package init(_ store: CoreDataStore) throws(CoreDataError) {
        writer = try ObjectWriter(store)
    }

    private var store: CoreDataStore { writer.store }

    /// Inserts an object without its relationships and returns its key.
    package mutating func insert(
        _ entity: String, _ uri: ObjectURI?, _ values: [String: PredicateValue], _ links: [String: [ObjectURI]]
    ) throws(CoreDataError) -> Int64 {
        if insertions[entity] == nil {
            insertions[entity] = try ObjectInsertion(writer, entity)
            insertions[entity]?.reservesMore = true
        }
        guard let key = try insertions[entity]?.insert(values) else { throw CoreDataError(.abstractEntity(entity)) }
        let object = ObjectKey(entity: entity, key: key)
        if let uri { objects[id(uri)] = object }
        counts[entity, default: 0] += 1
        for (name, targets) in links {
            given[entity, default: [:]][name, default: 0] += 1
            guard !targets.isEmpty, let number = number(of: name, entity) else { continue }
            self.links.append(Links(object: object, relationship: number, targets: targets.map { id($0) }))
        }
        count += 1
        return key
    }

    private mutating func id(_ uri: ObjectURI) -> SourceID {
        SourceID(store: names.number(of: uri.store), entity: names.number(of: uri.entity), key: uri.key)
    }

    private mutating func number(of name: String, _ entity: String) -> Int? {
        if let known = relationshipNumbers[entity]?[name] { return known }
        guard let found = store.model.relationships(of: entity).first(where: { $0.name == name }) else { return nil }
        relationships.append(found)
        relationshipNumbers[entity, default: [:]][name] = relationships.count - 1
        return relationships.count - 1
    }

    /// Sets the relationships of the inserted objects: to-one relationships first, since lists also set the order.
    ///
    /// Throws `missingObject` for an object that neither the export nor the store contains, `invalidURI` for an object
    /// of another store that the export does not contain.
    package mutating func finish() throws(CoreDataError) {
        for name in insertions.keys { try insertions[name]?.releaseKeys() }
        for isToMany in [false, true] {
            for link in links where relationships[link.relationship].isToMany == isToMany {
                let relationship = relationships[link.relationship]
                guard !isSetByInverse(relationship, link) else { continue }
                var ids: [PredicateValue] = []
                for target in link.targets { ids.append(try object(target).predicateValue) }
                try writer.relate(link.object, relationship, isToMany ? .array(ids) : ids.first ?? .null)
            }
        }
    }

    private func object(_ id: SourceID) throws(CoreDataError) -> SQLObjectID {
        if let new = objects[id] { return SQLObjectID(new.entity, key: .integer(new.key)) }
        let uri = ObjectURI(store: names.name(id.store), entity: names.name(id.entity), key: id.key)
        return try store.id(of: uri.description)
    }

    /// True if setting the inverse is enough, because every object there was imported with its related objects.
    private func isSetByInverse(_ relationship: RelationshipDescription, _ link: Links) -> Bool {
        guard let inverse = store.model.inverse(of: relationship)?.relationship,
            link.targets.allSatisfy({ objects[$0].map { isAlwaysGiven(inverse.name, $0.entity) } ?? false })
        else { return false }
        switch (relationship.isToMany, inverse.isToMany) {
        case (true, false): return !relationship.isOrdered
        case (false, true): return inverse.isOrdered
        case (false, false): return false
        case (true, true):
            guard !relationship.isOrdered, inverse.name != relationship.name else { return false }
            return inverse.isOrdered || relationship.name > inverse.name
        }
    }

    private func isAlwaysGiven(_ key: String, _ entity: String) -> Bool {
        given[entity]?[key] == counts[entity]
    }
}

/// Numbers for names, which are kept once.
private struct NameNumbers {
    private var numbers: [String: Int32] = [:]
    private var names: [String] = []

    mutating func number(of name: String) -> Int32 {
        if let known = numbers[name] { return known }
        let number = Int32(names.count)
        numbers[name] = number
        names.append(name)
        return number
    }

    func name(_ number: Int32) -> String { names[Int(number)] }
}
