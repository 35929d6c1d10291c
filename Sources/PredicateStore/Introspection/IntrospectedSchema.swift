public import PredicateSQL

/// The result of introspection: the schema, and the parts of the file that it does not represent.
///
/// `try connection.introspect().leftOut` is empty for a file whose every table is an entity.
package struct IntrospectedSchema: Hashable, Sendable {
    package var schema: SQLSchema
    /// The omitted parts, sorted by table.
    package var leftOut: [Omission]
    /// Columns that are declared as UUIDs, but hold texts that are spelled in several ways, sorted: they are strings.
    package var looseUUIDs: [LooseUUIDs] = []

    /// A column declared as one of UUIDs whose texts are strings.
    package struct LooseUUIDs: Hashable, Sendable {
        package let table: String
        package let column: String
        /// One of the texts.
        package let example: String

        package init(table: String, column: String, example: String) {
            (self.table, self.column, self.example) = (table, column, example)
        }
    }

    /// A part of the file that the schema does not represent.
    package enum Omission: Hashable, Sendable {
        /// A view that cannot be read, and what SQLite says of it.
        case view(String, problem: String)
        /// A table that an extension of SQLite provides, where that is missing.
        case virtualTable(String, problem: String)
        /// A table whose primary key has several columns, and whose columns have all names of the `rowid`.
        case compositeKey(table: String)
        /// A foreign key of several columns, to a column that is not the primary key, or to a missing table.
        case foreignKey(table: String, columns: [String], to: String)
    }
}

extension SQLiteConnection {
    /// Derives a schema from the tables of the file.
    ///
    /// `try SQLiteConnection("library.sqlite").schema()`
    ///
    /// - An entity has the name of its table, and an attribute that of its column.
    /// - The primary key is that of the table if it has one column, otherwise the `rowid`; a `WITHOUT ROWID` table whose key
    ///   has several columns numbers its rows, as views do.
    /// - A foreign key is a to-one relationship: `boss_id`, `bossId` and `bossID` become `boss`; any other column gives it
    ///   the name of the referenced table. If that name is taken: `table_by_column`.
    /// - Its inverse is a to-many relationship with the name of the referring table, or `table_by_relationship` if that is
    ///   taken, if the table has several foreign keys to one table, or if it refers to itself.
    /// - A join table, whose primary key is two foreign keys, is a relationship of both entities: with the name of the
    ///   other table, or of the column if it joins a table with itself.
    /// - If such a name is taken too, it gets a number from 2 on.
    ///
    /// The type of an attribute is the declared type of the column, checked against a sample of the first thousand rows:
    /// the sample also decides how dates, UUIDs, Booleans and undeclared types are stored, and a column with values of
    /// several kinds has the type `SQLType.any`. Later rows may hold values of other kinds all the same, unless the table
    /// is `STRICT`: `SQLAttribute.affinity` says so, and conditions tell them. [NSP-330]
    ///
    /// Views are entities whose rows are numbered (`SQLEntity.numbersRows`), virtual tables such as those of full-text
    /// search are entities with their `rowid`. [NSP-334] Foreign keys that do not lead to a primary key are omitted, and so
    /// are views and virtual tables that cannot be read. Throws a ``StoreError``.
    public func schema() throws(StoreError) -> SQLSchema {
        try introspect().schema
    }

    /// Returns the schema, and the parts of the file that it does not represent.
    package func introspect() throws(StoreError) -> IntrospectedSchema {
        try withLock { () throws(StoreError) in
            // An outermost savepoint reads a snapshot, without later changes of other connections.
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
            return introspected
        }
    }
}
