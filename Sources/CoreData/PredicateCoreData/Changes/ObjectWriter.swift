import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// An object of a store: its own entity (not a superentity) and its primary key.
struct ObjectKey: Hashable, Sendable {
    let entity: String
    let key: Int64
}

/// Writes rows in Core Data's layout: keys and versions, both ends of relationships, and order columns.
struct ObjectWriter {
    let store: CoreDataStore
    let connection: StoreConnection
    /// True in a migration, which validates all objects at its end.
    let defersValidation: Bool

    init(_ store: CoreDataStore, defersValidation: Bool = false) throws(CoreDataError) {
        guard let changing = store.changing else { throw CoreDataError(.readOnly) }
        (self.store, connection, self.defersValidation) = (store, changing.connection, defersValidation)
    }

    /// The distance between positions in an order.
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
    func run(_ statement: SQLText) throws(CoreDataError) -> Int { try run(SQLFragment(statement)) }

    @discardableResult
    func run(_ statement: SQLFragment) throws(CoreDataError) -> Int {
        try explaining { () throws(StoreError) in try connection.run(statement) }
    }

    /// Runs a statement. Throws `constraintConflict` for a violated uniqueness constraint.
    func explaining<Result>(_ work: () throws(StoreError) -> Result) throws(CoreDataError) -> Result {
        do throws(StoreError) {
            return try work()
        } catch {
            throw conflict(error) ?? CoreDataError(.store(error))
        }
    }

    /// The violated uniqueness constraint, which SQLite names by its columns: `UNIQUE constraint failed:
    /// ZSHELF.ZNAME`
    private func conflict(_ error: StoreError) -> CoreDataError? {
        // SQLITE_CONSTRAINT_UNIQUE; in C it is a macro that Swift does not import.
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

    func rows(_ query: SQLText) throws(CoreDataError) -> [[SQLBinding]] {
        try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)).all() }
    }

    // MARK: - Inserting

    /// Inserts an object and returns its primary key.
    func insert(_ name: String, _ values: [String: PredicateValue]) throws(CoreDataError) -> Int64 {
        try ObjectInsertion(self, name).insert(values)
    }

    /// Throws `unknownKey` for a key that the entity does not have.
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

    /// Updates an object and increments its version.
    func update(_ object: ObjectKey, _ values: [String: PredicateValue]) throws(CoreDataError) {
        let (entity, schema) = try stored(object.entity)
        let values = try CompositeValues(store.model, object.entity).split(values)
        try checkKeys(values, schema)
        let columns = try columns(values, of: object.entity)
        let assignments = columns.map { SQLText.assignment($0.name, $0.value) }
        let update = SQLText.update("\(name: entity.table)", assignments + [.incrementedVersion])
        guard try run("\(update) WHERE Z_PK = \(bind: .integer(object.key))") == 1 else {
            let id = SQLObjectID(object.entity, key: .integer(object.key))
            throw CoreDataError(.store(StoreError(.noSuchObject(id))))
        }
        try keepDigits(values, of: object.entity, [object.key])
        try recordDerived(object)
        if !columns.isEmpty { recordHistory(.update(object, columns.map(\.key))) }
        let given = relationships(in: values, of: object.entity)
        for (relationship, value) in given { try relate(object, relationship, value) }
        try validate()
    }

    /// A value of an attribute, and the column that holds it.
    typealias ColumnValue = (key: String, name: String, value: SQLBinding)

    /// The columns of the attributes among the given values.
    func columns(
        _ values: [String: PredicateValue], of name: String
    ) throws(CoreDataError) -> [ColumnValue] {
        let (entity, schema) = try stored(name)
        let given = try AttributeValues(store, entity, schema)
        var columns: [ColumnValue] = []
        for attribute in store.model.storedAttributes(of: name) {
            guard let value = values[attribute.name], let column = entity.columns[attribute.name] else { continue }
            columns.append((attribute.name, column, try given.binding(value, of: attribute)))
        }
        return columns
    }
}

/// Inserts objects of one entity one after another in a transaction, with a single statement.
final class ObjectInsertion {
    let entity: StoredEntity
    private let writer: ObjectWriter
    private let schema: SQLEntity
    private let columns: [(attribute: AttributeDescription, name: String)]
    private let relationships: [RelationshipDescription]
    /// Prepared for the first object.
    private var statement: RepeatedStatement?
    private let given: AttributeValues
    private let composites: CompositeValues
    /// Reserved primary keys that are not in use yet.
    private var keys: Range<Int64> = 0..<0
    /// True to reserve many keys at once; ``releaseKeys()`` gives back those that are not used.
    var reservesMore = false
    /// True if objects get their relationships later, and are validated and derived in ``ObjectWriter/finishImport(_:)``
    var isImport = false

    /// In a migration, mandatory values may be missing: they are assigned later and checked at the end.
    init(_ writer: ObjectWriter, _ name: String) throws(CoreDataError) {
        let (entity, schema) = try writer.stored(name)
        guard !entity.isAbstract else { throw CoreDataError(.abstractEntity(name)) }
        let model = writer.store.model
        (self.writer, self.entity, self.schema) = (writer, entity, schema)
        columns = model.storedAttributes(of: name).compactMap { attribute in
            entity.columns[attribute.name].map { (attribute, $0) }
        }
        composites = CompositeValues(model, name)
        relationships = model.relationships(of: name)
        given = try AttributeValues(writer.store, entity, schema, allowsNil: writer.defersValidation)
    }

    /// Runs the statement for a row.
    private func run(_ row: [SQLBinding]) throws(CoreDataError) {
        try writer.explaining { () throws(StoreError) in
            if let statement { return _ = try statement.run(row) }
            let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)
            let insert = SQLFragment(.insert(into: "\(name: entity.table)", names, .values(row)))
            let prepared = try RepeatedStatement(writer.connection, insert)
            statement = prepared
            _ = try prepared.run(row)
        }
    }

    /// The rows of `Z_PRIMARYKEY` that count the keys. In an XML store, keys are unique over all tables.
    private var counters: SQLText {
        let root = writer.store.layout.entities[entity.root]?.number ?? entity.number
        return writer.store.isXML ? "Z_SUPER = 0" : "Z_ENT = \(bind: .integer(root))"
    }

    /// Reserves primary keys of the table. Reserved keys are never reused.
    func reserve(_ count: Int) throws(CoreDataError) {
        let row = try writer.rows(
            """
            UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + \(bind: .integer(Int64(count))) WHERE \(counters) RETURNING Z_MAX
            """
        ).first
        guard let last = row?.first?.number, last >= Int64(count), last < .max else {
            throw CoreDataError(.noPrimaryKey(entity: entity.root))
        }
        keys = last - Int64(count) + 1..<last + 1
    }

    private static let reservation = 1000

    /// Gives back the reserved keys that were not used, unless further keys have been reserved since.
    func releaseKeys() throws(CoreDataError) {
        guard let last = keys.last else { return }
        try writer.run(
            """
            UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: .integer(keys.lowerBound - 1))
            WHERE \(counters) AND Z_MAX = \(bind: .integer(last))
            """)
        keys = 0..<0
    }

    /// Throws the error of a value that cannot be inserted.
    func check(_ value: PredicateValue, of key: String) throws(CoreDataError) {
        for column in columns where column.attribute.name == key { _ = try given.binding(value, of: column.attribute) }
    }

    /// Inserts an object and returns its primary key.
    func insert(_ values: [String: PredicateValue]) throws(CoreDataError) -> Int64 {
        let values = try composites.split(values)
        let found = columns.indices.map { values[columns[$0].attribute.name] }
        if found.count(where: { $0 != nil }) < values.count { try writer.checkKeys(values, schema) }
        if !writer.defersValidation { try composites.checkMandatory(values) }
        if keys.isEmpty { try reserve(reservesMore ? Self.reservation : 1) }
        let key = keys.lowerBound
        keys = key + 1..<keys.upperBound
        var bindings: [SQLBinding] = [.integer(key), .integer(entity.number), .integer(1)]
        for index in columns.indices {
            let value = found[index] ?? columns[index].attribute.defaultValue ?? .null
            bindings.append(try given.binding(value, of: columns[index].attribute))
        }
        try run(bindings)
        try writer.keepDigits(values, of: entity.name, [key])
        let object = ObjectKey(entity: entity.name, key: key)
        writer.recordHistory(.insertion(object))
        for relationship in relationships {
            guard let value = values[relationship.name] else { continue }
            try writer.relate(object, relationship, value)
        }
        if !isImport { try writer.recordChange(object) }
        try writer.validate()
        return key
    }
}

/// Deleting objects: the rules of an object are those of its own entity, not of a superentity.
extension ObjectWriter {
    /// Deletes objects by the delete rules of the model. Throws `store` with `deletionDenied` by a rule.
    func delete(_ keys: [Int64], of entity: String) throws(CoreDataError) {
        guard let changing = store.changing else { throw CoreDataError(.readOnly) }
        let schema = try stored(entity).schema
        var deletion = CascadingDeletion(changing, self)
        try storing { () throws(StoreError) in
            try deletion.add(keys.map(SQLBinding.integer), of: schema)
            try deletion.checkDenials()
        }
        try record(deletion)
        try storing(deletion.run)
    }

    /// Records the related objects, the deletions, and the updates of the remaining objects that refer to deleted ones.
    private func record(_ deletion: CascadingDeletion) throws(CoreDataError) {
        let objects = deletion.objects.flatMap { entity, keys in
            keys.compactMap { key in key.number.map { ObjectKey(entity: entity.name, key: $0) } }
        }
        for object in objects {
            for relationship in store.model.relationships(of: object.entity) { try recordRelated(object, relationship) }
            try recordDerived(object)
        }
        guard store.pendingHistory != nil else { return }
        for object in objects {
            recordHistory(.deletion(object))
            for relationship in store.model.relationships(of: object.entity) where relationship.deleteRule != .noAction
            {
                for other in try related(object, relationship) {
                    guard let schema = store.schema.entities[other.entity],
                        !deletion.contains(.integer(other.key), of: schema)
                    else { continue }
                    recordInverse(of: relationship, in: object.entity, other)
                }
            }
        }
    }
}

extension ObjectWriter: RowReferences {
    func divide(
        _ keys: [SQLBinding], of entity: SQLEntity
    ) throws(StoreError) -> [(entity: SQLEntity, keys: [SQLBinding])] {
        let listed = SQLText.keys(keys.compactMap(\.number))
        let query: SQLText = "SELECT Z_ENT, Z_PK FROM \(name: entity.table) WHERE Z_PK IN \(listed)"
        let rows = Dictionary(grouping: try connection.rows(of: SQLFragment(query)).all()) { $0[0].number ?? 0 }
        return rows.sorted { $0.key < $1.key }.compactMap { number, rows in
            let own = store.layout.entity(numbered: number).flatMap { store.schema.entities[$0.name] }
            return own.map { ($0, rows.map { $0[1] }) }
        }
    }

    func references(to entity: SQLEntity) throws(StoreError) -> [RowReference] {
        var found = store.layout.sharedJoins.filter { store.model.isEntity(entity.name, kindOf: $0.destination) }
            .flatMap { rows(of: $0.table.reversed) }
        for relationship in store.model.relationships(of: entity.name) where relationship.deleteRule != .noAction {
            guard let stored = store.layout.entities[entity.name]?.relationships[relationship.name],
                let destination = relationship.destinationEntityName.flatMap({ store.schema.entities[$0] })
            else { continue }
            let back = inverse(of: relationship, to: destination.name)?.stored
            switch (stored, back) {
            case (.manyToMany(let join), _): found += rows(of: join)
            case (.toMany(let column, _), _), (.toOne, .toOne(let column, _, _)?):
                let removal = Self.columns(of: back ?? stored).removal(of: column)
                found.append(.foreignKey(of: destination, column: column, removal: removal))
            case (.toOne, _): break
            }
        }
        return found
    }

    private func rows(of join: JoinTable) -> [RowReference] {
        guard let table = store.file.name(of: join) else { return [] }
        return join.ownColumns.map { .joinRow(table: table, column: $0) }
    }
}
