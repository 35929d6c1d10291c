/// A dialect with what is asked of it again and again at hand.
final class CompilerDialect: @unchecked Sendable {
    let base: any SQLDialect
    let templates: DialectTemplates
    let features: SQLFeatures
    let limits: SQLLimits
    let numbersPlaceholders: Bool
    /// Whether the dialect may have no words for what its features promise, as one of a host may.
    let mayLackWords: Bool
    /// The first placeholders, for each type one after another.
    private let placeholders: UnsafePointer<ShortText?>
    private let arena = Arena()
    private static let placeholderCount = 16

    private init(_ base: any SQLDialect, mayLackWords: Bool) {
        self.base = base
        self.mayLackWords = mayLackWords
        templates = DialectTemplates(base)
        features = base.features
        limits = base.limits
        numbersPlaceholders = base.numbersPlaceholders
        placeholders = UnsafePointer(
            arena.keep(
                SQLParameterType.allCases.flatMap { type in
                    (0..<Self.placeholderCount).map { ShortText(base.placeholder($0, for: type)) }
                }))
    }

    private static let sqlite = CompilerDialect(SQLiteDialect(), mayLackWords: false)
    private static let postgreSQL = CompilerDialect(PostgreSQLDialect(), mayLackWords: false)

    /// The dialects of this module are asked once for all.
    static func of(_ dialect: any SQLDialect) -> CompilerDialect {
        if dialect is SQLiteDialect { return sqlite }
        return dialect is PostgreSQLDialect ? postgreSQL : CompilerDialect(dialect, mayLackWords: true)
    }

    var name: String { base.name }

    func likePattern(_ pattern: SQLLikePattern) -> String? { base.likePattern(pattern) }

    /// One of the first placeholders; nil for a later one, and for a long one.
    func placeholder(_ number: Int, _ type: SQLParameterType) -> ShortText? {
        number < Self.placeholderCount ? placeholders[type.rawValue * Self.placeholderCount + number] : nil
    }
}
