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
    /// True for a migration, which checks its objects when all are there.
    let isDraft: Bool

    init(_ store: CoreDataStore, isDraft: Bool = false) throws(CoreDataError) {
        guard let changing = store.changing else { throw CoreDataError(.readOnly) }
        (self.store, connection, self.isDraft) = (store, changing.connection, isDraft)
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
        do throws(StoreError) {
            return try connection.run(SQLFragment(text, bindings: bindings))
        } catch {
            throw conflict(error) ?? CoreDataError(.store(error))
        }
    }

    /// The constraint that a statement breaks, which SQLite names by its columns: `UNIQUE constraint failed: ZSHELF.ZNAME`
    private func conflict(_ error: StoreError) -> CoreDataError? {
        // SQLITE_CONSTRAINT_UNIQUE, which is a macro of C.
        guard case .sqlite(.constraint, extended: 19 | 8 << 8) = error.code else { return nil }
        for entity in store.model.entitiesInPreorder {
            guard let stored = store.layout.entities[entity.name] else { continue }
            for keys in entity.uniquenessConstraints {
                let columns = keys.compactMap(stored.column).map { "\(stored.table).\($0)" }
                guard columns.count == keys.count, error.message.hasSuffix(": " + columns.joined(separator: ", "))
                else {
                    continue
                }
                return CoreDataError(.constraintConflict(keys: keys, entity: entity.name))
            }
        }
        return nil
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
        try validate()
    }

    /// The columns of the attributes among some values.
    func columns(
        _ values: [String: PredicateValue], of name: String
    ) throws(CoreDataError) -> [(name: String, value: SQLBinding)] {
        let (entity, schema) = try stored(name)
        let given = try AttributeValues(model: store.model, entity: entity, schema: schema)
        var columns: [(name: String, value: SQLBinding)] = []
        for attribute in store.model.storedAttributes(of: name) {
            guard let value = values[attribute.name], let column = entity.columns[attribute.name] else { continue }
            columns.append((column, try given.binding(value, of: attribute)))
        }
        return columns
    }
}
