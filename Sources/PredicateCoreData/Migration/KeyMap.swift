import PredicateModel
import PredicateSQL
import PredicateStore

/// The primary keys that rows get in the new store: the old ones, but where rows of several tables come into one.
struct KeyMap {
    /// An entity of the old store that goes on.
    struct Passage {
        let source: StoredEntity
        let destination: StoredEntity
        /// What is added to primary keys.
        let offset: Int64
    }

    private(set) var passages: [Passage] = []
    /// The entities of a table of the old store that have rows, by table.
    private var numbers: [String: Set<Int64>] = [:]

    /// Entities of a configuration that the old store does not have, are left out.
    init(_ match: VersionMatch, _ store: CoreDataStore, _ destination: StoreLayout) {
        let (source, lastKeys) = (store.layout, store.lastKeys)
        for entity in source.entities.values { numbers[entity.table, default: []].insert(entity.number) }
        var offsets: [String: [String: Int64]] = [:]
        var ends: [String: Int64] = [:]
        for new in destination.ordered where !new.isAbstract {
            guard let old = match.entities[new.name].flatMap({ source.entities[$0] }),
                store.file.columns[old.table] != nil
            else { continue }
            let offset = offsets[new.table]?[old.table] ?? ends[new.table, default: 0]
            if offsets[new.table]?[old.table] == nil {
                offsets[new.table, default: [:]][old.table] = offset
                ends[new.table] = offset + (lastKeys[old.table] ?? 0)
            }
            passages.append(Passage(source: old, destination: new, offset: offset))
        }
        newLastKeys = ends
    }

    /// The last primary keys of the new store, by table.
    let newLastKeys: [String: Int64]

    /// True if an entity is the only one in its table that ever had rows.
    func isAlone(_ entity: StoredEntity) -> Bool { numbers[entity.table]?.count == 1 }

    private func passages(from table: String) -> [Passage] { passages.filter { $0.source.table == table } }

    /// True if all rows of a table go on under their keys.
    private func keepsKeys(_ table: String) -> Bool {
        let found = passages(from: table)
        let gone = (numbers[table] ?? []).subtracting(found.map(\.source.number))
        return found.allSatisfy { $0.offset == 0 } && gone.isEmpty
    }

    /// The new key of the row of an old table that a column leads to; NULL where the row does not go on.
    func key(_ column: String, in table: String, _ builder: inout StatementBuilder) -> String {
        if keepsKeys(table) { return column }
        let cases = passages(from: table).map { passage in
            let number = builder.place(passage.source.number)
            return "WHEN \(number) THEN k.Z_PK" + (passage.offset == 0 ? "" : " + \(builder.place(passage.offset))")
        }
        guard !cases.isEmpty else { return "NULL" }
        let text = "CASE k.Z_ENT \(cases.joined(separator: " ")) END"
        return "(SELECT \(text) FROM old.\(table.quotedName) AS k WHERE k.Z_PK = \(column))"
    }

    /// The number that the entity of the row has in the new store to which a column leads.
    func entityNumber(_ column: String, in table: String, _ builder: inout StatementBuilder) -> String {
        let cases = passages(from: table).map { passage in
            "WHEN \(builder.place(passage.source.number)) THEN \(builder.place(passage.destination.number))"
        }
        guard !cases.isEmpty else { return "NULL" }
        let text = "CASE k.Z_ENT \(cases.joined(separator: " ")) END"
        return "(SELECT \(text) FROM old.\(table.quotedName) AS k WHERE k.Z_PK = \(column))"
    }
}
