/// What SQLite knows of a table.
struct TableFacts: Hashable {
    /// What a name in the schema stands for.
    enum Kind: String {
        case table
        case view
        case virtual
        /// A table that belongs to a virtual one.
        case shadow
    }

    let name: String
    let kind: Kind
    /// Whether rows are told apart by their primary key alone.
    let isWithoutRowID: Bool
    /// Whether an index keeps the primary key, which the row's number needs none for.
    let hasKeyIndex: Bool
    let columns: [ColumnFacts]
    let foreignKeys: [ForeignKeyFacts]

    /// The columns of the primary key, in its order.
    var keyColumns: [ColumnFacts] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    }

    /// The foreign keys of one column.
    var singleForeignKeys: [ForeignKeyFacts] {
        foreignKeys.filter { $0.columns.count == 1 }
    }

    /// The two foreign keys that form the primary key, when this is a table of pairs.
    var pair: (source: ForeignKeyFacts, target: ForeignKeyFacts)? {
        let keys = keyColumns.compactMap { column in singleForeignKeys.first { $0.columns == [column.name] } }
        guard keyColumns.count == 2, keys.count == 2 else { return nil }
        return (keys[0], keys[1])
    }

    /// A table of pairs with nothing else in it is no entity.
    var isPureJoinTable: Bool {
        pair != nil && columns.count == 2
    }
}

/// What SQLite knows of a column.
struct ColumnFacts: Hashable {
    let name: String
    /// As it was written, which may be anything, or nothing.
    let declaredType: String
    let isNotNull: Bool
    /// The place in the primary key, from 1; 0 outside it.
    let keyPosition: Int

    /// The column that is another name for the row's number.
    func isRowID(in table: TableFacts) -> Bool {
        !table.isWithoutRowID && !table.hasKeyIndex && table.keyColumns.count == 1 && keyPosition == 1
            && declaredType.uppercased() == "INTEGER"
    }
}

/// What SQLite knows of a foreign key: columns of this table that name a row of another one.
struct ForeignKeyFacts: Hashable {
    let columns: [String]
    let table: String
    /// The columns named; nil for the primary key.
    let targets: [String?]
}
