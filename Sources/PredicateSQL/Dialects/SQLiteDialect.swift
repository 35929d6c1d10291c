/// SQLite from version 3.39 on, with the functions of ``SQLFunction`` registered by the host.
///
/// `t0."name" COLLATE BINARY >= ?1`. The database must be kept in UTF-8, since texts compare by their bytes, and columns
/// must hold what the schema says, with the affinity of that: REAL for doubles, TEXT for strings unless
/// ``SQLAttribute/keepsTexts`` says otherwise; a column that holds values of several kinds is one of ``SQLType/any``.
/// Integers past 64 bits, which SQLite turns into floating-point numbers, are caught by their type.
public struct SQLiteDialect: SQLDialect {
    public init() {}

    public var name: String { "sqlite" }
    /// SQLite's parser has a stack of 100 entries, of which what a host writes around a condition takes some.
    public var limits: SQLLimits { SQLLimits(parameters: 32_766, parserStack: 88, tables: 64) }
    public var features: SQLFeatures { [.skipLevelCorrelation, .textRanges, .nulInText] }
    public var numbersPlaceholders: Bool { true }
    public var callsApplicationFunctions: Bool { true }

    public func placeholder(_ number: Int, for type: SQLParameterType) -> String {
        Self.placeholders.indices.contains(number) ? Self.placeholders[number] : "?\(number)"
    }

    private static let placeholders = (0..<100).map { "?\($0)" }

    public func constant(_ value: Bool) -> SQLText { value ? "1" : "0" }

    public func isSame(_ left: SQLText, _ right: SQLText, negated: Bool) -> SQLText {
        SQLText.comparison(left, negated ? "IS NOT" : "IS", right)
    }

    /// A column may have been declared with another collation, which an explicit one overrides; a function's result has
    /// none.
    public func comparable(_ text: SQLText, _ origin: SQLTextOrigin, ordered: Bool) -> SQLText? {
        switch origin {
        case .result: text
        case .column(let collation):
            collation?.uppercased() == "BINARY" ? text : "\(text.operand(.atom)) COLLATE BINARY"
        }
    }

    /// The functions of texts stop at U+0000, those of bytes do not, and neither does `instr`.
    public func text(_ text: SQLText, _ relation: SQLTextRelation, _ needle: SQLNeedle) -> SQLText? {
        switch relation {
        case .begins: SQLText.comparison("instr(\(text), \(needle.text))", "=", "1")
        case .contains: SQLText.comparison("instr(\(text), \(needle.text))", ">", "0")
        case .ends:
            if let bytes = needle.bytes {
                SQLText.comparison("substr(CAST(\(text) AS BLOB), -length(\(bytes)))", "=", bytes)
            } else {
                SQLText.comparison(
                    "substr(CAST(\(text) AS BLOB), -length(CAST(\(needle.text) AS BLOB)))", "=",
                    "CAST(\(needle.text) AS BLOB)")
            }
        }
    }

    public func isIn(_ value: SQLText, json: SQLText, of type: SQLListType) -> SQLText? {
        // Its reader of JSON does not round every fraction to the nearest double.
        if type == .double { return nil }
        return SQLText.comparison(value, "IN", "(SELECT value FROM json_each(\(json)))")
    }

    public func arithmetic(_ operation: SQLArithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add: SQLText.sum(left, "+", right)
        case .subtract: SQLText.sum(left, "-", right)
        case .multiply: SQLText.product(left, "*", right)
        case .divideIntegers, .divideDoubles: SQLText.product(left, "/", right)
        case .remainderOfIntegers: SQLText.product(left, "%", right)
        case .bitAnd: SQLText.bits(left, "&", right)
        case .bitOr: SQLText.bits(left, "|", right)
        case .bitXor: SQLText.sum("(\(SQLText.bits(left, "|", right)))", "-", "(\(SQLText.bits(left, "&", right)))")
        case .shiftLeft: SQLText.bits(left, "<<", right)
        case .shiftRight: SQLText.bits(left, ">>", right)
        }
    }

    public func checkedInteger(_ sum: SQLText) -> SQLText {
        "CASE WHEN typeof(\(sum)) = 'integer' THEN \(sum) END"
    }

    public func cast(_ value: SQLText, _ cast: SQLCast) -> SQLText? {
        switch cast {
        case .integerToDouble: "CAST(\(value) AS REAL)"
        case .booleanToInteger: value
        case .integerToText: "CAST(\(value) AS TEXT)"
        case .decimalToDouble: call(.decimalDouble, [value])
        case .integerToDecimal, .notANumberToNull: value
        }
    }

    public func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        "\(SQLText(name: function.name))(\(SQLText.joined(arguments, by: ", ")))"
    }

    public func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        switch storage {
        case .since2001: date
        case .since1970: SQLText.sum(date, "-", "978307200.0")
        case .iso8601, .timestamp: call(.date, [date])
        }
    }

    /// NULL comes first by itself, and a clause that says so may keep an index from being used.
    public func nullsFirst(_ key: SQLText, ascending: Bool) -> SQLText {
        ascending ? key : "\(key) DESC"
    }

    public func limit(_ count: SQLText?, offset: SQLText?) -> SQLText {
        switch (count, offset) {
        case (let count?, let offset?): "LIMIT \(count) OFFSET \(offset)"
        case (let count?, nil): "LIMIT \(count)"
        case (nil, let offset?): "LIMIT -1 OFFSET \(offset)"
        case (nil, nil): ""
        }
    }
}
