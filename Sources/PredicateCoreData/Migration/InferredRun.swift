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
    private let check: MigrationCheck

    init(_ migration: StoreMigration, _ path: String) throws(CoreDataError) {
        self.migration = migration
        layout = StoreLayout(migration.destination)
        let source = migration.source
        let keys = KeyMap(migration.match, source, layout)
        statements = InferredStatements(
            match: migration.match, source: source.layout, destination: layout, keys: keys, file: source.file)
        connection = try .migrating(path, attaching: source.path)
        check = MigrationCheck(connection: connection, layout: layout)
    }

    // MARK: - Writing

    /// Writes all tables in one transaction.
    func write(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        try connection.migrate { () throws(CoreDataError) in try writeTables(progress) }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) { try connection.runMigrating(fragment) }

    private func writeTables(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        try migration.source.checkExternalData()
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
        try connection.makeIndexes(tables, check)
    }

    private func oldCount(_ passage: KeyMap.Passage) throws(CoreDataError) -> Int64 {
        try check.number(
            "SELECT COUNT(*) FROM old.\(passage.source.table.quotedName) WHERE Z_ENT = ?1",
            [.integer(passage.source.number)])
    }

    // MARK: - What SQL cannot do

    /// Data of files of their own go into columns that no longer have any.
    private func takeExternalDataIn() throws(CoreDataError) {
        let folder = ExternalFolder.path(ofStore: migration.source.path)
        for passage in statements.keys.passages {
            let new = passage.destination
            for attribute in migration.destination.storedAttributes(of: new.name) {
                guard !attribute.allowsExternalBinaryDataStorage, let column = new.columns[attribute.name],
                    let old = migration.match.sourceAttribute(attribute, of: new.name),
                    old.allowsExternalBinaryDataStorage
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
        let derivations = try migration.derivations()
        guard !migration.policies.isEmpty || !migration.rules.isEmpty || !derivations.isEmpty else { return }
        let store = try CoreDataStore(connection, migration.destination, externalFrom: migration.source.path)
        try PolicyRun(store, migration, statements.keys).run(derivations, progress)
    }

    // MARK: - Verification

    /// Checks that every object went over, and that what became mandatory is there.
    func verify() throws(CoreDataError) {
        for passage in statements.keys.passages {
            let new = try check.count(passage.destination, mandatory: newlyMandatoryKeys(passage.destination.name))
            let old = try oldCount(passage)
            guard new == old else {
                let name = passage.destination.name
                throw CoreDataError(.verification("\(name) has \(new) objects, the old store has \(old)"))
            }
        }
    }

    /// The keys whose value became mandatory: whoever made a mandatory value nil before answers for it.
    private func newlyMandatoryKeys(_ name: String) -> [String] {
        let attributes = migration.destination.attributes(of: name).filter {
            $0.isMandatory && migration.match.sourceAttribute($0, of: name)?.isOptional ?? true
        }
        let relationships = migration.destination.relationships(of: name).filter {
            $0.isMandatoryToOne && migration.match.sourceRelationship($0, of: name)?.isOptional ?? true
        }
        return attributes.map(\.name) + relationships.map(\.name)
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
