/// A piece of SQL that databases write differently, with the pieces it consists of.
///
/// `SQLPiece.isSame(column, parameter, negated: false)`: `t0."boss_id" IS ?1` on SQLite
///
/// ``standard`` is the SQL of the standard, ``SQLDialect/text(of:)`` the SQL of a dialect.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
@_spi(Dialect) public enum SQLPiece: Sendable {
    // MARK: Conditions

    /// TRUE or FALSE as a condition.
    case truth(Bool)
    /// Null-safe equality, never NULL: `a IS b`
    case isSame(SQLText, SQLText, negated: Bool)
    /// A string as an operand of a comparison by code points, which overrides the column's collation.
    case comparable(SQLText, TextOrigin, ordered: Bool)
    /// `name CONTAINS "oh"`; the needle is not empty. The bytes are its UTF-8 as a separate parameter; nil for a needle from
    /// the row. The piece is nil for ENDSWITH with a constant if the database's LIKE is exact and faster.
    case search(Search, in: SQLText, for: SQLText, bytes: SQLText?)
    /// `text LIKE pattern ESCAPE '!'`, in a database with ``SQLFeatures/nativeLike``.
    case like(SQLText, pattern: SQLText)
    /// `text LIKE pattern ESCAPE '!'` under the column's collation, in addition to an exact search, so that an index
    /// of the column can serve it. nil if an index can serve the search itself.
    case mayBegin(SQLText, pattern: SQLText)
    /// `text ~ pattern`: a match of a regular expression in the syntax of ``SQLDialect/regularExpressions``. The
    /// pattern is anchored.
    case matches(SQLText, pattern: SQLText)
    /// `text REGEXP pattern`: a match, anywhere, of a regular expression without repetitions in the same syntax. A
    /// database with this piece uses it for `name CONTAINS[c] "oh"`, and calls a function only for strings with
    /// marks.
    case finds(SQLText, pattern: SQLText)
    /// The pattern of a ``finds(_:pattern:)`` in which `<marks>` stands for the combining marks: a function of the database
    /// replaces this name with a class of a hundred ranges, once in a statement. nil if the database has no such function: then
    /// the class is bound with the pattern.
    case pattern(SQLText)
    /// Membership in a list that is one JSON parameter.
    case isIn(SQLText, json: SQLText, ListType)
    /// True for every string that equals one of a list, and maybe for others, in a column of a database's own type: `email =
    /// ANY (ARRAY[$1]::citext[])`. The list consists of parameters, or is one JSON parameter. It is written in addition to the
    /// exact test, so that an index of the column can serve it; nil if the index can serve the test itself.
    case mayEqual(SQLText, anyOf: SQLText, isJSON: Bool, type: String)
    /// True if the column's value has a storage class, in a database with ``SQLFeatures/storageClasses``.
    case isStored(SQLText, Storage)

    /// True for every array that has an element, a string or an integer, and maybe for others: `tags @> ARRAY['x']`. It
    /// is written in addition to the exact test, so that an index of the array can serve it; nil if none can.
    case mayContain(array: SQLText, SQLText, SQLType, SQLType.ArrayStorage)

    // MARK: Rows

    /// The elements of an array as rows with one column, `value`, under an alias: `unnest(t0."tags") AS t1(value)`. An
    /// array that is NULL has no rows. Elements of JSON are values of JSON, which ``Cast`` converts. nil if the
    /// database has no such array, or cannot read elements of the type exactly.
    case elements(of: SQLText, SQLType, SQLType.ArrayStorage, as: SQLText)

    // MARK: Values

    /// `a + b`
    case arithmetic(Arithmetic, SQLText, SQLText)
    /// The result of a chain of sums, products and quotients of integers; NULL if an intermediate result exceeds 64 bits, or
    /// the chain itself if every operation ensures that. `steps` is a condition that is true if all results fit in 64 bits. The
    /// chain is written once, next to the condition, so a statement grows with the square of the chain's length and does not
    /// double with each operation.
    case checkedInteger(SQLText, steps: SQLText)
    /// A change of type that keeps the value: `CAST(a AS REAL)`
    case cast(SQLText, Cast)
    /// `predicates2_upper(name)`
    case call(SQLFunction, [SQLText])
    /// A call of a function that repeats its arguments in its expansion, as a macro does. Arguments that are more
    /// than a column or a constant (`repeated` is true) are bound once. nil if functions evaluate their arguments
    /// once.
    case boundCall(SQLFunction, [SQLText], repeated: [Bool])
    /// A date column as seconds since 2001. For a timestamp, it is the microseconds since 2001 as a double, divided
    /// by 1,000,000. A conversion from seconds since 1970 would lose precision in the subtraction.
    case seconds(SQLText, SQLType.DateStorage)
    /// A part of a date in UTC as an integer, or the first moment of a unit in seconds since 2001, from the seconds of
    /// the date since 2001: a double between -1e15 and 1e15. The calendar is proleptic Gregorian.
    case calendar(SQLText, Calendar)
    /// A part of a date in UTC as an integer, from a column of the database's own type that holds a date from 1730 to 2270;
    /// nil for the first moment of a unit.
    case part(SQLText, Calendar)
    /// The sum of integers over rows: 0 without rows; NULL or an error if it exceeds 64 bits: `COALESCE(SUM(a), 0)`
    case integerSum(SQLText, distinct: Bool)
    /// The exact sum of decimal numbers over rows: 0 without rows, NULL if the database cannot hold it.
    case decimalSum(SQLText, distinct: Bool)
    /// The exact sum of decimal numbers over rows, less a constant for each row: `SUM(a) - c * COUNT(*)`. Comparing it with 0
    /// replaces comparing the average with the constant. NULL without rows.
    case decimalExcess(SQLText, over: SQLText)
    /// The double nearest to the exact sum of integers over rows, which may exceed 64 bits, divided by their number;
    /// NULL without rows. nil if the result of ``integerSum(_:distinct:)`` may exceed 64 bits: the average is then
    /// computed from it.
    case integerAverage(SQLText, distinct: Bool)
    /// The exact sum of numbers over the rows of a group, NULL without numbers. The statement fails if the sum of integers
    /// exceeds 64 bits, or if the database cannot hold the sum of decimals.
    case total(SQLText, Addend)
    /// The double nearest to the exact sum of numbers, divided by their number; NULL without numbers.
    case mean(SQLText, Addend)
    /// The strings of a group in the order of a key, with a separator between them; NULL without strings.
    case joined(SQLText, separator: SQLText, by: SQLText)
    /// The least or the greatest Boolean of a group: `MIN(a)`
    case truthExtreme(SQLText, isLeast: Bool)

    // MARK: Statements

    /// A term of ORDER BY, with the position of NULL: `t0."age" DESC NULLS LAST`
    case orderTerm(SQLText, ascending: Bool, nullsFirst: Bool)
    /// `LIMIT 10 OFFSET 20`
    case limit(SQLText?, offset: SQLText?)
    /// A SELECT as the right operand of IN, which may be limited: `(SELECT t2."id" FROM … LIMIT 3)`
    case selection(SQLText)
    /// A string that is assigned to a column of a database's own type, `$1::order_state`; nil if the database converts it.
    case assigned(SQLText, type: String)
    /// The beginning of a DELETE statement. The table's alias is `t0`, unless keys are returned and
    /// ``SQLFeatures/aliasesWhatItDeletes`` is missing: `DELETE FROM "person" AS t0`
    case deletion(SQLText, returningKeys: Bool)
    /// The rest of an INSERT whose columns all have their defaults: `DEFAULT VALUES`
    case defaultValues
    /// The statement that creates an index unless it exists, given its name, the table and the indexed value. nil if the
    /// database has no index for this use: `CREATE INDEX IF NOT EXISTS "index(person.age)" ON "person" ("age")`
    case index(SQLText, on: SQLText, SQLText, IndexUse)
    /// The statement that installs what an index for a use needs; nil if it needs nothing: `CREATE EXTENSION IF NOT EXISTS
    /// pg_trgm`
    case extensions(for: IndexUse)
}

extension SQLPiece {
    /// The source of a string, which determines its collation.
    public enum TextOrigin: Hashable, Sendable {
        /// A column, with the collation in the schema.
        case column(collation: String?)
        /// A function or a parameter, which has no collation.
        case result
    }

    /// A search for a string in another.
    public enum Search: Int, Hashable, Sendable, CaseIterable {
        /// `name BEGINSWITH "jo"`
        case beginsWith
        /// `name CONTAINS "jo"`
        case contains
        /// `name ENDSWITH "jo"`
        case endsWith
    }

    /// What an index is used for.
    public enum IndexUse: Int, Hashable, Sendable, CaseIterable {
        /// Comparisons of values other than strings, and joins.
        case values
        /// Equality of strings.
        case equality
        /// Comparisons of strings by code points.
        case order
        /// Strings with a constant prefix.
        case prefix
        /// The elements of an array.
        case elements
        /// Strings that contain a constant.
        case parts
    }

    /// The type of the elements of a JSON list.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ListType: Int, Hashable, Sendable, CaseIterable {
        /// 64-bit integers.
        case integer
        /// Floating-point numbers.
        case double
        /// Strings.
        case text
        /// Strings in the format of ``SQLDialect/timestamps``.
        case timestamp
    }

    /// A storage class of values, or a combination of classes, whatever the type of the column.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Storage: Int, Hashable, Sendable, CaseIterable {
        /// An integer.
        case integer
        /// A floating-point number.
        case double
        /// A string.
        case text
        /// Data.
        case data
        /// An integer or a double.
        case number
        /// An integer or a double in a column of dates as strings, where few rows have one.
        case rareNumber
        /// Anything but data, in a column that holds only strings and data.
        case noData
        /// A string or data.
        case noNumber
    }

    /// A change of type that keeps the value.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Cast: Int, Hashable, Sendable, CaseIterable {
        /// The double nearest to an integer.
        case integerToDouble
        /// 1 for true, 0 for false.
        case booleanToInteger
        /// The decimal digits of an integer.
        case integerToText
        /// The double nearest to a decimal number.
        case decimalToDouble
        /// An integer as a decimal number.
        case integerToDecimal
        /// An integer of a narrower type as one of 64 bits.
        case integerToLong
        /// A decimal number as an operand of a sum or difference. NULL if the database might not hold the result.
        case decimalToTerm
        /// A decimal number with so few digits that the product of two such numbers is exact. A number with more digits becomes
        /// NULL or another number. nil if every product is exact.
        case decimalToFactor
        /// A decimal number and a whole number with so few digits that their product is exact, if that allows more
        /// digits after the decimal point than ``decimalToFactor``.
        case decimalToLongFactor, wholeToFactor
        /// A double, with NULL in place of NaN, in a database that orders NaN.
        case notANumberToNull
        /// Positive if the double's sign bit is set (including -0.0), else 0. A database without infinities needs it
        /// for a division by zero.
        case doubleToSign
        /// A 32-bit floating-point number as the double of the same value.
        case singleToDouble
        /// A string of a fixed length, with its blanks.
        case paddedToText
        /// The number of elements of an array.
        case arrayToSize
        /// A JSON array; NULL for any other value.
        case jsonToArray
        /// The number of elements of a JSON array; NULL for any other value.
        case jsonToSize
        /// A string of JSON, a whole number of 64 bits, a number as a double, a Boolean; NULL for any other value of
        /// JSON.
        case jsonToText, jsonToInteger, jsonToDouble, jsonToBoolean
    }

    /// The numbers that a database adds exactly.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Addend: Int, Hashable, Sendable, CaseIterable {
        /// Integers of up to 64 bits.
        case integer
        /// Decimal numbers, in a database with ``SQLFeatures/decimalType``.
        case decimal
    }

    /// A part of a date, or a unit to whose beginning a date is truncated.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Calendar: Int, Hashable, Sendable, CaseIterable {
        /// Parts of a date. The first weekday, 1, is Sunday; weeks follow ISO 8601.
        case year, quarter, month, weekOfYear, yearForWeekOfYear, day, dayOfYear, weekday, hour, minute, second
        /// The first moment of the unit that contains the date; a week begins on Monday.
        case yearStart, quarterStart, monthStart, weekStart, dayStart, hourStart, minuteStart, secondStart
    }

    /// An operation on numbers; NULL if an operand is NULL.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Arithmetic: Int, Hashable, Sendable, CaseIterable {
        /// On doubles, or on integers whose results fit in 64 bits.
        case add, subtract, multiply
        /// On integers. If the result exceeds 64 bits, it is NULL, an error, or a value for which
        /// ``SQLPiece/checkedInteger(_:steps:)`` is NULL.
        case addIntegers, subtractIntegers, multiplyIntegers
        /// On decimal numbers, exact. The operands of a product are results of ``Cast/decimalToFactor``, if that exists, and
        /// the operands of a sum or difference are results of ``Cast/decimalToTerm``.
        case addDecimals, subtractDecimals, multiplyDecimals
        /// On integers: truncated toward zero; NULL for a divisor of 0.
        case divideIntegers, remainderOfIntegers
        /// On doubles, with a divisor other than zero.
        case divideDoubles
        /// `a & b`
        case bitAnd
        /// `a | b`
        case bitOr
        /// `a ^ b`
        case bitXor
        /// By 0 to 63 bits.
        case shiftLeft, shiftRight
    }
}

extension SQLPiece {
    /// Standard SQL; nil if databases differ.
    @_spi(Dialect) public var standard: SQLText? {
        switch self {
        case .truth(let value): value ? "TRUE" : "FALSE"
        case .isSame(let left, let right, let negated): Self.distinctness(left, right, negated: negated)
        case .like(let text, let pattern):
            ("\(text.operand(.bit)) LIKE \(pattern) ESCAPE '!'" as SQLText).binding(.comparison)
        case .arithmetic(let operation, let left, let right):
            operation.isExactEverywhere ? operation.plain(left, right) : nil
        case .checkedInteger(let chain, _): chain
        case .integerSum(let value, let distinct):
            distinct ? "COALESCE(SUM(DISTINCT \(value)), 0)" : "COALESCE(SUM(\(value)), 0)"
        case .truthExtreme(let value, let isLeast): isLeast ? "MIN(\(value))" : "MAX(\(value))"
        case .orderTerm(let key, true, let nullsFirst):
            nullsFirst ? "\(key) ASC NULLS FIRST" : "\(key) ASC NULLS LAST"
        case .orderTerm(let key, false, let nullsFirst):
            nullsFirst ? "\(key) DESC NULLS FIRST" : "\(key) DESC NULLS LAST"
        case .limit(let count, let offset): Self.page(count, offset)
        case .selection(let rows): "(\(rows))"
        case .deletion(let table, _): "DELETE FROM \(table) AS t0"
        case .defaultValues: "DEFAULT VALUES"
        case .comparable, .search, .mayBegin, .matches, .finds, .pattern, .isIn, .isStored, .mayContain, .mayEqual,
            .elements, .cast, .call, .boundCall, .seconds, .calendar, .part, .decimalSum, .decimalExcess,
            .integerAverage, .total, .mean, .joined, .assigned, .index, .extensions:
            nil
        }
    }

    /// `CREATE INDEX IF NOT EXISTS "index(person.age)" ON "person" ("age")`, for a database that accepts this.
    static func creatingIndex(_ name: SQLText, on table: SQLText, _ term: SQLText) -> SQLText {
        "CREATE INDEX IF NOT EXISTS \(name) ON \(table) (\(term))"
    }

    /// The mean of values with an exact sum, given as a double.
    static func mean(_ sum: SQLText?, of value: SQLText) -> SQLText? {
        sum.map { SQLText.product($0, "/", "NULLIF(COUNT(\(value)), 0)") }
    }

    private static func distinctness(_ left: SQLText, _ right: SQLText, negated: Bool) -> SQLText {
        let (left, right) = (left.operand(.bit), right.operand(.bit))
        let result: SQLText = negated ? "\(left) IS DISTINCT FROM \(right)" : "\(left) IS NOT DISTINCT FROM \(right)"
        return result.binding(.comparison)
    }

    private static func page(_ count: SQLText?, _ offset: SQLText?) -> SQLText {
        switch (count, offset) {
        case (let count?, let offset?): "LIMIT \(count) OFFSET \(offset)"
        case (let count?, nil): "LIMIT \(count)"
        case (nil, let offset?): "OFFSET \(offset)"
        case (nil, nil): ""
        }
    }
}

extension SQLPiece.Arithmetic {
    /// True if the operator of every database is exact.
    fileprivate var isExactEverywhere: Bool {
        switch self {
        case .add, .addIntegers, .subtract, .subtractIntegers, .multiply, .multiplyIntegers: true
        case .addDecimals, .subtractDecimals, .multiplyDecimals, .divideDoubles, .divideIntegers, .remainderOfIntegers,
            .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
            false
        }
    }

    /// The operands with the operator between them, as all databases write it; nil for those that they write differently.
    func plain(_ left: SQLText, _ right: SQLText) -> SQLText? {
        switch self {
        case .add, .addIntegers, .addDecimals: .sum(left, "+", right)
        case .subtract, .subtractIntegers, .subtractDecimals: .sum(left, "-", right)
        case .multiply, .multiplyIntegers, .multiplyDecimals: .product(left, "*", right)
        case .divideDoubles: .product(left, "/", right)
        case .bitAnd: .bits(left, "&", right)
        case .bitOr: .bits(left, "|", right)
        case .shiftLeft: .bits(left, "<<", right)
        case .shiftRight: .bits(left, ">>", right)
        case .divideIntegers, .remainderOfIntegers, .bitXor: nil
        }
    }
}
