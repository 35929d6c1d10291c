/// MySQL from version 8.0.29 on, in `utf8mb4`, with the functions of its prelude installed.
///
/// `t0.name >= ? COLLATE utf8mb4_0900_bin`: what ``MariaDBDialect`` writes, with the collation that MySQL has for code
/// points; proved on MySQL 9.7. MySQL prepares no statement that creates a function, so that a client sends the prelude as
/// text; with a binary log, that takes SUPER or `log_bin_trust_function_creators`. A regular expression that takes longer than
/// `regexp_time_limit` ends the statement with an error. (NSP-377)
public struct MySQLDialect: SQLDialect {
    private let family = MySQLFamily(server: .mySQL)

    /// The dialect; it has no settings.
    public init() {}

    public var name: String { "mysql" }
    public var limits: SQLLimits { MySQLFamily.limits }
    public var features: SQLFeatures { family.features }
    public var regularExpressions: SQLRegularExpressions? { family.regularExpressions }
    public var timestamps: SQLTimestamps? { MySQLFamily.timestamps }

    public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        MySQLFamily.placeholder(for: type)
    }

    /// In backticks; nil past 64 characters, and for characters past U+FFFF.
    public func quoted(_ identifier: String) -> String? { MySQLFamily.quoted(identifier) }

    public func text(of piece: SQLPiece) -> SQLText? { family.text(of: piece) }

    public var setup: [String] { MySQLFamily.setup("utf8mb4_0900_bin") }

    public func prelude(for functions: Set<SQLFunction>) -> [String] {
        MySQLPrelude(server: .mySQL, collation: "utf8mb4_0900_bin").statements(for: functions)
    }
}
