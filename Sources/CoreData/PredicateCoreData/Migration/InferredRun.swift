import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Runs an inferred migration: writes the new file with the old one attached.
struct InferredRun {
    private let migration: StoreMigration
    private let connection: StoreConnection
    private let layout: StoreLayout
    private let statements: InferredStatements
    private let check: MigrationCheck

    init(_ migration: StoreMigration, _ path: String, _ layout: StoreLayout) throws(CoreDataError) {
        (self.migration, self.layout) = (migration, layout)
        let source = migration.source
        let keys = KeyMap(migration.match, source, layout)
        statements = InferredStatements(
            match: migration.match, source: source.layout, destination: layout, keys: keys, file: source.file)
        connection = try .migrating(path, attaching: source)
        check = MigrationCheck(connection: connection, layout: layout)
    }

    // MARK: - Writing

    /// Writes all tables in one transaction.
    func write(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        try connection.migrate { () throws(CoreDataError) in try writeTables(progress) }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) { try connection.runMigrating(fragment) }

    private func writeTables(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        try migration.source.missingData().check(allowing: migration.allowsMissingData)
        let tables = StoreTables(layout: layout)
        for statement in tables.tables { try run(SQLFragment(statement)) }
        for transfer in statements.keys.transfers {
            progress(.entity(transfer.destination.name, count: Int(clamping: try oldCount(transfer))))
            try run(statements.rows(of: transfer))
        }
        progress(.relationships)
        for entity in migration.destination.entitiesInPreorder {
            for statement in statements.relationships(of: entity) { try run(statement) }
        }
        for row in tables.ownRows(lastKeys: statements.keys.newLastKeys) { try run(row) }
        let metadata = migration.migratedMetadata
        try run(metadata.row(try metadata.data()))
        try takeExternalDataIn()
        // Every object was migrated, before rules and policies make or delete others.
        if migration.changesObjects {
            for transfer in statements.keys.transfers { try check(try check.count(transfer.destination), transfer) }
        }
        try applyPolicies(progress)
        try HistoryTransfer(migration, statements.keys, layout)?.write(connection)
        progress(.indexes)
        try connection.makeIndexes(tables, check)
    }

    private func oldCount(_ transfer: KeyMap.EntityTransfer) throws(CoreDataError) -> Int64 {
        let source = transfer.source
        return try connection.number(
            "SELECT COUNT(*) FROM old.\(name: source.table) WHERE Z_ENT = \(bind: .integer(source.number))")
    }

    // MARK: - What SQL cannot do

    /// Moves external data into columns that no longer allow external files.
    private func takeExternalDataIn() throws(CoreDataError) {
        let folder = ExternalFolder.path(ofStore: migration.source.path)
        for transfer in statements.keys.transfers {
            let new = transfer.destination
            for attribute in migration.destination.storedAttributes(of: new.name) {
                guard !attribute.allowsExternalBinaryDataStorage, let column = new.columns[attribute.name],
                    let old = migration.match.sourceAttribute(attribute, of: new.name),
                    old.allowsExternalBinaryDataStorage
                else { continue }
                try connection.embedExternalData(
                    in: column, of: "main.\(name: new.table)", where: "Z_ENT = \(bind: .integer(new.number))",
                    from: folder)
            }
        }
    }

    /// Runs policies and rules over the migrated objects, inside the transaction.
    private func applyPolicies(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        let derivations = migration.derivations()
        guard migration.changesObjects || !derivations.isEmpty else { return }
        let store = try migration.newStore(connection)
        let made = try PolicyRun(store, migration, .inferred(statements.keys)).run(derivations, progress)
        for entity in layout.ordered where made.contains(entity.name) {
            try check.count(entity, mandatory: migration.destination.mandatoryKeys(of: entity.name))
        }
    }

    // MARK: - Verification

    /// Checks that newly mandatory values are present and, unless rules or policies may make or delete objects, that
    /// every object was migrated.
    func verify() throws(CoreDataError) {
        for transfer in statements.keys.transfers {
            let new = try check.count(transfer.destination, mandatory: newlyMandatoryKeys(transfer.destination.name))
            if !migration.changesObjects { try check(new, transfer) }
        }
    }

    private func check(_ new: Int64, _ transfer: KeyMap.EntityTransfer) throws(CoreDataError) {
        let old = try oldCount(transfer)
        guard new != old else { return }
        let name = transfer.destination.name
        throw CoreDataError(.verification("\(name) has \(new) objects, the old store has \(old)"))
    }

    /// The keys that became mandatory. A missing value of a key that was mandatory before is not an error of the
    /// migration.
    private func newlyMandatoryKeys(_ name: String) -> [String] {
        let attributes = migration.destination.attributes(of: name).filter {
            $0.isMandatory && migration.match.sourceAttribute($0, of: name)?.isOptional ?? true
        }
        let relationships = migration.destination.relationships(of: name).filter {
            $0.isMandatoryToOne && migration.match.sourceRelationship($0, of: name)?.isOptional ?? true
        }
        return attributes.map(\.name) + relationships.map(\.name)
    }

    /// Detaches the old file before the new one is renamed.
    func complete() throws(CoreDataError) {
        try storing { () throws(StoreError) in try connection.execute("DETACH old") }
    }
}

extension CoreDataStore {
    /// The last primary keys in use, by table.
    var lastKeys: [String: Int64] {
        var keys: [String: Int64] = [:]
        for row in file.entities {
            guard let entity = layout.entity(numbered: row.number), row.parent == 0 else { continue }
            keys[entity.table] = row.lastKey
        }
        return keys
    }
}
