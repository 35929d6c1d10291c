import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Imports the objects of an export: first all of them with new keys, then their relationships.
///
/// Objects are identified by their former URIs. They may refer to each other in any order and in cycles. A URI of this store
/// that the export does not contain is an existing object.
///
/// The new keys and the links are kept in temporary tables, so that memory does not grow with the number of objects, and a
/// relationship among new objects is set by one statement.
package final class ObjectImport {
    private let writer: ObjectWriter
    private var entities: [String: ImportedEntity] = [:]
    /// The stores and entities of URIs, numbered.
    private var sources: [ObjectSource] = []
    private var sourceNumbers: [ObjectSource: Int64] = [:]
    /// The number of the last URI's source, which most often is also that of the next.
    private var last: (source: ObjectSource, number: Int64)?
    private var relationships: [ImportedRelationship] = []
    private let made: RepeatedStatement
    private let link: RepeatedStatement

    /// The number of inserted objects.
    package private(set) var count = 0

    /// The inserted objects of an entity.
    private final class ImportedEntity {
        let insertion: ObjectInsertion
        var count = 0
        /// The first of the new keys.
        var firstKey: Int64 = 0
        /// The number of objects that had a relationship, and its position in ``relationships``; nil if there were no targets.
        var given: [String: (count: Int, number: Int?)] = [:]

        init(_ insertion: ObjectInsertion) {
            self.insertion = insertion
        }
    }

    /// The store and the entity of a URI.
    private struct ObjectSource: Hashable {
        let store: String
        let entity: String
    }

    /// Throws `readOnly`.
    package init(_ store: CoreDataStore) throws(CoreDataError) {
        let writer = try ObjectWriter(store)
        self.writer = writer
        (made, link) = try storing { () throws(StoreError) in
            for statement in ImportTables.created { try writer.connection.execute(statement) }
            return (
                try RepeatedStatement(writer.connection, ImportTables.made),
                try RepeatedStatement(writer.connection, ImportTables.link)
            )
        }
    }

    private var store: CoreDataStore { writer.store }

    /// Inserts an object without its relationships and returns its key.
    package func insert(
        _ name: String, _ uri: ObjectURI?, _ values: [String: PredicateValue], _ links: [String: [ObjectURI]]
    ) throws(CoreDataError) -> Int64 {
        let entity = try entity(name)
        let key = try entity.insertion.insert(values)
        if entity.count == 0 {
            entity.firstKey = key
            store.pendingChanges.beginImport(of: name, at: key)
        }
        entity.count += 1
        if let uri { try run(made, [number(of: uri), uri.key, entity.insertion.entity.number, key]) }
        for (name, targets) in links { try add(targets, to: name, of: entity, key) }
        count += 1
        return key
    }

    private func entity(_ name: String) throws(CoreDataError) -> ImportedEntity {
        if let known = entities[name] { return known }
        let made = ImportedEntity(try ObjectInsertion(writer, name))
        (made.insertion.reservesMore, made.insertion.isImport) = (true, true)
        entities[name] = made
        return made
    }

    private func add(
        _ targets: [ObjectURI], to name: String, of entity: ImportedEntity, _ key: Int64
    ) throws(CoreDataError) {
        var given = entity.given[name] ?? (0, nil)
        given.count += 1
        if given.number == nil, !targets.isEmpty { given.number = number(of: name, entity.insertion.entity.name) }
        entity.given[name] = given
        guard let number = given.number else { return }
        for (place, target) in targets.enumerated() {
            try run(link, [Int64(number), key, Int64(place + 1), self.number(of: target), target.key])
        }
    }

    private func run(_ statement: RepeatedStatement, _ values: [Int64]) throws(CoreDataError) {
        _ = try storing { () throws(StoreError) in try statement.run(values.map(SQLBinding.integer)) }
    }

    private func number(of uri: ObjectURI) -> Int64 {
        if let last, last.source.entity == uri.entity, last.source.store == uri.store { return last.number }
        let source = ObjectSource(store: uri.store, entity: uri.entity)
        let number = sourceNumbers[source] ?? Int64(sources.count)
        if number == sources.count {
            sources.append(source)
            sourceNumbers[source] = number
        }
        last = (source, number)
        return number
    }

    private func number(of name: String, _ entity: String) -> Int? {
        guard let found = store.model.relationships(of: entity).first(where: { $0.name == name }) else { return nil }
        relationships.append(ImportedRelationship(writer, entity, found, number: Int64(relationships.count)))
        return relationships.count - 1
    }

    // MARK: - Relationships

    /// Sets the relationships of the inserted objects: to-one relationships first, since lists also set the order.
    ///
    /// Throws `missingObject` for an object that neither the export nor the store contains, `invalidURI` for an object
    /// of another store that the export does not contain.
    package func finish() throws(CoreDataError) {
        for entity in entities.values { try entity.insertion.releaseKeys() }
        let lists = relationships.filter(\.description.isToMany)
        for relationship in relationships.filter({ !$0.description.isToMany }) + lists {
            guard let targets = try relationship.newTargets() else {
                try setOneByOne(relationship)
                continue
            }
            if targets.allSatisfy({ isSetByInverse(relationship.description, of: $0) }) { continue }
            if try !relationship.setAtOnce(targets) { try setOneByOne(relationship) }
        }
        try storing { () throws(StoreError) in
            for statement in ImportTables.dropped { try writer.connection.execute(statement) }
        }
        try writer.finishImport(entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value.firstKey) })
    }

    /// Sets a relationship object by object, as a change does.
    private func setOneByOne(_ relationship: ImportedRelationship) throws(CoreDataError) {
        let rows = try storing { () throws(StoreError) in try writer.connection.rows(of: relationship.links) }
        var (owner, targets): (Int64?, [ImportedTarget]) = (nil, [])
        while let row = try storing({ () throws(StoreError) in try rows.next() }) {
            let values = row.map { $0.number }
            if owner != values[0] {
                if let owner { try set(relationship, owner, targets) }
                (owner, targets) = (values[0], [])
            }
            targets.append(
                ImportedTarget(source: values[1] ?? 0, key: values[2] ?? 0, made: values[3], entity: values[4]))
        }
        if let owner { try set(relationship, owner, targets) }
    }

    /// An object of a link: its former URI, and its new key and entity number if it is new.
    private struct ImportedTarget {
        let source: Int64
        let key: Int64
        let made: Int64?
        let entity: Int64?
    }

    private func set(
        _ relationship: ImportedRelationship, _ owner: Int64, _ targets: [ImportedTarget]
    ) throws(CoreDataError) {
        let names = targets.map { $0.entity.flatMap { store.layout.entity(numbered: $0)?.name } }
        let isSet = names.allSatisfy { $0.map { isSetByInverse(relationship.description, of: $0) } ?? false }
        guard !isSet else { return }
        var ids: [PredicateValue] = []
        for (target, name) in zip(targets, names) { ids.append(try id(of: target, name).predicateValue) }
        let value = relationship.description.isToMany || ids.count > 1 ? .array(ids) : ids.first ?? .null
        try writer.relate(ObjectKey(entity: relationship.entity, key: owner), relationship.description, value)
    }

    private func id(of target: ImportedTarget, _ entity: String?) throws(CoreDataError) -> SQLObjectID {
        if let made = target.made, let entity { return SQLObjectID(entity, key: .integer(made)) }
        let source = sources[Int(target.source)]
        return try store.id(of: ObjectURI(store: source.store, entity: source.entity, key: target.key).description)
    }

    /// True if setting the inverse is enough, because every object of the entity was imported with its related objects.
    private func isSetByInverse(_ relationship: RelationshipDescription, of target: String) -> Bool {
        guard let inverse = store.model.inverse(of: relationship)?.relationship,
            let imported = entities[target], imported.given[inverse.name]?.count == imported.count
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
}
