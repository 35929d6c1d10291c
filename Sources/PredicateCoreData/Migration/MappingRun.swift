import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A migration by a mapping model as it runs: objects are made, then related, then given to policies, then checked.
struct MappingRun {
    private let migration: StoreMigration
    private let mapping: MappingModel
    private let connection: SQLiteConnection
    private let check: MigrationCheck

    init(_ migration: StoreMigration, _ mapping: MappingModel, _ path: String) throws(CoreDataError) {
        self.migration = migration
        do throws(ModelError) {
            self.mapping = try mapping.resolved(from: migration.source.model, to: migration.destination)
        } catch {
            throw CoreDataError(.invalidMapping("the mapping model", reason: error.title))
        }
        connection = try .migrating(path)
        check = MigrationCheck(connection: connection, layout: StoreLayout(migration.destination))
        for entity in self.mapping.entityMappings { try checkPolicy(entity) }
    }

    /// A policy of code needs its entry in the registry, or rules in its place.
    private func checkPolicy(_ mapping: EntityMapping) throws(CoreDataError) {
        guard let name = mapping.migrationPolicyClassName, migration.policies[name] == nil else { return }
        let entity = mapping.destinationEntityName ?? ""
        guard !migration.rules.rules.contains(where: { $0.entity == entity }) else { return }
        throw CoreDataError(.missingPolicy(className: name, mapping: mapping.name))
    }

    /// Makes all objects in one transaction, of one state of the old store.
    func write(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        try migration.source.objects.reading { () throws(CoreDataError) in
            try connection.migrate { () throws(CoreDataError) in try writeTables(progress) }
        }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) { try connection.runMigrating(fragment) }

    private func writeTables(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        let tables = StoreTables(layout: check.layout)
        for statement in tables.tables { try run(SQLFragment(statement)) }
        for row in tables.entityRows() { try run(row) }
        let metadata = migration.migratedMetadata
        try run(metadata.row(try metadata.data()))
        // The folder of the old store: what its files hold goes into the rows of the new one.
        let store = try CoreDataStore(connection, migration.destination, externalFrom: migration.source.path)
        let pass = try MappingPass(migration, mapping, store)
        try pass.run(progress)
        try checkCounts(pass.instances)
        try PolicyRun(store, migration, pass.instances, mapping).run(try migration.derivations(), progress)
        progress(.indexes)
        try connection.makeIndexes(tables, check)
        progress(.verification)
        try checkMandatory()
    }

    /// Checks that every object that was made is there, before policies add others.
    private func checkCounts(_ instances: MappedInstances) throws(CoreDataError) {
        var made: [String: Int64] = [:]
        for (index, mapping) in mapping.entityMappings.enumerated() {
            guard let name = mapping.destinationEntityName else { continue }
            made[name, default: 0] += instances.pairs(index).count
        }
        for (name, wanted) in made.sorted(by: { $0.key < $1.key }) {
            guard let entity = check.layout.entities[name] else { continue }
            let found = try check.count(entity)
            guard found == wanted else {
                throw CoreDataError(.verification("\(name) has \(found) objects, \(wanted) were made"))
            }
        }
    }

    /// Checks that every object has what is mandatory.
    private func checkMandatory() throws(CoreDataError) {
        for entity in check.layout.ordered where !entity.isAbstract {
            let model = migration.destination
            let attributes = model.attributes(of: entity.name).filter(\.isMandatory).map(\.name)
            let relationships = model.relationships(of: entity.name).filter(\.isMandatoryToOne).map(\.name)
            try check.count(entity, mandatory: attributes + relationships)
        }
    }
}
