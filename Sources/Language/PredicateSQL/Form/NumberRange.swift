/// A proof about the numbers of a value: bounds that hold in every row, and the digits that databases give their type.
///
/// A `smallint` is between -32768 and 32767 and has 5 digits before the decimal point, a `numeric(10, 2)` has 8 and 2.
package struct NumberRange: Hashable, Sendable {
    /// The bounds, rounded outwards.
    package let least: Double
    package let greatest: Double
    /// The number of digits before the decimal point.
    package let whole: Int
    /// The number of digits after the decimal point.
    package let fraction: Int

    /// Returns nil for bounds that are not finite.
    private init?(_ least: Double, _ greatest: Double, whole: Int, fraction: Int) {
        guard least.isFinite, greatest.isFinite else { return nil }
        (self.least, self.greatest, self.whole, self.fraction) = (least, greatest, whole, fraction)
    }

    /// The range of a constant with so many digits.
    init(_ constant: Int64, digits: Int) {
        (least, greatest, whole, fraction) = (Double(constant).nextDown, Double(constant).nextUp, digits, 0)
    }

    /// The numbers with at most nine digits before the decimal point, and nine after it.
    static let short = NumberRange(nativeType: "decimal(18,9)")

    /// True if all numbers are integers of 64 bits.
    package var fitsInt64: Bool { fraction == 0 && least >= -0x1p63 && greatest < 0x1p63 }

    /// True if a sum over fewer than 2^31 rows is an integer of 64 bits.
    var addsUpInInt64: Bool { fraction == 0 && least >= -0x1p32 && greatest <= 0x1p32 }

    /// The number of digits.
    var digits: Int { whole + fraction }

    /// Returns true if the digits are no more than these.
    func isWithin(whole: Int, fraction: Int) -> Bool { self.whole <= whole && self.fraction <= fraction }

    /// The same numbers in a type with more digits after the decimal point.
    func with(fraction: Int) -> NumberRange? { NumberRange(least, greatest, whole: whole, fraction: fraction) }
}

// MARK: - Types

extension NumberRange {
    /// Creates the range of a column from the name of its type: `smallint`, `int(10) unsigned`, `UTINYINT`, `numeric(10,2)`.
    /// nil for a type without a range, and for a type of 64 bits.
    package init?(nativeType: String) {
        let name = nativeType.lowercased()
        let word = String(name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        if word == "numeric" || word == "decimal" {
            self.init(decimal: name)
        } else if let bits = Self.bits[word] {
            self.init(bits: bits, isUnsigned: name.contains("unsigned") || word.hasPrefix("u"))
        } else {
            return nil
        }
    }

    private static let bits: [String: Int] = [
        "tinyint": 8, "utinyint": 8, "smallint": 16, "usmallint": 16, "int2": 16, "mediumint": 24, "int": 32,
        "integer": 32, "uinteger": 32, "int4": 32,
    ]

    private init?(bits: Int, isUnsigned: Bool) {
        let limit = Double(Int64(1) << Int64(isUnsigned ? bits : bits - 1))
        self.init(isUnsigned ? 0 : -limit, limit - 1, whole: "\(Int64(limit))".utf8.count, fraction: 0)
    }

    /// `decimal(10,2)`: the number of all digits, and the number of digits after the decimal point.
    private init?(decimal name: String) {
        let digits = name.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split(separator: ",")
        let numbers = digits.compactMap { Int($0.filter { $0 != " " }) }
        guard numbers.count == digits.count, let all = numbers.first, (1...76).contains(all) else { return nil }
        let fraction = numbers.count > 1 ? numbers[1] : 0
        guard numbers.count < 3, (0...all).contains(fraction), !name.contains("unsigned") else { return nil }
        let limit = (0..<(all - fraction)).reduce(1.0) { power, _ in (power * 10).nextUp }
        self.init(-limit, limit, whole: all - fraction, fraction: fraction)
    }
}

// MARK: - Operations

extension NumberRange {
    /// Returns the range of a sum, a difference or a product; nil for any other operation. A database may give a product one
    /// digit more than its factors have together.
    func result(of operation: SQLPiece.Arithmetic, _ other: NumberRange) -> NumberRange? {
        switch operation {
        case .addIntegers, .addDecimals: return sum(other.least, other.greatest, other)
        case .subtractIntegers, .subtractDecimals: return sum(-other.greatest, -other.least, other)
        case .multiplyIntegers, .multiplyDecimals: return product(other)
        case .add, .subtract, .multiply, .divideIntegers, .remainderOfIntegers, .divideDoubles, .bitAnd, .bitOr,
            .bitXor, .shiftLeft, .shiftRight:
            return nil
        }
    }

    private func sum(_ low: Double, _ high: Double, _ other: NumberRange) -> NumberRange? {
        NumberRange(
            (least + low).nextDown, (greatest + high).nextUp, whole: max(whole, other.whole) + 1,
            fraction: max(fraction, other.fraction))
    }

    private func product(_ other: NumberRange) -> NumberRange? {
        let (first, second) = (least * other.least, least * other.greatest)
        let (third, fourth) = (greatest * other.least, greatest * other.greatest)
        return NumberRange(
            min(first, second, third, fourth).nextDown, max(first, second, third, fourth).nextUp,
            whole: whole + other.whole + 1, fraction: fraction + other.fraction)
    }
}

extension ValueForm {
    /// What is proven about the numbers of a value; nil if nothing is.
    var range: NumberRange? {
        switch self {
        case .column(let column): return column.column.range
        case .parameter(let parameter):
            if case .integer(let number) = parameter.binding { return NumberRange(number, digits: 19) }
            return nil
        case .word(let word): return Int64("\(word)").map { NumberRange($0, digits: 1) }
        case .arithmetic(let operation, let left, let right):
            guard let right = right.range, let left = left.range else { return nil }
            return left.result(of: operation, right)
        case .cast(let value, .type(let cast)):
            guard let room = cast.exactDigits else { return nil }
            if value.isShortConstant { return .short }
            guard let range = value.range, range.isWithin(whole: room.whole, fraction: room.fraction) else {
                return nil
            }
            return range.with(fraction: room.fraction)
        case .call(.absolute, let arguments): return arguments.first?.range
        case .aggregate(.minimum(let value, isText: false), _, _), .aggregate(.maximum(let value, isText: false), _, _):
            return value.range
        case .guarded, .null, .checked, .cast, .call, .conditional, .aggregate: return nil
        }
    }

    /// True for a decimal number whose digits a double holds, so that its conversion is rounded once.
    var hasFewDigits: Bool { range.map { $0.digits <= 15 } == true }

    /// A chain of sums, differences and products of integers without checks, if every result is proven to fit in 64 bits;
    /// otherwise nil.
    var provenInteger: ValueForm? {
        guard case .arithmetic(let operation, let left, let right) = self, let plain = operation.ofLongs,
            range?.fitsInt64 == true, let right = right.provenOperand, let left = left.provenOperand
        else { return nil }
        let isLong = left.isLong || right.isLong
        if case .word = left { return .arithmetic(plain, left, right.long(isLong)) }
        return .arithmetic(plain, left.long(isLong), right.long(true))
    }

    private var provenOperand: ValueForm? {
        if case .arithmetic = self { provenInteger } else { self }
    }

    /// True for a value that every database computes with 64 bits.
    private var isLong: Bool {
        switch self {
        case .parameter, .arithmetic, .cast: true
        case .column, .guarded, .word, .null, .checked, .call, .conditional, .aggregate: false
        }
    }

    /// The value in 64 bits. It is not converted if the other operand has 64 bits, unless its type is unsigned: then a result
    /// below 0 would be an error.
    private func long(_ isLong: Bool) -> ValueForm {
        let isUnsigned = if case .word = self { false } else { !self.isLong && range.map { $0.least >= 0 } == true }
        return isLong && !isUnsigned ? self : .cast(self, .type(.integerToLong))
    }
}

extension SQLPiece.Arithmetic {
    /// The operation on integers whose results fit in 64 bits; nil for any other operation.
    fileprivate var ofLongs: SQLPiece.Arithmetic? {
        switch self {
        case .addIntegers: .add
        case .subtractIntegers: .subtract
        case .multiplyIntegers: .multiply
        case .add, .subtract, .multiply, .addDecimals, .subtractDecimals, .multiplyDecimals, .divideIntegers,
            .remainderOfIntegers, .divideDoubles, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
            nil
        }
    }
}

extension SQLPiece.Cast {
    /// The digits that an operand of decimal arithmetic keeps in every database; nil for any other conversion.
    var exactDigits: (whole: Int, fraction: Int)? {
        switch self {
        case .decimalToTerm: (19, 18)
        case .decimalToFactor: (9, 9)
        case .decimalToLongFactor: (9, 18)
        case .wholeToFactor: (10, 0)
        case .integerToDouble, .booleanToInteger, .integerToText, .decimalToDouble, .integerToDecimal, .integerToLong,
            .notANumberToNull, .doubleToSign, .singleToDouble, .paddedToText, .arrayToSize, .jsonToArray, .jsonToSize,
            .jsonToText, .jsonToInteger, .jsonToDouble, .jsonToBoolean:
            nil
        }
    }
}
