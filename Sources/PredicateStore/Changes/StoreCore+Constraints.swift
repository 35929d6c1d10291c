import CPredicateSQLite
import PredicateSQL

extension StoreCore {
    /// Runs a change of an entity's rows. If a column takes no NULL, throws `missingValue` with its key.
    func explainingConstraints<Result>(
        of entity: SQLEntity, _ work: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try explaining(work)
        } catch {
            guard case .sqlite(_, SQLITE_CONSTRAINT_NOTNULL) = error.code,
                let key = entity.key(ofColumn: error.message)
            else { throw error }
            throw error.with(.missingValue(key: key, entity: entity.name))
        }
    }
}

/// `NOT NULL constraint failed: task.title`: the extended result code, which is a macro of C.
private let SQLITE_CONSTRAINT_NOTNULL = SQLITE_CONSTRAINT | (5 << 8)

extension SQLEntity {
    /// The key of the column that a message of SQLite ends in.
    fileprivate func key(ofColumn message: String) -> String? {
        let columns =
            attributes.map { ($0.key, $0.value.column ?? $0.key) }
            + relationships.compactMap { key, relationship in
                if case .toOne(_, let column) = relationship { (key, column) } else { nil }
            }
        return columns.sorted { $0.1.utf8.count > $1.1.utf8.count }.first { message.hasSuffix("." + $0.1) }?.0
    }
}
