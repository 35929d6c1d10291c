#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tables of a database as ``SQLEngine/catalogQuery`` describes them.
///
/// `{"database": "postgresql", "columns": [{"table": "person", "name": "id", "type": "int8", …}], "foreignKeys": []}`
struct DatabaseDocument: Codable {
    let database: String
    let columns: [Column]
    let foreignKeys: [ForeignKeyColumn]

    /// A column of a table or view. Booleans are words, since the databases have no common form for them in JSON.
    struct Column: Codable {
        let table: String
        /// The schema of the table; nil if the connection finds the table without it.
        let schema: String?
        /// `table` or `view`
        let kind: String
        let name: String
        let position: Int
        /// The name of the type without its length and domain: `varchar`
        let type: String
        /// The name of a type that is not the plain one for its values: `order_state`, `citext`
        let native: String?
        /// The labels of an enumeration.
        let labels: [String]?
        /// The type as the table declares it: `character varying(20)`
        let declared: String
        /// `YES` or `NO`
        let nullable: String
        let collation: String?
        /// The position in the primary key, from 1; nil for other columns.
        let keyPosition: Int?
        /// What the statistics of the database tell: the rows of the table, the different values of the column, and its bounds, in
        /// seconds since 2001 if it holds dates.
        let rowCount: Int?
        let valueCount: Int?
        let least: Double?
        let greatest: Double?
    }

    /// A column of a foreign key.
    struct ForeignKeyColumn: Codable {
        let table: String
        let schema: String?
        let constraint: String?
        let position: Int
        let column: String
        let target: String
        let targetSchema: String?
        let targetColumn: String?
    }
}

extension IntrospectedSchema {
    /// Reads the result of ``SQLEngine/catalogQuery``. An entity has the name of its table, with that of the schema unless the
    /// connection searches that schema, and an attribute the name of its column; for relationships see ``RelationshipBuilder``.
    ///
    /// The primary key is the table's own if it has one column. Otherwise, the rows of a view or a table are numbered, as for a
    /// view in SQLite; a DuckDB table has its `rowid` as the key. A column of a type that schemas do not have is left out.
    /// [NSP-427]
    /// - Throws: ``SQLSchemaError`` for anything but such a result.
    package init(document: [UInt8]) throws(SQLSchemaError) {
        let read: DatabaseDocument = try SQLSchemaError.decoding(Data(document))
        guard let engine = SQLEngine.described.first(where: { $0.rawValue == read.database }) else {
            let expected = SQLEngine.described.map(\.rawValue)
            throw SQLSchemaError(.unknownWord(read.database, expected: expected), path: "database")
        }
        var builder = DatabaseSchemaBuilder(read, engine)
        self = builder.schema()
    }
}

/// Derives a schema from the document of a database.
private struct DatabaseSchemaBuilder {
    private let document: DatabaseDocument
    private let engine: SQLEngine
    private let tables: [Table]
    private var omissions: [IntrospectedSchema.Omission] = []

    /// A table or view with its columns in order.
    private struct Table {
        let isView: Bool
        let columns: [DatabaseDocument.Column]
        let linked: LinkedTable
    }

    init(_ document: DatabaseDocument, _ engine: SQLEngine) {
        (self.document, self.engine) = (document, engine)
        let foreignKeys = Self.foreignKeys(document.foreignKeys)
        let found = Dictionary(grouping: document.columns) { TableName($0.table, in: $0.schema) }
        tables = found.sorted { $0.key.words < $1.key.words }.map { name, columns in
            let columns = columns.sorted { $0.position < $1.position }
            let keys = columns.filter { $0.keyPosition != nil }.sorted { $0.keyPosition ?? 0 < $1.keyPosition ?? 0 }
            return Table(
                isView: columns.first?.kind == "view", columns: columns,
                linked: LinkedTable(
                    name, columns: columns.map(\.name), keyColumns: keys.map(\.name),
                    foreignKeys: foreignKeys[name] ?? []))
        }
    }

    /// Returns the foreign keys of each table, in the order of the names of their constraints.
    private static func foreignKeys(
        _ columns: [DatabaseDocument.ForeignKeyColumn]
    ) -> [TableName: [ForeignKeyFacts]] {
        var keys: [TableName: [ForeignKeyFacts]] = [:]
        let constraints = Dictionary(grouping: columns) { [$0.schema ?? "", $0.table, $0.constraint ?? $0.column] }
        for (_, columns) in constraints.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let columns = columns.sorted { $0.position < $1.position }
            guard let first = columns.first else { continue }
            let target = TableName(first.target, in: first.targetSchema)
            keys[TableName(first.table, in: first.schema), default: []].append(
                ForeignKeyFacts(
                    columns: columns.map(\.column), table: target.words, targets: columns.map(\.targetColumn)))
        }
        return keys
    }

    mutating func schema() -> IntrospectedSchema {
        let entityTables = tables.filter { !$0.linked.isPureJoinTable }
        var entities: [String: SQLEntity] = [:]
        for table in entityTables { entities[table.linked.name] = entity(table) }
        var builder = RelationshipBuilder(entities)
        builder.add(entityTables.map(\.linked), joinedBy: tables.map(\.linked).filter { $0.joinKeys != nil })
        return IntrospectedSchema(
            schema: SQLSchema(Array(builder.entities.values)), omissions: omissions + builder.omissions)
    }

    private mutating func entity(_ table: Table) -> SQLEntity {
        var entity = keyed(table)
        entity.rowCount = table.columns.first?.rowCount
        return entity
    }

    private mutating func keyed(_ table: Table) -> SQLEntity {
        let attributes = attributes(of: table)
        let (name, own, keys) = (table.linked.name, table.linked.own, table.linked.keyColumns)
        if keys.count == 1, let key = keys.first, let type = attributes[key]?.type {
            return SQLEntity(
                name, table: own.table, primaryKey: key, primaryKeyType: type, attributes: attributes,
                schema: own.schema)
        }
        let hasRowID = engine == .duckdb && !table.isView
        let taken = Set(table.columns.map { $0.name.lowercased() })
        let number = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } ?? "rowid_\(taken.count)"
        let numbersRows = !hasRowID || number != "rowid"
        return SQLEntity(
            name, table: own.table, primaryKey: number, attributes: attributes, numbersRows: numbersRows,
            keyColumns: numbersRows ? keys : [], schema: own.schema)
    }

    private mutating func attributes(of table: Table) -> [String: SQLAttribute] {
        let references = Set(table.linked.keyColumns + table.linked.foreignKeys.flatMap(\.columns))
        var attributes: [String: SQLAttribute] = [:]
        for column in table.columns {
            if SQLEntity.isUnreachable(column.name) {
                omissions.append(.columnName(table: table.linked.name, column: column.name))
            } else if let type = engine.type(
                column.type, declared: column.declared, isReference: references.contains(column.name))
            {
                attributes[column.name] = SQLAttribute(
                    type, isNullable: column.nullable != "NO",
                    collation: type == .string || type == .paddedString ? column.collation : nil,
                    nativeType: column.native, labels: column.labels ?? [])
                attributes[column.name]?.valueCount = column.valueCount
                if let least = column.least, let greatest = column.greatest, least <= greatest {
                    attributes[column.name]?.valueRange = least...greatest
                }
            } else {
                omissions.append(
                    .columnType(table: table.linked.name, column: column.name, type: column.declared))
            }
        }
        return attributes
    }
}
