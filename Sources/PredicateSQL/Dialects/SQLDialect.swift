/// How a database writes what predicates need: one type for each database.
///
/// A requirement that returns an optional piece answers nil for what the database cannot say exactly; the compiler then
/// refuses the predicate and names the place. The defaults are standard SQL where that is exact, and nil where databases
/// differ, so that a new dialect begins by refusing too much and never by answering wrongly.
///
/// A dialect is asked once how each piece is put together, with stand-ins for the pieces inside; its answers depend on
/// nothing but their kinds.
public protocol SQLDialect: Sendable {
    /// `sqlite`
    var name: String { get }
    var limits: SQLLimits { get }
    var features: SQLFeatures { get }

    // MARK: Words

    /// An identifier in its quotes; nil for one that the database cannot hold.
    func quoted(_ identifier: String) -> String?
    /// Whether a placeholder says the number of its value, so that one value can stand in several places.
    var numbersPlaceholders: Bool { get }
    /// `?1`, `$1::text`
    func placeholder(_ number: Int, for type: SQLParameterType) -> String
    /// TRUE or FALSE, where a condition stands.
    func constant(_ value: Bool) -> SQLText

    // MARK: Conditions

    /// Null-safe equality, never NULL: `a IS b`.
    func isSame(_ left: SQLText, _ right: SQLText, negated: Bool) -> SQLText
    /// A text as an operand of a comparison by code points, which is to override what a column would bring along; nil
    /// where that is not known to be possible.
    func comparable(_ text: SQLText, _ origin: SQLTextOrigin, ordered: Bool) -> SQLText?
    /// Whether a text has a piece at an end or inside it; the piece is not empty.
    func text(_ text: SQLText, _ relation: SQLTextRelation, _ needle: SQLNeedle) -> SQLText?
    /// A pattern for ``like(_:_:)``; nil where patterns go through ``SQLFunction/like``.
    func likePattern(_ pattern: SQLLikePattern) -> String?
    /// `text LIKE pattern ESCAPE '!'`
    func like(_ text: SQLText, _ pattern: SQLText) -> SQLText
    /// Membership in a list that is one parameter, a JSON array.
    func isIn(_ value: SQLText, json: SQLText, of type: SQLListType) -> SQLText?

    // MARK: Values

    func arithmetic(_ operation: SQLArithmetic, _ left: SQLText, _ right: SQLText) -> SQLText?
    /// Integers of a chain of sums, NULL past 64 bits; the piece itself where the database reports an error.
    func checkedInteger(_ sum: SQLText) -> SQLText
    func cast(_ value: SQLText, _ cast: SQLCast) -> SQLText?
    func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText?
    /// A date column as seconds since 2001.
    func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText?
    /// The sum of integers, NULL of none.
    func integerSum(_ value: SQLText, distinct: Bool) -> SQLText

    // MARK: Statements

    /// Where nil stands in an order: before everything, or after everything for a descending order.
    func nullsFirst(_ key: SQLText, ascending: Bool) -> SQLText
    /// `LIMIT 10 OFFSET 20`
    func limit(_ count: SQLText?, offset: SQLText?) -> SQLText
    /// What must be run on every connection.
    var setup: [String] { get }
    /// What must be run once in a database for these functions.
    func prelude(for functions: Set<SQLFunction>) -> [String]
    /// Whether the host registers the functions itself, so that a query tells their names.
    var callsApplicationFunctions: Bool { get }
}

/// What a statement may not exceed.
public struct SQLLimits: Hashable, Sendable {
    /// Parameters of a statement.
    public var parameters: Int
    /// Entries on the stack of the database's parser: what waits for something behind it. A parenthesis takes one, an
    /// operator with its left side two, a call five, a SELECT up to eleven.
    public var parserStack: Int
    /// Tables that are joined.
    public var tables: Int
    /// Elements of a list that are bound one by one.
    public var listElements: Int
    /// Bytes of a statement. What stands in a predicate once may stand in SQL several times, and what stands inside that
    /// several times as often.
    public var length: Int

    public init(
        parameters: Int, parserStack: Int, tables: Int = .max, listElements: Int = 100, length: Int = 1 << 23
    ) {
        self.parameters = parameters
        self.parserStack = parserStack
        self.tables = tables
        self.listElements = listElements
        self.length = length
    }
}

/// What a database can do.
public struct SQLFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A subquery may name a table of a scope further out than the next.
    public static let skipLevelCorrelation = SQLFeatures(rawValue: 1)
    /// A range of texts is one of code points and can use an index.
    public static let textRanges = SQLFeatures(rawValue: 2)
    /// UUIDs have a type of their own.
    public static let uuidType = SQLFeatures(rawValue: 4)
    /// Decimal numbers have a type of their own, which compares exactly.
    public static let decimalType = SQLFeatures(rawValue: 8)
    /// Texts may hold U+0000.
    public static let nulInText = SQLFeatures(rawValue: 16)
    /// A double that is not a number equals itself and is greater than all others.
    public static let ordersNotANumber = SQLFeatures(rawValue: 32)
}

/// Where in a text a piece stands.
public enum SQLTextRelation: Int, Hashable, Sendable, CaseIterable {
    case begins, contains, ends
}

/// Where a text comes from.
public enum SQLTextOrigin: Hashable, Sendable {
    /// A column, with the collation that the schema tells.
    case column(collation: String?)
    /// A function or a parameter, which has no collation of its own.
    case result
}

/// What is looked for in a text.
public struct SQLNeedle: Sendable {
    public let text: SQLText
    /// The UTF-8 as a parameter of its own, where the text is known.
    public let bytes: SQLText?
}

/// What the elements of a list in JSON are.
public enum SQLListType: Int, Hashable, Sendable, CaseIterable {
    case integer, double, text
}

/// A change of type that keeps the value.
public enum SQLCast: Int, Hashable, Sendable, CaseIterable {
    case integerToDouble, booleanToInteger, integerToText, decimalToDouble, integerToDecimal
    /// A double as it is, and NULL for not a number, where the database gives that an order.
    case notANumberToNull
}

/// Operations on numbers; what is NULL on either side is NULL.
public enum SQLArithmetic: Int, Hashable, Sendable, CaseIterable {
    case add, subtract, multiply
    /// Between integers: cut off toward zero; by zero NULL.
    case divideIntegers, remainderOfIntegers
    /// Between doubles, by a number that is not zero.
    case divideDoubles
    case bitAnd, bitOr, bitXor
    /// By 0 to 63 bits.
    case shiftLeft, shiftRight
}

extension SQLDialect {
    public var features: SQLFeatures { [] }
    public var numbersPlaceholders: Bool { false }
    public func placeholder(_ number: Int, for type: SQLParameterType) -> String { "?" }

    public func quoted(_ identifier: String) -> String? {
        var hasQuotes = false
        for byte in identifier.utf8 {
            if byte == 0 { return nil }
            if byte == UInt8(ascii: "\"") { hasQuotes = true }
        }
        if identifier.isEmpty { return nil }
        if !hasQuotes { return "\"" + identifier + "\"" }
        var result = "\""
        for scalar in identifier.unicodeScalars {
            if scalar == "\"" { result += "\"" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    public func constant(_ value: Bool) -> SQLText { value ? "TRUE" : "FALSE" }

    public func isSame(_ left: SQLText, _ right: SQLText, negated: Bool) -> SQLText {
        let (left, right) = (left.operand(.bit), right.operand(.bit))
        let result: SQLText = negated ? "\(left) IS DISTINCT FROM \(right)" : "\(left) IS NOT DISTINCT FROM \(right)"
        return result.binding(.comparison)
    }

    public func comparable(_ text: SQLText, _ origin: SQLTextOrigin, ordered: Bool) -> SQLText? { nil }
    public func text(_ text: SQLText, _ relation: SQLTextRelation, _ needle: SQLNeedle) -> SQLText? { nil }
    public func likePattern(_ pattern: SQLLikePattern) -> String? { nil }

    public func like(_ text: SQLText, _ pattern: SQLText) -> SQLText {
        let result: SQLText = "\(text.operand(.bit)) LIKE \(pattern) ESCAPE '!'"
        return result.binding(.comparison)
    }

    public func isIn(_ value: SQLText, json: SQLText, of type: SQLListType) -> SQLText? { nil }

    public func arithmetic(_ operation: SQLArithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add: SQLText.sum(left, "+", right)
        case .subtract: SQLText.sum(left, "-", right)
        case .multiply: SQLText.product(left, "*", right)
        case .divideIntegers, .remainderOfIntegers, .divideDoubles, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
            nil
        }
    }

    public func checkedInteger(_ sum: SQLText) -> SQLText { sum }
    public func cast(_ value: SQLText, _ cast: SQLCast) -> SQLText? { nil }
    public func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? { nil }
    public func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? { nil }

    public func integerSum(_ value: SQLText, distinct: Bool) -> SQLText {
        distinct ? "SUM(DISTINCT \(value))" : "SUM(\(value))"
    }

    public func nullsFirst(_ key: SQLText, ascending: Bool) -> SQLText {
        ascending ? "\(key) ASC NULLS FIRST" : "\(key) DESC NULLS LAST"
    }

    public func limit(_ count: SQLText?, offset: SQLText?) -> SQLText {
        switch (count, offset) {
        case (let count?, let offset?): "LIMIT \(count) OFFSET \(offset)"
        case (let count?, nil): "LIMIT \(count)"
        case (nil, let offset?): "OFFSET \(offset)"
        case (nil, nil): ""
        }
    }

    public var setup: [String] { [] }
    public func prelude(for functions: Set<SQLFunction>) -> [String] { [] }
    public var callsApplicationFunctions: Bool { false }
}

extension SQLText {
    /// `a + b`: a chain needs no parentheses on its left.
    public static func sum(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.sum)) \(sign) \(right.operand(.product))"
        return result.binding(.sum)
    }

    /// `a * b`
    public static func product(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.product)) \(sign) \(right.operand(.atom))"
        return result.binding(.product)
    }

    /// `a & b`; databases differ on what binds tighter, so operands that are no atoms stand in parentheses.
    public static func bits(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.atom)) \(sign) \(right.operand(.atom))"
        return result.binding(.bit)
    }

    /// `a > b`
    public static func comparison(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.bit)) \(sign) \(right.operand(.bit))"
        return result.binding(.comparison)
    }
}
