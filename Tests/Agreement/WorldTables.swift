import PredicateSQL

/// The tables of a world, as an engine declares them.
package struct WorldTables {
    private let world: AgreementWorld
    private let traits: EngineTraits

    package init(_ world: AgreementWorld, _ traits: EngineTraits) {
        self.world = world
        self.traits = traits
    }

    /// Those of entities, then those of pairs.
    package var all: [WorldTable] {
        world.entityNames.map { table(world.entity($0)) } + world.pairs.keys.sorted().compactMap(pairs)
    }

    private func table(_ entity: SQLEntity) -> WorldTable {
        let key = column(entity.primaryKey, entity.primaryKeyType, .key)
        let attributes = entity.sortedAttributes.filter { ($0.value.column ?? $0.key) != entity.primaryKey }
        let links = entity.sortedRelationships.compactMap { key, relationship -> (String, String, SQLEntity)? in
            guard case .toOne(let column) = relationship.kind else { return nil }
            return (key, column, world.entity(relationship.destination))
        }
        let columns =
            [key]
            + attributes.map {
                column($1.column ?? $0, $1.type, $1.isNullable ? .optional : .required, limit: $1.nativeType)
            }
            + links.map { column($1, $2.primaryKeyType, .link) }
        let rows = (world.rows[entity.name] ?? []).map { row in
            [world.storedKey(entity, row.number)]
                + attributes.map { row.cells[$0.key]?.stored ?? .null }
                + links.map { key, _, target in row.links[key].map { world.storedKey(target, $0) } ?? .null }
        }
        return WorldTable(name: entity.table, columns: columns, rows: rows)
    }

    private func pairs(_ table: String) -> WorldTable? {
        guard let ends = world.ends(of: table) else { return nil }
        let columns = [
            column(ends.sourceColumn, ends.source.primaryKeyType, .link),
            column(ends.targetColumn, ends.target.primaryKeyType, .link),
        ]
        let rows = (world.pairs[table] ?? []).map {
            [world.storedKey(ends.source, $0.source), world.storedKey(ends.target, $0.target)]
        }
        return WorldTable(name: table, columns: columns, rows: rows)
    }

    private func column(
        _ name: String, _ type: SQLType, _ role: WorldTable.Role, limit: String? = nil
    ) -> WorldTable.Column {
        let declaration = limit.map { role == .required ? "\($0) NOT NULL" : $0 }
        return WorldTable.Column(
            name: name, type: type,
            declaration: world.declarations[name] ?? declaration ?? traits.declaration(type, role))
    }
}

/// A table of a world: its columns, and its rows as they are stored.
package struct WorldTable {
    /// The use of a column.
    package enum Role: Hashable, Sendable {
        /// The primary key.
        case key
        /// The primary key of a row of another table, or nil.
        case link
        /// A value, or nil.
        case optional
        /// A value.
        case required
    }

    package struct Column {
        package let name: String
        package let type: SQLType
        /// `INTEGER NOT NULL`
        package let declaration: String
    }

    package let name: String
    package let columns: [Column]
    package let rows: [[SQLBinding]]
}
