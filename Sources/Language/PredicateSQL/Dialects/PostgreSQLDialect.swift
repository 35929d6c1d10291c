/// PostgreSQL 14 or later, in UTF-8, with the functions of its prelude installed.
///
/// `t0."name" COLLATE "C" < $1::text`. Every parameter is cast, so that no type is inferred. Columns of doubles are
/// double precision. An overflow or underflow of doubles makes the statement fail. PostgreSQL orders NaN above all
/// other doubles. In a comparison of two values that are both NaN, each counts as nil.
public struct PostgreSQLDialect: SQLDialect {
    /// Creates the dialect, which has no settings.
    public init() {}

    public var name: String { "postgresql" }
    @_spi(Dialect) public var limits: SQLLimits { SQLLimits(parameters: 65_535, parserStack: 3_000) }
    @_spi(Dialect) public var features: SQLFeatures {
        [
            .skipLevelCorrelation, .uuidType, .decimalType, .ordersNotANumber, .nativeLike, .numberedPlaceholders,
            .returnsUpdatedKeys, .returnsDeletedKeys, .returnsInsertedKeys, .readsWhatItChanges, .aliasesWhatItDeletes,
            .ordersByFunctions, .indexesFunctions, .functionsFollowCollations, .comparesEqualCollations,
            .groupsBySubqueries, .unitesKeys,
        ]
    }

    @_spi(Dialect) public var regularExpressions: SQLRegularExpressions? { .postgreSQL }

    /// From 4714-11-24 BC to the end of 294276.
    @_spi(Dialect) public var timestamps: SQLTimestamps? {
        SQLTimestamps(
            first: -211_845_110_400_000_000, last: 9_223_339_708_799_999_999, style: .postgreSQL, hasInfinities: true)
    }

    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        let name =
            switch type {
            case .integer, .rowCount: "int8"
            case .double: "float8"
            case .boolean: "boolean"
            case .text: "text"
            case .blob: "bytea"
            case .decimal: "numeric"
            case .uuid: "uuid"
            case .json: "jsonb"
            case .timestamp: "timestamptz"
            }
        return "$\(number)::\(name)"
    }

    /// Longer names are truncated without an error, and might then name another table.
    @_spi(Dialect) public func quoted(_ identifier: String) -> String? {
        guard identifier.utf8.count <= 63 else { return nil }
        return Self.quoted(identifier, by: "\"")
    }

    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? {
        switch piece {
        case .comparable(let text, let origin, let ordered): comparable(text, origin, ordered: ordered)
        // LIKE is faster for a suffix, and an index of trigrams serves it.
        case .search(.endsWith, _, _, .some), .search(.contains, _, _, .some): nil
        case .search(let search, let text, let needle, let bytes): self.search(text, search, needle, bytes)
        case .matches(let text, let pattern), .finds(let text, let pattern): SQLText.comparison(text, "~", pattern)
        // A generic plan would call the function for each row; a subquery is evaluated once.
        case .pattern(let pattern): "(SELECT \(verbatim: PostgreSQLPrelude.patternName)(\(pattern)))"
        case .isIn(let value, let json, let type): isIn(value, json: json, of: type)
        case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
        case .elements(let array, _, let storage, let alias): elements(array, storage, alias)
        case .mayContain(let array, let text, .string, .native):
            SQLText.comparison("\(array.operand(.atom))::text[]", "@>", "ARRAY[\(text)]")
        case .mayContain(let array, let text, .string, .json):
            SQLText.comparison("\(array.operand(.atom))::jsonb", "@>", "jsonb_build_array(\(text))")
        case .mayContain: nil
        case .mayEqual(let text, let list, let isJSON, let type): mayEqual(text, list, isJSON, type)
        case .assigned(let value, let type):
            type == "citext" ? nil : "\(value.operand(.atom))::\(name: type)"
        case .cast(let value, let cast): self.cast(value, cast)
        case .call(let function, let arguments): call(function, arguments)
        case .seconds(let date, let storage): seconds(date, from: storage)
        case .part(let date, let part): part.ownWord.map { "extract(\($0) from \(date))::int8" }
        case .calendar(let seconds, let part): CalendarText.postgreSQL.text(part, of: seconds)
        case .checkedInteger(let chain, let steps): "CASE WHEN \(steps) THEN \(chain.operand(.atom))::int8 END"
        case .integerSum: piece.standard.map { "CASE WHEN \(SQLText.fitsInt64($0)) THEN \($0)::int8 END" }
        case .decimalSum(let value, let distinct): SQLPiece.integerSum(value, distinct: distinct).standard
        case .decimalExcess(let value, let constant): "COALESCE(SUM(\(value)), 0) - \(constant) * NULLIF(COUNT(*), 0)"
        case .total(let value, .integer): "SUM(\(value))::int8"
        case .total(let value, .decimal): "SUM(\(value))"
        case .mean(let value, _): SQLPiece.mean("SUM(\(value))::float8", of: value)
        case .joined(let text, let separator, let key): "string_agg(\(text), \(separator) ORDER BY \(key))"
        case .truthExtreme(let value, let isLeast): isLeast ? "bool_and(\(value))" : "bool_or(\(value))"
        case .index(let name, let table, let value, let use): index(name, on: table, value, use)
        case .extensions(.parts): "CREATE EXTENSION IF NOT EXISTS pg_trgm"
        case .truth, .isSame, .like, .mayBegin, .isStored, .boundCall, .integerAverage, .orderTerm, .limit, .selection,
            .deletion, .extensions, .defaultValues:
            piece.standard
        }
    }

    /// A string column of any type is compared as `text`: enumerations and extension types such as `citext` have
    /// their own operators. Casting a `text` or `varchar` column costs nothing, so an index on it can still be used.
    ///
    /// Under any deterministic collation, equality is bytewise, and naming another collation would keep an index from
    /// being used. Only "C" orders by bytes. A collation that the schema declares may be nondeterministic, so it is
    /// overridden.
    private func comparable(_ text: SQLText, _ origin: SQLPiece.TextOrigin, ordered: Bool) -> SQLText? {
        let column: SQLText = "\(text.operand(.atom))::text"
        return switch origin {
        case .column(collation: "C"): column
        case .column(collation: nil) where !ordered: column
        case .column: "\(column) COLLATE \"C\""
        case .result: ordered ? "\(text.operand(.atom)) COLLATE \"C\"" : text
        }
    }

    /// A needle that comes from the row has an explicit collation, which takes precedence if two columns have
    /// different collations.
    private func search(_ text: SQLText, _ search: SQLPiece.Search, _ needle: SQLText, _ bytes: SQLText?) -> SQLText {
        let needle = bytes == nil ? "\(needle.operand(.atom)) COLLATE \"C\"" : needle
        return switch search {
        case .beginsWith: "starts_with(\(text), \(needle))"
        case .contains: SQLText.comparison("strpos(\(text), \(needle))", ">", "0")
        case .endsWith: SQLText.comparison("right(\(text), length(\(needle)))", "=", needle)
        }
    }

    /// The types whose equality is coarser than that of strings. Any other type is an enumeration.
    private static let typesOfStrings = ["citext", "bpchar"]

    /// A cast of a string that is not a label of an enumeration would end the statement.
    private func mayEqual(_ text: SQLText, _ list: SQLText, _ isJSON: Bool, _ type: String) -> SQLText? {
        guard Self.typesOfStrings.contains(type) else { return nil }
        let values: SQLText =
            isJSON ? "ARRAY(SELECT value FROM jsonb_array_elements_text(\(list)))" : "ARRAY[\(list)]"
        return SQLText.comparison(text, "=", "ANY (\(values)::\(name: type)[])")
    }

    /// The operators of `text_pattern_ops` compare by code points, so that they serve prefixes under every collation,
    /// and equality too.
    private func index(_ name: SQLText, on table: SQLText, _ value: SQLText, _ use: SQLPiece.IndexUse) -> SQLText {
        let term: SQLText =
            switch use {
            case .values: value
            case .equality, .order: "(\(value))"
            case .prefix: "(\(value)) text_pattern_ops"
            case .elements: "(\(value)::text[])"
            case .parts: "(\(value)) gin_trgm_ops"
            }
        let isGIN = use == .elements || use == .parts
        return SQLPiece.creatingIndex(name, on: isGIN ? "\(table) USING gin" : table, term)
    }

    private func isIn(_ value: SQLText, json: SQLText, of type: SQLPiece.ListType) -> SQLText? {
        let elements: SQLText =
            switch type {
            case .integer: "(SELECT value::int8 FROM jsonb_array_elements_text(\(json)))"
            case .double: "(SELECT value::float8 FROM jsonb_array_elements_text(\(json)))"
            case .timestamp: "(SELECT value::timestamptz FROM jsonb_array_elements_text(\(json)))"
            case .text: "(SELECT value FROM jsonb_array_elements_text(\(json)))"
            }
        return SQLText.comparison(value, "IN", elements)
    }

    private func arithmetic(_ operation: SQLPiece.Arithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        // Decimals may have any length.
        case .add, .subtract, .multiply, .addDecimals, .subtractDecimals, .multiplyDecimals, .divideDoubles:
            operation.plain(left, right)
        case .addIntegers, .subtractIntegers, .multiplyIntegers: operation.plain(wide(left), right)
        case .divideIntegers: "div(\(wide(left)), NULLIF(\(right), 0))"
        case .remainderOfIntegers: SQLText.product(left, "%", "NULLIF(\(right), 0)")
        case .bitAnd, .bitOr: operation.plain(long(left), long(right))
        case .bitXor: SQLText.bits(long(left), "#", long(right))
        case .shiftLeft, .shiftRight: operation.plain(long(left), "\(right.operand(.atom))::int")
        }
    }

    /// Computes integers as decimals of any length, so that exceeding the column's type is not an error.
    private func wide(_ value: SQLText) -> SQLText { "\(value.operand(.atom))::numeric" }

    /// Converts an integer of any type to 64 bits.
    private func long(_ value: SQLText) -> SQLText { "\(value.operand(.atom))::int8" }

    private func cast(_ value: SQLText, _ cast: SQLPiece.Cast) -> SQLText? {
        let json = value.operand(.atom)
        return switch cast {
        case .integerToDouble, .decimalToDouble: "\(value.operand(.atom))::float8"
        case .booleanToInteger: "\(value.operand(.atom))::int"
        case .integerToText: "\(value.operand(.atom))::text"
        case .integerToDecimal: "\(value.operand(.atom))::numeric"
        case .integerToLong: long(value)
        case .decimalToTerm: value
        case .decimalToFactor, .decimalToLongFactor, .wholeToFactor: nil
        case .notANumberToNull: "NULLIF(\(value), 'NaN'::float8)"
        case .singleToDouble: "\(value.operand(.atom))::float8"
        // A cast of `char(n)` would remove the blanks.
        case .paddedToText: "textin(bpcharout(\(value)))"
        case .arrayToSize: "cardinality(\(value))"
        // A column may have the type `json`, which has fewer functions than `jsonb`. A number that a double cannot hold
        // would be an error.
        case .jsonToArray: "CASE jsonb_typeof(\(json)::jsonb) WHEN 'array' THEN \(json)::jsonb END"
        case .jsonToSize: self.cast(value, .jsonToArray).map { "jsonb_array_length(\($0))" }
        case .jsonToText: "CASE jsonb_typeof(\(json)) WHEN 'string' THEN \(json) #>> '{}' END"
        case .jsonToInteger:
            """
            CASE jsonb_typeof(\(json)) WHEN 'number' THEN CASE WHEN \(json)::numeric = trunc(\(json)::numeric) \
            AND \(SQLText.fitsInt64("\(json)::numeric")) THEN \(json)::int8 END END
            """
        case .jsonToDouble:
            """
            CASE jsonb_typeof(\(json)) WHEN 'number' THEN CASE WHEN \(json)::numeric = 0 \
            OR abs(\(json)::numeric) BETWEEN 5e-324 AND 1.7976931348623157e308 THEN \(json)::float8 END END
            """
        case .jsonToBoolean: "CASE jsonb_typeof(\(json)) WHEN 'boolean' THEN \(json)::boolean END"
        case .doubleToSign: nil
        }
    }

    private func elements(_ array: SQLText, _ storage: SQLType.ArrayStorage, _ alias: SQLText) -> SQLText {
        switch storage {
        case .native: "unnest(\(array)) AS \(alias)(value)"
        case .json: "jsonb_array_elements(\(array)) AS \(alias)(value)"
        }
    }

    private func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        PostgreSQLPrelude().call(
            function, arguments,
            own: [
                .absolute: { "abs(\($0[0]))" },
                .floor: { "floor(\($0[0]))" },
                .ceiling: { "ceil(\($0[0]))" },
                .truncate: { "trunc(\($0[0]))" },
                .jsonKind: { "NULLIF(jsonb_typeof(\(member($0[0], $0[1]))), 'null')" },
                .jsonPathKind: { pathKind($0[0], $0[1]) },
                .jsonText: { cast("(\(member($0[0], $0[1])))", .jsonToText) },
                .jsonNumber: { cast("(\(member($0[0], $0[1])))", .jsonToDouble) },
                .jsonBoolean: { cast("(\(member($0[0], $0[1])))", .jsonToBoolean) },
                .jsonElements: { elements("(\(member($0[0], $0[1])))") },
            ])
    }

    /// The member of a JSON object at the end of a path.
    private func member(_ document: SQLText, _ keys: SQLText) -> SQLText {
        "\(document.operand(.atom))::jsonb #> \(keys.operand(.atom))::text[]"
    }

    private func pathKind(_ document: SQLText, _ keys: SQLText) -> SQLText {
        let list: SQLText = "(\(keys.operand(.atom))::text[])"
        return "\(SQLFunction.jsonPathKind)(\(document.operand(.atom))::jsonb -> \(list)[1], \(list)[2:])"
    }

    /// An array, or the values of an object.
    private func elements(_ value: SQLText) -> SQLText {
        let values: SQLText = "jsonb_path_query_array(\(value), '$.*')"
        return "CASE jsonb_typeof(\(value)) WHEN 'array' THEN \(value) WHEN 'object' THEN \(values) END"
    }

    private func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        switch storage {
        case .since2001: date
        case .since1970: SQLText.sum(date, "-", "978307200::float8")
        case .timestamp:
            SQLText.product("((extract(epoch from \(date)) - 978307200) * 1000000)::float8", "/", "1000000")
        case .iso8601: call(.date, [date])
        }
    }

    /// Timestamps without a time zone are in UTC.
    public var setup: [String] { ["SET TIME ZONE 'UTC'"] }

    /// `SET statement_timeout = 5000`, in milliseconds. The timeout does not interrupt the compilation of a statement to
    /// machine code, which takes seconds for a statement with many subqueries.
    @_spi(Dialect) public func setup(endingStatementsAfter time: Duration) -> [String] {
        ["SET statement_timeout = \(min(time.milliseconds, Int64(Int32.max)))", "SET jit = off"]
    }

    @_spi(Dialect) public func transactionSetup(of setup: [String]) -> [String]? {
        setup.map { $0.replacing("SET ", with: "SET LOCAL ", maxReplacements: 1) }
    }

    public func prelude(for functions: Set<SQLFunction>) -> [String] {
        PostgreSQLPrelude().statements(for: functions)
    }
}
