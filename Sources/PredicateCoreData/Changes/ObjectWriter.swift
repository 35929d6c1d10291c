import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// An object of a store: the entity that it is of itself, and its primary key.
struct ObjectKey: Hashable, Sendable {
    let entity: String
    let key: Int64
}

/// Writes rows as Core Data lays them out: keys and versions, both ends of relationships, and places in an order.
struct ObjectWriter {
    let store: CoreDataStore
    let connection: SQLiteConnection

    init(_ store: CoreDataStore) throws(CoreDataError) {
        guard let changing = store.changing else { throw CoreDataError(.readOnly) }
        (self.store, connection) = (store, changing.connection)
    }

    /// The step between places in an order.
    static let orderStep: Int64 = 1024

    func stored(_ name: String) throws(CoreDataError) -> (entity: StoredEntity, schema: SQLEntity) {
        guard let entity = store.layout.entities[name], let schema = store.schema.entities[name] else {
            let nearMisses = NearMiss.candidates(for: name, among: store.schema.entities.keys)
            let error = SQLCompilationError(.unknownEntity(name, nearMisses: nearMisses))
            throw CoreDataError(.store(StoreError(.compilation(error))))
        }
        return (entity, schema)
    }

    @discardableResult
    func run(_ text: String, _ bindings: [SQLBinding] = []) throws(CoreDataError) -> Int {
        try storing { () throws(StoreError) in try connection.run(SQLFragment(text, bindings: bindings)) }
    }

    func rows(_ text: String, _ bindings: [SQLBinding] = []) throws(CoreDataError) -> [[SQLBinding]] {
        try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(text, bindings: bindings)).all() }
    }

    // MARK: - Inserting

    /// Inserts an object and returns its primary key.
    func insert(_ name: String, _ values: [String: PredicateValue]) throws(CoreDataError) -> Int64 {
        var insertion = try ObjectInsertion(self, name)
        return try insertion.insert(values)
    }

    /// Throws for a key that the entity does not have.
    func checkKeys(_ values: [String: PredicateValue], _ schema: SQLEntity) throws(CoreDataError) {
        let unknown = values.keys.filter { schema.attributes[$0] == nil && schema.relationships[$0] == nil }
        guard let key = unknown.min() else { return }
        throw CoreDataError(
            .store(StoreError(.compilation(SQLCompilationError(store.schema.missingKey(key, of: schema))))))
    }

    private func relationships(
        in values: [String: PredicateValue], of entity: String
    ) -> [(RelationshipDescription, PredicateValue)] {
        store.model.relationships(of: entity).compactMap { relationship in
            values[relationship.name].map { (relationship, $0) }
        }
    }

    /// Throws for a mandatory to-one relationship that leads to nothing.
    func checkMandatory(
        _ object: ObjectKey, _ relationships: [RelationshipDescription]
    ) throws(CoreDataError) {
        guard let entity = store.layout.entities[object.entity] else { return }
        for relationship in relationships where !relationship.isOptional && !relationship.isToMany {
            guard case .toOne(let column, _, _)? = entity.relationships[relationship.name] else { continue }
            let text = "SELECT \(column.quotedName) FROM \(entity.table.quotedName) WHERE Z_PK = ?1"
            guard try rows(text, [.integer(object.key)]).first?.first?.number == nil else { continue }
            throw CoreDataError(.missingValue(key: relationship.name, entity: object.entity, count: 1))
        }
    }

    // MARK: - Updating

    /// Gives an object new values, and counts its version up.
    func update(_ object: ObjectKey, _ values: [String: PredicateValue]) throws(CoreDataError) {
        let (entity, schema) = try stored(object.entity)
        let values = try CompositeValues(store.model, object.entity).takenApart(values)
        try checkKeys(values, schema)
        let columns = try columns(values, of: object.entity)
        let changes = columns.map { "\($0.name.quotedName) = " }
        let list = changes.enumerated().map { "\($0.element)?\($0.offset + 2)" } + ["Z_OPT = COALESCE(Z_OPT, 0) + 1"]
        let text = "UPDATE \(entity.table.quotedName) SET \(list.joined(separator: ", ")) WHERE Z_PK = ?1"
        guard try run(text, [.integer(object.key)] + columns.map(\.value)) == 1 else {
            let id = SQLObjectID(object.entity, key: .integer(object.key))
            throw CoreDataError(.store(StoreError(.noSuchObject(id))))
        }
        let given = relationships(in: values, of: object.entity)
        for (relationship, value) in given { try relate(object, relationship, value) }
        try checkMandatory(object, given.map(\.0))
    }

    /// The columns of the attributes among some values.
    func columns(
        _ values: [String: PredicateValue], of name: String
    ) throws(CoreDataError) -> [(name: String, value: SQLBinding)] {
        let (entity, schema) = try stored(name)
        let given = AttributeValues(model: store.model, entity: entity, schema: schema)
        var columns: [(name: String, value: SQLBinding)] = []
        for attribute in store.model.storedAttributes(of: name) {
            guard let value = values[attribute.name], let column = entity.columns[attribute.name] else { continue }
            columns.append((column, try given.binding(value, of: attribute)))
        }
        return columns
    }
}
