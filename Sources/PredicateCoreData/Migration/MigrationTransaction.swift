import PredicateSQL
import PredicateStore

extension SQLiteConnection {
    /// Writes a migrated store in one transaction, which an error undoes.
    func migrate(_ work: () throws(CoreDataError) -> Void) throws(CoreDataError) {
        var failure: CoreDataError?
        do throws(StoreError) {
            try transaction { () throws(StoreError) in
                do throws(CoreDataError) {
                    try work()
                } catch {
                    failure = error
                    throw StoreError(.readOnlyConnection)
                }
            }
        } catch {
            throw failure ?? CoreDataError(ofMigration: error)
        }
    }

    /// Runs a statement of a migration.
    func runMigrating(_ fragment: SQLFragment) throws(CoreDataError) {
        do throws(StoreError) { _ = try run(fragment) } catch { throw CoreDataError(ofMigration: error) }
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
