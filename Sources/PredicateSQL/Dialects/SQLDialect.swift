/// A database's way of writing what predicates need: one type for each database.
///
/// A dialect has to say its ``name`` and ``limits`` at least; every other requirement has a default. The defaults are
/// standard SQL where that is exact, and nil where databases differ; for nil the compiler refuses the predicate and names
/// the offending node. So a new dialect begins by refusing too much and never by selecting wrong rows.
///
/// ```swift
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
/// A dialect is called once for each piece, with placeholders for its operands; the text must depend on nothing but the
/// piece's case and its options.
public protocol SQLDialect: Sendable {
    // MARK: Required

    /// `sqlite`
    var name: String { get }
    /// The limits of a statement.
    var limits: SQLLimits { get }

    // MARK: With defaults

    /// The abilities of the database; none by default.
    var features: SQLFeatures { get }
    /// The database's own type for moments; nil for none, by default. A constant date beside a column of ``SQLType/DateStorage/timestamp``
    /// is then bound as a text, whose placeholder must say the type, as `$1::timestamptz` does.
    var timestamps: SQLTimestamps? { get }
    /// The regular expressions of ``SQLPiece/matches(_:pattern:)``, for patterns of MATCHES that mean a set of texts. Nil, by default,
    /// for a database without that piece.
    var regularExpressions: SQLRegularExpressions? { get }
    /// A piece as this database writes it; nil for one that it cannot express exactly. ``SQLPiece/standard`` by default.
    func text(of piece: SQLPiece) -> SQLText?
    /// An identifier in its quotes; nil for one that the database cannot hold. The standard's double quotes by default.
    func quoted(_ identifier: String) -> String?
    /// The placeholder of a parameter: `?1`, `$1::text`. `?` by default.
    func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String
    /// Statements to run on every connection.
    var setup: [String] { get }
    /// Statements to run once in a database, which install these functions.
    func prelude(for functions: Set<SQLFunction>) -> [String]
}

extension SQLDialect {
    public var features: SQLFeatures { [] }
    public var timestamps: SQLTimestamps? { nil }
    public var regularExpressions: SQLRegularExpressions? { nil }
    public func text(of piece: SQLPiece) -> SQLText? { piece.standard }
    public func quoted(_ identifier: String) -> String? { Quotes.standard(identifier) }
    public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String { "?" }
    public var setup: [String] { [] }
    public func prelude(for functions: Set<SQLFunction>) -> [String] { [] }
}

/// The limits of a statement.
public struct SQLLimits: Hashable, Sendable {
    /// Parameters of a statement.
    public var parameters: Int
    /// Entries on the stack of the database's parser: the parts of a statement that are not finished yet. A parenthesis
    /// takes one, an operator with its left side two, a call five, a SELECT up to eleven.
    public var parserStack: Int
    /// Tables that are joined.
    public var tables: Int
    /// Elements of a list that are bound one by one.
    public var listElements: Int
    /// Bytes of a statement. A part of a predicate may be repeated in SQL, and a part of that part again.
    public var length: Int
    /// Digits of a decimal parameter before the point.
    public var wholeDigits: Int
    /// Digits of a decimal parameter after the point.
    public var fractionDigits: Int

    /// The limits of a database; those that are left out do not matter to it.
    public init(
        parameters: Int, parserStack: Int, tables: Int = .max, listElements: Int = 100, length: Int = 1 << 23,
        wholeDigits: Int = .max, fractionDigits: Int = .max
    ) {
        self.parameters = parameters
        self.parserStack = parserStack
        self.tables = tables
        self.listElements = listElements
        self.length = length
        self.wholeDigits = wholeDigits
        self.fractionDigits = fractionDigits
    }
}

/// The abilities of a database.
public struct SQLFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A correlated subquery may name a table of a scope further out than the next; without it, scopes between repeat the row.
    public static let skipLevelCorrelation = SQLFeatures(rawValue: 1)
    /// A range of texts is one of code points, so that BEGINSWITH as a range is sargable.
    public static let textRanges = SQLFeatures(rawValue: 2)
    /// UUIDs have a type of their own.
    public static let uuidType = SQLFeatures(rawValue: 4)
    /// Decimal numbers have a type of their own, which compares exactly.
    public static let decimalType = SQLFeatures(rawValue: 8)
    /// Texts may hold U+0000.
    public static let nulInText = SQLFeatures(rawValue: 16)
    /// A double that is not a number equals itself and is greater than all others.
    public static let ordersNotANumber = SQLFeatures(rawValue: 32)
    /// LIKE compares code points, with `%` and `_`; without it, patterns go through ``SQLFunction/like``.
    public static let nativeLike = SQLFeatures(rawValue: 64)
    /// A placeholder has the number of its value, so that one value can stand in several places.
    public static let numberedPlaceholders = SQLFeatures(rawValue: 128)
    /// The application registers functions itself, so that a query tells their names.
    public static let applicationFunctions = SQLFeatures(rawValue: 256)
    /// A double is always a finite number: infinities are neither kept nor worked out.
    public static let finiteDoubles = SQLFeatures(rawValue: 512)
    /// A collation that is stated beside one side of a comparison holds for both, and an index of the other side, a column,
    /// still serves.
    public static let collatesConstants = SQLFeatures(rawValue: 1024)
    /// Texts are compared under equal collations only, so that each side but a parameter needs the statement of one.
    public static let comparesEqualCollations = SQLFeatures(rawValue: 2048)
    /// UPDATE returns the keys of the rows that it changes.
    public static let returnsUpdatedKeys = SQLFeatures(rawValue: 4096)
    /// DELETE returns the keys of the rows that it deletes.
    public static let returnsDeletedKeys = SQLFeatures(rawValue: 8192)
    /// DELETE may read its table in a subquery of its condition; without this ability, rows are first selected by their
    /// keys, as ``SQLPiece/selection(_:)`` says.
    public static let readsWhatItDeletes = SQLFeatures(rawValue: 16384)
    /// ORDER BY takes the functions of the prelude, so that rows can be ordered by folded texts.
    public static let ordersByFunctions = SQLFeatures(rawValue: 32768)
    /// A column may hold values of other kinds than its type, which conditions tell by ``SQLPiece/isStored(_:_:)`` where
    /// the schema says so: ``SQLAttribute/affinity``.
    public static let storageClasses = SQLFeatures(rawValue: 65536)
    /// INSERT returns the key of the row that it inserts.
    public static let returnsInsertedKeys = SQLFeatures(rawValue: 131072)
    /// UPDATE may read its table in a subquery of its condition, as ``readsWhatItDeletes`` says of DELETE. SQLite accepts such
    /// a statement, but before its version 3.41 evaluates the condition of a row after it has changed the rows before it.
    public static let readsWhatItUpdates = SQLFeatures(rawValue: 262144)
    /// An index may hold the results of a function of the prelude: a comparison of such a result stands by itself in a condition, where
    /// the index serves it.
    public static let indexesFunctions = SQLFeatures(rawValue: 524288)
    /// EXISTS is answered row by row, and `id IN (SELECT …)` from the rows that the subquery selects.
    public static let startsFromSubqueries = SQLFeatures(rawValue: 2_097_152)
    /// Functions and searches go by the collation of a column, so that one that the schema declares is overridden there as it is in
    /// comparisons.
    public static let functionsFollowCollations = SQLFeatures(rawValue: 1_048_576)
}

/// An identifier in quotes, in which the quotes of the identifier are doubled.
enum Quotes {
    /// `"first ""name"""`, as the SQL standard has it; nil for an empty identifier, and for one with U+0000.
    static func standard(_ identifier: String) -> String? { quoted(identifier, "\"") }

    /// `` `first ``name``` ``
    static func backticks(_ identifier: String) -> String? { quoted(identifier, "`") }

    private static func quoted(_ identifier: String, _ quote: Unicode.Scalar) -> String? {
        if identifier.isEmpty { return nil }
        var result = String.UnicodeScalarView([quote])
        for scalar in identifier.unicodeScalars {
            if scalar == "\0" { return nil }
            if scalar == quote { result.append(quote) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }
}
