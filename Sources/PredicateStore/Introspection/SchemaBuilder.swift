import PredicateSQL

/// Derives entities from tables, and relationships from foreign keys.
struct SchemaBuilder {
    /// The tables that become entities, by name.
    let entityTables: [TableFacts]
    private let pairTables: [TableFacts]
    private var entities: [String: SQLEntity] = [:]
    private var leftOut: [IntrospectedSchema.Omission] = []

    init(_ tables: [TableFacts]) {
        entityTables = tables.filter { table in
            switch table.kind {
            case .table: !table.isPureJoinTable && Self.primaryKey(of: table) != nil
            case .view, .virtual: table.problem == nil && Self.primaryKey(of: table) != nil
            case .shadow: false
            }
        }
        pairTables = tables.filter { $0.kind == .table && $0.pair != nil }
        leftOut = tables.compactMap(Self.omission)
        for table in entityTables { entities[table.name] = Self.entity(table) }
    }

    /// The column that identifies rows, or the name of their numbers; nil where columns have all names of those.
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
            attributes: [:], numbersRows: table.numbersRows)
    }

    /// Sets the types of a table's columns, which are its attributes.
    mutating func setTypes(_ types: [String: SQLType], of table: TableFacts) {
        guard var entity = entities[table.name] else { return }
        for column in table.columns {
            let isNullable = !column.isNotNull && !column.isRowID(in: table)
            let type = types[column.name] ?? .data
            entity.attributes[column.name] = SQLAttribute(
                type, isNullable: isNullable, affinity: column.affinity(in: table))
        }
        entity.primaryKeyType = types[entity.primaryKey] ?? .integer
        entities[table.name] = entity
    }

    /// Returns the schema. All to-one relationships are named before their inverses.
    mutating func schema() -> IntrospectedSchema {
        var links: [Link] = []
        for table in entityTables { links += self.links(of: table) }
        let toOnes = links.map { link in (link, addToOne(link)) }
        for (link, key) in toOnes { addToMany(link, key, isOnly: isOnly(link, links)) }
        for table in pairTables { addPair(table) }
        return IntrospectedSchema(schema: SQLSchema(Array(entities.values)), leftOut: leftOut)
    }

    // MARK: - Relationships

    /// A foreign key that becomes a relationship.
    private struct Link {
        let table: String
        let column: String
        let target: String
    }

    /// Returns the links of a table; adds its other foreign keys to the omissions.
    private mutating func links(of table: TableFacts) -> [Link] {
        var links: [Link] = []
        for key in table.foreignKeys {
            if let link = link(key, in: table) {
                links.append(link)
            } else {
                leftOut.append(.foreignKey(table: table.name, columns: key.columns, to: key.table))
            }
        }
        return links
    }

    private func link(_ key: ForeignKeyFacts, in table: TableFacts) -> Link? {
        guard key.columns.count == 1, let column = key.columns.first, let target = entity(named: key.table),
            (key.targets.first ?? nil).map({ $0.lowercased() == target.primaryKey.lowercased() }) ?? true
        else { return nil }
        // The name as the table declares it: foreign keys ignore case, keys of a schema do not.
        let declared = table.columns.first { $0.name.lowercased() == column.lowercased() }?.name
        return declared.map { Link(table: table.name, column: $0, target: target.name) }
    }

    private func entity(named name: String) -> SQLEntity? {
        entities[name] ?? entities.values.first { $0.table.lowercased() == name.lowercased() }
    }

    private mutating func addToOne(_ link: Link) -> String {
        let name = link.column.withoutKeySuffix ?? link.target
        return add(
            .toOne(link.target, column: link.column), to: link.table,
            preferring: [name, "\(link.target)_by_\(link.column)"])
    }

    private func isOnly(_ link: Link, _ links: [Link]) -> Bool {
        link.table != link.target && links.filter { $0.table == link.table && $0.target == link.target }.count == 1
    }

    private mutating func addToMany(_ link: Link, _ key: String, isOnly: Bool) {
        let explicit = "\(link.table)_by_\(key)"
        _ = add(
            .toMany(link.table, inverseColumn: link.column), to: link.target,
            preferring: isOnly ? [link.table, explicit] : [explicit])
    }

    /// Adds the relationships of a join table, one in each direction.
    private mutating func addPair(_ table: TableFacts) {
        guard let pair = table.pair, let source = link(pair.source, in: table),
            let target = link(pair.target, in: table)
        else { return }
        addManyToMany(table, from: source, to: target)
        addManyToMany(table, from: target, to: source)
    }

    private mutating func addManyToMany(_ table: TableFacts, from source: Link, to target: Link) {
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
