import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateSyntax

/// The persistent history as a timeline: what was done to which object, when and by whom.
struct HistoryExport {
    private let context: ExportContext
    private let usesURIs: Bool
    private let changes: Set<String>
    private let transactions: Set<String>
    private let strings: Set<String>
    private var columns: [ExportColumn] = []
    private var selected: [SQLText] = []

    init(_ context: ExportContext, usesURIs: Bool) {
        (self.context, self.usesURIs) = (context, usesURIs)
        let tables = context.store.file.columns
        (changes, transactions) = (
            tables[HistoryTable.change.rawValue] ?? [], tables[HistoryTable.transaction.rawValue] ?? []
        )
        strings = tables[HistoryTable.string.rawValue] ?? []
    }

    /// The table, in chronological order; nil if the store keeps no history.
    func table(_ name: String) -> ExportTable? {
        guard changes.isSuperset(of: ["Z_PK", "ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE"]),
            transactions.isSuperset(of: ["Z_PK", "ZTIMESTAMP"])
        else { return nil }
        var copy = self
        copy.addColumns()
        let rows: SQLText = """
            \(context.table("ACHANGE")) AS s LEFT JOIN \(context.table("ATRANSACTION")) AS t
            ON t.Z_PK = s.ZTRANSACTIONID ORDER BY t.ZTIMESTAMP, s.Z_PK
            """
        return ExportTable(
            name: name, entity: nil, columns: copy.columns, selected: copy.selected, rows: rows, primaryKey: [])
    }

    private mutating func addColumns() {
        let kind: SQLText = "CASE s.ZCHANGETYPE WHEN 0 THEN 'insert' WHEN 1 THEN 'update' WHEN 2 THEN 'delete' END"
        add("date", .date, "t.ZTIMESTAMP", replacement: .date(nil))
        add("change", .text, kind)
        if usesURIs {
            let unknown = URIPrefix(store: context.uuid, entity: "?")
            add("object", .text, "s.ZENTITYPK", read: .object(column: 2, unknown, number: 3))
            selected.append("s.ZENTITY")
        } else {
            add("entity", .text, "s.ZENTITY", read: .entityName(column: 2))
            add("object", .integer64, "s.ZENTITYPK")
        }
        if changes.contains("ZCOLUMNS") {
            let bits = selected.count
            selected += ["s.ZCOLUMNS", "s.ZENTITY"]
            columns.append(
                ExportColumn(
                    column: PlainColumn("keys", .json, .history), read: .changedKeys(column: bits, number: bits + 1),
                    replacement: nil))
        }
        add("transaction", .integer64, "s.ZTRANSACTIONID")
        for (name, column) in [
            ("author", "ZAUTHOR"), ("context", "ZCONTEXTNAME"), ("bundle", "ZBUNDLEID"), ("process", "ZPROCESSID"),
        ] {
            guard let value = string(column) else { continue }
            add(name, .text, value, replacement: .dropped)
        }
    }

    /// A string of a transaction, which newer stores keep in a table of strings.
    private func string(_ column: String) -> SQLText? {
        if strings.isSuperset(of: ["Z_PK", "ZNAME"]), transactions.contains(column + "TS") {
            let strings = context.table("ATRANSACTIONSTRING")
            return "(SELECT n.ZNAME FROM \(strings) AS n WHERE n.Z_PK = t.\(name: column + "TS"))"
        }
        return transactions.contains(column) ? "t.\(name: column)" : nil
    }

    private mutating func add(
        _ name: String, _ type: DeclaredType, _ value: SQLText, read: ExportRead? = nil, replacement: Replacement? = nil
    ) {
        let column = PlainColumn(name, type, .history)
        columns.append(
            ExportColumn(
                column: column, read: read ?? .value(type, column: selected.count), replacement: replacement))
        selected.append(value)
    }
}
