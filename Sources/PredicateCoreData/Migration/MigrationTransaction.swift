import Foundation
import PredicateSQL
import PredicateStore

extension SQLiteConnection {
    /// The connection that writes the new store of a migration; the old file is attached as `old` where statements read it.
    static func migrating(_ path: String, attaching old: String? = nil) throws(CoreDataError) -> SQLiteConnection {
        var options = SQLiteOptions(.create)
        options.attachedFiles = old == nil ? 0 : 1
        return try storing { () throws(StoreError) in
            let connection = try SQLiteConnection(path, options)
            let file = old.map { UntouchedFile(URL(fileURLWithPath: $0).path) }
            let locking = file?.isExclusive ?? false ? "PRAGMA locking_mode = EXCLUSIVE; " : ""
            // The file has no name yet: what a crash leaves of it is of no use to anyone.
            try connection.execute("\(locking)PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            if let file { try connection.run(SQLFragment("ATTACH ?1 AS old", bindings: [.text(file.uri)])) }
            return connection
        }
    }

    /// Writes a migrated store in one transaction, which an error undoes.
    func migrate(_ work: () throws(CoreDataError) -> Void) throws(CoreDataError) {
        var failure: CoreDataError?
        do throws(StoreError) {
            try transaction { () throws(StoreError) in try noting(&failure, work) }
        } catch {
            throw failure ?? CoreDataError(ofMigration: error)
        }
    }

    /// Runs a statement of a migration.
    func runMigrating(_ fragment: SQLFragment) throws(CoreDataError) {
        do throws(StoreError) { _ = try run(fragment) } catch { throw CoreDataError(ofMigration: error) }
    }

    /// Makes the indexes of a migrated store; throws `notUnique` where objects break a uniqueness constraint.
    func makeIndexes(_ tables: StoreTables, _ check: MigrationCheck) throws(CoreDataError) {
        do throws(CoreDataError) {
            for statement in tables.indexes { try runMigrating(SQLFragment(statement)) }
        } catch {
            try check.checkUnique()
            throw error
        }
    }
}

extension PredicateStore {
    /// Runs work that reads one state of the file.
    func reading(_ work: () throws(CoreDataError) -> Void) throws(CoreDataError) {
        var failure: CoreDataError?
        do throws(StoreError) {
            try snapshot { () throws(StoreError) in try noting(&failure, work) }
        } catch {
            throw failure ?? CoreDataError(ofMigration: error)
        }
    }
}

/// Runs work within a scope of the database, which its error ends; the error itself is noted.
private func noting(_ failure: inout CoreDataError?, _ work: () throws(CoreDataError) -> Void) throws(StoreError) {
    do throws(CoreDataError) {
        try work()
    } catch {
        failure = error
        throw StoreError(.readOnlyConnection)
    }
}

extension CoreDataError {
    /// The error of a statement: one that was interrupted cancels the migration.
    init(ofMigration error: StoreError) {
        if case .sqlite(.interrupted, _) = error.code {
            self.init(.cancelled)
        } else {
            self.init(.store(error))
        }
    }
}
