import PredicateSQL
import PredicateSyntax

extension StoreCore {
    /// Runs something made from the schema; where SQLite does not know a name in it, says which part of the schema the
    /// file does not have.
    func explaining<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try work()
        } catch {
            guard case .sqlite(.error, _) = error.code, let code = missing() else { throw error }
            throw StoreError(code, message: error.message, sql: error.sql)
        }
    }

    /// The first table or column of the schema that the file does not have.
    private func missing() -> StoreError.Code? {
        guard let tables = try? TableReader(connection: connection).tables() else { return nil }
        let columns = Dictionary(
            tables.map { ($0.name.lowercased(), $0.columns.map(\.name)) }, uniquingKeysWith: { first, _ in first })
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
            for (table, names) in entity.names {
                guard let known = columns[table.lowercased()] else {
                    return .missingTable(
                        table, nearMisses: NearMiss.candidates(for: table, among: tables.map(\.name)))
                }
                let others = Set(known.map { $0.lowercased() } + ["rowid", "_rowid_", "oid"])
                if let name = names.first(where: { !others.contains($0.lowercased()) }) {
                    return .missingColumn(name, table: table, nearMisses: NearMiss.candidates(for: name, among: known))
                }
            }
        }
        return nil
    }
}

extension SQLEntity {
    /// The tables that the entity needs, and their columns; those of other entities are theirs to tell.
    fileprivate var names: [(table: String, columns: [String])] {
        var own = [primaryKey] + attributes.sorted { $0.key < $1.key }.map { $0.value.column ?? $0.key }
        var others: [(String, [String])] = []
        for (_, relationship) in relationships.sorted(by: { $0.key < $1.key }) {
            switch relationship {
            case .toOne(_, let column): own.append(column)
            case .toMany: break
            case .manyToMany(_, let table, let source, let target): others.append((table, [source, target]))
            }
        }
        return [(table, own)] + others
    }
}
