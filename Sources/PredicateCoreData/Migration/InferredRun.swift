import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// An inferred migration as it runs: the new file, with the old one attached.
struct InferredRun {
    private let migration: StoreMigration
    private let connection: SQLiteConnection
    private let layout: StoreLayout
    private let statements: InferredStatements
    private let path: String

    init(_ migration: StoreMigration, _ path: String) throws(CoreDataError) {
        (self.migration, self.path) = (migration, path)
        layout = StoreLayout(migration.destination)
        let source = migration.source
        let keys = KeyMap(migration.match, source.layout, layout, lastKeys: source.lastKeys)
        statements = InferredStatements(
            match: migration.match, source: source.layout, destination: layout, keys: keys, file: source.file)
        var options = SQLiteOptions(.create)
        options.attachedFiles = 1
        connection = try storing { () throws(StoreError) in
            let connection = try SQLiteConnection(path, options)
            let old = UntouchedFile(URL(fileURLWithPath: source.path).path)
            let locking = old.isExclusive ? "PRAGMA locking_mode = EXCLUSIVE; " : ""
            // The file has no name yet: what a crash leaves of it is of no use to anyone.
            try connection.execute("\(locking)PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            try connection.run(SQLFragment("ATTACH ?1 AS old", bindings: [.text(old.uri)]))
            return connection
        }
    }

    // MARK: - Writing

    /// Writes all tables in one transaction.
    func write(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        try connection.migrate { () throws(CoreDataError) in try writeTables(progress) }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) { try connection.runMigrating(fragment) }

    private func number(_ text: String, _ bindings: [SQLBinding] = []) throws(CoreDataError) -> Int64 {
        try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment(text, bindings: bindings)).next()?.first?.number ?? 0
        }
    }

    private func writeTables(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        let tables = StoreTables(layout: layout)
        for statement in tables.tables { try run(SQLFragment(statement)) }
        for passage in statements.keys.passages {
            progress(.entity(passage.destination.name, count: Int(clamping: try oldCount(passage))))
            try run(statements.rows(of: passage))
        }
        progress(.relationships)
        for entity in migration.destination.entitiesInPreorder {
            for statement in statements.relationships(of: entity) { try run(statement) }
        }
        for row in tables.entityRows(lastKeys: statements.keys.newLastKeys) { try run(row) }
        let metadata = migration.migratedMetadata
        try run(metadata.row(try metadata.data()))
        try takeExternalDataIn()
        try applyPolicies(progress)
        progress(.indexes)
        try makeIndexes(tables)
    }

    private func makeIndexes(_ tables: StoreTables) throws(CoreDataError) {
        for entity in migration.destination.entitiesInPreorder {
            for keys in entity.uniquenessConstraints { try checkUnique(keys, entity.name) }
        }
        for statement in tables.indexes { try run(SQLFragment(statement)) }
    }

    private func checkUnique(_ keys: [String], _ name: String) throws(CoreDataError) {
        guard let entity = layout.entities[name] else { return }
        let columns = keys.compactMap(entity.column).map(\.quotedName)
        guard columns.count == keys.count, !columns.isEmpty else { return }
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let numbers = SQLBinding.list([entity.number] + entity.descendants)
        let text = """
            SELECT 1 FROM main.\(entity.table.quotedName) WHERE \(present)
            AND Z_ENT IN (SELECT value FROM json_each(?1))
            GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1 LIMIT 1
            """
        if try number(text, [numbers]) == 1 { throw CoreDataError(.notUnique(keys: keys, entity: name)) }
    }

    private func oldCount(_ passage: KeyMap.Passage) throws(CoreDataError) -> Int64 {
        try number(
            "SELECT COUNT(*) FROM old.\(passage.source.table.quotedName) WHERE Z_ENT = ?1",
            [.integer(passage.source.number)])
    }

    // MARK: - What SQL cannot do

    /// Data of files of their own go into columns that no longer have any.
    private func takeExternalDataIn() throws(CoreDataError) {
        let folder = ExternalFolder.path(ofStore: migration.source.path)
        for passage in statements.keys.passages {
            let new = passage.destination
            for attribute in migration.destination.attributes(of: new.name) {
                guard !attribute.allowsExternalBinaryDataStorage, let column = new.columns[attribute.name],
                    migration.match.sourceAttribute(attribute, of: new.name)?.allowsExternalBinaryDataStorage ?? false
                else { continue }
                try takeIn(column.quotedName, of: new, folder)
            }
        }
    }

    private func takeIn(_ column: String, of entity: StoredEntity, _ folder: String) throws(CoreDataError) {
        let table = "main.\(entity.table.quotedName)"
        let text = "SELECT Z_PK, \(column) FROM \(table) WHERE Z_ENT = ?1 AND substr(\(column), 1, 1) = x'02'"
        let rows = try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment(text, bindings: [.integer(entity.number)])).all()
        }
        for row in rows {
            guard case .blob(let bytes) = row[1],
                case .data(let data) = ExternalData.value(of: .data(bytes), in: folder)
            else { continue }
            try run(
                SQLFragment("UPDATE \(table) SET \(column) = ?2 WHERE Z_PK = ?1", bindings: [row[0], .blob(data)]))
        }
    }

    /// Runs policies and rules over the migrated objects, inside the transaction.
    private func applyPolicies(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        guard !migration.policies.isEmpty || !migration.rules.isEmpty else { return }
        let store = try CoreDataStore(connection, migration.destination, externalFrom: migration.source.path)
        try PolicyRun(store, migration).run(progress)
    }

    // MARK: - Verification

    /// Checks that every object went over, and that what became mandatory is there.
    func verify() throws(CoreDataError) {
        for passage in statements.keys.passages {
            let new = try number(
                "SELECT COUNT(*) FROM main.\(passage.destination.table.quotedName) WHERE Z_ENT = ?1",
                [.integer(passage.destination.number)])
            let old = try oldCount(passage)
            guard new == old else {
                let name = passage.destination.name
                throw CoreDataError(.verification("\(name) has \(new) objects, the old store has \(old)"))
            }
            try checkMandatory(passage)
        }
    }

    private func checkMandatory(_ passage: KeyMap.Passage) throws(CoreDataError) {
        let (name, entity) = (passage.destination.name, passage.destination)
        for attribute in migration.destination.attributes(of: name) where attribute.isStored && !attribute.isOptional {
            let old = migration.match.sourceAttribute(attribute, of: name)
            // Whoever made a mandatory value nil before answers for it.
            guard old?.isOptional ?? true, let column = entity.columns[attribute.name] else { continue }
            try checkPresence(column, attribute.name, entity)
        }
        for relationship in migration.destination.relationships(of: name)
        where !relationship.isOptional && !relationship.isToMany && !relationship.isTransient {
            let old = migration.match.sourceRelationship(relationship, of: name)
            guard old?.isOptional ?? true, let column = entity.column(of: relationship.name) else { continue }
            try checkPresence(column, relationship.name, entity)
        }
    }

    private func checkPresence(_ column: String, _ key: String, _ entity: StoredEntity) throws(CoreDataError) {
        let count = try number(
            "SELECT COUNT(*) FROM main.\(entity.table.quotedName) WHERE Z_ENT = ?1 AND \(column.quotedName) IS NULL",
            [.integer(entity.number)])
        guard count > 0 else { return }
        throw CoreDataError(.missingValue(key: key, entity: entity.name, count: Int(clamping: count)))
    }

    /// Detaches the old file, so that nothing of it is held when the new one gets its name.
    func complete() throws(CoreDataError) {
        try storing { () throws(StoreError) in try connection.execute("DETACH old") }
    }
}

extension CoreDataStore {
    /// The last primary keys of the tables.
    var lastKeys: [String: Int64] {
        var keys: [String: Int64] = [:]
        for row in file.entities {
            guard let entity = layout.entity(numbered: row.number), row.parent == 0 else { continue }
            keys[entity.table] = row.lastKey
        }
        return keys
    }
}
