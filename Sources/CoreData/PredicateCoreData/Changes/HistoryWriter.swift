import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore

/// Writes the persistent history of a store as Core Data does: a row of `ATRANSACTION` for each transaction, and a row
/// of `ACHANGE` for each object that it inserted, updated or deleted.
struct HistoryWriter {
    private let writer: ObjectWriter
    private let layout: StoreLayout
    private var columns: [String: ChangedColumns] = [:]

    init(_ store: CoreDataStore) throws(CoreDataError) {
        (writer, layout) = (try ObjectWriter(store), store.layout)
    }

    /// The author of transactions, by which an app can distinguish them from its own.
    static let author = "PredicateCoreData"

    /// `ACHANGE.ZCHANGETYPE`
    private enum Kind: Int64 {
        case insertion = 0
        case update = 1
        case deletion = 2
    }

    /// Writes the changes of a transaction. Throws `unknownHistory` if it is not known what Core Data would write.
    mutating func write(_ entries: [PendingHistory.Entry]) throws(CoreDataError) {
        let changes = HistoryChanges(entries)
        guard !changes.isEmpty else { return }
        for object in changes.deleted { try checkDeletion(object) }
        let count = changes.inserted.count + changes.updated.count + changes.deleted.count
        let transaction = try addTransaction()
        var rows = try ChangeRows(writer, transaction, try reserve(.change, count))
        for object in changes.inserted { try add(object, .insertion, nil, to: &rows) }
        for (object, keys) in changes.updated {
            try add(object, .update, try columns(of: object.entity).bytes(keys), to: &rows)
        }
        for object in changes.deleted { try add(object, .deletion, nil, to: &rows) }
    }

    private func add(
        _ object: ObjectKey, _ kind: Kind, _ columns: [UInt8]?, to rows: inout ChangeRows
    ) throws(CoreDataError) {
        guard let entity = layout.entities[object.entity] else { return }
        try rows.add([
            .integer(kind.rawValue), .integer(entity.number), .integer(object.key),
            columns.map { .blob(Data($0)) } ?? .null,
        ])
    }

    private mutating func columns(of entity: String) throws(CoreDataError) -> ChangedColumns {
        if let known = columns[entity] { return known }
        let made = try ChangedColumns(try writer.stored(entity).entity, layout)
        columns[entity] = made
        return made
    }

    /// Throws `unknownHistory` if Core Data would keep values of the deleted object, because their columns are not known.
    private func checkDeletion(_ object: ObjectKey) throws(CoreDataError) {
        let attributes = layout.model.attributes(of: object.entity)
        guard let kept = attributes.first(where: \.preservesValueInHistoryOnDeletion) else { return }
        throw CoreDataError(.unknownHistory(entity: object.entity, .preserved(kept.name)))
    }

    // MARK: - Transactions

    private func addTransaction() throws(CoreDataError) -> Int64 {
        let reserved = try reserve(.transaction, 1)
        var names = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
        var values: [SQLBinding] = [
            .integer(reserved.first), .integer(reserved.entity), .double(Date().timeIntervalSinceReferenceDate),
        ]
        let process = ProcessInfo.processInfo.processName
        let texts = [
            ("ZAUTHORTS", Self.author), ("ZBUNDLEIDTS", Bundle.main.bundleIdentifier ?? process),
            ("ZPROCESSIDTS", process),
        ]
        for (name, text) in texts {
            names.append(name)
            values.append(.integer(try string(text)))
        }
        try writer.run(.insert(into: "ATRANSACTION", names, .values(values)))
        return reserved.first
    }

    /// The key of a string that transactions refer to. Each string is stored once.
    private func string(_ text: String) throws(CoreDataError) -> Int64 {
        let query: SQLText = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = \(bind: .text(text))"
        if let known = try writer.rows(query).first?.first?.number { return known }
        let reserved = try reserve(.string, 1)
        let values: [SQLBinding] = [.integer(reserved.first), .integer(reserved.entity), .text(text)]
        try writer.run(.insert(into: "ATRANSACTIONSTRING", ["Z_PK", "Z_ENT", "ZNAME"], .values(values)))
        return reserved.first
    }

    /// Reserves primary keys of a history table. Until the first transaction, the table has no row in `Z_PRIMARYKEY`; it
    /// is then inserted.
    private func reserve(
        _ table: HistoryTable, _ count: Int
    ) throws(CoreDataError) -> (entity: Int64, first: Int64) {
        let (number, name): (SQLText, SQLText) = (
            "\(bind: .integer(table.number))", "\(bind: .text(table.entity))"
        )
        let condition: SQLText = "Z_NAME = \(name) AND Z_ENT >= \(bind: .integer(FileTables.firstInternal))"
        try writer.run(
            """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) SELECT \(number), \(name), 0, 0
            WHERE NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY WHERE \(condition))
            """)
        let row = try writer.rows(
            """
            UPDATE Z_PRIMARYKEY SET Z_MAX = max(COALESCE(Z_MAX, 0),
            (SELECT COALESCE(max(Z_PK), 0) FROM \(name: table.rawValue))) + \(bind: .integer(Int64(count)))
            WHERE \(condition) RETURNING Z_ENT, Z_MAX
            """
        ).first
        guard let entity = row?[0].number, let last = row?[1].number, last < .max else {
            throw CoreDataError(.noPrimaryKey(entity: table.entity))
        }
        return (entity, last - Int64(count) + 1)
    }
}

/// Adds rows to `ACHANGE` with one statement.
private struct ChangeRows {
    private let writer: ObjectWriter
    private let entity: Int64
    private let transaction: Int64
    private var next: Int64
    private var statement: SQLFragment

    init(
        _ writer: ObjectWriter, _ transaction: Int64, _ reserved: (entity: Int64, first: Int64)
    ) throws(CoreDataError) {
        (self.writer, self.transaction) = (writer, transaction)
        (entity, next) = (reserved.entity, reserved.first)
        let names = ["Z_PK", "Z_ENT", "ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"]
        statement = SQLFragment(.insert(into: "ACHANGE", names, .values(names.map { _ in .null })))
    }

    mutating func add(_ values: [SQLBinding]) throws(CoreDataError) {
        statement.bindings = [.integer(next), .integer(entity), .integer(transaction)] + values
        try writer.run(statement)
        next += 1
    }
}

/// The tables of persistent history.
enum HistoryTable: String, CaseIterable {
    case change = "ACHANGE"
    case transaction = "ATRANSACTION"
    case string = "ATRANSACTIONSTRING"

    /// The name in `Z_PRIMARYKEY`.
    var entity: String { String(rawValue.dropFirst()) }

    /// The number in `Z_PRIMARYKEY`, if the store has no other internal entities.
    var number: Int64 {
        switch self {
        case .change: FileTables.firstInternal + 1
        case .transaction: FileTables.firstInternal + 2
        case .string: FileTables.firstInternal + 3
        }
    }

    /// The columns that a change writes.
    var columns: Set<String> {
        switch self {
        case .change: ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
        case .transaction: ["Z_PK", "Z_ENT", "ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS", "ZTIMESTAMP"]
        case .string: ["Z_PK", "Z_ENT", "ZNAME"]
        }
    }
}

extension FileTables {
    /// True if the store has persistent history.
    var keepsHistory: Bool { columns[HistoryTable.change.rawValue] != nil }

    /// The tables of a history that lacks a table or column that a change writes; empty if none is missing.
    var unknownHistoryTables: [String] {
        let isKnown = HistoryTable.allCases.allSatisfy { columns[$0.rawValue]?.isSuperset(of: $0.columns) ?? false }
        return isKnown ? [] : HistoryTable.allCases.map(\.rawValue).filter { columns[$0] != nil }
    }
}

extension CoreDataStore {
    /// Runs a change and, at the end of the outermost one, writes the history.
    func keepingHistory<Result>(_ body: () throws(CoreDataError) -> Result) throws(CoreDataError) -> Result {
        guard let pendingHistory else { return try body() }
        let start = pendingHistory.begin()
        let result: Result
        do throws(CoreDataError) {
            result = try body()
        } catch {
            pendingHistory.abandon(from: start)
            throw error
        }
        var history = try HistoryWriter(self)
        try history.write(pendingHistory.end())
        return result
    }
}
