public import PredicateSQL

/// What was found in a file: the schema, and what no schema can say.
///
/// `try connection.introspect().leftOut` is empty for a file whose every table is an entity.
public struct IntrospectedSchema: Hashable, Sendable {
    public var schema: SQLSchema
    /// In the order of the tables' names.
    public var leftOut: [Omission]

    /// Something in the file that the schema does not have.
    @nonexhaustive
    public enum Omission: Hashable, Sendable {
        /// A view: its rows have no key of their own.
        case view(String)
        /// A table that an extension of SQLite makes up.
        case virtualTable(String)
        /// A table whose rows only several columns together tell apart.
        case compositeKey(table: String)
        /// A foreign key of several columns, to a column that is no primary key, or to a table that is not there.
        case foreignKey(table: String, columns: [String], to: String)
    }
}

extension SQLiteConnection {
    /// The tables of the file as entities.
    ///
    /// `try SQLiteConnection("library.sqlite").schema()`
    ///
    /// - An entity and its table have one name, and so have an attribute and its column.
    /// - The primary key is the table's when it has one column, else the number that every row has, `rowid`.
    /// - A foreign key is a to-one relationship: `boss_id`, `bossId`, `bossID` give `boss`, and any other column that
    ///   of the table it names. Where that name is taken: `table_by_column`.
    /// - The other way round it is a to-many relationship with the name of the table it stands in, or
    ///   `table_by_relationship` where that is taken, where several name one table, or a table itself.
    /// - A table whose key is two foreign keys is a relationship between two entities: each has one with the name of
    ///   the other table, or of the column where a table is joined with itself.
    /// - Where even such a name is taken, numbers from 2 on follow.
    ///
    /// Types are those that columns declare, as far as the first thousand rows bear them out: these decide also how dates,
    /// UUIDs, Booleans and numbers of no declared kind are kept, and a column in which they hold values of several kinds
    /// is one of ``SQLType/any``. What cannot be said, ``introspect()`` lists. Throws a ``StoreError``.
    public func schema() throws(StoreError) -> SQLSchema {
        try introspect().schema
    }

    /// The schema, and what in the file it does not have: `try connection.introspect().leftOut`.
    public func introspect() throws(StoreError) -> IntrospectedSchema {
        try withLock { () throws(StoreError) in
            // A savepoint without a transaction around it is a snapshot: no other program's changes come in between.
            try execute("SAVEPOINT predicates_schema")
            defer { try? execute("RELEASE predicates_schema") }
            let tables = try TableReader(connection: self).tables()
            var builder = SchemaBuilder(tables)
            for table in builder.entityTables {
                builder.setTypes(try ColumnSampler(connection: self, tables: tables).types(of: table), of: table)
            }
            return builder.schema()
        }
    }
}
