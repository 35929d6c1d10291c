import PredicateSQL
import PredicateSyntax

/// The databases for which ``ModelTables`` can be declared.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TableDialect: String, Hashable, Sendable, CaseIterable {
    /// SQLite.
    case sqlite
    /// PostgreSQL.
    case postgresql
    /// MariaDB.
    case mariadb
    /// MySQL.
    case mysql
    /// DuckDB.
    case duckdb

    /// The dialect that quotes names.
    var quoting: any SQLDialect {
        switch self {
        case .sqlite: SQLiteDialect()
        case .postgresql: PostgreSQLDialect()
        case .mariadb: MariaDBDialect()
        case .mysql: MySQLDialect()
        case .duckdb: DuckDBDialect()
        }
    }

    /// The maximum length of a name in bytes; nil for none.
    var longestName: Int? {
        switch self {
        case .sqlite, .duckdb: nil
        case .postgresql: 63
        case .mariadb, .mysql: 64
        }
    }

    /// A name in quotes. Throws `unsupportedParts` for a name that the database cannot hold.
    func quoted(_ name: String) throws(CoreDataError) -> String {
        guard let quoted = quoting.quoted(name) else {
            throw CoreDataError(.unsupportedParts(rawValue, parts: ["the name '\(name)'"]))
        }
        return quoted
    }

    func quoted(_ names: [String]) throws(CoreDataError) -> String {
        var list: [String] = []
        for name in names { list.append(try quoted(name)) }
        return list.joined(separator: ", ")
    }

    /// The declared type of a column.
    func declaration(of type: PlainType) -> String {
        switch self {
        case .sqlite: Self.sqlite(type)
        case .postgresql: Self.postgreSQL(type)
        case .mariadb: Self.mySQL(type, collation: "utf8mb4_nopad_bin")
        case .mysql: Self.mySQL(type, collation: "utf8mb4_0900_bin")
        case .duckdb: Self.duckDB(type)
        }
    }

    private static func sqlite(_ type: PlainType) -> String {
        switch type {
        case .integer16, .integer32, .integer64: "INTEGER"
        case .boolean: "BOOLEAN"
        case .double, .decimal: "REAL"
        case .text, .date, .uuid, .json: "TEXT"
        case .data: "BLOB"
        }
    }

    private static func postgreSQL(_ type: PlainType) -> String {
        switch type {
        case .integer16: "smallint"
        case .integer32: "integer"
        case .integer64: "bigint"
        case .boolean: "boolean"
        case .double: "double precision"
        case .decimal: "numeric"
        case .text: "text"
        case .date: "timestamp with time zone"
        case .uuid: "uuid"
        case .json: "json"
        case .data: "bytea"
        }
    }

    private static func duckDB(_ type: PlainType) -> String {
        switch type {
        case .integer16: "SMALLINT"
        case .integer32: "INTEGER"
        case .integer64: "BIGINT"
        case .boolean: "BOOLEAN"
        case .double, .decimal: "DOUBLE"
        case .text, .json: "VARCHAR"
        case .date: "TIMESTAMP"
        case .uuid: "UUID"
        case .data: "BLOB"
        }
    }

    /// MariaDB and MySQL. Strings are compared by code points, as in memory, and JSON of any depth is a string.
    private static func mySQL(_ type: PlainType, collation: String) -> String {
        switch type {
        case .integer16: "SMALLINT"
        case .integer32: "INT"
        case .integer64: "BIGINT"
        case .boolean: "BOOLEAN"
        case .double: "DOUBLE"
        case .decimal: "DECIMAL(65,30)"
        case .text, .json: "LONGTEXT CHARACTER SET utf8mb4 COLLATE \(collation)"
        case .date: "DATETIME(6)"
        case .uuid: "CHAR(36) CHARACTER SET ascii COLLATE ascii_bin"
        case .data: "LONGBLOB"
        }
    }
}

extension ModelTables {
    /// All statements that make the tables, in order and without semicolons: first the tables, then the indexes and
    /// foreign keys that need all of them.
    ///
    /// `CREATE TABLE "Shelf" ("Z_PK" bigint PRIMARY KEY, "name" text NOT NULL, UNIQUE ("name"))`
    ///
    /// Throws a ``CoreDataError``: `unsupportedParts` for a name that the database cannot hold.
    public func script() throws(CoreDataError) -> [String] {
        var copy = self
        return try tableStatements() + copy.constraintStatements()
    }

    /// `CREATE TABLE` for each table, without what needs the rows or other tables to be there.
    ///
    /// With `rules`, columns also have the defaults and conditions of the model, which older rows may not satisfy.
    func tableStatements(_ rules: TableRules? = nil) throws(CoreDataError) -> [String] {
        var statements: [String] = []
        for table in tables { statements.append(try statement(of: table, before: statements.count, rules)) }
        return statements
    }

    private func statement(
        of table: PlainTable, before number: Int, _ rules: TableRules?
    ) throws(CoreDataError) -> String {
        var lines: [String] = []
        let earlier = Set(tables.prefix(number).map(\.name))
        for column in table.columns {
            var line = "\(try dialect.quoted(column.name)) \(dialect.declaration(of: column.type))"
            if table.primaryKey == [column.name] {
                line += " PRIMARY KEY"
            } else if !column.isOptional {
                line += " NOT NULL"
            }
            line += rules?.defaultClause(of: column) ?? ""
            if let other = column.references, dialect.declaresReference(to: other, from: table.name, earlier) {
                line += " REFERENCES \(try dialect.quoted(other)) (\(try dialect.quoted("Z_PK")))"
                if dialect == .sqlite { line += " DEFERRABLE INITIALLY DEFERRED" }
            }
            lines.append(line)
        }
        for column in table.columns {
            if let check = rules?.check(of: column, try dialect.quoted(column.name)) { lines.append(check) }
        }
        if table.primaryKey.count > 1 { lines.append("PRIMARY KEY (\(try dialect.quoted(table.primaryKey)))") }
        for columns in table.unique where dialect.canBeUnique(columns, of: table) {
            lines.append("UNIQUE (\(try dialect.quoted(columns)))")
        }
        return "CREATE TABLE \(try dialect.quoted(table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)"
    }

    /// The foreign keys that are not declared with their tables, and an index for each of them, for a database that
    /// makes none itself. They follow the rows, so that rows can be written in any order.
    mutating func constraintStatements() throws(CoreDataError) -> [String] {
        var statements: [String] = []
        for table in tables {
            let name = try dialect.quoted(table.name)
            for column in table.columns where column.isLink && column.name != table.primaryKey.first {
                guard !dialect.indexesForeignKeys || column.references == nil else { continue }
                let index = try dialect.quoted(uniqueName("\(table.name).\(column.name)"))
                statements.append("CREATE INDEX \(index) ON \(name) (\(try dialect.quoted(column.name)))")
            }
            for column in table.columns {
                guard dialect.addsForeignKeys, let other = column.references else { continue }
                let key = "FOREIGN KEY (\(try dialect.quoted(column.name)))"
                let target = "\(try dialect.quoted(other)) (\(try dialect.quoted("Z_PK")))"
                statements.append("ALTER TABLE \(name) ADD \(key) REFERENCES \(target)")
            }
        }
        return statements
    }
}

extension PlainColumn {
    /// True for a column that holds the primary key of another object.
    var isLink: Bool {
        switch role {
        case .link, .source, .target: true
        case .key, .attribute, .archive, .linkEntity, .linkPosition, .position, .inversePosition, .history: false
        }
    }
}

extension TableDialect {
    /// True if foreign keys are added to existing tables.
    fileprivate var addsForeignKeys: Bool {
        switch self {
        case .postgresql, .mariadb, .mysql: true
        case .sqlite, .duckdb: false
        }
    }

    /// True if the database makes an index for each foreign key.
    fileprivate var indexesForeignKeys: Bool {
        switch self {
        case .mariadb, .mysql: true
        case .sqlite, .postgresql, .duckdb: false
        }
    }

    /// True if a column's reference is declared with its table. DuckDB cannot add one later and checks each row at
    /// once, so it takes only those to tables that are complete before.
    fileprivate func declaresReference(to other: String, from table: String, _ earlier: Set<String>) -> Bool {
        switch self {
        case .sqlite: true
        case .duckdb: earlier.contains(other)
        case .postgresql, .mariadb, .mysql: false
        }
    }

    /// True if the database can keep the values of these columns unique. MySQL and MariaDB have no index over whole
    /// strings and bytes.
    fileprivate func canBeUnique(_ columns: [String], of table: PlainTable) -> Bool {
        switch self {
        case .sqlite, .postgresql, .duckdb: true
        case .mariadb, .mysql:
            !table.columns.contains { columns.contains($0.name) && [.text, .data, .json].contains($0.type) }
        }
    }
}
