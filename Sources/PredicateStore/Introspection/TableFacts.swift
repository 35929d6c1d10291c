import PredicateSQL

/// A table, view or virtual table, as SQLite reports it.
struct TableFacts: Hashable {
    /// The kind of a table.
    enum Kind: String {
        case table
        case view
        case virtual
        /// A table that stores the contents of a virtual table.
        case shadow
    }

    let name: String
    let kind: Kind
    /// True for a `STRICT` table, whose columns hold values of their types only.
    let isStrict: Bool
    /// True for a `WITHOUT ROWID` table.
    let isWithoutRowID: Bool
    /// True if the primary key has an index, which one that is the rowid does not need.
    let hasKeyIndex: Bool
    let columns: [ColumnFacts]
    let foreignKeys: [ForeignKeyFacts]
    /// What SQLite says of a view or virtual table that cannot be read; nil for all others.
    var problem: String?

    /// The columns of the primary key, in key order.
    var keyColumns: [ColumnFacts] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    }

    /// True for a view, for a virtual table without rowids, and for a table without rowids whose key has several columns: no column
    /// alone is the key of a row.
    var numbersRows: Bool {
        switch kind {
        case .view: true
        case .virtual: isWithoutRowID
        case .table: isWithoutRowID && keyColumns.count > 1
        case .shadow: false
        }
    }

    /// A name of the rowid that no column has; nil if columns have them all.
    var rowIDName: String? {
        let names = Set(columns.map { $0.name.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    }

    /// The foreign keys of one column.
    var singleForeignKeys: [ForeignKeyFacts] {
        foreignKeys.filter { $0.columns.count == 1 }
    }

    /// The two foreign keys that form the primary key of a join table; nil for other tables.
    var pair: (source: ForeignKeyFacts, target: ForeignKeyFacts)? {
        let keys = keyColumns.compactMap { column in singleForeignKeys.first { $0.columns == [column.name] } }
        guard keyColumns.count == 2, keys.count == 2 else { return nil }
        return (keys[0], keys[1])
    }

    /// True for a join table without further columns, which is not an entity.
    var isPureJoinTable: Bool {
        pair != nil && columns.count == 2
    }
}

/// A column, as SQLite reports it.
struct ColumnFacts: Hashable {
    let name: String
    /// The declared type, which may be any text, or empty.
    let declaredType: String
    let isNotNull: Bool
    /// The position in the primary key, from 1; 0 for other columns.
    let keyPosition: Int

    /// The affinity of the column if it may hold values of other kinds than its type; nil for a column of a `STRICT` table,
    /// but for one of the type `ANY`, and for the rowid.
    func affinity(in table: TableFacts) -> SQLAffinity? {
        // A view may hold expressions and queries of several affinities, a module returns what it likes.
        guard table.kind == .table else { return .unknown }
        if isRowID(in: table) { return nil }
        guard table.isStrict else { return SQLAffinity(declaredType: declaredType) }
        return declaredType.uppercased() == "ANY" ? .blob : nil
    }

    /// True if the column is an alias of the rowid.
    func isRowID(in table: TableFacts) -> Bool {
        !table.isWithoutRowID && !table.hasKeyIndex && table.keyColumns.count == 1 && keyPosition == 1
            && declaredType.uppercased() == "INTEGER"
    }
}

/// A foreign key, as SQLite reports it: columns that refer to a row of another table.
struct ForeignKeyFacts: Hashable {
    let columns: [String]
    let table: String
    /// The referenced columns; nil for the primary key.
    let targets: [String?]
}
