/// MariaDB from version 10.6 on, in `utf8mb4`, with the functions of its prelude installed.
///
/// `t0.name >= ? COLLATE utf8mb4_nopad_bin`, with names in backquotes. Texts compare by code points whatever the
/// collation of their column; an index serves where MariaDB can use it under the stricter collation: always for
/// equality, and for an order on columns that are declared `utf8mb4_nopad_bin`. Columns must have the width of what
/// they hold, BIGINT for integers and DOUBLE for doubles, and texts the character set `utf8mb4`. Integers past 64 bits
/// are caught by way of DECIMAL; a double past the largest, and a sum over rows past 64 bits, end the statement with an
/// error. MariaDB has no infinity.
///
/// Placeholders have no numbers, so that a value that occurs twice is bound twice.
public struct MariaDBDialect: SQLDialect {
    private let family = MySQLFamily(server: .mariaDB)

    /// The dialect; it has no settings.
    public init() {}

    public var name: String { "mariadb" }
    public var limits: SQLLimits { MySQLFamily.limits }
    public var features: SQLFeatures { family.features }
    public var regularExpressions: SQLRegularExpressions? { family.regularExpressions }
    public var timestamps: SQLTimestamps? { MySQLFamily.timestamps }

    /// Clients send bytes as a text, which a column of the type UUID would read as one.
    public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        type == .blob ? "UNHEX(HEX(?))" : MySQLFamily.placeholder(for: type)
    }

    /// In backticks; nil past 64 characters, and for characters past U+FFFF.
    public func quoted(_ identifier: String) -> String? { MySQLFamily.quoted(identifier) }

    public func text(of piece: SQLPiece) -> SQLText? { family.text(of: piece) }

    /// With its cache of subqueries MariaDB answers wrongly where a text of the outer row is compared in one, and a long list
    /// turned into a subquery would lose its index. A flag for all regular expressions would change their meaning.
    public var setup: [String] {
        MySQLFamily.setup("utf8mb4_nopad_bin") + [
            """
            SET SESSION optimizer_switch = 'subquery_cache=off', in_predicate_conversion_threshold = 0, \
            default_regex_flags = ''
            """
        ]
    }

    public func prelude(for functions: Set<SQLFunction>) -> [String] {
        MySQLPrelude(server: .mariaDB, collation: "utf8mb4_nopad_bin").statements(for: functions)
    }
}
