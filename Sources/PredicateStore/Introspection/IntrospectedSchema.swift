public import PredicateSQL

/// The result of introspection: the schema, and the parts of the file that it does not represent.
///
/// `try connection.introspect().omissions` is empty if every table is an entity.
package struct IntrospectedSchema: Hashable, Sendable {
    package var schema: SQLSchema
    /// The omitted parts, sorted by table.
    package var omissions: [Omission]
    /// Columns declared as UUID that hold strings in several spellings, sorted; they are typed as strings.
    package var looseUUIDs: [LooseUUIDs] = []

    /// A column declared as UUID that is typed as string.
    package struct LooseUUIDs: Hashable, Sendable {
        package let table: String
        package let column: String
        /// One of its values.
        package let example: String

        package init(table: String, column: String, example: String) {
            (self.table, self.column, self.example) = (table, column, example)
        }
    }

    /// A part of the file that the schema does not represent.
    package enum Omission: Hashable, Sendable {
        /// A view that cannot be read, with SQLite's message.
        case view(String, problem: String)
        /// A virtual table whose SQLite extension is missing.
        case virtualTable(String, problem: String)
        /// A table whose primary key has several columns and whose columns hide all names of the `rowid`.
        case compositeKey(table: String)
        /// A foreign key with several columns, or one that references a column other than the primary key or a
        /// missing table.
        case foreignKey(table: String, columns: [String], to: String)
    }
}

extension SQLiteConnection {
    /// Derives a schema from the tables of the file.
    ///
    /// `try SQLiteConnection("library.sqlite").schema()`
    ///
    /// - An entity has the name of its table, and an attribute the name of its column.
    /// - The primary key is the table's if it has one column, otherwise the `rowid`. A `WITHOUT ROWID` table with a
    ///   multi-column key numbers its rows, as views do.
    /// - A foreign key is a to-one relationship. Its name is the column's name without the suffix: `boss` for
    ///   `boss_id`, `bossId` and `bossID`. Without such a suffix, the relationship has the name of the referenced
    ///   table. If the name is taken: `table_by_column`.
    /// - The inverse of that relationship is a to-many relationship with the name of the referencing table. It is
    ///   named `table_by_relationship` if that name is taken, if a table has several foreign keys to one table, or
    ///   if a table references itself.
    /// - A join table, whose primary key consists of two foreign keys, is a relationship of both entities. It has the
    ///   name of the other table, or of the column if the join table joins a table with itself.
    /// - If such a name is also taken, a number from 2 on is appended.
    ///
    /// The type of an attribute is the declared type of the column, checked against a sample of the first thousand
    /// rows. The sample also decides how dates, UUIDs, Booleans and undeclared types are stored. A column with values
    /// of several kinds has the type `SQLType.any`. Unless the table is `STRICT`, other rows may still hold values of
    /// other kinds: `SQLAttribute.SQLite.affinity` records this, and conditions test the storage class of each value.
    /// [NSP-330]
    ///
    /// Views are entities with numbered rows (`SQLEntity.SQLite.numbersRows`). Virtual tables, such as those of
    /// full-text search, are entities with their `rowid`. [NSP-334] Foreign keys that do not reference a primary key
    /// are omitted, and so are views and virtual tables that cannot be read. Throws a ``StoreError``.
    public func schema() throws(StoreError) -> SQLSchema {
        try introspect().schema
    }

    /// Returns the schema, and the parts of the file that it does not represent.
    package func introspect() throws(StoreError) -> IntrospectedSchema {
        try withLock { () throws(StoreError) in
            // An outermost savepoint reads a snapshot, unaffected by later changes of other connections.
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
            case .table: !table.isPureJoinTable && Self.primaryKey(of: table) != nil
            case .view, .virtual: table.problem == nil && Self.primaryKey(of: table) != nil
            case .shadow: false
            }
        }
        joinTables = tables.filter { $0.kind == .table && $0.joinKeys != nil }
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
            table.isPureJoinTable || primaryKey(of: table) != nil ? nil : .compositeKey(table: table.name)
        }
    }

    private static func entity(_ table: TableFacts) -> SQLEntity {
        SQLEntity(
            table.name, table: table.name, primaryKey: primaryKey(of: table) ?? "rowid", primaryKeyType: .integer,
            attributes: [:], sqlite: .init(numbersRows: table.numbersRows))
    }

    /// Sets the types of a table's attributes.
    mutating func setTypes(_ types: [String: SQLType], of table: TableFacts) {
        guard var entity = entities[table.name] else { return }
        for column in table.columns {
            let isNullable = !column.isNotNull && !column.isRowID(in: table)
            let type = types[column.name] ?? .data
            entity.attributes[column.name] = SQLAttribute(
                type, isNullable: isNullable, sqlite: .init(affinity: column.affinity(in: table)))
        }
        entity.primaryKeyType = types[entity.primaryKey] ?? .integer
        entities[table.name] = entity
    }

    /// Returns the schema. All to-one relationships are named before their inverses.
    mutating func schema() -> IntrospectedSchema {
        var links: [ForeignKeyLink] = []
        for table in entityTables { links += self.links(of: table) }
        let toOnes = links.map { link in (link, addToOne(link)) }
        for (link, key) in toOnes { addToMany(link, key, isOnly: isOnly(link, links)) }
        for table in joinTables { addJoinTable(table) }
        return IntrospectedSchema(schema: SQLSchema(Array(entities.values)), omissions: omissions)
    }

    // MARK: - Relationships

    /// A foreign key that becomes a relationship.
    private struct ForeignKeyLink {
        let table: String
        let column: String
        let target: String
    }

    /// Returns the table's foreign keys that become relationships; records the others as omissions.
    private mutating func links(of table: TableFacts) -> [ForeignKeyLink] {
        var links: [ForeignKeyLink] = []
        for key in table.foreignKeys {
            if let link = link(key, in: table) {
                links.append(link)
            } else {
                omissions.append(.foreignKey(table: table.name, columns: key.columns, to: key.table))
            }
        }
        return links
    }

    private func link(_ key: ForeignKeyFacts, in table: TableFacts) -> ForeignKeyLink? {
        guard key.columns.count == 1, let column = key.columns.first, let target = entity(named: key.table),
            (key.targets.first ?? nil).map({ $0.lowercased() == target.primaryKey.lowercased() }) ?? true
        else { return nil }
        // The name in its declared case: foreign keys ignore case, keys of a schema do not.
        let declared = table.columns.first { $0.name.lowercased() == column.lowercased() }?.name
        return declared.map { ForeignKeyLink(table: table.name, column: $0, target: target.name) }
    }

    private func entity(named name: String) -> SQLEntity? {
        entities[name] ?? entities.values.first { $0.table.lowercased() == name.lowercased() }
    }

    private mutating func addToOne(_ link: ForeignKeyLink) -> String {
        let name = link.column.withoutKeySuffix ?? link.target
        return add(
            .toOne(link.target, column: link.column), to: link.table,
            preferring: [name, "\(link.target)_by_\(link.column)"])
    }

    private func isOnly(_ link: ForeignKeyLink, _ links: [ForeignKeyLink]) -> Bool {
        link.table != link.target && links.filter { $0.table == link.table && $0.target == link.target }.count == 1
    }

    private mutating func addToMany(_ link: ForeignKeyLink, _ key: String, isOnly: Bool) {
        let explicit = "\(link.table)_by_\(key)"
        _ = add(
            .toMany(link.table, inverseColumn: link.column), to: link.target,
            preferring: isOnly ? [link.table, explicit] : [explicit])
    }

    /// Adds the relationships of a join table, one in each direction.
    private mutating func addJoinTable(_ table: TableFacts) {
        guard let pair = table.joinKeys, let source = link(pair.source, in: table),
            let target = link(pair.target, in: table)
        else { return }
        addManyToMany(table, from: source, to: target)
        addManyToMany(table, from: target, to: source)
    }

    private mutating func addManyToMany(_ table: TableFacts, from source: ForeignKeyLink, to target: ForeignKeyLink) {
        let stem = target.column.withoutKeySuffix ?? target.column
        let name = source.target == target.target ? stem : target.target
        _ = add(
            .manyToMany(
                target.target, joinTable: table.name, sourceColumn: source.column, targetColumn: target.column),
            to: source.target, preferring: [name, "\(table.name)_by_\(stem)"])
    }

    /// Adds a relationship under the first unused name.
    private mutating func add(
        _ relationship: SQLRelationship, to name: String, preferring candidates: [String]
    ) -> String {
        guard var entity = entities[name] else { return "" }
        let last = candidates.last ?? name
        let numbered = (2...).lazy.map { "\(last)_\($0)" }
        let isUnused = { (key: String) in entity.attributes[key] == nil && entity.relationships[key] == nil }
        let key = candidates.first(where: isUnused) ?? numbered.first(where: isUnused) ?? last
        entity.relationships[key] = relationship
        entities[name] = entity
        return key
    }
}

extension String {
    /// `boss` for `boss_id`, `bossId` and `bossID`; nil for a name without such a suffix.
    var withoutKeySuffix: String? {
        let suffix = lowercased().hasSuffix("_id") ? "_id" : ["Id", "ID"].first(where: hasSuffix)
        guard let suffix, count > suffix.count else { return nil }
        return String(dropLast(suffix.count))
    }
}
