/// DuckDB 2.0 or later, with the macros of its prelude installed. The optimizers of earlier versions remove a
/// TRY_CAST whose result is compared, so that an integer that exceeds 64 bits is not NULL there.
///
/// `t0."name" COLLATE "C" < $1::VARCHAR`. Every parameter is cast, so that no type is inferred. Columns must be as
/// wide as their values: BIGINT for integers, DOUBLE for doubles, and at most 20 digits before and 18 after the
/// decimal point for decimals. Strings are compared by code points, whatever the collation of their column. Integers
/// are computed in 128 bits and become NULL if they exceed 64; a sum over rows or an absolute value that exceeds 64
/// bits makes the statement fail. DuckDB orders NaN above all other doubles. In a comparison of two values that are
/// both NaN, each counts as nil.
///
/// Names of tables and columns that differ only by case are the same in DuckDB.
public struct DuckDBDialect: SQLDialect {
    /// Creates the dialect, which has no settings.
    public init() {}

    public var name: String { "duckdb" }
    /// DuckDB accepts expressions of a thousand levels.
    @_spi(Dialect) public var limits: SQLLimits {
        SQLLimits(parameters: 65_535, parserStack: 1_500, wholeDigits: 20, fractionDigits: 18, narrowDigits: 18)
    }
    @_spi(Dialect) public var features: SQLFeatures {
        [
            .skipLevelCorrelation, .textRanges, .uuidType, .decimalType, .nulInText, .ordersNotANumber, .nativeLike,
            .numberedPlaceholders, .comparesEqualCollations, .returnsUpdatedKeys, .returnsDeletedKeys,
            .returnsInsertedKeys,
            .readsWhatItChanges, .aliasesWhatItDeletes, .ordersByFunctions, .hashesSets, .unitesKeys,
        ]
    }

    /// From 290278 BC to 294247. The microseconds from some earlier years to 2001 exceed 64 bits.
    @_spi(Dialect) public var timestamps: SQLTimestamps? {
        SQLTimestamps(
            first: -9_223_372_036_854_775_807, last: 9_222_393_729_454_775_806, style: .duckDB, hasInfinities: true)
    }

    @_spi(Dialect) public var regularExpressions: SQLRegularExpressions? { .re2 }

    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        let name =
            switch type {
            case .integer, .rowCount: "BIGINT"
            case .double: "DOUBLE"
            case .boolean: "BOOLEAN"
            case .text, .json: "VARCHAR"
            case .blob: "BLOB"
            case .decimal: "DECIMAL(38, 18)"
            case .uuid: "UUID"
            case .timestamp: "TIMESTAMP"
            }
        return "$\(number)::\(name)"
    }

    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? {
        switch piece {
        case .comparable(let text, let origin, _): comparable(text, origin)
        case .search(let search, let text, let needle, let bytes): self.search(text, search, needle, bytes)
        case .like(let text, let pattern):
            SQLPiece.like(collated(text), pattern: pattern).standard
        case .isIn(let value, let json, let type): isIn(value, json: json, of: type)
        case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
        case .elements(let array, _, let storage, let alias): elements(array, storage, alias)
        case .mayContain(let array, let element, _, .native): "list_contains(\(array), \(element))"
        case .mayContain, .mayEqual, .assigned: nil
        case .cast(let value, let cast): self.cast(value, cast)
        case .call(let function, let arguments): call(function, arguments)
        case .boundCall(let function, let arguments, let repeated): boundCall(function, arguments, repeated)
        case .seconds(let date, let storage): seconds(date, from: storage)
        case .part(let date, let part): part.ownWord.map { "\($0)(\(date))" }
        case .calendar(let seconds, let part): CalendarText.duckDB.text(part, of: seconds)
        case .matches(let text, let pattern), .finds(let text, let pattern): "regexp_matches(\(text), \(pattern))"
        case .pattern(let pattern): "\(verbatim: DuckDBPrelude.patternName)(\(pattern))"
        // Sums of integers have 128 bits.
        case .integerSum: piece.standard.map(within64Bits)
        case .decimalSum(let value, distinct: false): decimalSum(value)
        case .decimalSum(_, distinct: true): nil
        case .decimalExcess(let value, let constant):
            decimalSum(value).map {
                "\($0) - CAST(\(constant) AS DECIMAL(27, 18)) * CAST(NULLIF(COUNT(*), 0) AS DECIMAL(10, 0))"
            }
        // A cast to fewer digits fails.
        case .total(let value, .integer): "CAST(SUM(\(value)) AS BIGINT)"
        case .total(let value, .decimal): "SUM(\(value))"
        case .mean(let value, _): SQLPiece.mean(cast("SUM(\(value))", .decimalToDouble), of: value)
        case .joined(let text, let separator, let key): "string_agg(\(text), \(separator) ORDER BY \(key))"
        case .truth, .isSame, .mayBegin, .isStored, .checkedInteger, .integerAverage, .truthExtreme, .orderTerm, .limit,
            .selection, .deletion, .defaultValues, .index, .extensions:
            piece.standard
        }
    }

    /// Division of doubles follows IEEE 754, and timestamps without a time zone are in UTC.
    public var setup: [String] { ["SET TimeZone = 'UTC'", "SET ieee_floating_point_ops = true"] }

    public func prelude(for functions: Set<SQLFunction>) -> [String] {
        DuckDBPrelude().statements(for: functions)
    }
}

// MARK: - Texts

extension DuckDBDialect {
    /// A column may be declared with another collation, which functions of the column inherit.
    private func comparable(_ text: SQLText, _ origin: SQLPiece.TextOrigin) -> SQLText {
        if case .column(let collation?) = origin, ["C", "BINARY"].contains(collation.uppercased()) { return text }
        return collated(text)
    }

    private func collated(_ text: SQLText) -> SQLText { "\(text.operand(.atom)) COLLATE \"C\"" }

    private func search(_ text: SQLText, _ search: SQLPiece.Search, _ needle: SQLText, _ bytes: SQLText?) -> SQLText {
        let (text, needle) = (collated(text), bytes == nil ? collated(needle) : needle)
        return switch search {
        case .beginsWith: "starts_with(\(text), \(needle))"
        case .contains: "contains(\(text), \(needle))"
        case .endsWith: "suffix(\(text), \(needle))"
        }
    }

    private func isIn(_ value: SQLText, json: SQLText, of type: SQLPiece.ListType) -> SQLText? {
        let elements: SQLText =
            switch type {
            case .integer: "(SELECT unnest(CAST(\(json) AS BIGINT[])))"
            case .double: "(SELECT unnest(CAST(\(json) AS DOUBLE[])))"
            case .timestamp: "(SELECT unnest(CAST(from_json(\(json), '[\"VARCHAR\"]') AS TIMESTAMP[])))"
            case .text: "(SELECT unnest(from_json(\(json), '[\"VARCHAR\"]')))"
            }
        return SQLText.comparison(value, "IN", elements)
    }
}

// MARK: - Numbers

extension DuckDBDialect {
    private func arithmetic(_ operation: SQLPiece.Arithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add, .subtract, .multiply, .addDecimals, .subtractDecimals, .multiplyDecimals, .divideDoubles, .bitAnd,
            .bitOr, .shiftRight:
            operation.plain(left, right)
        case .addIntegers, .subtractIntegers, .multiplyIntegers: operation.plain(wide(left), right).map(within64Bits)
        case .divideIntegers: within64Bits(SQLText.product(wide(left), "//", "NULLIF(\(right), 0)"))
        case .remainderOfIntegers: "CAST(\(SQLText.product(wide(left), "%", "NULLIF(\(right), 0)")) AS BIGINT)"
        case .bitXor: "xor(\(left), \(right))"
        case .shiftLeft: shiftedLeft(left, by: right)
        }
    }

    private func wide(_ value: SQLText) -> SQLText { "CAST(\(value) AS HUGEINT)" }

    /// Returns the result, or NULL if it exceeds 64 bits.
    private func within64Bits(_ wide: SQLText) -> SQLText { "TRY_CAST(\(wide) AS BIGINT)" }

    /// Returns the lower 64 bits of the product with a power of two; the highest bit is the sign.
    private func shiftedLeft(_ value: SQLText, by count: SQLText) -> SQLText {
        let product: SQLText = "(\(wide(value)) * (CAST(1 AS HUGEINT) << \(count.operand(.atom))))"
        return """
            CAST(xor(\(product) & 18446744073709551615::HUGEINT, 9223372036854775808::HUGEINT) \
            - 9223372036854775808::HUGEINT AS BIGINT)
            """
    }

    /// A sum of whole numbers and a sum of fractions, neither of which can exceed 38 digits: a sum that does would be
    /// an error.
    private func decimalSum(_ value: SQLText) -> SQLText? {
        let sums = ["trunc(\(value))", "\(value.operand(.sum)) - trunc(\(value))"].map { (part: SQLText) in
            cast("COALESCE(SUM(\(part)), 0)", .decimalToTerm)
        }
        guard let whole = sums[0], let fraction = sums[1] else { return nil }
        return SQLText.sum(whole, "+", fraction)
    }

    private func cast(_ value: SQLText, _ cast: SQLPiece.Cast) -> SQLText? {
        let text: SQLText = "json_extract_string(\(value), '$')"
        let double: SQLText = "TRY_CAST(\(text) AS DOUBLE)"
        let isNumber: SQLText = "json_type(\(value)) IN ('BIGINT', 'UBIGINT', 'DOUBLE')"
        return switch cast {
        case .integerToDouble: "CAST(\(value) AS DOUBLE)"
        case .booleanToInteger, .integerToLong: "CAST(\(value) AS BIGINT)"
        case .integerToText: "CAST(\(value) AS VARCHAR)"
        // The cast of a number rounds twice if its digits exceed 53 bits, the cast of a string once.
        case .decimalToDouble: "CAST(CAST(\(value) AS VARCHAR) AS DOUBLE)"
        case .integerToDecimal: "CAST(\(value) AS DECIMAL(19, 0))"
        // The sum and the product of two such numbers have at most 38 digits, so nothing overflows. A product of types of up to
        // 18 digits has a type of 18 digits.
        case .decimalToTerm: "TRY_CAST(\(value) AS DECIMAL(37, 18))"
        case .decimalToFactor: "TRY_CAST(\(value) AS DECIMAL(19, 9))"
        case .decimalToLongFactor: "TRY_CAST(\(value) AS DECIMAL(27, 18))"
        case .wholeToFactor: "TRY_CAST(\(value) AS DECIMAL(10, 0))"
        case .notANumberToNull: "NULLIF(\(value), 'NaN'::DOUBLE)"
        case .singleToDouble: "CAST(\(value) AS DOUBLE)"
        case .paddedToText: value
        case .arrayToSize: "len(\(value))"
        // JSON functions end the statement for a string that is not JSON.
        case .jsonToArray:
            "CASE WHEN json_valid(\(value)) THEN CASE json_type(\(value)) WHEN 'ARRAY' THEN \(value) END END"
        case .jsonToSize:
            self.cast(value, .jsonToArray).map { "CAST(json_array_length(\($0)) AS BIGINT)" }
        case .jsonToText: "CASE json_type(\(value)) WHEN 'VARCHAR' THEN \(text) END"
        case .jsonToInteger:
            """
            CASE WHEN json_type(\(value)) IN ('BIGINT', 'UBIGINT') THEN TRY_CAST(\(text) AS BIGINT) \
            WHEN \(isNumber) AND \(double) = trunc(\(double)) THEN TRY_CAST(\(double) AS BIGINT) END
            """
        case .jsonToDouble: "CASE WHEN \(isNumber) THEN \(double) END"
        case .jsonToBoolean: "CASE json_type(\(value)) WHEN 'BOOLEAN' THEN CAST(\(text) AS BOOLEAN) END"
        case .doubleToSign: nil
        }
    }

    private func elements(_ array: SQLText, _ storage: SQLType.ArrayStorage, _ alias: SQLText) -> SQLText {
        switch storage {
        case .native: "(SELECT unnest(\(array)) AS value) AS \(alias)"
        case .json: "(SELECT unnest(CAST(\(array) AS JSON[])) AS value) AS \(alias)"
        }
    }

    private func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        DuckDBPrelude().call(
            function, arguments,
            own: [
                .absolute: { "abs(\($0[0]))" },
                .floor: { "floor(\($0[0]))" },
                .ceiling: { "ceil(\($0[0]))" },
                .truncate: { "trunc(\($0[0]))" },
                .divide: { SQLText.product($0[0], "/", $0[1]) },
                .remainder: { SQLText.product($0[0], "%", $0[1]) },
            ])
    }

    /// The names of bound arguments.
    private static let boundNames: [SQLText] = ["a0", "a1", "a2"]

    /// Macros are expanded at the call. A lambda over a list of one element binds their arguments:
    /// `list_transform([{'a0': lower(t0."name")}], lambda v: predicates2_fold_c(v.a0))[1]`
    private func boundCall(_ function: SQLFunction, _ arguments: [SQLText], _ repeated: [Bool]) -> SQLText? {
        guard arguments.count <= Self.boundNames.count else { return nil }
        var (fields, names): ([SQLText], [SQLText]) = ([], arguments)
        for (index, argument) in arguments.enumerated() where repeated[index] {
            let field = Self.boundNames[index]
            fields.append("'\(field)': \(argument)")
            names[index] = "v.\(field)"
        }
        return call(function, names).map { body in
            "list_transform([{\(SQLText.joined(fields, by: ", "))}], lambda v: \(body))[1]"
        }
    }

    private func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        switch storage {
        case .since2001: date
        case .since1970: SQLText.sum(date, "-", "978307200::DOUBLE")
        case .timestamp:
            """
            CASE WHEN isfinite(\(date)) THEN CAST(epoch_us(\(date)) - 978307200000000 AS DOUBLE) / 1000000::DOUBLE \
            ELSE CAST(CAST(\(date) AS VARCHAR) AS DOUBLE) END
            """
        case .iso8601: call(.date, [date])
        }
    }
}
