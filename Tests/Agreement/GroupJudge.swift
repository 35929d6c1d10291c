import Foundation
import PredicateSyntax

/// The aggregates of some values and the order of values, worked out by plain arithmetic that shares no code with the
/// library. [NSP-510] [NSP-511] [NSP-512]
package struct GroupJudge {
    /// The values that are not nil, in the order of the rows.
    private let values: [PredicateValue]

    package init(_ values: [PredicateValue]) {
        self.values = values.filter { $0 != .null }
    }

    /// Returns the result; nil if a value is no number where only numbers are taken, and if it depends on the order of the rows, as that of decimal numbers with more than 38 digits.
    package func result(_ aggregate: ResultKey.Aggregate) -> PredicateValue? {
        if aggregate.takesNumbers, !values.allSatisfy({ Self.double($0) != nil }) { return nil }
        switch aggregate {
        case .count: return .integer(Int64(values.count))
        case .countDistinct: return .integer(Int64(Set(values.map(Self.key)).count))
        case .minimum:
            return values.reduce(nil) { least, value in
                least.map { Self.compare(value, $0) < 0 } ?? true ? value : least
            } ?? .null
        case .maximum:
            return values.reduce(nil) { most, value in
                most.map { Self.compare(value, $0) > 0 } ?? true ? value : most
            } ?? .null
        case .joined(let separator):
            return values.isEmpty ? .null : .string(values.map(Self.text).joined(separator: separator))
        case .sum: return sum
        case .average: return average
        case .median, .standardDeviation, .percentile: return values.isEmpty ? .null : statistic(aggregate)
        }
    }

    // MARK: Sums

    private var integers: [Int64] {
        values.compactMap { value in
            switch value {
            case .integer(let number): number
            case .bool(let truth): truth ? 1 : 0
            default: nil
            }
        }
    }
    private var doubles: [Double] { values.compactMap { if case .double(let number) = $0 { number } else { nil } } }
    private var decimals: [Decimal] { values.compactMap { if case .decimal(let number) = $0 { number } else { nil } } }

    /// The sum of the integers, which 128 bits hold.
    private var whole: Int128 { integers.reduce(0) { $0 + Int128($1) } }

    private var sum: PredicateValue? {
        if values.isEmpty { return .null }
        if !doubles.isEmpty { return total.map(PredicateValue.double) }
        if decimals.isEmpty { return Int64(exactly: whole).map(PredicateValue.integer) ?? .double(Double(whole)) }
        return decimalSum.map(PredicateValue.decimal)
    }

    private var average: PredicateValue? {
        values.isEmpty ? .null : total.map { .double($0 / Double(values.count)) }
    }

    /// The sum of the decimal numbers and the integers, if it has the same digits in both directions.
    private var decimalSum: Decimal? {
        let terms = decimals + [Decimal(string: "\(whole)") ?? 0]
        func added(_ terms: [Decimal]) -> Decimal? {
            var (total, isExact) = (Decimal(0), true)
            for var term in terms {
                var (left, result) = (total, Decimal())
                if NSDecimalAdd(&result, &left, &term, .plain) != .noError { isExact = false }
                total = result
            }
            return isExact ? total : nil
        }
        return added(terms).flatMap { sum in added(terms.reversed()) == sum ? sum : nil }
    }

    /// The double nearest to the sum.
    private var total: Double? {
        if doubles.isEmpty, decimals.isEmpty { return Double(whole) }
        guard let decimal = decimals.isEmpty ? 0 : decimalSum else { return nil }
        if doubles.isEmpty { return Double("\(decimal)") }
        if doubles.contains(where: { !$0.isFinite }) { return doubles.filter { !$0.isFinite }.reduce(0, +) }
        var exact = FixedPoint()
        for number in doubles { exact.add(number) }
        for number in integers { exact.add(number) }
        if !decimals.isEmpty { exact.add(Double("\(decimals.reduce(0, +))") ?? .nan) }
        return exact.nearest
    }

    // MARK: Statistics

    private func statistic(_ aggregate: ResultKey.Aggregate) -> PredicateValue? {
        let numbers = values.compactMap(Self.double).sorted()
        if numbers.contains(where: \.isNaN) { return .double(.nan) }
        let middle = numbers.count / 2
        switch aggregate {
        case .median:
            if numbers.count % 2 == 0 { return .double(numbers[middle - 1] / 2 + numbers[middle] / 2) }
            let whole = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
            return whole.count == numbers.count ? .integer(whole.sorted()[middle]) : .double(numbers[middle])
        case .percentile(let percent):
            let position = Double(numbers.count - 1) * percent / 100
            let (index, rest) = (Int(position.rounded(.down)), position - position.rounded(.down))
            if rest == 0 { return .double(numbers[index]) }
            return .double(numbers[index] + (numbers[index + 1] - numbers[index]) * rest)
        case .standardDeviation:
            guard let mean = Self.mean(numbers), let square = Self.mean(numbers.map { ($0 - mean) * ($0 - mean) })
            else {
                return .double(.nan)
            }
            return .double(square.squareRoot())
        default: return nil
        }
    }

    private static func mean(_ numbers: [Double]) -> Double? {
        GroupJudge(numbers.map(PredicateValue.double)).total.map { $0 / Double(numbers.count) }
    }

    private static func double(_ value: PredicateValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .bool(let truth): truth ? 1 : 0
        case .double(let number): number
        case .decimal(let number): Double("\(number)")
        default: nil
        }
    }

    private static func text(_ value: PredicateValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .double(let number): number.isFinite ? "\(number)" : number > 0 ? "1e999" : "-1e999"
        case .string(let text): text
        default: "?"
        }
    }
}

// MARK: - Order and equality

extension GroupJudge {
    /// Returns a negative number, 0 or a positive number, in the order of sort keys.
    package static func compare(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        switch (left, right) {
        case (.date(let left), .date(let right)):
            return order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (.string(let left), .string(let right)): return order(left, right)
        default: break
        }
        if rank(left) != rank(right) { return rank(left) - rank(right) }
        guard let first = double(left), let second = double(right) else {
            return rank(left) == 0 ? 0 : order(left.description, right.description)
        }
        if case (.double, .double) = (left, right) { return order(first, second) }
        let nearest = order(first, second)
        let isMixed = [left, right].contains { if case .double = $0 { true } else { false } }
        guard nearest == 0 || !isMixed, let first = exact(left), let second = exact(right) else { return nearest }
        return first < second ? -1 : first > second ? 1 : 0
    }

    private static func rank(_ value: PredicateValue) -> Int {
        switch value {
        case .null: 0
        case .bool, .integer, .double, .decimal: 1
        case .date: 2
        case .string: 3
        default: 4
        }
    }

    /// NaN is between the negative numbers and 0.
    private static func order(_ left: Double, _ right: Double) -> Int {
        func place(_ number: Double) -> (Int, Double) { number.isNaN ? (1, 0) : number < 0 ? (0, number) : (2, number) }
        let (first, second) = (place(left), place(right))
        return first < second ? -1 : first > second ? 1 : 0
    }

    private static func order(_ left: String, _ right: String) -> Int {
        left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    /// The number for which a value stands; nil for one outside the range of decimal numbers.
    private static func exact(_ value: PredicateValue) -> Decimal? {
        switch value {
        case .integer(let number): Decimal(number)
        case .bool(let truth): truth ? 1 : 0
        case .decimal(let number): number
        case .double(let number) where number.isFinite:
            Decimal(
                string: number.rounded() == number && number.magnitude < 0x1p120 ? "\(Int128(number))" : "\(number)")
        default: nil
        }
    }

    /// Returns a value that is the same for equal values: `1`, `1.0`, but not `true`.
    package static func key(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .string(let text): .data(Data(text.utf8))
        case .integer, .decimal: .string("\(exact(value) ?? 0)")
        case .double(let number): .string(number.isNaN ? "NaN" : exact(value).map { "\($0)" } ?? "\(number)")
        case .date(let date): .double(date.timeIntervalSinceReferenceDate + 0)
        default: value
        }
    }
}

/// The exact sum of doubles and integers: a fixed-point number with 32 bits in each limb, the first of which counts
/// multiples of 2^-1074.
private struct FixedPoint {
    private var limbs = [Int64](repeating: 0, count: 72)

    mutating func add(_ number: Double) {
        guard number != 0 else { return }
        let step = max(number.exponent - 52, -1074)
        add(UInt64(number.magnitude / Double(sign: .plus, exponent: step, significand: 1)), number < 0, 1074 + step)
    }

    mutating func add(_ number: Int64) { add(number.magnitude, number < 0, 1074) }

    private mutating func add(_ magnitude: UInt64, _ isNegative: Bool, _ shift: Int) {
        var rest = UInt128(magnitude) << UInt128(shift % 32)
        var index = shift / 32
        while rest > 0 {
            limbs[index] += Int64(rest & 0xFFFF_FFFF) * (isNegative ? -1 : 1)
            rest >>= 32
            index += 1
        }
    }

    /// The sum, rounded to the nearest double, to an even one in the middle of two.
    var nearest: Double {
        let isNegative = carried(1).last.map { $0 < 0 } ?? false
        let bits: [Bool] = carried(isNegative ? -1 : 1).flatMap { limb in (0..<32).map { limb >> Int64($0) & 1 == 1 } }
        guard let top = bits.lastIndex(of: true) else { return 0 }
        let low = max(top - 52, 0)
        var significand: UInt64 = 0
        for index in (low...top).reversed() { significand = significand << 1 | (bits[index] ? 1 : 0) }
        if low > 0, bits[low - 1], significand & 1 == 1 || bits[..<(low - 1)].contains(true) { significand += 1 }
        let value = Double(sign: .plus, exponent: low - 1074, significand: Double(significand))
        return isNegative ? -value : value
    }

    /// The limbs of the number, or of its opposite, without carries; only the last may be negative.
    private func carried(_ sign: Int64) -> [Int64] {
        var (result, carry) = ([Int64](), Int64(0))
        for limb in limbs.dropLast() {
            carry += limb * sign
            result.append(carry & 0xFFFF_FFFF)
            carry >>= 32
        }
        return result + [carry + (limbs.last ?? 0) * sign]
    }
}
