/// The names in a table that its relationships depend on.
package struct LinkedTable: Hashable, Sendable {
    /// The name of its entity: `sales.orders`
    package let name: String
    package let own: TableName
    package let columns: [String]
    /// The columns of the primary key, in key order.
    package let keyColumns: [String]
    package let foreignKeys: [ForeignKeyFacts]

    package init(_ own: TableName, columns: [String], keyColumns: [String], foreignKeys: [ForeignKeyFacts]) {
        (name, self.own) = (own.words, own)
        (self.columns, self.keyColumns, self.foreignKeys) = (columns, keyColumns, foreignKeys)
    }

    /// The two foreign keys that form the primary key of a join table; nil for other tables.
    package var joinKeys: (source: ForeignKeyFacts, target: ForeignKeyFacts)? {
        let keys = keyColumns.compactMap { column in foreignKeys.first { $0.columns == [column] } }
        guard keyColumns.count == 2, keys.count == 2 else { return nil }
        return (keys[0], keys[1])
    }

    /// True for a join table without further columns, which is not an entity.
    package var isPureJoinTable: Bool { joinKeys != nil && columns.count == 2 }
}

/// A foreign key, as the database reports it: columns that reference a row of another table.
package struct ForeignKeyFacts: Hashable, Sendable {
    package let columns: [String]
    package let table: String
    /// The referenced columns; nil for the primary key.
    package let targets: [String?]

    package init(columns: [String], table: String, targets: [String?]) {
        (self.columns, self.table, self.targets) = (columns, table, targets)
    }

    package func adding(_ column: String, _ target: String?) -> ForeignKeyFacts {
        ForeignKeyFacts(columns: columns + [column], table: table, targets: targets + [target])
    }
}

/// Derives relationships from foreign keys and join tables. `StoreConnection.schema()` describes their names.
package struct RelationshipBuilder {
    /// The entities by name, with the relationships that were added.
    package private(set) var entities: [String: SQLEntity]
    /// The foreign keys that became no relationships.
    package private(set) var omissions: [IntrospectedSchema.Omission] = []

    /// Creates a builder for entities with attributes and primary keys.
    package init(_ entities: [String: SQLEntity]) {
        self.entities = entities
    }

    /// A foreign key that becomes a relationship.
    private struct Link {
        let table: String
        let column: String
        let target: String
    }

    /// Adds the relationships of tables and of join tables. Each table has the name of its entity. All to-one relationships are
    /// named before their inverses.
    package mutating func add(_ tables: [LinkedTable], joinedBy joinTables: [LinkedTable]) {
        var links: [Link] = []
        for table in tables { links += self.links(of: table) }
        let toOnes = links.map { link in (link, addToOne(link, isOnly: isOnly(link, links))) }
        for (link, key) in toOnes { addToMany(link, key, isOnly: isOnly(link, links)) }
        for table in joinTables { addJoinTable(table) }
    }

    /// Returns the table's foreign keys that become relationships; records the others as omissions.
    private mutating func links(of table: LinkedTable) -> [Link] {
        var links: [Link] = []
        for key in table.foreignKeys {
            if let link = link(key, in: table) {
                links.append(link)
            } else {
                omissions.append(.foreignKey(table: table.name, columns: key.columns, to: key.table))
            }
        }
        return links
    }

    private func link(_ key: ForeignKeyFacts, in table: LinkedTable) -> Link? {
        guard key.columns.count == 1, let column = key.columns.first, let target = entity(named: key.table),
            (key.targets.first ?? nil).map({ $0.lowercased() == target.primaryKey.lowercased() }) ?? true
        else { return nil }
        // The name in its declared case: foreign keys may ignore case, keys of a schema do not.
        let declared = table.columns.first { $0.lowercased() == column.lowercased() }
        return declared.map { Link(table: table.name, column: $0, target: target.name) }
    }

    private func entity(named name: String) -> SQLEntity? {
        entities[name] ?? entities.values.first { $0.tableName.words.lowercased() == name.lowercased() }
    }

    private mutating func addToOne(_ link: Link, isOnly: Bool) -> String {
        let target = table(of: link.target)
        let name = link.column.withoutKeySuffix ?? (isOnly ? target : "\(link.column)_\(target)")
        return add(
            .toOne(link.target, column: link.column), to: link.table,
            preferring: [name, "\(target)_by_\(link.column)"])
    }

    private func isOnly(_ link: Link, _ links: [Link]) -> Bool {
        link.table != link.target && links.filter { $0.table == link.table && $0.target == link.target }.count == 1
    }

    private mutating func addToMany(_ link: Link, _ key: String, isOnly: Bool) {
        let table = table(of: link.table)
        let explicit = "\(table)_by_\(key)"
        _ = add(
            .toMany(link.table, inverseColumn: link.column), to: link.target,
            preferring: isOnly ? [table, explicit] : [explicit])
    }

    /// The name of an entity's table, without that of its schema, since a key has no dot.
    private func table(of entity: String) -> String {
        entities[entity].map { $0.schema == nil ? entity : $0.table } ?? entity
    }

    /// Adds the relationships of a join table, one in each direction.
    private mutating func addJoinTable(_ table: LinkedTable) {
        guard let pair = table.joinKeys, let source = link(pair.source, in: table),
            let target = link(pair.target, in: table)
        else { return }
        addManyToMany(table, from: source, to: target)
        addManyToMany(table, from: target, to: source)
    }

    private mutating func addManyToMany(_ table: LinkedTable, from source: Link, to target: Link) {
        let stem = target.column.withoutKeySuffix ?? target.column
        let name = source.target == target.target ? stem : self.table(of: target.target)
        var relationship = SQLRelationship.manyToMany(
            target.target, joinTable: table.own.table, sourceColumn: source.column, targetColumn: target.column)
        relationship.joinSchema = table.own.schema
        _ = add(relationship, to: source.target, preferring: [name, "\(table.own.table)_by_\(stem)"])
    }

    /// Adds a relationship under the first unused name.
    private mutating func add(
        _ relationship: SQLRelationship, to name: String, preferring candidates: [String]
    ) -> String {
        guard var entity = entities[name] else { return "" }
        let last = candidates.last ?? name
        let numbered = (2...).lazy.map { "\(last)_\($0)" }
        let isUnused = { (key: String) in
            entity.attributes[key] == nil && entity.relationships[key] == nil && !SQLEntity.isUnreachable(key)
        }
        let key = candidates.first(where: isUnused) ?? numbered.first(where: isUnused) ?? last
        entity.relationships[key] = relationship
        entities[name] = entity
        return key
    }
}

extension String {
    /// `boss` for `boss_id`, `bossId` and `bossID`; nil for a name without such a suffix.
    fileprivate var withoutKeySuffix: String? {
        let suffix = lowercased().hasSuffix("_id") ? "_id" : ["Id", "ID"].first(where: hasSuffix)
        guard let suffix, count > suffix.count else { return nil }
        return String(dropLast(suffix.count))
    }
}
