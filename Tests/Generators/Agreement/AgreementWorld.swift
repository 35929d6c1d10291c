import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A random schema and random rows: what predicates are asked about, in a file and in memory.
package struct AgreementWorld {
    /// A row: its number in the table, its values by key, and the numbers of the rows that its to-one keys lead to.
    package struct Row: Hashable {
        let number: Int
        var cells: [String: Cell]
        var links: [String: Int]
    }

    /// A pair in a join table.
    package struct Pair: Hashable {
        let source: Int
        let target: Int
    }

    package var schema: SQLSchema
    /// The rows, by entity.
    package var rows: [String: [Row]]
    /// The pairs, by join table.
    package var pairs: [String: [Pair]]

    package var entityNames: [String] { schema.entities.keys.sorted() }

    package func entity(_ name: String) -> SQLEntity {
        schema.entities[name] ?? SQLEntity(name, attributes: [:])
    }

    /// The primary key of a row, as memory holds it.
    package func key(_ entity: SQLEntity, _ number: Int) -> PredicateValue {
        entity.primaryKeyType == .string ? .string("key \(number)") : .integer(Int64(number))
    }

    package func storedKey(_ entity: SQLEntity, _ number: Int) -> SQLBinding {
        entity.primaryKeyType == .string ? .text("key \(number)") : .integer(Int64(number))
    }
}

// MARK: - In a file

extension AgreementWorld {
    /// Writes the tables and the rows.
    package func write(to connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        for name in entityNames { try write(entity(name), to: connection) }
        for table in pairs.keys.sorted() { try writePairs(table, to: connection) }
        try connection.execute("COMMIT")
    }

    private func write(_ entity: SQLEntity, to connection: SQLiteConnection) throws {
        let columns = entity.columns
        let declared = columns.map { "\($0.name.quoted) \($0.declaration)" }.joined(separator: ", ")
        try connection.execute("CREATE TABLE \(entity.table.quoted) (\(declared))")
        let names = columns.map(\.name.quoted).joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(entity.table.quoted) (\(names)) VALUES (\(places))"
        for row in rows[entity.name] ?? [] {
            try connection.run(SQLFragment(sql, bindings: columns.map { binding($0, row, entity) }))
        }
    }

    private func binding(_ column: WorldColumn, _ row: Row, _ entity: SQLEntity) -> SQLBinding {
        switch column.source {
        case .primaryKey: storedKey(entity, row.number)
        case .attribute(let key): row.cells[key]?.stored ?? .null
        case .link(let key, let destination):
            row.links[key].map { storedKey(self.entity(destination), $0) } ?? .null
        }
    }

    private func writePairs(_ table: String, to connection: SQLiteConnection) throws {
        guard let ends = ends(of: table) else { return }
        try connection.execute(
            "CREATE TABLE \(table.quoted) (\(ends.sourceColumn.quoted), \(ends.targetColumn.quoted))")
        let sql = "INSERT INTO \(table.quoted) VALUES (?1, ?2)"
        for pair in pairs[table] ?? [] {
            let bindings = [storedKey(ends.source, pair.source), storedKey(ends.target, pair.target)]
            try connection.run(SQLFragment(sql, bindings: bindings))
        }
    }

    package struct Ends {
        let source: SQLEntity
        let target: SQLEntity
        let sourceColumn: String
        let targetColumn: String
    }

    /// The entities that a join table ties together; its source stands in the column `a`.
    package func ends(of table: String) -> Ends? {
        for name in entityNames {
            for (_, relationship) in entity(name).sortedRelationships {
                guard case .manyToMany(let target, table, "a", let targetColumn) = relationship else { continue }
                return Ends(
                    source: entity(name), target: entity(target), sourceColumn: "a", targetColumn: targetColumn)
            }
        }
        return nil
    }
}

/// A column of a table and what is kept in it.
package struct WorldColumn {
    package enum Source {
        case primaryKey
        case attribute(String)
        case link(String, to: String)
    }

    package let name: String
    package let declaration: String
    package let source: Source
}

extension SQLEntity {
    package var sortedAttributes: [(key: String, value: SQLAttribute)] { attributes.sorted { $0.key < $1.key } }
    package var sortedRelationships: [(key: String, value: SQLRelationship)] {
        relationships.sorted { $0.key < $1.key }
    }

    package var columns: [WorldColumn] {
        let key = WorldColumn(
            name: primaryKey, declaration: "\(primaryKeyType.declaration) PRIMARY KEY NOT NULL", source: .primaryKey)
        let values = sortedAttributes.filter { ($0.value.column ?? $0.key) != primaryKey }.map { name, attribute in
            WorldColumn(
                name: attribute.column ?? name,
                declaration: attribute.type.declaration + (attribute.isNullable ? "" : " NOT NULL"),
                source: .attribute(name))
        }
        let links = sortedRelationships.compactMap { name, relationship -> WorldColumn? in
            guard case .toOne(let destination, let column) = relationship else { return nil }
            return WorldColumn(name: column, declaration: "", source: .link(name, to: destination))
        }
        return [key] + values + links
    }
}

extension SQLType {
    /// The declared type of a column of this type.
    package var declaration: String {
        switch self {
        case .integer, .boolean: "INTEGER"
        case .double: "REAL"
        case .decimal, .string, .date(.iso8601), .uuid(.text): "TEXT"
        case .date(.since1970): "REAL"
        // As Core Data declares it: whole numbers become integers.
        case .date(.since2001), .date(.timestamp): "TIMESTAMP"
        case .uuid(.blob), .data: "BLOB"
        case .any: ""
        }
    }
}

extension String {
    package var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
