/// A database's SQL for what predicates need. Each database has its own type.
///
/// A dialect must declare at least its ``name`` and `limits`; all other requirements have defaults. The default is
/// standard SQL if that is exact, or nil if databases differ. For nil, the compiler refuses the predicate and names
/// the offending node. So a new dialect refuses too much at first, but never selects wrong rows.
///
/// ```swift
/// @_spi(Dialect) import PredicateSQL
///
/// struct NewDialect: SQLDialect {
///     let name = "new"
///     let limits = SQLLimits(parameters: 100, parserStack: 300)
///
///     func text(of piece: SQLPiece) -> SQLText? {
///         switch piece {
///         case .isIn(let value, let json, .text): .comparison(value, "IN", "(SELECT unnest(\(json)))")
///         default: piece.standard
///         }
///     }
/// }
/// ```
///
/// What only authors of dialects need is visible to an import with `@_spi(Dialect)`. It may gain cases in any version.
///
/// A dialect is called once for each piece, with placeholders for its operands. The result must depend only on the
/// piece's case and its options.
///
/// The dialects of this package use the same declarations as your own, with one exception: their preludes,
/// which define the functions of ``SQLFunction``, are generated from the package's tables of case folds and
/// diacritics, through the package protocol `GeneratedPrelude`. These tables are large, generated and versioned, and
/// therefore not public. Your dialect can define functions in ``prelude(for:)``, use functions of the database, or
/// return nil for `SQLPiece.call`: then `[c]` and `[d]` are refused, or left to the residual.
public protocol SQLDialect: Sendable {
    // MARK: Required

    /// `sqlite`
    var name: String { get }
    /// The limits of a statement.
    @_spi(Dialect) var limits: SQLLimits { get }

    // MARK: With defaults

    /// The features of the database; none by default.
    @_spi(Dialect) var features: SQLFeatures { get }
    /// The range and format of the database's own timestamp type; nil by default, for a database without one. A
    /// constant date that is compared with a column of type ``SQLType/DateStorage/timestamp`` is then bound as a
    /// string, and its placeholder must state the type, as in `$1::timestamptz`.
    @_spi(Dialect) var timestamps: SQLTimestamps? { get }
    /// The syntax of the regular expressions in ``SQLPiece/matches(_:pattern:)``, for MATCHES patterns that describe
    /// a set of strings; nil by default, for a database without that piece.
    @_spi(Dialect) var regularExpressions: SQLRegularExpressions? { get }
    /// Returns the SQL of a piece; nil if the database cannot express it exactly. ``SQLPiece/standard`` by default.
    @_spi(Dialect) func text(of piece: SQLPiece) -> SQLText?
    /// Returns an identifier in quotes; nil if the database cannot hold it. Double quotes by default, as in standard
    /// SQL.
    @_spi(Dialect) func quoted(_ identifier: String) -> String?
    /// Returns the placeholder of a parameter: `?1`, `$1::text`. `?` by default.
    @_spi(Dialect) func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String
    /// Statements to run on every connection.
    var setup: [String] { get }
    /// Returns the statements that make the database end every later statement of a connection after some time: `SET
    /// statement_timeout = 5000`. None by default, for a database without such a setting. [NSP-423]
    @_spi(Dialect) func setup(endingStatementsAfter time: Duration) -> [String]
    /// Returns the statements of a setup as settings of one transaction, `SET LOCAL TIME ZONE 'UTC'`, after which the
    /// connection is as it was. nil by default, for a database whose settings stay with the connection.
    @_spi(Dialect) func transactionSetup(of setup: [String]) -> [String]?
    /// Returns the statements that create these functions, to run once in a database.
    func prelude(for functions: Set<SQLFunction>) -> [String]
}

extension SQLDialect {
    @_spi(Dialect) public var features: SQLFeatures { [] }
    @_spi(Dialect) public var timestamps: SQLTimestamps? { nil }
    @_spi(Dialect) public var regularExpressions: SQLRegularExpressions? { nil }
    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? { piece.standard }
    @_spi(Dialect) public func quoted(_ identifier: String) -> String? { Self.quoted(identifier, by: "\"") }
    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String { "?" }
    public var setup: [String] { [] }
    @_spi(Dialect) public func setup(endingStatementsAfter time: Duration) -> [String] { [] }
    @_spi(Dialect) public func transactionSetup(of setup: [String]) -> [String]? { nil }
    public func prelude(for functions: Set<SQLFunction>) -> [String] { [] }
}

/// The limits of a statement.
@_spi(Dialect) public struct SQLLimits: Hashable, Sendable {
    /// The maximum number of parameters in a statement.
    public var parameters: Int
    /// The maximum number of entries on the stack of the database's parser, which holds the unfinished parts of a
    /// statement. A parenthesis takes one entry, an operator with its left operand two, a call five, a SELECT up to
    /// eleven.
    public var parserStack: Int
    /// The maximum number of joined tables.
    public var tables: Int
    /// The maximum number of list elements that are bound one by one.
    public var listElements: Int
    /// The maximum length of a statement in bytes. SQL may repeat a part of a predicate, and a part of that part
    /// again.
    public var length: Int
    /// The maximum number of digits before the decimal point of a parameter.
    public var wholeDigits: Int
    /// The maximum number of digits after the decimal point of a parameter.
    public var fractionDigits: Int
    /// The greatest number of digits of decimal types whose results keep that number of digits. A result with more digits is an
    /// error, unless an operand has a type with more digits.
    public var narrowDigits: Int

    /// Creates the limits of a database. Omit limits that do not apply.
    public init(
        parameters: Int, parserStack: Int, tables: Int = .max, listElements: Int = 100, length: Int = 1 << 23,
        wholeDigits: Int = .max, fractionDigits: Int = .max, narrowDigits: Int = .max
    ) {
        self.parameters = parameters
        self.parserStack = parserStack
        self.tables = tables
        self.listElements = listElements
        self.length = length
        self.wholeDigits = wholeDigits
        self.fractionDigits = fractionDigits
        self.narrowDigits = narrowDigits
    }
}

/// The features of a database.
@_spi(Dialect) public struct SQLFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A correlated subquery may refer to tables of any enclosing scope. Without this feature, every scope in between
    /// joins the outer row again.
    public static let skipLevelCorrelation = SQLFeatures(rawValue: 1)
    /// Strings are ordered by code points, so that BEGINSWITH as a range is sargable.
    public static let textRanges = SQLFeatures(rawValue: 2)
    /// UUIDs have their own type.
    public static let uuidType = SQLFeatures(rawValue: 4)
    /// Decimal numbers have their own type, which compares exactly.
    public static let decimalType = SQLFeatures(rawValue: 8)
    /// Strings may contain U+0000.
    public static let nulInText = SQLFeatures(rawValue: 16)
    /// NaN equals itself and is greater than all other doubles.
    public static let ordersNotANumber = SQLFeatures(rawValue: 32)
    /// LIKE compares code points, with `%` and `_`. Without this feature, patterns use ``SQLFunction/like``.
    public static let nativeLike = SQLFeatures(rawValue: 64)
    /// Placeholders are numbered, so that a value may be used in several places.
    public static let numberedPlaceholders = SQLFeatures(rawValue: 128)
    /// The application registers functions itself, so that a query lists their names.
    public static let applicationFunctions = SQLFeatures(rawValue: 256)
    /// All doubles are finite: infinities are neither stored nor computed.
    public static let finiteDoubles = SQLFeatures(rawValue: 512)
    /// A collation that is stated for one operand of a comparison applies to both, and an index on the other operand,
    /// a column, still serves.
    public static let collatesConstants = SQLFeatures(rawValue: 1024)
    /// Strings can be compared only under equal collations, so that every operand except a parameter must state one.
    public static let comparesEqualCollations = SQLFeatures(rawValue: 2048)
    /// UPDATE can return the keys of the changed rows.
    public static let returnsUpdatedKeys = SQLFeatures(rawValue: 4096)
    /// DELETE can return the keys of the deleted rows.
    public static let returnsDeletedKeys = SQLFeatures(rawValue: 8192)
    /// A DELETE that returns keys may give its table an alias.
    public static let aliasesWhatItDeletes = SQLFeatures(rawValue: 16384)
    /// ORDER BY may call the functions of the prelude, so that rows can be ordered by folded strings.
    public static let ordersByFunctions = SQLFeatures(rawValue: 32768)
    /// A column may hold values of types other than its own. Conditions test them with ``SQLPiece/isStored(_:_:)`` if the
    /// schema declares the affinity of the column.
    public static let storageClasses = SQLFeatures(rawValue: 65536)
    /// INSERT can return the key of the inserted row.
    public static let returnsInsertedKeys = SQLFeatures(rawValue: 131072)
    /// UPDATE and DELETE may read their table in a subquery of the condition. Without this feature, rows are first selected by
    /// their keys, as ``SQLPiece/selection(_:)`` describes. SQLite accepts such a statement, but evaluates a part of the
    /// condition, or makes a set for it, only after it has changed earlier rows.
    public static let readsWhatItChanges = SQLFeatures(rawValue: 262144)
    /// An index may hold the results of a prelude function. A comparison of such a result is a separate condition,
    /// which the index can serve.
    public static let indexesFunctions = SQLFeatures(rawValue: 524288)
    /// EXISTS is evaluated row by row, at least inside a subquery, but `id IN (SELECT …)` starts from its rows.
    public static let startsFromSubqueries = SQLFeatures(rawValue: 2_097_152)
    /// A set of keys, `id IN (SELECT …)`, is hashed whatever its size and wherever the condition stands. Without this
    /// feature, it is used only where it can be joined: under OR and NOT a large one would be searched for every row.
    public static let hashesSets = SQLFeatures(rawValue: 268_435_456)
    /// The sides of an OR over several tables are evaluated row by row, but the keys that each side selects can be united:
    /// `id IN (SELECT "k" FROM (SELECT id AS "k" … UNION SELECT user_id …) AS g)`.
    public static let unitesKeys = SQLFeatures(rawValue: 1_073_741_824)
    /// Rows can be grouped by a string that a subquery computes, and MIN can select it.
    public static let groupsBySubqueries = SQLFeatures(rawValue: 536_870_912)
    /// Functions and searches use a column's collation, so that a collation in the schema is overridden there as it
    /// is in comparisons.
    public static let functionsFollowCollations = SQLFeatures(rawValue: 1_048_576)
    /// UPDATE assigns in order, so that an expression reads the new values of columns that were assigned before it.
    public static let assignsInOrder = SQLFeatures(rawValue: 2_147_483_648)
}

extension Duration {
    /// The whole milliseconds, at least one: a time of 0 means no limit in databases.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 1 : .max }
        return max(whole &+ attoseconds / 1_000_000_000_000_000, 1)
    }
}

extension SQLDialect {
    /// Returns an identifier in quotes, with the quotes inside it doubled; nil if it is empty or contains U+0000.
    ///
    /// `Self.quoted("order", by: "\"")` is `"order"`.
    @_spi(Dialect) public static func quoted(_ identifier: String, by quote: Unicode.Scalar) -> String? {
        if identifier.isEmpty || identifier.unicodeScalars.contains("\0") { return nil }
        return SQLText.quotes(identifier, quote)
    }
}
