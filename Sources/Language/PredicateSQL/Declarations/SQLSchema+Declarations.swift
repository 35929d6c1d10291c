extension SQLSchema {
    /// Returns the statements that create the tables of the schema in a database, in order and without semicolons: first
    /// the tables, then the indexes of foreign keys, and the foreign keys that need all tables.
    ///
    /// ```swift
    /// for statement in try schema.declarations(for: .postgresql) { print(statement + ";") }
    /// ```
    ///
    /// `CREATE TABLE "person" ("id" bigint PRIMARY KEY, "name" text NOT NULL, "boss_id" bigint)`
    ///
    /// Columns are in the order of their names, after a primary key of one column. A primary key of several is declared if
    /// the schema has them all. Entities that share a table are one table, in which the columns of some of them may be
    /// NULL. Strings are compared by code points, whatever collation the schema states, and views are left out. DuckDB
    /// declares foreign keys to earlier tables only, Spark none.
    ///
    /// - Throws: ``SQLSchemaError`` with the code `undeclarable` for a type that the database lacks, such as ``SQLType/any``,
    ///   and for a name that it cannot hold.
    public func declarations(for engine: SQLEngine) throws(SQLSchemaError) -> [String] {
        let declarations = try Declarations(SchemaTables(self, engine).tables, for: engine)
        return try (declarations.tables + declarations.constraints).statements(for: engine)
    }
}

/// The tables of a schema: those of entities, and join tables.
private struct SchemaTables {
    private let schema: SQLSchema
    private let engine: SQLEngine
    private var found: [String: TableDeclaration] = [:]

    var tables: [TableDeclaration] { found.values.sorted { $0.name < $1.name } }

    init(_ schema: SQLSchema, _ engine: SQLEngine) throws(SQLSchemaError) {
        (self.schema, self.engine) = (schema, engine)
        let isTable = { (entity: SQLEntity) in !entity.sqlite.numbersRows || !entity.keyColumns.isEmpty }
        let entities = schema.entities.values.filter(isTable).sorted { $0.name < $1.name }
        let sharing = Dictionary(grouping: entities, by: \.table)
        for (table, entities) in sharing.sorted(by: { $0.key < $1.key }) { try add(table, of: entities) }
        for entity in entities {
            for (_, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
                try add(relationship, of: entity)
            }
        }
        for (name, table) in found {
            let columns = Set(table.columns.map(\.name))
            if !columns.isSuperset(of: table.primaryKey) { found[name]?.primaryKey = [] }
        }
    }

    // MARK: - Attributes

    /// Adds the table of the entities that share it.
    private mutating func add(_ table: String, of entities: [SQLEntity]) throws(SQLSchemaError) {
        guard let first = entities.first else { return }
        let keys = first.keyColumns
        found[table] = TableDeclaration(table, primaryKey: keys.isEmpty ? [first.primaryKey] : keys)
        if keys.isEmpty { try add(first.primaryKey, first.primaryKeyType, to: table, isKey: true) }
        for discriminator in entities.compactMap(\.discriminator?.column).prefix(1) {
            try add(discriminator, .integer, to: table)
        }
        let attributes = entities.flatMap { $0.attributes.map { ($0.value.column ?? $0.key, $0.value) } }
        for (name, owned) in Dictionary(grouping: attributes, by: \.0).sorted(by: { $0.key < $1.key }) {
            let isOptional = owned.count < entities.count || owned.contains { $0.1.isNullable }
            try add(name, owned[0].1.type, to: table, isOptional: isOptional, isKey: keys.contains(name))
        }
    }

    /// Adds a column, unless the table has it.
    private mutating func add(
        _ name: String, _ type: SQLType, to table: String, isOptional: Bool = false, isKey: Bool = false
    ) throws(SQLSchemaError) {
        guard found[table]?.columns.contains(where: { $0.name == name }) == false else { return }
        guard let declared = engine.declaredType(of: type, isKey: isKey) else {
            throw SQLSchemaError(undeclarable: "the type of \(table).\(name)", in: engine)
        }
        found[table]?.columns.append(ColumnDeclaration(name, declared, isOptional: isOptional))
    }

    // MARK: - Relationships

    private mutating func add(_ relationship: SQLRelationship, of entity: SQLEntity) throws(SQLSchemaError) {
        guard let destination = schema.entities[relationship.destination] else { return }
        let order = relationship.orderColumn
        switch relationship.kind {
        case .toOne(let column): try link(column, of: entity.table, to: destination)
        case .toMany(let column):
            try link(column, of: destination.table, to: entity)
            if let order { try add(order, .integer, to: destination.table, isOptional: true) }
        case .manyToMany(let join, let source, let target):
            if found[join] == nil { found[join] = TableDeclaration(join, primaryKey: [source, target]) }
            try link(source, of: join, to: entity)
            try link(target, of: join, to: destination)
            if let order { try add(order, .integer, to: join, isOptional: true) }
        }
    }

    /// Makes a column a foreign key to an entity's table, of the type of its primary key.
    private mutating func link(_ name: String, of table: String, to entity: SQLEntity) throws(SQLSchemaError) {
        let isOptional = found[table]?.primaryKey.contains(name) == false
        try add(name, entity.primaryKeyType, to: table, isOptional: isOptional, isKey: true)
        guard let index = found[table]?.columns.firstIndex(where: { $0.name == name }),
            let type = engine.declaredType(of: entity.primaryKeyType, isKey: true)
        else { return }
        found[table]?.columns[index].type = type
        found[table]?.columns[index].isLink = true
        let isDeclared = found[entity.table] != nil
        found[table]?.columns[index].references = isDeclared ? entity.table : nil
    }
}
