import PredicateSyntax

/// Comparisons of doubles. In the language NaN equals itself, and is greater than all negative numbers and less than
/// 0. [NSP-176]
///
/// A database either holds NaN and orders it last, or has NULL in its place. In the latter case columns never hold
/// NaN: it can only be the result of a function or operation.
extension Resolver {
    private var ordersNaN: Bool { dialect.features.contains(.ordersNotANumber) }

    /// Compares a double with a constant. The column appears bare, apart from a test for NaN.
    func relate(double value: TypedValue, _ relation: RelationOperator, _ number: Double) -> ConditionForm {
        if case .cast(let column, .dateToSeconds(.timestamp)) = value.form, let timestamps = dialect.timestamps {
            return timestamp(column, relation, number, timestamps)
        }
        guard !number.isNaN else { return relate(toNaN: value, relation) }
        let condition = compare(value.form, relation, number)
        return placing(value, in: condition, relation, holds: relation.admits(NumberOrder(.nan, number)))
    }

    /// Compares a double with a constant. In a database of finite doubles, an infinity is beyond all values.
    func compare(_ value: ValueForm, _ relation: RelationOperator, _ number: Double) -> ConditionForm {
        guard number.isInfinite, dialect.features.contains(.finiteDoubles) else {
            return .compare(value, relation, form(.double(number), .double))
        }
        return relation.admits(NumberOrder(0, number)) ? .not(.isNull(value)) : .never
    }

    /// `height < %@` with NaN.
    private func relate(toNaN value: TypedValue, _ relation: RelationOperator) -> ConditionForm {
        let negative = ConditionForm.compare(value.form, .less, .word("0"))
        let notNegative = ConditionForm.compare(value.form, .greaterOrEqual, .word("0"))
        switch relation {
        case .equal: return isNaN(value)
        case .notEqual: return .all([.not(.isNull(value.form)), isNaN(value).negated])
        case .less: return negative
        case .lessOrEqual: return .any([negative, isNaN(value)])
        case .greater: return placing(value, in: notNegative, .greaterOrEqual, holds: false)
        case .greaterOrEqual: return placing(value, in: notNegative, .greaterOrEqual, holds: true)
        }
    }

    /// Compares two values as doubles.
    func reals(_ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue) -> ConditionForm {
        let (leftIsNaN, rightIsNaN) = (isNaN(left), isNaN(right))
        let (left, right) = (double(left), double(right))
        let numbers = ConditionForm.compare(left.form, relation, right.form)
        if leftIsNaN.isNever && rightIsNaN.isNever { return numbers }
        let bothNaN = relation.admitsEqual ? ConditionForm.all([leftIsNaN, rightIsNaN]) : .never
        guard relation.isOrdering else { return ordersNaN ? numbers : .any([numbers, bothNaN]) }
        let isLess = relation == .less || relation == .lessOrEqual
        return .any([
            ordersNaN ? .all([numbers, leftIsNaN.opposite, rightIsNaN.opposite]) : numbers,
            .all([leftIsNaN, signed(right, negative: !isLess, rightIsNaN)]),
            .all([rightIsNaN, signed(left, negative: isLess, leftIsNaN)]),
            bothNaN,
        ])
    }

    /// Returns a condition for the numbers below 0, or for all others.
    private func signed(_ value: TypedValue, negative: Bool, _ isNaN: ConditionForm) -> ConditionForm {
        if negative { return .compare(value.form, .less, .word("0")) }
        let condition = ConditionForm.compare(value.form, .greaterOrEqual, .word("0"))
        return ordersNaN ? .all([condition, isNaN.opposite]) : condition
    }

    /// Extends a comparison so that NaN satisfies it exactly if `holds` is true.
    private func placing(
        _ value: TypedValue, in condition: ConditionForm, _ relation: RelationOperator, holds: Bool
    ) -> ConditionForm {
        // Where NaN is ordered last, it is above every bound.
        if ordersNaN, holds == (relation == .greater || relation == .greaterOrEqual) { return condition }
        if holds { return .any([condition, isNaN(value)]) }
        return ordersNaN ? .all([condition, isNaN(value).opposite]) : condition
    }

    /// True for NaN.
    private func isNaN(_ value: TypedValue) -> ConditionForm {
        guard value.kind == .double else { return .never }
        switch value.form {
        case .arithmetic(let operation, let left, let right)
        where operation.keepsNumbers && left.isFinite && right.isFinite:
            return .never
        case .parameter, .aggregate, .cast(_, .dateToSeconds(.timestamp)), .cast(_, .dateToSeconds(.iso8601)):
            return .never
        case .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional: break
        }
        if ordersNaN { return .compare(value.form, .equal, .word("CAST('NaN' AS FLOAT)")) }
        guard value.mayBeNaN else { return .never }
        return .all([.isNull(value.form)] + value.failures.map { .not(.isNull($0)) })
    }
}

extension SQLPiece.Arithmetic {
    /// True for operations whose results for finite doubles are numbers, even if they are infinite.
    var keepsNumbers: Bool { self == .add || self == .subtract || self == .multiply }
}

extension ValueForm {
    /// True for a double that is known to be finite: an integer, a decimal or a constant.
    fileprivate var isFinite: Bool {
        switch self {
        case .cast(_, .type(.integerToDouble)), .cast(_, .type(.decimalToDouble)): return true
        case .parameter(let parameter):
            if case .double(let number) = parameter.binding { return number.isFinite }
            return false
        case .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            return false
        }
    }
}

extension ConditionForm {
    fileprivate var isNever: Bool {
        if case .constant(false) = self { true } else { false }
    }

    /// The negation of an equality, which NULL does not satisfy: `height <> 'NaN'`.
    fileprivate var opposite: ConditionForm {
        if case .compare(let left, .equal, let right) = self { .compare(left, .notEqual, right) } else { negated }
    }
}

/// Infinities in databases whose doubles are all finite: the cases are distinguished before a value is computed.
/// [NSP-378]
extension Resolver {
    /// A quotient whose divisor may be 0, as a choice of an infinity, NaN and the quotient.
    ///
    /// If an operand is nil, the quotient is NULL, which is an error.
    func withInfinities(_ value: TypedValue) -> Resolved {
        guard dialect.features.contains(.finiteDoubles),
            case .arithmetic(.divideDoubles, let dividend, let divisor) = value.form,
            !TypedValue(form: divisor, kind: .double).isNonZero
        else { return .value(value) }
        let isZero = ConditionForm.all(
            value.failures.map { .not(.isNull($0)) } + [.compare(divisor, .equal, .word("0"))])
        return .choice(isZero, infinity(dividend, over: divisor), .value(value))
    }

    /// The result of a division by zero: its sign is the product of both signs.
    private func infinity(_ dividend: ValueForm, over zero: ValueForm) -> Resolved {
        let (isNegative, isPositive) = (hasSign(zero, true), hasSign(zero, false))
        let above = ConditionForm.compare(dividend, .greater, .word("0"))
        let below = ConditionForm.compare(dividend, .less, .word("0"))
        let up = ConditionForm.any([.all([above, isPositive]), .all([below, isNegative])])
        let down = ConditionForm.any([.all([above, isNegative]), .all([below, isPositive])])
        return .choice(
            up, .constant(.double(.infinity)),
            .choice(down, .constant(.double(-.infinity)), .constant(.double(.nan))))
    }

    /// Distinguishes positive and negative zero. An integer zero has no sign.
    private func hasSign(_ zero: ValueForm, _ isNegative: Bool) -> ConditionForm {
        if case .cast(_, .type(.integerToDouble)) = zero { return .constant(!isNegative) }
        return .compare(.cast(zero, .type(.doubleToSign)), isNegative ? .greater : .equal, .word("0"))
    }
}

// MARK: Infinities as operands

extension Resolver {
    /// Returns the result of an operation on an infinity or NaN, which the database lacks; nil for other operands.
    func unbounded(
        _ operation: BinaryOperation, _ left: Resolved, _ right: Resolved, _ path: TreePath
    ) throws(CompilationFault) -> Resolved? {
        guard operation.isOfDoubles, dialect.features.contains(.finiteDoubles) else { return nil }
        if let first = left.unboundedNumber {
            if let second = right.unboundedNumber { return .constant(.double(operation.result(first, second))) }
            let other = try unboundedOperand(right, path, 1)
            return unbounded(other) { operation.result(first, $0) }
        }
        guard let second = right.unboundedNumber else { return nil }
        let other = try unboundedOperand(left, path, 0)
        // The remainder of a division by an infinity is the dividend.
        if operation == .remainder, second.isInfinite { return .value(real(other.form, other.requirements)) }
        return unbounded(other) { operation.result($0, second) }
    }

    private func unboundedOperand(_ operand: Resolved, _ path: TreePath, _ index: Int) throws(CompilationFault)
        -> TypedValue
    {
        let value = try number(operand, path.child(index))
        if value.kind == .power { throw CompilationFault(.kindDependsOnRow, at: path) }
        return self.operand(value.checked)
    }

    /// For a finite number, the result depends on its sign only. NULL is an error or NaN.
    private func unbounded(_ value: TypedValue, _ result: (Double) -> Double) -> Resolved {
        if case .parameter(let parameter) = value.form, case .double(let number) = parameter.binding {
            return .constant(.double(result(number)))
        }
        func test(_ relation: RelationOperator) -> ConditionForm { .compare(value.form, relation, .word("0")) }
        func constant(_ number: Double) -> Resolved { .constant(.double(result(number))) }
        let zero = Resolved.choice(hasSign(value.form, true), constant(-0.0), constant(0.0))
        return .choice(
            test(.greater), constant(1),
            .choice(
                test(.less), constant(-1),
                .choice(test(.equal), zero, .value(real(value.form, value.requirements)))))
    }

    /// Returns the result of a function of an infinity or NaN.
    func unbounded(_ function: FunctionExpression.Predefined, _ argument: Resolved) -> Resolved? {
        guard dialect.features.contains(.finiteDoubles), let number = argument.unboundedNumber else { return nil }
        switch function {
        case .negate: return .constant(.double(-number))
        case .abs: return .constant(.double(number.magnitude))
        case .floor, .ceiling, .trunc: return .constant(.double(number))
        case .sqrt: return .constant(.double(number.squareRoot()))
        default: return nil
        }
    }
}

extension Resolved {
    /// A constant that a database of finite doubles lacks.
    fileprivate var unboundedNumber: Double? {
        if case .constant(.double(let number)) = self, !number.isFinite { number } else { nil }
    }
}

extension BinaryOperation {
    fileprivate var isOfDoubles: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder: true
        case .power, .bits: false
        }
    }

    /// Returns the result for two doubles.
    fileprivate func result(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        case .power, .bits: .nan
        }
    }
}

/// The least or greatest decimal whose nearest double is a given double, or lies beyond it.
///
/// `price >= 9.99` compares the double nearest to a price. The nearest double changes at prices halfway between two doubles, so
/// the bare column is compared with such a number, which is exact, and an index can serve. [NSP-344]
struct DecimalBound {
    let number: ExactDecimal
    /// True if the bound itself is one of the numbers.
    let isIncluded: Bool

    /// Creates the lower bound of the decimals whose nearest double is not below a finite double.
    ///
    /// A number exactly halfway is rounded to the neighbour whose last bit is 0.
    init(from double: Double, digits: Int) {
        let halfway = ExactDecimal(between: double.nextDown, and: double)
        number = halfway.rounded(up: true, toFraction: digits)
        isIncluded = number != halfway || double.significandBitPattern & 1 == 0
    }

    /// Creates the upper bound of the decimals whose nearest double is not above a finite double.
    init(to double: Double, digits: Int) {
        let halfway = ExactDecimal(between: double, and: double.nextUp)
        number = halfway.rounded(up: false, toFraction: digits)
        isIncluded = number != halfway || double.significandBitPattern & 1 == 0
    }
}

/// A decimal number of any length.
struct ExactDecimal: Hashable {
    private(set) var isNegative: Bool
    /// The digits, without leading zeros and without trailing zeros of the fraction.
    private(set) var whole: [UInt8]
    private(set) var fraction: [UInt8]

    /// Creates the number halfway between two neighbouring doubles. After the greatest double follows the next power
    /// of two.
    init(between lower: Double, and upper: Double) {
        let (low, high) = (lower.parts, upper.parts)
        let exponent = min(low.exponent, high.exponent)
        let sum =
            low.significand << Int64(low.exponent - exponent) + high.significand << Int64(high.exponent - exponent)
        self.init(sum.magnitude, timesTwoTo: exponent - 1, isNegative: sum < 0)
    }

    private init(_ number: UInt64, timesTwoTo exponent: Int, isNegative: Bool) {
        var digits = DigitGroups(number)
        digits.multiply(by: exponent < 0 ? 5 : 2, times: abs(exponent))
        let all = digits.digits
        let count = max(0, -exponent)
        let padded = [UInt8](repeating: 0, count: max(0, count - all.count)) + all
        self.init(isNegative, padded.dropLast(count), padded.suffix(count))
    }

    private init(_ isNegative: Bool, _ whole: ArraySlice<UInt8>, _ fraction: ArraySlice<UInt8>) {
        self.whole = Array(whole.drop { $0 == 0 })
        self.fraction = Array(fraction.reversed().drop { $0 == 0 }.reversed())
        self.isNegative = isNegative && !(self.whole.isEmpty && self.fraction.isEmpty)
    }

    /// Returns the nearest number, in one direction, with at most `count` digits after the decimal point.
    func rounded(up: Bool, toFraction count: Int) -> ExactDecimal {
        guard fraction.count > count else { return self }
        var digits = whole + fraction.prefix(count)
        if up != isNegative {
            var index = digits.count - 1
            while index >= 0, digits[index] == 9 {
                digits[index] = 0
                index -= 1
            }
            if index >= 0 { digits[index] += 1 } else { digits.insert(1, at: 0) }
        }
        return ExactDecimal(isNegative, digits.dropLast(count), digits.suffix(count))
    }

    /// `-12.05`
    var text: String {
        func text(_ digits: [UInt8]) -> String { digits.map { String($0) }.joined() }
        let number = (whole.isEmpty ? "0" : text(whole)) + (fraction.isEmpty ? "" : "." + text(fraction))
        return isNegative ? "-" + number : number
    }

    static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        let (first, second) = left.isNegative ? (right, left) : (left, right)
        if first.whole.count != second.whole.count { return first.whole.count < second.whole.count }
        return (first.whole + first.fraction).lexicographicallyPrecedes(second.whole + second.fraction)
    }
}

extension Double {
    /// The number as an integer times a power of two. Infinity is the power of two after the greatest double.
    fileprivate var parts: (significand: Int64, exponent: Int) {
        if isInfinite { return (sign == .minus ? -(1 << 53) : 1 << 53, 971) }
        let isNormal = exponentBitPattern != 0
        let digits = Int64(significandBitPattern) + (isNormal ? 1 << 52 : 0)
        return (sign == .minus ? -digits : digits, Int(max(exponentBitPattern, 1)) - 1075)
    }
}

/// A whole number in groups of nine decimal digits, the lowest first.
private struct DigitGroups {
    private var groups: [UInt64]
    private static let size: UInt64 = 1_000_000_000

    init(_ number: UInt64) {
        groups = [number % Self.size, number / Self.size % Self.size, number / Self.size / Self.size]
    }

    mutating func multiply(by factor: UInt64, times count: Int) {
        // The largest number of factors whose product fits in one group.
        let together = factor == 2 ? 29 : 12
        for start in stride(from: 0, to: count, by: together) {
            multiply(by: (0..<min(together, count - start)).reduce(1) { product, _ in product * factor })
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in groups.indices {
            let product = groups[index] * factor + carry
            (groups[index], carry) = (product % Self.size, product / Self.size)
        }
        if carry > 0 { groups.append(carry) }
    }

    /// The decimal digits, the highest first, with leading zeros.
    var digits: [UInt8] {
        groups.reversed().flatMap { group in
            let text = String(group)
            return [UInt8](repeating: 0, count: 9 - text.utf8.count) + text.utf8.map { $0 - UInt8(ascii: "0") }
        }
    }
}
