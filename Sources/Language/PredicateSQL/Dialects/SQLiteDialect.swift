/// SQLite 3.39 or later, with the functions of ``SQLFunction``, which PredicateStore and PredicateSQLite register.
///
/// `t0."name" COLLATE BINARY >= ?1`. The database must be encoded in UTF-8, because strings are compared by bytes.
/// Columns must hold values of their declared types with the matching affinity, REAL for doubles and TEXT for
/// strings. For a column that may hold other values, the schema declares the affinity of the column, and
/// conditions test storage classes. Integers that exceed 64 bits, which SQLite converts to floating-point numbers,
/// are detected by their type.
public struct SQLiteDialect: SQLDialect {
    /// The functions of ``SQLFunction`` that the connection has.
    let functions: Set<SQLFunction>

    /// Creates the dialect for a connection with certain functions; by default all.
    ///
    /// `SQLCompiler(schema: schema, dialect: SQLiteDialect(functions: []))` refuses what SQLite itself cannot
    /// express, such as `name CONTAINS[c] 'jo'`, or leaves it to the residual.
    public init(functions: Set<SQLFunction> = Set(SQLFunction.allCases)) {
        self.functions = functions
    }

    /// The dialect with all functions, made once.
    package static let complete = SQLiteDialect()

    /// The functions that the connection lacks.
    var unregistered: [SQLFunction] { SQLFunction.allCases.filter { !functions.contains($0) } }

    public var name: String { "sqlite" }
    /// SQLite's parser has a stack of 100 entries. The limit leaves some of them for the SQL that a host writes
    /// around a condition.
    @_spi(Dialect) public var limits: SQLLimits { SQLLimits(parameters: 32_766, parserStack: 88, tables: 64) }
    @_spi(Dialect) public var features: SQLFeatures {
        [
            .skipLevelCorrelation, .textRanges, .nulInText, .numberedPlaceholders, .applicationFunctions,
            .returnsUpdatedKeys, .returnsDeletedKeys, .returnsInsertedKeys, .aliasesWhatItDeletes, .ordersByFunctions,
            .storageClasses, .startsFromSubqueries, .hashesSets, .groupsBySubqueries,
        ]
    }

    @_spi(Dialect) public func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        "?\(number)"
    }

    @_spi(Dialect) public func text(of piece: SQLPiece) -> SQLText? {
        switch piece {
        case .truth(let value): value ? "1" : "0"
        case .isSame(let left, let right, let negated): SQLText.comparison(left, negated ? "IS NOT" : "IS", right)
        case .comparable(let text, let origin, _): comparable(text, origin)
        case .search(let search, let text, let needle, let bytes): self.search(text, search, needle, bytes)
        case .isIn(let value, let json, let type): isIn(value, json: json, of: type)
        case .isStored(let column, let storage): isStored(column, as: storage)
        case .arithmetic(let operation, let left, let right): arithmetic(operation, left, right)
        // A result that exceeds 64 bits is a double, and so are all further results.
        case .checkedInteger(let chain, _): "CASE WHEN typeof(\(chain)) = 'integer' THEN \(chain) END"
        case .elements(let array, let type, .json, let alias): elements(array, type, alias)
        case .elements, .mayContain, .mayEqual, .assigned: nil
        case .cast(let value, let cast): self.cast(value, cast)
        case .call(let function, let arguments): call(function, arguments)
        case .seconds(let date, let storage): seconds(date, from: storage)
        // NULL is the least value by default, and an explicit clause may keep an index from being used.
        case .orderTerm(let key, true, nullsFirst: true): key
        case .integerSum(let value, distinct: false): sum(value)
        // A sum beyond 64 bits is a double.
        case .integerSum(let value, distinct: true):
            "CASE typeof(\(sumOfDistinct(value))) WHEN 'real' THEN NULL ELSE COALESCE(\(sumOfDistinct(value)), 0) END"
        case .integerAverage(let value, distinct: false): average(value, of: "COUNT(*)")
        case .integerAverage(let value, distinct: true): "\(SQLFunction.numberAverage)(DISTINCT \(value))"
        case .total(let value, .integer): "SUM(\(value))"
        case .mean(let value, .integer): average(value, of: "COUNT(\(value))")
        case .orderTerm(let key, false, nullsFirst: false): "\(key) DESC"
        case .limit(nil, let offset?): "LIMIT -1 OFFSET \(offset)"
        case .index(_, _, _, .parts): nil
        case .index(let name, let table, let value, _): SQLPiece.creatingIndex(name, on: table, value)
        case .like, .mayBegin, .matches, .finds, .pattern, .boundCall, .calendar, .part, .decimalSum,
            .decimalExcess, .total, .mean, .joined, .truthExtreme, .orderTerm, .limit, .selection,
            .deletion, .defaultValues, .extensions:
            piece.standard
        }
    }

    /// A column may be declared with another collation, which an explicit one overrides. The result of a function has
    /// none.
    private func comparable(_ text: SQLText, _ origin: SQLPiece.TextOrigin) -> SQLText {
        switch origin {
        case .result: text
        case .column(let collation):
            collation?.uppercased() == "BINARY" ? text : "\(text.operand(.atom)) COLLATE BINARY"
        }
    }

    /// String functions stop at U+0000; functions of bytes do not, and neither does `instr`.
    private func search(_ text: SQLText, _ search: SQLPiece.Search, _ needle: SQLText, _ bytes: SQLText?) -> SQLText {
        switch search {
        case .beginsWith: SQLText.comparison("instr(\(text), \(needle))", "=", "1")
        case .contains: SQLText.comparison("instr(\(text), \(needle))", ">", "0")
        case .endsWith:
            if let bytes {
                SQLText.comparison("substr(CAST(\(text) AS BLOB), -length(\(bytes)))", "=", bytes)
            } else {
                SQLText.comparison(
                    "substr(CAST(\(text) AS BLOB), -length(CAST(\(needle) AS BLOB)))", "=",
                    "CAST(\(needle) AS BLOB)")
            }
        }
    }

    /// A SUM that exceeds 64 bits ends the statement, so the upper and lower halves of the integers are summed separately.
    private func sum(_ value: SQLText) -> SQLText {
        let low: SQLText = "SUM(\(value.operand(.atom)) & 4294967295)"
        let high: SQLText = "SUM(\(value.operand(.atom)) >> 32) + (\(low) >> 32)"
        return """
            CASE WHEN COUNT(\(value)) = 0 THEN 0 WHEN \(high) BETWEEN -2147483648 AND 2147483647 \
            THEN (\(high)) * 4294967296 + \(low) % 4294967296 END
            """
    }

    private func sumOfDistinct(_ value: SQLText) -> SQLText { "\(SQLFunction.numberSum)(DISTINCT \(value))" }

    private func average(_ value: SQLText, of count: SQLText) -> SQLText {
        let value = value.operand(.atom)
        let low: SQLText = "COALESCE(SUM(\(value) & 4294967295), 0)"
        let high: SQLText = "COALESCE(SUM(\(value) >> 32), 0) + (\(low) >> 32)"
        let sum: SQLText = "((\(high)) * 4294967296.0 + (\(low) & 4294967295))"
        return SQLText.product(sum, "/", "NULLIF(\(count), 0)")
    }

    private func isIn(_ value: SQLText, json: SQLText, of type: SQLPiece.ListType) -> SQLText? {
        // SQLite's JSON reader does not round every fraction to the nearest double.
        switch type {
        case .integer, .text: SQLText.comparison(value, "IN", "(SELECT value FROM json_each(\(json)))")
        case .double, .timestamp: nil
        }
    }

    /// Values are ordered as NULL, numbers, strings, data, and a comparison is cheaper than `typeof`.
    private func isStored(_ column: SQLText, as storage: SQLPiece.Storage) -> SQLText {
        switch storage {
        case .integer: SQLText.comparison("typeof(\(column))", "=", "'integer'")
        case .double: SQLText.comparison("typeof(\(column))", "=", "'real'")
        case .text: SQLText.comparison("typeof(\(column))", "=", "'text'")
        case .data: SQLText.comparison("typeof(\(column))", "=", "'blob'")
        // A number too large for a double is infinity. With a string instead, SQLite would look for a number in it
        // for each row. Without the hints, SQLite expects that a quarter of the rows are numbers, and that two bounds select
        // fewer rows than one, so that it prefers their index to that of a narrower condition.
        case .number: "likely(\(column) <= 9e999)"
        case .rareNumber: "likelihood(\(column) <= 9e999, 0.001)"
        case .noData: "likely(\(column) < x'')"
        case .noNumber: SQLText.comparison(column, ">", "9e999")
        }
    }

    private func arithmetic(_ operation: SQLPiece.Arithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add, .addIntegers, .subtract, .subtractIntegers, .multiply, .multiplyIntegers, .divideDoubles, .bitAnd,
            .bitOr, .shiftLeft, .shiftRight:
            operation.plain(left, right)
        case .addDecimals, .subtractDecimals, .multiplyDecimals: nil
        case .divideIntegers: SQLText.product(left, "/", right)
        case .remainderOfIntegers: SQLText.product(left, "%", right)
        case .bitXor: SQLText.sum("(\(SQLText.bits(left, "|", right)))", "-", "(\(SQLText.bits(left, "&", right)))")
        }
    }

    private func cast(_ value: SQLText, _ cast: SQLPiece.Cast) -> SQLText? {
        switch cast {
        case .integerToDouble: "CAST(\(value) AS REAL)"
        case .booleanToInteger: value
        case .integerToText: "CAST(\(value) AS TEXT)"
        case .decimalToDouble: call(.decimalDouble, [value])
        case .integerToDecimal, .integerToLong, .notANumberToNull, .singleToDouble, .paddedToText: value
        case .jsonToText, .jsonToInteger, .jsonToDouble, .jsonToBoolean: value
        case .jsonToArray: array(value.operand(.atom))
        case .jsonToSize: "json_array_length(\(array(value.operand(.atom))))"
        case .arrayToSize, .doubleToSign, .decimalToTerm, .decimalToFactor, .decimalToLongFactor, .wholeToFactor: nil
        }
    }

    /// JSON functions end the statement for a string that is not JSON.
    private func array(_ json: SQLText) -> SQLText {
        """
        CASE WHEN typeof(\(json)) = 'text' AND json_valid(\(json)) THEN CASE json_type(\(json)) WHEN 'array' \
        THEN \(json) END END
        """
    }

    /// Doubles are missing, because SQLite's JSON reader does not round every fraction to the nearest one.
    private func elements(_ array: SQLText, _ type: SQLType, _ alias: SQLText) -> SQLText? {
        let value: SQLText
        switch type {
        case .string: value = "CASE type WHEN 'text' THEN value END"
        case .boolean: value = "CASE type WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        case .integer:
            value = """
                CASE WHEN typeof(value) = 'integer' AND type = 'integer' THEN value \
                WHEN type IN ('integer', 'real') AND value = CAST(value AS INTEGER) THEN CAST(value AS INTEGER) END
                """
        case .json: value = "value"
        case .double, .single, .decimal, .paddedString, .date, .uuid, .data, .array, .any: return nil
        }
        return "(SELECT \(value) AS value FROM json_each(\(array))) AS \(alias)"
    }

    private func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        "\(function)(\(SQLText.joined(arguments, by: ", ")))"
    }

    private func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        switch storage {
        case .since2001: date
        case .since1970: SQLText.sum(date, "-", "978307200.0")
        case .iso8601, .timestamp: call(.date, [date])
        }
    }
}
