/// MySQL 8.0.29 or later, in `utf8mb4`, with the functions of its prelude installed.
///
/// `t0.name >= ? COLLATE utf8mb4_0900_bin`: the same SQL as ``MariaDBDialect``, with MySQL's collation by code
/// points. Tested on MySQL 9.7. MySQL cannot prepare statements that create functions, so a client sends the prelude
/// as plain SQL; with a binary log, this needs SUPER or `log_bin_trust_function_creators`. A regular expression that
/// exceeds `regexp_time_limit` makes the statement fail. (NSP-377)
public struct MySQLDialect: SQLDialect {
    private let family = MySQLFamily(server: .mySQL)

    /// Creates the dialect, which has no settings.
    public init() {}

    public var name: String { "mysql" }
    @_spi(Dialect) public var limits: SQLLimits { MySQLFamily.limits }
    @_spi(Dialect) public var features: SQLFeatures { family.features }
    @_spi(Dialect) public var regularExpressions: SQLRegularExpressions? { family.regularExpressions }
    @_spi(Dialect) public var timestamps: SQLTimestamps? { MySQLFamily.timestamps }

    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        MySQLFamily.placeholder(for: type)
    }

    /// In backquotes; nil for more than 64 characters, and for characters beyond U+FFFF.
    @_spi(Dialect) public func quoted(_ identifier: String) -> String? { MySQLFamily.quoted(identifier) }

    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? { family.text(of: piece) }

    public var setup: [String] { MySQLFamily.setup("utf8mb4_0900_bin") }

    /// `SET SESSION max_execution_time = 5000`, in milliseconds. It ends SELECT only.
    @_spi(Dialect) public func setup(endingStatementsAfter time: Duration) -> [String] {
        ["SET SESSION max_execution_time = \(min(time.milliseconds, Int64(UInt32.max)))"]
    }

    public func prelude(for functions: Set<SQLFunction>) -> [String] { family.prelude.statements(for: functions) }
}

/// MariaDB 10.6 or later, in `utf8mb4`, with the functions of its prelude installed.
///
/// `t0.name >= ? COLLATE utf8mb4_nopad_bin`, with names in backquotes. Strings are compared by code points, whatever
/// the collation of their column. An index serves where MariaDB can use it under the stricter collation: always for
/// equality, and for an order if the column is declared `utf8mb4_nopad_bin`. Columns must be as wide as their values,
/// BIGINT for integers and DOUBLE for doubles, and strings must have the character set `utf8mb4`. Integers that
/// exceed 64 bits are detected by way of DECIMAL. A double overflow, and a sum over rows that exceeds 64 bits, make
/// the statement fail. MariaDB has no infinity.
///
/// Placeholders have no numbers, so a value that occurs twice is bound twice.
public struct MariaDBDialect: SQLDialect {
    private let family = MySQLFamily(server: .mariaDB)

    /// Creates the dialect, which has no settings.
    public init() {}

    public var name: String { "mariadb" }
    @_spi(Dialect) public var limits: SQLLimits { MySQLFamily.limits }
    @_spi(Dialect) public var features: SQLFeatures { family.features }
    @_spi(Dialect) public var regularExpressions: SQLRegularExpressions? { family.regularExpressions }
    @_spi(Dialect) public var timestamps: SQLTimestamps? { MySQLFamily.timestamps }

    /// Clients send bytes as a string, which a UUID column would parse as the string of a UUID.
    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        type == .blob ? "UNHEX(HEX(?))" : MySQLFamily.placeholder(for: type)
    }

    /// In backquotes; nil for more than 64 characters, and for characters beyond U+FFFF.
    @_spi(Dialect) public func quoted(_ identifier: String) -> String? { MySQLFamily.quoted(identifier) }

    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? { family.text(of: piece) }

    /// MariaDB's subquery cache returns wrong results if a subquery compares a string of the outer row, and a long
    /// list that is converted to a subquery would lose its index. Default regular expression flags would change the
    /// meaning of patterns.
    public var setup: [String] {
        MySQLFamily.setup("utf8mb4_nopad_bin") + [
            """
            SET SESSION optimizer_switch = 'subquery_cache=off', in_predicate_conversion_threshold = 0, \
            default_regex_flags = ''
            """
        ]
    }

    /// `SET SESSION max_statement_time = 5.000`, in seconds. A regular expression ends before the statement does.
    @_spi(Dialect) public func setup(endingStatementsAfter time: Duration) -> [String] {
        let (seconds, rest) = min(time.milliseconds, 31_536_000_000).quotientAndRemainder(dividingBy: 1000)
        return ["SET SESSION max_statement_time = \(seconds).\(String(rest + 1000).dropFirst())"]
    }

    public func prelude(for functions: Set<SQLFunction>) -> [String] { family.prelude.statements(for: functions) }
}

/// The SQL of MariaDB and MySQL, which differs in the name of a collation, a hint and a few other details.
struct MySQLFamily: Sendable {
    enum Server { case mariaDB, mySQL }

    let server: Server

    /// The collation that compares code points and does not pad.
    var collation: SQLText {
        switch server {
        case .mariaDB: "utf8mb4_nopad_bin"
        case .mySQL: "utf8mb4_0900_bin"
        }
    }

    var prelude: MySQLPrelude { MySQLPrelude(server: server, collation: name) }

    static let limits = SQLLimits(
        parameters: 65_535, parserStack: 3_000, tables: 61, wholeDigits: 35, fractionDigits: 30)

    static let timestamps = SQLTimestamps(years: 1...9999, style: .plain)

    var features: SQLFeatures {
        let common: SQLFeatures = [
            .skipLevelCorrelation, .textRanges, .decimalType, .nulInText, .nativeLike, .finiteDoubles,
            .collatesConstants, .ordersByFunctions, .startsFromSubqueries, .hashesSets, .unitesKeys,
            .groupsBySubqueries, .assignsInOrder,
        ]
        return server == .mariaDB ? common.union([.returnsDeletedKeys, .returnsInsertedKeys]) : common
    }

    var regularExpressions: SQLRegularExpressions {
        switch server {
        case .mariaDB: .pcre2
        case .mySQL: .icu
        }
    }

    /// Types are explicit: clients bind small integers as unsigned, and numbers in strings as decimals.
    static func placeholder(for type: SQLBinding.ParameterType) -> String {
        switch type {
        case .integer, .boolean: "CAST(? AS SIGNED)"
        case .double: "CAST(? AS DOUBLE)"
        case .decimal: "CAST(? AS DECIMAL(65, 30))"
        case .timestamp: "CAST(? AS DATETIME(6))"
        case .text, .blob, .uuid, .json, .rowCount: "?"
        }
    }

    static func quoted(_ identifier: String) -> String? {
        let scalars = identifier.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= 64, scalars.last != " " else { return nil }
        var result = "`"
        for scalar in scalars {
            if scalar == "\0" || scalar.value > 0xFFFF { return nil }
            if scalar == "`" { result += "`" }
            result.unicodeScalars.append(scalar)
        }
        return result + "`"
    }

    /// Timestamps without a time zone are in UTC, keywords have their standard meanings, the number of returned rows is not
    /// limited, and strings are ordered by their first 2,730 characters instead of 341; more would slow down every order of
    /// long strings. Results do not get this collation, because some clients cannot read its number.
    static func setup(_ collation: String) -> [String] {
        [
            "SET NAMES utf8mb4",
            """
            SET SESSION collation_connection = \(collation), \
            sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_UNSIGNED_SUBTRACTION', \
            time_zone = '+00:00'
            """,
            """
            SET SESSION sql_select_limit = 18446744073709551615, sql_safe_updates = 0, sql_auto_is_null = 0, \
            max_sort_length = CAST(GREATEST(@@max_sort_length, 8192) AS UNSIGNED), \
            sort_buffer_size = CAST(GREATEST(@@sort_buffer_size, 2097152) AS UNSIGNED)
            """,
        ]
    }

    // MARK: Pieces

    func text(of piece: SQLPiece) -> SQLText? {
        switch piece {
        case .isSame(let left, let right, let negated): isSame(left, right, negated: negated)
        case .comparable(let text, let origin, _): comparable(text, origin)
        case .search(let search, let text, let needle, let bytes):
            self.search(text, search, bytes == nil ? unicode(needle) : needle)
        case .like(let text, let pattern): like(text, pattern)
        // A string that begins with a prefix also matches that prefix under every collation. MariaDB and MySQL can
        // only use an index under the column's own collation.
        case .mayBegin(let text, let pattern): SQLPiece.like(text, pattern: pattern).standard
        case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
        case .elements(let array, _, .json, let alias):
            "JSON_TABLE(\(array), '$[*]' COLUMNS (\(name: "value") JSON PATH '$')) AS \(alias)"
        // JSON_CONTAINS does not read the escapes of JSON.
        case .elements, .mayContain, .assigned: nil
        // An index of an enumeration serves its own equality only.
        case .mayEqual(let text, let list, false, "enum"): SQLText.comparison(text, "IN", "(\(list))")
        case .mayEqual: nil
        case .cast(let value, let cast): self.cast(value, cast)
        case .call(let function, let arguments): call(function, arguments)
        case .seconds(let date, let storage): seconds(date, from: storage)
        case .part(let date, let part): part.ownWord.map { "\($0)(\(date))" }
        case .calendar(let seconds, let part): CalendarText.mySQL.text(part, of: seconds)
        // A sum is a decimal number.
        case .integerSum:
            piece.standard.map { "CASE WHEN \(SQLText.fitsInt64($0)) THEN CAST(\($0) AS SIGNED) END" }
        case .orderTerm(let key, let ascending, let nullsFirst): orderTerm(key, ascending, nullsFirst)
        case .decimalSum(let value, let distinct): SQLPiece.integerSum(value, distinct: distinct).standard
        case .decimalExcess(let value, let constant): "COALESCE(SUM(\(value)), 0) - \(constant) * NULLIF(COUNT(*), 0)"
        case .total(let value, .integer): total("SUM(\(value))")
        case .total(let value, .decimal): "SUM(\(value))"
        case .mean(let value, _): SQLPiece.mean("CAST(SUM(\(value)) AS DOUBLE)", of: value)
        case .limit(nil, let offset?): "LIMIT 18446744073709551615 OFFSET \(offset)"
        case .selection(let rows): selection(rows)
        // A DELETE with an alias returns no keys.
        case .deletion(let table, true): "DELETE FROM \(table)"
        case .deletion(let table, false): "DELETE t0 FROM \(table) AS t0"
        case .defaultValues: "() VALUES ()"
        // A list of values is sorted once; a JSON array would be parsed again for each row.
        case .isIn: nil
        case .index(_, _, _, .parts): nil
        case .index(let name, let table, let value, _):
            server == .mariaDB
                ? SQLPiece.creatingIndex(name, on: table, value) : "CREATE INDEX \(name) ON \(table) (\(value))"
        case .matches(let text, let pattern): matches(text, pattern)
        case .finds(let text, let pattern): finds(text, pattern)
        case .pattern(let pattern): "\(verbatim: MySQLPrelude.patternName)(\(pattern))"
        case .checkedInteger(let chain, let steps): "CASE WHEN \(steps) THEN CAST(\(chain) AS SIGNED) END"
        // The length of what GROUP_CONCAT returns is limited.
        case .joined: nil
        case .truth, .isStored, .boundCall, .integerAverage, .truthExtreme, .limit, .extensions: piece.standard
        }
    }

    /// A sum is a decimal number, which a cast to fewer digits would change. Beyond 64 bits the statement fails with an
    /// out-of-range error, whose message contains the sum.
    private func total(_ sum: SQLText) -> SQLText {
        """
        CASE WHEN \(SQLText.fitsInt64(sum)) THEN CAST(\(sum) AS SIGNED) \
        WHEN \(sum) IS NOT NULL THEN CAST(EXP(1000 + CHAR_LENGTH(\(sum))) AS SIGNED) END
        """
    }

    /// NULL is the least value by default.
    private func orderTerm(_ key: SQLText, _ ascending: Bool, _ nullsFirst: Bool) -> SQLText {
        switch (ascending, nullsFirst) {
        case (true, true): key
        case (true, false): "\(key.operand(.bit)) IS NULL, \(key)"
        case (false, true): "\(key.operand(.bit)) IS NULL DESC, \(key) DESC"
        case (false, false): "\(key) DESC"
        }
    }

    /// Neither server accepts LIMIT in an IN subquery, or a subquery on the table that a statement changes. Both
    /// accept them one level deeper, in a derived table. MySQL needs a hint that keeps it from merging the levels.
    private func selection(_ rows: SQLText) -> SQLText {
        switch server {
        case .mariaDB: "(SELECT * FROM (\(rows)) AS page)"
        case .mySQL: "(SELECT /*+ NO_MERGE(page) */ * FROM (\(rows)) AS page)"
        }
    }

    private func isSame(_ left: SQLText, _ right: SQLText, negated: Bool) -> SQLText {
        let same = SQLText.comparison(left, "<=>", right)
        return negated ? ("NOT \(same)" as SQLText).binding(.not) : same
    }

    /// Converts a string to `utf8mb4`, which collations and searches by bytes need, whatever its column's character set is.
    func unicode(_ text: SQLText) -> SQLText { "CONVERT(\(text) USING utf8mb4)" }

    /// The collation overrides the collation of the column or the connection.
    private func comparable(_ text: SQLText, _ origin: SQLPiece.TextOrigin) -> SQLText {
        if case .column(let declared?) = origin, declared == name { return text }
        return "\(unicode(text)) COLLATE \(collation)"
    }

    private var name: String { server == .mariaDB ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin" }

    /// Searches by bytes: in UTF-8, a string occurs in another only at code point boundaries.
    private func search(_ text: SQLText, _ search: SQLPiece.Search, _ needle: SQLText) -> SQLText {
        let (bytes, part): (SQLText, SQLText) = ("CAST(\(unicode(text)) AS BINARY)", "CAST(\(needle) AS BINARY)")
        return switch search {
        case .beginsWith: .comparison("LOCATE(\(part), \(bytes))", "=", "1")
        case .contains: .comparison("LOCATE(\(part), \(bytes))", ">", "0")
        case .endsWith: .comparison("RIGHT(\(bytes), LENGTH(\(needle)))", "=", part)
        }
    }

    private func like(_ text: SQLText, _ pattern: SQLText) -> SQLText {
        let like: SQLText = "\(text.operand(.bit)) LIKE \(pattern.operand(.atom)) COLLATE \(collation) ESCAPE '!'"
        return like.binding(.comparison)
    }

    /// If MariaDB's regular expression matcher exceeds its limit, it reports no match, with a warning. So a string
    /// that does not match must match the negated pattern, in which `(?!` precedes the group of the whole pattern. If
    /// it matches neither, the statement fails with an out-of-range error, whose message contains the expression, and
    /// so the words in it. [NSP-347]
    private func matches(_ text: SQLText, _ pattern: SQLText) -> SQLText {
        guard server == .mariaDB else { return finds(text, pattern) }
        let opposite: SQLText = "CONCAT(INSERT(\(pattern), LOCATE('(?:', \(pattern)), 0, '(?!'), ')')"
        return """
            CASE WHEN \(finds(text, pattern)) THEN TRUE WHEN \(finds(text, opposite)) THEN FALSE \
            WHEN \(text.operand(.bit)) IS NOT NULL THEN \
            EXP(1000 + CHAR_LENGTH(CONCAT('MATCHES takes too many steps for the string ', \(text)))) END
            """
    }

    /// A case-sensitive collation makes regular expressions case-sensitive.
    private func finds(_ text: SQLText, _ pattern: SQLText) -> SQLText {
        let collated: SQLText = "\(unicode(text)) COLLATE \(collation)"
        return switch server {
        case .mariaDB: .comparison(collated, "REGEXP", pattern)
        case .mySQL: "REGEXP_LIKE(\(collated), \(pattern), 'c')"
        }
    }

    private func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        switch storage {
        case .since2001: date
        case .since1970: SQLText.sum(date, "-", "978307200e0")
        case .timestamp: SQLText.product("TIMESTAMPDIFF(MICROSECOND, '2001-01-01', \(date))", "/", "1e6")
        case .iso8601: call(.date, [date])
        }
    }
}

// Numbers in MariaDB and MySQL, whose bit operators return unsigned integers, and whose arithmetic fails beyond 64
// bits.

extension MySQLFamily {
    func arithmetic(_ operation: SQLPiece.Arithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add, .subtract, .multiply, .addDecimals, .subtractDecimals, .multiplyDecimals, .divideDoubles:
            operation.plain(left, right)
        case .addIntegers, .subtractIntegers, .multiplyIntegers: operation.plain(wide(left), right)
        case .divideIntegers: quotient(left, right)
        case .remainderOfIntegers: SQLText.product(left, "%", "NULLIF(\(right), 0)")
        case .bitAnd, .bitOr, .shiftLeft: operation.plain(left, right).map(signed)
        case .bitXor: signed(SQLText.bits(left, "^", right))
        case .shiftRight: shiftedRight(left, by: right)
        }
    }

    private func wide(_ value: SQLText) -> SQLText { "CAST(\(value) AS DECIMAL(20, 0))" }

    private func signed(_ value: SQLText) -> SQLText { "CAST(\(value) AS SIGNED)" }

    /// NULL for a divisor of 0, and for the one quotient that exceeds 64 bits. With an unsigned operand, a negative
    /// quotient would be an error.
    private func quotient(_ left: SQLText, _ right: SQLText) -> SQLText {
        let least: SQLText = "\(left.operand(.bit)) = -9223372036854775808"
        let divisor: SQLText = "NULLIF(NULLIF(\(wide(right)), 0), CASE WHEN \(least) THEN -1 END)"
        return SQLText.product(wide(left), "DIV", divisor)
    }

    /// An arithmetic shift: the server's right shift fills with zeros, so a negative number is complemented, shifted,
    /// and complemented again.
    private func shiftedRight(_ value: SQLText, by count: SQLText) -> SQLText {
        let (value, count) = (value.operand(.atom), count.operand(.atom))
        return """
            CASE WHEN \(value) < 0 THEN -1 - CAST((-1 - \(value)) >> \(count) AS SIGNED) \
            ELSE CAST(\(value) >> \(count) AS SIGNED) END
            """
    }

    func cast(_ value: SQLText, _ cast: SQLPiece.Cast) -> SQLText? {
        let decimal: SQLText = "CAST(\(value) AS DECIMAL(65, 20))"
        let text = unicode("JSON_UNQUOTE(\(value))")
        let isNumber: SQLText = "JSON_TYPE(\(value)) IN ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')"
        return switch cast {
        case .integerToDouble, .decimalToDouble: "CAST(\(value) AS DOUBLE)"
        case .integerToText: "CAST(\(value) AS CHAR)"
        case .integerToLong: signed(value)
        case .booleanToInteger, .integerToDecimal, .notANumberToNull: value
        // Sums have as many digits as are needed. A product keeps 30 digits after the decimal point, and the rest is
        // cut off. A cast that exceeds its type would be an error of UPDATE and DELETE.
        case .decimalToTerm: value
        case .decimalToFactor:
            "TRUNCATE(GREATEST(LEAST(\(value), 999999999999999999), -999999999999999999), 15)"
        case .decimalToLongFactor, .wholeToFactor: nil
        // ATAN2(0, x) is π for a double whose sign bit is set, including -0.0, and 0 otherwise.
        case .doubleToSign: "ATAN2(0, \(value))"
        // Both servers compute with doubles, and return `CHAR(n)` without its blanks.
        case .singleToDouble, .paddedToText: value
        case .arrayToSize: nil
        // JSON functions end the statement, or warn, for a string that is not JSON.
        case .jsonToArray:
            "CASE WHEN JSON_VALID(\(value)) THEN CASE JSON_TYPE(\(value)) WHEN 'ARRAY' THEN \(value) END END"
        case .jsonToSize: self.cast(value, .jsonToArray).map { "JSON_LENGTH(\($0))" }
        // The conversion gives the string a collation that takes precedence over the collation of constants.
        case .jsonToText: "CASE JSON_TYPE(\(value)) WHEN 'STRING' THEN \(text) END"
        case .jsonToInteger:
            """
            CASE WHEN \(isNumber) THEN CASE WHEN \(decimal) = TRUNCATE(\(decimal), 0) \
            AND \(SQLText.fitsInt64(decimal)) THEN CAST(\(decimal) AS SIGNED) END END
            """
        case .jsonToDouble: "CASE WHEN \(isNumber) THEN CAST(\(value) AS DOUBLE) END"
        case .jsonToBoolean: "CASE JSON_TYPE(\(value)) WHEN 'BOOLEAN' THEN \(text) = 'true' END"
        }
    }

    /// ASCII is folded without calling the prelude's function, which would dominate the time of the statement.
    private func folded(_ text: SQLText, by function: SQLFunction, _ short: (SQLText) -> SQLText) -> SQLText {
        let text = unicode(text)
        return """
            CASE WHEN LENGTH(\(text)) = CHAR_LENGTH(\(text)) THEN \(short("\(text) COLLATE \(collation)")) \
            ELSE \(function)(\(text)) END
            """
    }

    func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        prelude.call(
            function, arguments,
            own: [
                .length: { SQLText.product("LENGTH(CONVERT(\($0[0]) USING utf16))", "DIV", "2") },
                .absolute: { "ABS(\($0[0]))" },
                // Without the cast, a table of groups would hold 17 digits of the result.
                .floor: { "CAST(FLOOR(\($0[0])) AS DOUBLE)" },
                .ceiling: { "CAST(CEILING(\($0[0])) AS DOUBLE)" },
                .truncate: { "CAST(TRUNCATE(\($0[0]), 0) AS DOUBLE)" },
                // The result for a negative number is NULL, which represents NaN.
                .squareRoot: { "SQRT(\($0[0]))" },
                .remainder: { SQLText.product($0[0], "%", "NULLIF(\($0[1]), 0)") },
                .uppercase: { folded($0[0], by: function) { "UPPER(\($0))" } },
                .foldCase: { folded($0[0], by: function) { "LOWER(\($0))" } },
                .foldCaseAndDiacritics: { folded($0[0], by: function) { "LOWER(\($0))" } },
                .lowercase: { folded($0[0], by: function) { "LOWER(\($0))" } },
                .foldDiacritics: { folded($0[0], by: function) { $0 } },
            ])
    }
}
