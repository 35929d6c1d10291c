public import PredicateSQL

/// The result of introspection: the schema, and the parts of the file that it does not represent.
///
/// `try connection.introspect().leftOut` is empty for a file whose every table is an entity.
package struct IntrospectedSchema: Hashable, Sendable {
    package var schema: SQLSchema
    /// The omitted parts, sorted by table.
    package var leftOut: [Omission]

    /// A part of the file that the schema does not represent.
    package enum Omission: Hashable, Sendable {
        /// A view: its rows have no primary key.
        case view(String)
        /// A table that an extension of SQLite provides.
        case virtualTable(String)
        /// A `WITHOUT ROWID` table whose primary key has several columns.
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
    /// - The primary key is that of the table if it has one column, otherwise the `rowid`.
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
    /// several kinds has the type `SQLType.any`. Views, virtual tables and foreign keys that do not lead to a primary
    /// key are omitted. Throws a ``StoreError``.
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
            for table in builder.entityTables {
                builder.setTypes(try ColumnSampler(connection: self, tables: tables).types(of: table), of: table)
            }
            var introspected = builder.schema()
            introspected.schema = try FoldIndexReader(connection: self).schema(introspected.schema)
            return introspected
        }
    }
}
