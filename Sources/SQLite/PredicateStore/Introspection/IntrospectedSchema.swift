public import PredicateSQL

extension StoreConnection {
    /// Derives a schema from the tables of the file.
    ///
    /// `try StoreConnection("library.sqlite").schema()`
    ///
    /// - An entity has the name of its table, and an attribute the name of its column.
    /// - The primary key is the table's if it has one column, otherwise the `rowid`. A `WITHOUT ROWID` table with a
    ///   multi-column key numbers its rows, as views do.
    /// - A foreign key is a to-one relationship. Its name is the column's name without the suffix: `boss` for
    ///   `boss_id`, `bossId` and `bossID`. Without such a suffix, the relationship has the name of the referenced
    ///   table, or `column_table` if a table has several foreign keys to one table, or references itself:
    ///   `origin_airport`. If the name is taken: `table_by_column`.
    /// - The inverse of that relationship is a to-many relationship with the name of the referencing table. It is
    ///   named `table_by_relationship` if that name is taken, if a table has several foreign keys to one table, or
    ///   if a table references itself.
    /// - A join table, whose primary key consists of two foreign keys, is a relationship of both entities. It has the
    ///   name of the other table, or of the column if the join table joins a table with itself.
    /// - If such a name is also taken, a number from 2 on is appended.
    ///
    /// The type of an attribute is the declared type of the column, checked against a sample of the first thousand rows. The
    /// sample also decides how dates, UUIDs, Booleans and undeclared types are stored. A column with values of several kinds
    /// has the type `SQLType.any`. Unless the table is `STRICT`, other rows may still hold values of other kinds:
    /// `SQLAttribute.affinity` records this, and conditions test the storage class of each value. [NSP-330]
    ///
    /// Views are entities with numbered rows (`SQLEntity.numbersRows`). Virtual tables, such as those of full-text search, are
    /// entities with their `rowid`. [NSP-334] Foreign keys that do not reference a primary key are omitted, and so are views
    /// and virtual tables that cannot be read, and columns whose names no key path can contain. Throws a ``StoreError``.
    public func schema() throws(StoreError) -> SQLSchema {
        try introspect().schema
    }

    /// Returns the schema, and the parts of the file that it does not represent.
    package func introspect() throws(StoreError) -> IntrospectedSchema {
        try withLock { () throws(StoreError) in
            // A savepoint outside any transaction reads from a snapshot, so later changes by other connections are not seen.
            try execute("SAVEPOINT predicates_schema")
            defer { try? execute("RELEASE predicates_schema") }
            let tables = try TableReader(connection: self).tables()
            var builder = SchemaBuilder(tables)
            var looseUUIDs: [IntrospectedSchema.LooseUUIDs] = []
            let sampler = ColumnSampler(connection: self, tables: tables)
            for table in builder.entityTables {
                let columns = try sampler.columns(of: table)
                builder.setTypes(columns.mapValues(\.type), of: table)
                looseUUIDs += columns.compactMap { name, column in
                    column.looseUUID.map { .init(table: table.name, column: name, example: $0) }
                }
            }
            var introspected = builder.schema()
            introspected.looseUUIDs = looseUUIDs.sorted { ($0.table, $0.column) < ($1.table, $1.column) }
            introspected.schema = try FoldIndexReader(connection: self).schema(introspected.schema)
            introspected.schema = try StatisticsReader(connection: self).schema(introspected.schema)
            return introspected
        }
    }
}

/// Derives entities from tables, and relationships from foreign keys.
struct SchemaBuilder {
    /// The tables that become entities, by name.
    let entityTables: [TableFacts]
    private let joinTables: [TableFacts]
    private var entities: [String: SQLEntity] = [:]
    private var omissions: [IntrospectedSchema.Omission] = []

    init(_ tables: [TableFacts]) {
        entityTables = tables.filter { table in
            switch table.kind {
            case .table: !table.linked.isPureJoinTable && Self.primaryKey(of: table) != nil
            case .view, .virtual: table.problem == nil && Self.primaryKey(of: table) != nil
            case .shadow: false
            }
        }
        joinTables = tables.filter { $0.kind == .table && $0.linked.joinKeys != nil }
        omissions = tables.compactMap(Self.omission)
        for table in entityTables { entities[table.name] = Self.entity(table) }
    }

    /// The primary key column, or a usable name of the rowid; nil if columns hide all names of the rowid.
    private static func primaryKey(of table: TableFacts) -> String? {
        table.keyColumns.count == 1 ? table.keyColumns.first?.name : table.rowIDName
    }

    private static func omission(_ table: TableFacts) -> IntrospectedSchema.Omission? {
        switch table.kind {
        case .view: table.problem.map { .view(table.name, problem: $0) }
        case .virtual: table.problem.map { .virtualTable(table.name, problem: $0) }
        case .shadow: nil
        case .table:
            table.linked.isPureJoinTable || primaryKey(of: table) != nil ? nil : .compositeKey(table: table.name)
        }
    }

    private static func entity(_ table: TableFacts) -> SQLEntity {
        SQLEntity(
            table.name, primaryKey: primaryKey(of: table) ?? "rowid", attributes: [:], numbersRows: table.numbersRows,
            keyColumns: table.numbersRows ? table.linked.keyColumns : [])
    }

    mutating func setTypes(_ types: [String: SQLType], of table: TableFacts) {
        guard var entity = entities[table.name] else { return }
        for column in table.columns {
            guard !SQLEntity.isUnreachable(column.name) else {
                omissions.append(.columnName(table: table.name, column: column.name))
                continue
            }
            let isNullable = !column.isNotNull && !column.isRowID(in: table)
            let type = types[column.name] ?? .data
            entity.attributes[column.name] = SQLAttribute(
                type, isNullable: isNullable, affinity: column.affinity(in: table))
        }
        entity.primaryKeyType = types[entity.primaryKey] ?? .integer
        entities[table.name] = entity
    }

    /// Returns the schema with the relationships of the foreign keys.
    func schema() -> IntrospectedSchema {
        var builder = RelationshipBuilder(entities)
        builder.add(entityTables.map(\.linked), joinedBy: joinTables.map(\.linked))
        return IntrospectedSchema(
            schema: SQLSchema(Array(builder.entities.values)), omissions: omissions + builder.omissions)
    }
}
