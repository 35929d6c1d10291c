import PredicateSyntax

/// What declarations of tables need to know of a database.
extension SQLEngine {
    /// How a database declares foreign keys.
    enum ForeignKeys {
        /// With the table, checked at the end of a transaction.
        case deferred
        /// With the table, if the other one is declared before: none can be added, and each row is checked at once.
        case toEarlierTables
        /// To the tables, when they have their rows.
        case added
        case none
    }

    var foreignKeys: ForeignKeys {
        switch self {
        case .sqlite: .deferred
        case .duckdb: .toEarlierTables
        case .postgresql, .mariadb, .mysql: .added
        case .spark: .none
        }
    }

    /// True if tables have keys, checks, defaults and indexes. Those of Spark have types and NOT NULL only.
    var hasConstraints: Bool { foreignKeys != .none }

    /// The maximum length of a name in bytes; nil for none.
    var longestName: Int? {
        switch self {
        case .sqlite, .duckdb, .spark: nil
        case .postgresql: 63
        case .mariadb, .mysql: 64
        }
    }

    /// True for MariaDB and MySQL. They make an index for each foreign key, and a default is an expression in parentheses,
    /// the only form that MySQL takes for the long types.
    var isMySQL: Bool {
        switch self {
        case .mariadb, .mysql: true
        case .sqlite, .postgresql, .duckdb, .spark: false
        }
    }

    /// True if an index can hold whole values of a type. MySQL and MariaDB index the beginning of long strings and bytes.
    func indexesWhole(_ type: DeclaredType) -> Bool {
        switch type {
        case .text, .data, .json: !isMySQL
        case .integer16, .integer32, .integer64, .double, .single, .decimal, .exactDecimal, .boolean, .shortText, .date,
            .shortData, .uuid, .uuidBytes, .array:
            true
        }
    }

    /// What follows the columns of a table.
    var tableEnding: SQLText {
        switch self {
        case .spark: " USING parquet"
        case .sqlite, .postgresql, .mariadb, .mysql, .duckdb: ""
        }
    }

    // MARK: - Types

    /// The declared type of a column; nil for a type that the database lacks.
    func declaration(of type: DeclaredType) -> SQLText? {
        // Strings are compared by code points, as in memory.
        let collation = MySQLFamily(server: self == .mysql ? .mySQL : .mariaDB).collation
        let long: SQLText = "LONGTEXT CHARACTER SET utf8mb4 COLLATE \(collation)"
        let short: SQLText = "VARCHAR(191) CHARACTER SET utf8mb4 COLLATE \(collation)"
        let uuid: SQLText = "CHAR(36) CHARACTER SET ascii COLLATE ascii_bin"
        // SQLite, PostgreSQL, MariaDB and MySQL, DuckDB, Spark
        let names: (SQLText, SQLText, SQLText, SQLText, SQLText)
        switch type {
        case .integer16: names = ("INTEGER", "smallint", "SMALLINT", "SMALLINT", "SMALLINT")
        case .integer32: names = ("INTEGER", "integer", "INT", "INTEGER", "INT")
        case .integer64: names = ("INTEGER", "bigint", "BIGINT", "BIGINT", "BIGINT")
        case .boolean: names = ("BOOLEAN", "boolean", "BOOLEAN", "BOOLEAN", "BOOLEAN")
        case .double: names = ("REAL", "double precision", "DOUBLE", "DOUBLE", "DOUBLE")
        case .single: names = ("REAL", "real", "FLOAT", "FLOAT", "FLOAT")
        case .decimal: names = ("REAL", "numeric", "DECIMAL(65,30)", "DOUBLE", "DECIMAL(38, 10)")
        case .exactDecimal: names = ("TEXT", "numeric", "DECIMAL(65,30)", "DECIMAL(38, 18)", "DECIMAL(38, 18)")
        case .text: names = ("TEXT", "text", long, "VARCHAR", "STRING")
        case .shortText: names = ("TEXT", "text", short, "VARCHAR", "STRING")
        case .json: names = ("TEXT", "json", long, "VARCHAR", "STRING")
        case .date: names = ("TEXT", "timestamp with time zone", "DATETIME(6)", "TIMESTAMP", "TIMESTAMP")
        case .uuid: names = ("TEXT", "uuid", uuid, "UUID", "STRING")
        case .uuidBytes: names = ("BLOB", "bytea", "BINARY(16)", "BLOB", "BINARY")
        case .data: names = ("BLOB", "bytea", "LONGBLOB", "BLOB", "BINARY")
        case .shortData: names = ("BLOB", "bytea", "VARBINARY(191)", "BLOB", "BINARY")
        case .array(let element): return declaration(ofArrayOf: element)
        }
        return switch self {
        case .sqlite: names.0
        case .postgresql: names.1
        case .mariadb, .mysql: names.2
        case .duckdb: names.3
        case .spark: names.4
        }
    }

    private func declaration(ofArrayOf element: DeclaredType) -> SQLText? {
        switch self {
        case .postgresql, .duckdb: declaration(of: element).map { "\($0)[]" }
        case .spark: declaration(of: element).map { "ARRAY<\($0)>" }
        case .sqlite, .mariadb, .mysql: nil
        }
    }

    /// True if a column of type ``DeclaredType/decimal`` keeps all digits.
    package var keepsDecimals: Bool {
        switch self {
        case .postgresql, .mariadb, .mysql, .spark: true
        case .sqlite, .duckdb: false
        }
    }

    /// How the database stores a date: as a timestamp of its own, or as a string.
    package var dateStorage: SQLType.DateStorage { dialect.timestamps == nil ? .iso8601 : .timestamp }

    /// Returns the type in a schema of a column that is declared with a type.
    package func schemaType(of type: DeclaredType) -> SQLType {
        switch type {
        case .integer16, .integer32, .integer64: .integer
        case .double: .double
        case .single: .single
        case .decimal: keepsDecimals ? .decimal : .double
        case .exactDecimal: .decimal
        case .boolean: .boolean
        case .text, .shortText, .json: .string
        case .date: .date(dateStorage)
        case .uuid: .uuid(dialect.features.contains(.uuidType) ? .blob : .text)
        case .uuidBytes: .uuid(.blob)
        case .data, .shortData: .data
        case .array(let element): .array(schemaType(of: element), .native)
        }
    }

    /// Returns the type with which a column of a schema is declared; nil for a type that the database lacks.
    func declaredType(of type: SQLType, isKey: Bool) -> DeclaredType? {
        switch type {
        case .integer: .integer64
        case .double, .date(.since2001), .date(.since1970): .double
        case .single: .single
        case .decimal: .exactDecimal
        case .boolean: .boolean
        case .string: isKey ? .shortText : .text
        case .date(.iso8601): .text
        case .date(.timestamp): .date
        case .uuid(.blob): dialect.features.contains(.uuidType) ? .uuid : .uuidBytes
        case .uuid(.text), .uuid(.lowercaseText): .shortText
        case .data: isKey ? .shortData : .data
        case .array(let element, .native): declaredType(of: element, isKey: false).map(DeclaredType.array)
        case .array(_, .json): .json
        case .any: dialect.features.contains(.storageClasses) ? .data : nil
        case .paddedString: nil
        }
    }
}
