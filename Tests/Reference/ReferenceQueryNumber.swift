import Foundation

/// A number with all its digits: a sign, whole digits in base 10⁹ and a power of ten.
///
/// `ReferenceDecimal("-12.50")` is −1250 · 10⁻². Every double and every decimal number of the language is one of these
/// exactly, so that sums of them are exact, too, and are rounded once at their end.
package struct ReferenceDecimal {
    private var isNegative = false
    /// The digits without sign and dot, the least significant nine first.
    private var limbs: [UInt32] = []
    /// The power of ten by which the digits are multiplied.
    private var exponent = 0

    private static let base: UInt64 = 1_000_000_000

    /// 0
    package init() {}

    package init(_ value: Int64) {
        isNegative = value < 0
        var rest = UInt64(value.magnitude)
        while rest > 0 {
            limbs.append(UInt32(rest % Self.base))
            rest /= Self.base
        }
    }

    /// Exactly the binary fraction that a finite double is: m · 2ⁿ, where 2⁻¹ is 5 · 10⁻¹.
    package init(exactly value: Double) {
        self.init(Int64(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)))
        isNegative = value < 0
        let power = (value.isNormal ? Int(value.exponentBitPattern) : 1) - 1075
        for _ in 0..<abs(power) { multiply(by: power > 0 ? 2 : 5) }
        exponent = min(power, 0)
    }

    /// The number of a notation: `-12.50`, `1e+22`; nil for other text.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let power = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
        var digits = parts[0]
        isNegative = digits.hasPrefix("-")
        if let sign = digits.first, "+-".contains(sign) { digits.removeFirst() }
        let fraction = digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
        digits.removeAll { $0 == "." }
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        for digit in digits {
            multiply(by: 10)
            add(digit: UInt64(digit.wholeNumberValue ?? 0))
        }
        exponent = power - fraction
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * factor + carry
            limbs[index] = UInt32(product % Self.base)
            carry = product / Self.base
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }

    private mutating func add(digit: UInt64) {
        var carry = digit
        for index in limbs.indices where carry > 0 {
            let sum = UInt64(limbs[index]) + carry
            limbs[index] = UInt32(sum % Self.base)
            carry = sum / Self.base
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }
}

// MARK: - Sums and order

extension ReferenceDecimal {
    package var isZero: Bool { limbs.allSatisfy { $0 == 0 } }

    /// Both numbers with the smaller of their exponents.
    private static func aligned(
        _ left: ReferenceDecimal, _ right: ReferenceDecimal
    ) -> (ReferenceDecimal, ReferenceDecimal) {
        (left.lowered(to: right.exponent), right.lowered(to: left.exponent))
    }

    private func lowered(to other: Int) -> ReferenceDecimal {
        var result = self
        while result.exponent > other {
            result.multiply(by: 10)
            result.exponent -= 1
        }
        return result
    }

    package static func + (left: ReferenceDecimal, right: ReferenceDecimal) -> ReferenceDecimal {
        var (left, right) = aligned(left, right)
        if left.isNegative == right.isNegative {
            left.limbs = sum(left.limbs, right.limbs)
            return left
        }
        if order(left.limbs, right.limbs) < 0 { swap(&left, &right) }
        left.limbs = difference(left.limbs, right.limbs)
        return left
    }

    private static func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var (result, carry): ([UInt32], UInt64) = ([], 0)
        for index in 0..<max(left.count, right.count) {
            let sum = carry + limb(left, index) + limb(right, index)
            result.append(UInt32(sum % base))
            carry = sum / base
        }
        return carry > 0 ? result + [UInt32(carry)] : result
    }

    /// The difference of digits of which the first are not less.
    private static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var (result, borrow): ([UInt32], UInt64) = ([], 0)
        for index in left.indices {
            let rest = base + limb(left, index) - limb(right, index) - borrow
            result.append(UInt32(rest % base))
            borrow = rest >= base ? 0 : 1
        }
        return result
    }

    private static func limb(_ limbs: [UInt32], _ index: Int) -> UInt64 {
        index < limbs.count ? UInt64(limbs[index]) : 0
    }

    /// Below, at or above 0 as the first digits are below, at or above the second.
    private static func order(_ left: [UInt32], _ right: [UInt32]) -> Int {
        for index in (0..<max(left.count, right.count)).reversed() {
            let (left, right) = (limb(left, index), limb(right, index))
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    /// Below, at or above 0 as this number is below, at or above the other.
    package func order(_ other: ReferenceDecimal) -> Int {
        let (left, right) = Self.aligned(self, other)
        let (leftSign, rightSign) = (left.sign, right.sign)
        if leftSign != rightSign { return leftSign < rightSign ? -1 : 1 }
        return Self.order(left.limbs, right.limbs) * (leftSign < 0 ? -1 : 1)
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }
}

// MARK: - Notation and rounding

extension ReferenceDecimal {
    /// The whole digits: `1250` for −12.50
    private var digits: String {
        let text = limbs.reversed().map { limb in
            let part = String(limb)
            return String(repeating: "0", count: 9 - part.count) + part
        }.joined().drop { $0 == "0" }
        return text.isEmpty ? "0" : String(text)
    }

    /// The number, with an exponent: `-1250e-2`
    package var text: String { (sign < 0 ? "-" : "") + "\(digits)e\(exponent)" }

    /// The nearest double.
    package var double: Double { Double(text) ?? .nan }

    /// The number as an integer of 64 bits; nil if it is none.
    package var integer: Int64? {
        if isZero { return 0 }
        let (kept, zeros) = significant
        guard zeros + exponent >= 0, kept.count + zeros + exponent <= 19 else { return nil }
        return Int64((sign < 0 ? "-" : "") + kept + String(repeating: "0", count: zeros + exponent))
    }

    /// The digits without the zeros at their end, and how many these are.
    private var significant: (String, zeros: Int) {
        let digits = digits
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        return (String(digits.dropLast(zeros)), zeros)
    }

    /// The number of digits without zeros at either end.
    package var significantCount: Int { isZero ? 0 : significant.0.count }

    /// The number with at most so many digits, rounded half away from zero.
    package func rounded(to count: Int) -> ReferenceDecimal {
        let digits = digits
        let excess = digits.count - count
        guard excess > 0, significantCount > count else { return self }
        var result = ReferenceDecimal(String(digits.prefix(count))) ?? self
        if let next = digits.dropFirst(count).first, next >= "5" { result.add(digit: 1) }
        (result.isNegative, result.exponent) = (isNegative, exponent + excess)
        return result
    }
}
