/// A piece of SQL that databases write in different ways, with the pieces it is put together from.
///
/// `SQLPiece.isSame(column, parameter, negated: false)`: `t0."boss_id" IS ?1` on SQLite
///
/// ``standard`` is the text of the SQL standard; ``SQLDialect/text(of:)`` is a dialect's.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SQLPiece: Sendable {
    // MARK: Conditions

    /// TRUE or FALSE as a condition.
    case truth(Bool)
    /// Null-safe equality, never NULL: `a IS b`
    case isSame(SQLText, SQLText, negated: Bool)
    /// A text as an operand of a comparison by code points, which overrides the collation of a column.
    case comparable(SQLText, TextOrigin, ordered: Bool)
    /// `name CONTAINS "oh"`; the needle is not empty. The bytes are its UTF-8 as a parameter of its own; nil for a needle
    /// that is no constant.
    case search(Search, in: SQLText, for: SQLText, bytes: SQLText?)
    /// `text LIKE pattern ESCAPE '!'`, of a database with ``SQLFeatures/nativeLike``.
    case like(SQLText, pattern: SQLText)
    /// `text LIKE pattern ESCAPE '!'` by whatever collation the column has, beside a search that decides: an index of the column serves it.
    /// Nil where the search itself is served by one.
    case mayBegin(SQLText, pattern: SQLText)
    /// `text ~ pattern`: a regular expression, of the kind that ``SQLDialect/regularExpressions`` says, finds a match; the
    /// pattern has anchors.
    case matches(SQLText, pattern: SQLText)
    /// `text REGEXP pattern`: a regular expression of the same kind, without repetitions, finds a match somewhere. A database that has
    /// it answers `name CONTAINS[c] "oh"` by it, and calls a function for texts with marks only.
    case finds(SQLText, pattern: SQLText)
    /// Membership in a list that is one parameter, a JSON array.
    case isIn(SQLText, json: SQLText, ListType)
    /// True of a column's value that is stored as one of a kind, of a database with ``SQLFeatures/storageClasses``.
    case isStored(SQLText, Storage)

    // MARK: Values

    /// `a + b`
    case arithmetic(Arithmetic, SQLText, SQLText)
    /// The integer of a chain of sums, products and quotients, NULL where one of its results is past 64 bits; the chain itself
    /// where each operation has seen to that. `steps` is a condition, true where all results have 64 bits.
    case checkedInteger(SQLText, steps: SQLText)
    /// A change of type that keeps the value: `CAST(a AS REAL)`
    case cast(SQLText, Cast)
    /// `predicates2_upper(name)`
    case call(SQLFunction, [SQLText])
    /// A call of a function that stands with an argument wherever it names it, as a macro does: arguments that are more than a
    /// column or a constant, of which `repeated` is true, are bound once. Nil where functions take values.
    case boundCall(SQLFunction, [SQLText], repeated: [Bool])
    /// A date column as seconds since 2001: of a timestamp the microseconds since 2001 as a double, divided by 1,000,000. Seconds
    /// since 1970 lose some of them before the difference is taken.
    case seconds(SQLText, SQLType.DateStorage)
    /// The sum of integers over rows, 0 without rows, and NULL past 64 bits, or an error: `COALESCE(SUM(a), 0)`
    case integerSum(SQLText, distinct: Bool)
    /// The double nearest to the exact sum of integers over rows, which may be past 64 bits, divided by their number; NULL without rows. Nil
    /// where ``integerSum(_:distinct:)`` has more than 64 bits, so that the average is made of it.
    case integerAverage(SQLText, distinct: Bool)

    // MARK: Statements

    /// A term of ORDER BY, with the place of NULL: `t0."age" DESC NULLS LAST`
    case orderTerm(SQLText, ascending: Bool, nullsFirst: Bool)
    /// `LIMIT 10 OFFSET 20`
    case limit(SQLText?, offset: SQLText?)
    /// A SELECT as the right side of IN, which may be limited: `(SELECT t2."id" FROM … LIMIT 3)`
    case selection(SQLText)
    /// The beginning of a statement that deletes rows of a table, which is named `t0` unless keys are returned and
    /// ``SQLFeatures/readsWhatItDeletes`` is missing: `DELETE FROM "person" AS t0`
    case deletion(SQLText, returningKeys: Bool)
    /// What follows the table in the INSERT of a row that has every column by default: `DEFAULT VALUES`
    case defaultValues
}

extension SQLPiece {
    /// The source of a text, which decides about its collation.
    public enum TextOrigin: Hashable, Sendable {
        /// A column, with the collation of the schema.
        case column(collation: String?)
        /// A function or a parameter, which has no collation of its own.
        case result
    }

    /// A search for a text in another.
    public enum Search: Int, Hashable, Sendable, CaseIterable {
        /// `name BEGINSWITH "jo"`
        case beginsWith
        /// `name CONTAINS "jo"`
        case contains
        /// `name ENDSWITH "jo"`
        case endsWith
    }

    /// The type of the elements of a JSON list.
    public enum ListType: Int, Hashable, Sendable, CaseIterable {
        /// Whole numbers of 64 bits.
        case integer
        /// Floating-point numbers.
        case double
        /// Texts.
        case text
        /// Texts as ``SQLDialect/timestamps`` spells them.
        case timestamp
    }

    /// The kind of a stored value, whatever the type of its column.
    public enum Storage: Int, Hashable, Sendable, CaseIterable {
        /// An integer
        case integer
        /// A floating-point number
        case double
        /// A text
        case text
        /// Data
        case data
        /// An integer or a double.
        case number
        /// No data, in a column that holds texts and data only.
        case noData
        /// A text or data.
        case noNumber
    }

    /// A change of type that keeps the value.
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
        /// A double as it is, and NULL for not a number, where the database gives that an order.
        case notANumberToNull
        /// A number past 0 for a double with a negative sign, a zero among them, else 0: where there are no infinities, it tells by which
        /// zero a number is divided.
        case doubleToSign
    }

    /// An operation on numbers; NULL where a side is NULL.
    public enum Arithmetic: Int, Hashable, Sendable, CaseIterable {
        /// Of doubles, or of integers that stay within 64 bits.
        case add, subtract, multiply
        /// Of integers: past 64 bits NULL, or an error, or what ``SQLPiece/checkedInteger(_:steps:)`` makes NULL.
        case addIntegers, subtractIntegers, multiplyIntegers
        /// Between integers: truncated toward zero; by zero NULL.
        case divideIntegers, remainderOfIntegers
        /// Between doubles, by a number that is not zero.
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
    /// The text in standard SQL; nil where databases differ.
    public var standard: SQLText? {
        switch self {
        case .truth(let value): value ? "TRUE" : "FALSE"
        case .isSame(let left, let right, let negated): Self.distinctness(left, right, negated: negated)
        case .like(let text, let pattern):
            ("\(text.operand(.bit)) LIKE \(pattern) ESCAPE '!'" as SQLText).binding(.comparison)
        case .arithmetic(.add, let left, let right), .arithmetic(.addIntegers, let left, let right):
            .sum(left, "+", right)
        case .arithmetic(.subtract, let left, let right), .arithmetic(.subtractIntegers, let left, let right):
            .sum(left, "-", right)
        case .arithmetic(.multiply, let left, let right), .arithmetic(.multiplyIntegers, let left, let right):
            .product(left, "*", right)
        case .checkedInteger(let chain, _): chain
        case .integerSum(let value, let distinct):
            distinct ? "COALESCE(SUM(DISTINCT \(value)), 0)" : "COALESCE(SUM(\(value)), 0)"
        case .orderTerm(let key, true, let nullsFirst):
            nullsFirst ? "\(key) ASC NULLS FIRST" : "\(key) ASC NULLS LAST"
        case .orderTerm(let key, false, let nullsFirst):
            nullsFirst ? "\(key) DESC NULLS FIRST" : "\(key) DESC NULLS LAST"
        case .limit(let count, let offset): Self.page(count, offset)
        case .selection(let rows): "(\(rows))"
        case .deletion(let table, _): "DELETE FROM \(table) AS t0"
        case .defaultValues: "DEFAULT VALUES"
        case .comparable, .search, .mayBegin, .matches, .finds, .isIn, .isStored, .arithmetic, .cast, .call, .boundCall,
            .seconds,
            .integerAverage:
            nil
        }
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
