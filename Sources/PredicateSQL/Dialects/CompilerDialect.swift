/// A dialect with its templates, limits and first placeholders, read once.
final class CompilerDialect: @unchecked Sendable {
    let base: any SQLDialect
    let templates: DialectTemplates
    let features: SQLFeatures
    let limits: SQLLimits
    let timestamps: SQLTimestamps?
    /// True for a dialect that may lack a piece that its features promise, such as a host's, or a function.
    let mayLackPieces: Bool
    /// The functions that the connections of the host lack.
    let unregistered: SQLFunctionSet
    /// The first placeholders, for each type one after another.
    private let placeholders: UnsafePointer<ShortText?>
    private let arena = Arena()
    private static let placeholderCount = 16

    private init(_ base: any SQLDialect, mayLackPieces: Bool) {
        self.base = base
        self.mayLackPieces = mayLackPieces
        templates = DialectTemplates(base)
        features = base.features
        limits = base.limits
        timestamps = base.timestamps
        unregistered = SQLFunctionSet((base as? SQLiteDialect)?.unregistered ?? [])
        placeholders = UnsafePointer(
            arena.keep(
                SQLBinding.ParameterType.allCases.flatMap { type in
                    (0..<Self.placeholderCount).map { ShortText(base.placeholder($0, for: type)) }
                }))
    }

    private static let sqlite = CompilerDialect(SQLiteDialect(), mayLackPieces: false)
    private static let postgreSQL = CompilerDialect(PostgreSQLDialect(), mayLackPieces: false)
    private static let duckDB = CompilerDialect(DuckDBDialect(), mayLackPieces: false)
    private static let mariaDB = CompilerDialect(MariaDBDialect(), mayLackPieces: false)
    private static let mySQL = CompilerDialect(MySQLDialect(), mayLackPieces: false)
    private static let spark = CompilerDialect(SparkDialect(), mayLackPieces: false)
    private static let sparkWithNames = CompilerDialect(SparkDialect(parameters: .named), mayLackPieces: false)

    /// The compiler's form of a dialect; those of this module are read once per process.
    static func of(_ dialect: any SQLDialect) -> CompilerDialect {
        switch dialect {
        case let dialect as SQLiteDialect:
            dialect.unregistered.isEmpty ? sqlite : CompilerDialect(dialect, mayLackPieces: true)
        case is PostgreSQLDialect: postgreSQL
        case is DuckDBDialect: duckDB
        case is MariaDBDialect: mariaDB
        case is MySQLDialect: mySQL
        case let dialect as SparkDialect:
            dialect.features.contains(.numberedPlaceholders) ? sparkWithNames : spark
        default: CompilerDialect(dialect, mayLackPieces: true)
        }
    }

    var name: String { base.name }

    /// One of the first placeholders; nil for a later one, and for a long one.
    func placeholder(_ number: Int, _ type: SQLBinding.ParameterType) -> ShortText? {
        number < Self.placeholderCount ? placeholders[type.rawValue * Self.placeholderCount + number] : nil
    }
}
