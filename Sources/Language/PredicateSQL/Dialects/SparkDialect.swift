/// Apache Spark 4.0 or later, in ANSI mode, with the functions of its prelude created in the session.
///
/// `t0.age >= CAST(? AS BIGINT)`, with names in backquotes. Values are bound by `spark.sql(text, args=[…])` in order,
/// or by name as `:p1`. An integer that exceeds 64 bits is NULL in its row, as it is an error of that row in memory.
///
/// Doubles must be DOUBLE, because Spark computes with FLOAT in lower precision; dates TIMESTAMP; strings STRING with
/// the collation UTF8_BINARY, unless the schema names another; UUIDs BINARY or STRING, as the schema declares;
/// decimals DECIMAL with at most 20 digits before and 18 after the decimal point. Rows cannot be ordered by folded
/// strings, because ORDER BY accepts no session functions.
public struct SparkDialect: SQLDialect {
    /// The way in which statements refer to their values.
    public enum Parameters: Hashable, Sendable {
        /// `?`, for `spark.sql(text, args=[18, "jo"])`
        case positional
        /// `:p1`, for `spark.sql(text, args={"p1": 18, "p2": "jo"})`: a value that occurs several times is bound once
        case named
    }

    private let parameters: Parameters

    /// Creates a dialect whose statements refer to values by position or by name.
    ///
    /// `SparkDialect(parameters: .named)`
    public init(parameters: Parameters = .positional) {
        self.parameters = parameters
    }

    public var name: String { "spark" }
    @_spi(Dialect) public var limits: SQLLimits {
        SQLLimits(parameters: 10_000, parserStack: 1_500, wholeDigits: 20, fractionDigits: 18)
    }
    @_spi(Dialect) public var features: SQLFeatures {
        let features: SQLFeatures = [
            .decimalType, .ordersNotANumber, .nativeLike, .nulInText, .hashesSets, .groupsBySubqueries,
        ]
        return parameters == .named ? features.union(.numberedPlaceholders) : features
    }

    /// The range of 64-bit microseconds since 1970, restricted to dates whose microseconds since 2001 also fit in 64 bits.
    @_spi(Dialect) public var timestamps: SQLTimestamps? {
        SQLTimestamps(first: .min + 1, last: .max - 978_307_200_000_000, style: .iso8601)
    }

    /// The syntax of Java.
    @_spi(Dialect) public var regularExpressions: SQLRegularExpressions? { .java }

    /// Numbers are cast, so that their width in the client does not affect a sum.
    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        let name = parameters == .named ? ":p\(number)" : "?"
        return switch type {
        case .integer: "CAST(\(name) AS BIGINT)"
        case .double: "CAST(\(name) AS DOUBLE)"
        case .decimal: "CAST(\(name) AS DECIMAL(38, 18))"
        case .timestamp: "CAST(\(name) AS TIMESTAMP)"
        // Spark counts rows in 32 bits.
        case .rowCount: "CAST(LEAST(\(name), 2147483647) AS INT)"
        case .boolean, .text, .blob, .uuid, .json: name
        }
    }

    @_spi(Dialect) public func quoted(_ identifier: String) -> String? { Self.quoted(identifier, by: "`") }

    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? {
        switch piece {
        case .comparable(let text, let origin, _): comparable(text, origin)
        case .search(let search, let text, let needle, _): self.search(text, search, needle)
        case .matches(let text, let pattern): "rlike(\(text), \(pattern))"
        case .finds, .pattern: nil
        case .isIn(let value, let json, let type): isIn(value, json: json, of: type)
        case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
        case .mayContain(let array, let element, _, .native): "array_contains(\(array), \(element))"
        case .mayContain, .mayEqual, .assigned: nil
        case .elements(let array, _, _, let alias): "explode(\(array)) AS \(alias)(value)"
        case .cast(let value, let cast): self.cast(value, cast)
        case .call(let function, let arguments): call(function, arguments)
        case .seconds(let date, let storage): seconds(date, from: storage)
        case .part(let date, let part): part.ownWord.map { "\($0)(\(date))" }
        case .calendar(let seconds, let part): CalendarText.spark.text(part, of: seconds)
        case .integerAverage(let value, let distinct): average(value, distinct: distinct)
        // A sum of integers that exceeds 64 bits would end the statement.
        case .integerSum(let value, let distinct):
            SQLPiece.integerSum("CAST(\(value) AS DECIMAL(20, 0))", distinct: distinct).standard
                .map { "try_cast(\($0) AS BIGINT)" }
        // A sum with too many digits is NULL, and so is a sum without rows.
        case .decimalSum(let value, distinct: false): decimalSum(value)
        case .decimalSum(_, distinct: true): nil
        case .decimalExcess(let value, let constant):
            """
            try_cast(\(decimalSum(value)) AS DECIMAL(37, 18)) - try_cast(CAST(\(constant) AS DECIMAL(27, 18)) \
            * CAST(NULLIF(COUNT(*), 0) AS DECIMAL(10, 0)) AS DECIMAL(37, 18))
            """
        case .total(let value, .integer): "CAST(SUM(CAST(\(value) AS DECIMAL(20, 0))) AS BIGINT)"
        case .total(let value, .decimal): "SUM(\(value))"
        case .mean(let value, .integer):
            SQLPiece.mean("CAST(SUM(CAST(\(value) AS DECIMAL(20, 0))) AS DOUBLE)", of: value)
        case .mean(let value, .decimal): SQLPiece.mean("CAST(SUM(\(value)) AS DOUBLE)", of: value)
        case .truth, .isSame, .like, .mayBegin, .isStored, .boundCall, .checkedInteger, .joined,
            .truthExtreme, .orderTerm, .limit, .selection, .deletion, .defaultValues, .index, .extensions:
            piece.standard
        }
    }

    private func decimalSum(_ value: SQLText) -> SQLText {
        "CASE WHEN COUNT(\(value)) = 0 THEN 0 ELSE try_sum(\(value)) END"
    }

    /// A sum of integers that exceeds 64 bits is an error, a sum of decimals is not.
    private func average(_ value: SQLText, distinct: Bool) -> SQLText {
        let summand: SQLText = "CAST(\(value) AS DECIMAL(20, 0))"
        let (sum, count): (SQLText, SQLText) =
            distinct
            ? ("SUM(DISTINCT \(summand))", "COUNT(DISTINCT \(value))") : ("SUM(\(summand))", "COUNT(*)")
        return SQLText.product("CAST(COALESCE(\(sum), 0) AS DOUBLE)", "/", "NULLIF(\(count), 0)")
    }

    /// An explicit collation would prevent filters from being pushed down to the file, so the default is not written.
    private func comparable(_ text: SQLText, _ origin: SQLPiece.TextOrigin) -> SQLText {
        switch origin {
        case .result, .column(collation: nil): text
        case .column(let collation?):
            collation.uppercased() == "UTF8_BINARY" ? text : "\(text.operand(.atom)) COLLATE UTF8_BINARY"
        }
    }

    private func search(_ text: SQLText, _ search: SQLPiece.Search, _ needle: SQLText) -> SQLText {
        switch search {
        case .beginsWith: "startswith(\(text), \(needle))"
        case .contains: "contains(\(text), \(needle))"
        case .endsWith: "endswith(\(text), \(needle))"
        }
    }

    private func isIn(_ value: SQLText, json: SQLText, of type: SQLPiece.ListType) -> SQLText? {
        let elements: SQLText =
            switch type {
            case .integer: "(SELECT explode(from_json(\(json), 'ARRAY<BIGINT>')))"
            case .double: "(SELECT explode(from_json(\(json), 'ARRAY<DOUBLE>')))"
            case .text: "(SELECT explode(from_json(\(json), 'ARRAY<STRING>')))"
            case .timestamp: "(SELECT explode(CAST(from_json(\(json), 'ARRAY<STRING>') AS ARRAY<TIMESTAMP>)))"
            }
        return SQLText.comparison(value, "IN", elements)
    }

    /// One 64-bit operand makes the result 64 bits.
    private func arithmetic(_ operation: SQLPiece.Arithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add, .subtract, .multiply, .addDecimals, .subtractDecimals, .multiplyDecimals, .divideDoubles, .bitAnd,
            .bitOr:
            operation.plain(left, right)
        case .addIntegers: "try_add(CAST(\(left) AS BIGINT), \(right))"
        case .subtractIntegers: "try_subtract(CAST(\(left) AS BIGINT), \(right))"
        case .multiplyIntegers: "try_multiply(CAST(\(left) AS BIGINT), \(right))"
        case .divideIntegers: SQLText.product("CAST(\(left) AS BIGINT)", "div", "NULLIF(\(right), 0)")
        case .remainderOfIntegers: "try_mod(\(left), \(right))"
        case .bitXor: SQLText.bits(left, "^", right)
        case .shiftLeft: "shiftleft(CAST(\(left) AS BIGINT), CAST(\(right) AS INT))"
        case .shiftRight: "shiftright(CAST(\(left) AS BIGINT), CAST(\(right) AS INT))"
        }
    }

    private func cast(_ value: SQLText, _ cast: SQLPiece.Cast) -> SQLText? {
        let type: SQLText = "schema_of_variant(\(value))"
        let isNumber: SQLText = "rlike(\(type), '^(BIGINT|DECIMAL|DOUBLE)')"
        let decimal: SQLText = "try_cast(\(value) AS DECIMAL(38, 18))"
        return switch cast {
        case .integerToDouble, .decimalToDouble: "CAST(\(value) AS DOUBLE)"
        case .booleanToInteger, .integerToLong: "CAST(\(value) AS BIGINT)"
        case .integerToText: "CAST(\(value) AS STRING)"
        case .integerToDecimal: "CAST(\(value) AS DECIMAL(20, 0))"
        // The sum of two such numbers and the product have at most 38 digits: nothing is rounded.
        case .decimalToTerm: "try_cast(\(value) AS DECIMAL(37, 18))"
        case .decimalToFactor: "try_cast(\(value) AS DECIMAL(18, 9))"
        case .decimalToLongFactor: "try_cast(\(value) AS DECIMAL(27, 18))"
        case .wholeToFactor: "try_cast(\(value) AS DECIMAL(10, 0))"
        case .notANumberToNull: "NULLIF(\(value), CAST('NaN' AS DOUBLE))"
        case .singleToDouble: "CAST(\(value) AS DOUBLE)"
        // Spark compares a column of CHAR(n) without its blanks.
        case .paddedToText: "concat(\(value), '')"
        case .arrayToSize: "CAST(size(\(value)) AS BIGINT)"
        // Strings of JSON are read as variants, whose elements have the types of JSON.
        case .jsonToArray: "try_cast(try_parse_json(\(value)) AS ARRAY<VARIANT>)"
        case .jsonToSize: "CAST(size(try_cast(try_parse_json(\(value)) AS ARRAY<VARIANT>)) AS BIGINT)"
        case .jsonToText: "CASE \(type) WHEN 'STRING' THEN try_cast(\(value) AS STRING) END"
        case .jsonToInteger:
            "CASE WHEN \(isNumber) AND \(decimal) = floor(\(decimal)) THEN try_cast(\(decimal) AS BIGINT) END"
        case .jsonToDouble: "CASE WHEN \(isNumber) THEN try_cast(\(value) AS DOUBLE) END"
        case .jsonToBoolean: "CASE \(type) WHEN 'BOOLEAN' THEN try_cast(\(value) AS BOOLEAN) END"
        case .doubleToSign: nil
        }
    }

    private func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        SparkPrelude().call(
            function, arguments,
            own: [
                .length: { SQLText.product("octet_length(encode(\($0[0]), 'UTF-16BE'))", "div", "2") },
                .absolute: { "abs(\($0[0]))" },
                .squareRoot: { "sqrt(\($0[0]))" },
            ])
    }

    /// Microseconds are counted from 2001 before they are converted to a double, which is less precise than a 64-bit
    /// integer.
    private func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        switch storage {
        case .since2001: date
        case .since1970: SQLText.sum(date, "-", "978307200D")
        case .timestamp:
            SQLText.product(
                "CAST(unix_micros(CAST(\(date) AS TIMESTAMP)) - 978307200000000 AS DOUBLE)", "/", "1000000D")
        case .iso8601: call(.date, [date])
        }
    }

    /// A value that does not fit is an error instead of NULL, and timestamps without a time zone are in UTC.
    public var setup: [String] { ["SET spark.sql.ansi.enabled = true", "SET TIME ZONE 'UTC'"] }

    /// Temporary functions, which exist as long as the session.
    public func prelude(for functions: Set<SQLFunction>) -> [String] {
        SparkPrelude().statements(for: functions)
    }
}
