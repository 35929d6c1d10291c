import PredicateSQL
import PredicateSyntax

extension StoreCore {
    /// Runs statements made from the schema. If SQLite reports an unknown name, throws which table or column of the
    /// schema is missing in the file.
    func explaining<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try work()
        } catch {
            guard case .sqlite(.error, _) = error.code, let code = missing() else { throw error }
            throw error.with(code)
        }
    }

    /// The first table or column of the schema that is missing in the file.
    private func missing() -> StoreError.Code? {
        guard let tables = try? TableReader(connection: connection).tables() else { return nil }
        let columns = Dictionary(
            tables.map { ($0.name.lowercased(), $0.columns.map(\.name)) }, uniquingKeysWith: { first, _ in first })
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
            for (table, names) in entity.names {
                guard let existing = columns[table.lowercased()] else {
                    return .missingTable(
                        table, nearMisses: NearMiss.candidates(for: table, among: tables.map(\.name)))
                }
                let valid = Set(existing.map { $0.lowercased() } + ["rowid", "_rowid_", "oid"])
                if let name = names.first(where: { !valid.contains($0.lowercased()) }) {
                    let nearMisses = NearMiss.candidates(for: name, among: existing)
                    return .missingColumn(name, table: table, nearMisses: nearMisses)
                }
            }
        }
        return nil
    }
}

extension SQLEntity {
    /// The entity's table and its join tables, with the columns that the schema names.
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
