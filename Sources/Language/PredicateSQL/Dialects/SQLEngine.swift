/// The databases of this package, under the names that users type.
///
/// This is the only list of them. Whatever depends on the database, in commands, sessions, catalogs, declarations and scripts,
/// asks an engine.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SQLEngine: String, Hashable, Sendable, CaseIterable {
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
    /// Spark SQL.
    case spark

    /// Creates the engine for a name, ignoring case; nil for other names.
    package init?(word: String) {
        switch word.lowercased() {
        case "postgres": self = .postgresql
        case let name: self.init(rawValue: name)
        }
    }

    /// The SQL of the database, with the standard form of parameters.
    public var dialect: any SQLDialect {
        switch self {
        case .sqlite: SQLiteDialect.complete
        case .postgresql: PostgreSQLDialect()
        case .mariadb: MariaDBDialect()
        case .mysql: MySQLDialect()
        case .duckdb: DuckDBDialect()
        case .spark: SparkDialect()
        }
    }

    /// The engines whose catalogs ``catalogQuery`` describes.
    package static let described = allCases.filter { $0.catalogQuery != nil }
    /// The engines for which scripts contain rows.
    package static let scripted = allCases.filter { $0.scriptBeginning != nil }

    /// Returns the names in a sentence: `sqlite, postgresql or mariadb`.
    package static func list(_ engines: [SQLEngine] = allCases, last: String = "or") -> String {
        engines.map(\.rawValue).list(last)
    }
}
