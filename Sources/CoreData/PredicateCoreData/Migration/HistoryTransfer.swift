import Foundation
import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateStore

/// The persistent history in an inferred migration: changes get the entity numbers, primary keys and bits of the new store.
///
/// Changes of entities that the new model does not have are left out. If the bits of an update have no known meaning in
/// the new model, or if rules or policies change objects, the new store has no history.
struct HistoryTransfer {
    private let file: FileTables
    private let transfers: [KeyMap.EntityTransfer]
    /// The bits of updates in both stores, by the number of the entity in the old one.
    private let columns: [(entity: Int64, old: Data, new: Data)]

    /// nil if the history is not carried over, or if there is none.
    init?(_ migration: StoreMigration, _ keys: KeyMap, _ destination: StoreLayout) throws(CoreDataError) {
        let source = migration.source
        guard migration.keepsHistory, migration.mapping == nil, !migration.changesObjects, source.file.keepsHistory,
            source.file.unknownHistoryTables.isEmpty
        else { return nil }
        (file, transfers) = (source.file, keys.transfers)
        var columns: [(entity: Int64, old: Data, new: Data)] = []
        for transfer in transfers {
            guard Self.keepsTombstones(transfer, source.file, source.model, destination.model) else { return nil }
            let bits = HistoryBits(transfer, source.layout, destination, migration.match)
            let query: SQLText = """
                SELECT DISTINCT ZCOLUMNS FROM ACHANGE
                WHERE ZENTITY = \(bind: .integer(transfer.source.number)) AND ZCOLUMNS IS NOT NULL
                """
            let rows = try storing { () throws(StoreError) in
                try source.connection.rows(of: SQLFragment(query)).all()
            }
            for row in rows {
                guard case .blob(let old) = row[0], let new = bits.moved(Array(old)) else { return nil }
                columns.append((transfer.source.number, old, Data(new)))
            }
        }
        self.columns = columns
    }

    /// True if the values of deleted objects keep their meaning. They are in numbered columns, which belong to the same
    /// attributes only if both models preserve the values of the same attributes.
    private static func keepsTombstones(
        _ transfer: KeyMap.EntityTransfer, _ file: FileTables, _ source: ManagedObjectModel,
        _ destination: ManagedObjectModel
    ) -> Bool {
        guard file.columns["ACHANGE"]?.contains(where: { $0.hasPrefix("ZTOMBSTONE") }) ?? false else { return true }
        func preserved(_ model: ManagedObjectModel, _ name: String) -> [String] {
            model.attributes(of: name).filter(\.preservesValueInHistoryOnDeletion).map(\.name).sorted()
        }
        return preserved(source, transfer.source.name) == preserved(destination, transfer.destination.name)
    }

    // MARK: - Writing

    /// The number of changes whose entities are not in the new store.
    func lostChanges(_ source: CoreDataStore) throws(CoreDataError) -> Int {
        let kept = SQLText.keys(transfers.map(\.source.number))
        return Int(
            clamping: try source.connection.number("SELECT COUNT(*) FROM ACHANGE WHERE ZENTITY NOT IN \(kept)"))
    }

    /// Writes the tables of the history, with the old file attached.
    func write(_ connection: StoreConnection) throws(CoreDataError) {
        for table in HistoryTable.allCases {
            try connection.runMigrating(SQLFragment(creation(of: table)))
            if table != .change { try connection.runMigrating(SQLFragment(copy(table))) }
        }
        try copyChanges(connection)
        for index in Self.indexes { try connection.runMigrating(SQLFragment(index)) }
        let names = SQLText.joined(HistoryTable.allCases.map { "\(bind: .text($0.entity))" }, by: ", ")
        try connection.runMigrating(
            SQLFragment(
                """
                INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)
                SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM old.Z_PRIMARYKEY
                WHERE Z_ENT >= \(bind: .integer(FileTables.firstInternal)) AND Z_NAME IN (\(names))
                """))
    }

    private func names(of table: HistoryTable) -> [String] {
        let names = (file.columns[table.rawValue] ?? []).subtracting(["Z_PK"]).sorted()
        return ["Z_PK"] + names
    }

    private func creation(of table: HistoryTable) -> SQLText {
        let columns = names(of: table).map { name -> SQLText in
            "\(name: name) \(verbatim: Self.types[name] ?? (name.hasPrefix("ZTOMBSTONE") ? "" : "INTEGER"))"
        }
        return "CREATE TABLE main.\(name: table.rawValue) (\(SQLText.joined(columns, by: ", ")))"
    }

    private static let types = [
        "Z_PK": "INTEGER PRIMARY KEY", "ZCOLUMNS": "BLOB", "ZQUERYGEN": "BLOB", "ZTIMESTAMP": "FLOAT",
        "ZNAME": "VARCHAR",
        "ZAUTHOR": "VARCHAR", "ZBUNDLEID": "VARCHAR", "ZCONTEXTNAME": "VARCHAR", "ZPROCESSID": "VARCHAR",
    ]

    private func copy(_ table: HistoryTable) -> SQLText {
        let names = names(of: table)
        let rows: SQLText = "SELECT \(SQLText.names(names)) FROM old.\(name: table.rawValue)"
        return .insert(into: "main.\(name: table.rawValue)", names, rows)
    }

    private func copyChanges(_ connection: StoreConnection) throws(CoreDataError) {
        try connection.runMigrating(SQLFragment("CREATE TEMP TABLE moved (entity INTEGER, old BLOB, new BLOB)"))
        for column in columns {
            let values: [SQLBinding] = [.integer(column.entity), .blob(column.old), .blob(column.new)]
            try connection.runMigrating(
                SQLFragment(.insert(into: "temp.moved", ["entity", "old", "new"], .values(values))))
        }
        try connection.runMigrating(SQLFragment("CREATE INDEX temp.moved_index ON moved (entity, old)"))
        for transfer in transfers { try connection.runMigrating(SQLFragment(changes(of: transfer))) }
        try connection.runMigrating(SQLFragment("DROP TABLE temp.moved"))
    }

    private func changes(of transfer: KeyMap.EntityTransfer) -> SQLText {
        let names = names(of: .change)
        let values = names.map { name -> SQLText in
            switch name {
            case "ZENTITY": "\(bind: .integer(transfer.destination.number))"
            case "ZENTITYPK": "c.ZENTITYPK\(transfer.addedOffset)"
            case "ZCOLUMNS": "(SELECT m.new FROM temp.moved AS m WHERE m.entity = c.ZENTITY AND m.old = c.ZCOLUMNS)"
            default: "c.\(name: name)"
            }
        }
        let rows: SQLText = """
            SELECT \(SQLText.joined(values, by: ", ")) FROM old.ACHANGE AS c
            WHERE c.ZENTITY = \(bind: .integer(transfer.source.number))
            """
        return .insert(into: "main.ACHANGE", names, rows)
    }

    private static let indexes: [SQLText] = [
        "CREATE INDEX main.ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX main.ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX main.ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX main.ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        "CREATE INDEX main.Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX main.Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]
}

/// Moves the bits of an entity's updates to the places that its properties have in the new model.
private struct HistoryBits {
    private let isUnchanged: Bool
    private let old: ChangedColumns?
    private let new: ChangedColumns?
    /// The keys in the new model, by the old ones.
    private var names: [String: String] = [:]

    init(
        _ transfer: KeyMap.EntityTransfer, _ source: StoreLayout, _ destination: StoreLayout, _ match: VersionMatch
    ) {
        isUnchanged =
            ChangedColumns.form(of: transfer.source, source)
            == ChangedColumns.form(of: transfer.destination, destination)
        old = try? ChangedColumns(transfer.source, source)
        new = try? ChangedColumns(transfer.destination, destination)
        let (model, name) = (destination.model, transfer.destination.name)
        for attribute in model.storedAttributes(of: name) {
            if let before = match.sourceAttribute(attribute, of: name) { names[before.name] = attribute.name }
        }
        for relationship in model.relationships(of: name) {
            if let before = match.sourceRelationship(relationship, of: name) { names[before.name] = relationship.name }
        }
    }

    /// The bits in the new store; nil if their meaning is not known. Properties that no longer exist have no bits.
    func moved(_ bytes: [UInt8]) -> [UInt8]? {
        if isUnchanged { return bytes }
        guard let old, let new else { return nil }
        return old.moved(bytes, to: new, names)
    }
}
