/// The least or the greatest decimal numbers whose nearest double is a given one, or lies beyond it.
///
/// `price >= 9.99` asks for the double nearest to a price, and doubles come no nearer to 9.99 than half the way to their neighbours. So the
/// bare column is compared with the number halfway, which is exact, and an index serves. [NSP-344]
struct DecimalBound {
    let number: ExactDecimal
    /// True if the bound itself is one of the numbers.
    let isIncluded: Bool

    /// The least decimals whose nearest double is not below a finite one.
    ///
    /// A number halfway goes to the neighbour whose last bit is 0.
    init(from double: Double, digits: Int) {
        let halfway = ExactDecimal(between: double.nextDown, and: double)
        number = halfway.rounded(up: true, toFraction: digits)
        isIncluded = number != halfway || double.significandBitPattern & 1 == 0
    }

    /// The greatest decimals whose nearest double is not above a finite one.
    init(to double: Double, digits: Int) {
        let halfway = ExactDecimal(between: double, and: double.nextUp)
        number = halfway.rounded(up: false, toFraction: digits)
        isIncluded = number != halfway || double.significandBitPattern & 1 == 0
    }
}

/// A decimal number of any length.
struct ExactDecimal: Hashable {
    private(set) var isNegative: Bool
    /// Without zeros at the beginning and at the end of the fraction.
    private(set) var whole: [UInt8]
    private(set) var fraction: [UInt8]

    /// The number in the middle between two neighbouring doubles; past the greatest one stands the power of two after it.
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

    /// The next number with so many digits after the point, or fewer, at this one or beyond.
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
    /// The number as a whole one times a power of two; what is past the greatest one as the power of two after it.
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
        // As many factors at once as stay below a group.
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

    /// The decimal digits, the highest first, with zeros before them.
    var digits: [UInt8] {
        groups.reversed().flatMap { group in
            let text = String(group)
            return [UInt8](repeating: 0, count: 9 - text.utf8.count) + text.utf8.map { $0 - UInt8(ascii: "0") }
        }
    }
}
