/// What MariaDB and MySQL write: the pieces are the same but for the name of a collation.
struct MySQLFamily: Sendable {
    enum Server { case mariaDB, mySQL }

    private let server: Server

    init(server: Server) {
        self.server = server
    }

    /// The collation that compares code points and pads no text.
    var collation: SQLText {
        switch server {
        case .mariaDB: "utf8mb4_nopad_bin"
        case .mySQL: "utf8mb4_0900_bin"
        }
    }

    static let limits = SQLLimits(
        parameters: 65_535, parserStack: 3_000, tables: 61, wholeDigits: 35, fractionDigits: 30)

    static let timestamps = SQLTimestamps(years: 1...9999, style: .plain)

    var features: SQLFeatures {
        let common: SQLFeatures = [
            .skipLevelCorrelation, .textRanges, .decimalType, .nulInText, .nativeLike, .finiteDoubles,
            .collatesConstants, .ordersByFunctions,
        ]
        return server == .mariaDB ? common.union([.returnsDeletedKeys, .returnsInsertedKeys]) : common
    }

    var regularExpressions: SQLRegularExpressions {
        switch server {
        case .mariaDB: .pcre2
        case .mySQL: .icu
        }
    }

    /// Types are said outright: clients bind small integers as unsigned ones, and numbers in texts as decimals.
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

    /// Moments without a zone are taken as UTC, no word has another meaning than the standard setting gives it, no rows are held
    /// back, and texts are put in order by their first 2,730 characters instead of 341. More would slow down every order of long texts.
    static func setup(_ collation: String) -> [String] {
        [
            "SET NAMES utf8mb4 COLLATE \(collation)",
            """
            SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_UNSIGNED_SUBTRACTION', \
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
        // A text begins with an equal one under every collation, and MySQL's family has indexes by that of the column only.
        case .mayBegin(let text, let pattern): SQLPiece.like(text, pattern: pattern).standard
        case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
        case .cast(let value, let cast): self.cast(value, cast)
        case .call(let function, let arguments): call(function, arguments)
        case .seconds(let date, let storage): seconds(date, from: storage)
        // A sum is a decimal number.
        case .integerSum:
            piece.standard.map { "CASE WHEN \($0) BETWEEN \(SQLText.integers) THEN CAST(\($0) AS SIGNED) END" }
        case .orderTerm(let key, let ascending, let nullsFirst): orderTerm(key, ascending, nullsFirst)
        case .limit(nil, let offset?): "LIMIT 18446744073709551615 OFFSET \(offset)"
        case .selection(let rows): selection(rows)
        // The form that names an alias returns no keys.
        case .deletion(let table, true): "DELETE FROM \(table)"
        case .deletion(let table, false): "DELETE t0 FROM \(table) AS t0"
        case .defaultValues: "() VALUES ()"
        // A list of values is sorted once, an array in JSON is read again for each row.
        case .isIn: nil
        case .matches(let text, let pattern): matches(text, pattern)
        case .finds(let text, let pattern): finds(text, pattern)
        case .checkedInteger(let chain, let steps): "CASE WHEN \(steps) THEN CAST(\(chain) AS SIGNED) END"
        case .truth, .isStored, .boundCall, .integerAverage, .limit: piece.standard
        }
    }

    /// NULL is the least value by itself.
    private func orderTerm(_ key: SQLText, _ ascending: Bool, _ nullsFirst: Bool) -> SQLText {
        switch (ascending, nullsFirst) {
        case (true, true): key
        case (true, false): "\(key.operand(.bit)) IS NULL, \(key)"
        case (false, true): "\(key.operand(.bit)) IS NULL DESC, \(key) DESC"
        case (false, false): "\(key) DESC"
        }
    }

    /// Neither server takes a LIMIT in a subquery of IN, nor the table that a statement changes; each does one level deeper, where
    /// the rows are set apart. MySQL must be told not to merge the levels.
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

    /// A text in the character set of collations and bytes, whatever that of its column is.
    func unicode(_ text: SQLText) -> SQLText { "CONVERT(\(text) USING utf8mb4)" }

    /// The collation overrides that of a column, or of the connection.
    private func comparable(_ text: SQLText, _ origin: SQLPiece.TextOrigin) -> SQLText {
        if case .column(let declared?) = origin, declared == name { return text }
        return "\(unicode(text)) COLLATE \(collation)"
    }

    private var name: String { server == .mariaDB ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin" }

    /// By bytes: a text in UTF-8 occurs in another only where a code point of that begins.
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

    /// Past the limit of its matcher MariaDB finds nothing, with a warning. So a text that does not match must match the opposite; one
    /// that does neither is an error, that of a number out of range.
    private func matches(_ text: SQLText, _ pattern: SQLText) -> SQLText {
        guard server == .mariaDB else { return finds(text, pattern) }
        let opposite: SQLText = "CONCAT('^(?!', \(pattern), ')')"
        return """
            CASE WHEN \(finds(text, pattern)) THEN TRUE WHEN \(finds(text, opposite)) THEN FALSE \
            WHEN \(text.operand(.bit)) IS NOT NULL THEN EXP(1000 + CHAR_LENGTH(\(text))) END
            """
    }

    /// A collation that tells letters from their other cases makes expressions do so.
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
