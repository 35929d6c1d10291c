#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The exact sum of doubles, rounded once: the order in which they are added does not matter. [NSP-512]
///
/// Infinities and NaN are added as in IEEE 754, and the sum of zeros is 0.
struct ExactSum {
    /// The rounded sum, and its rounding errors so far.
    private var (high, low) = (0.0, 0.0)
    /// The rounding errors of `low`.
    private var errors: [Double] = []
    /// The sum of the infinities and NaN.
    private var special: Double?
    /// The sum, divided by ``scale``, of numbers so large that adding them could exceed the range of a double.
    private var large: [ExactSum] = []

    private static let scale = 0x1p100

    mutating func add(_ value: Double) {
        if value.magnitude < 0x1p970 { return addInRange(value) }
        guard value.isFinite else { return special = (special ?? 0) + value }
        if large.isEmpty { large = [ExactSum()] }
        large[0].addInRange(value / Self.scale)
    }

    @inline(__always)
    private mutating func addInRange(_ value: Double) {
        let error: Double
        (high, error) = Self.sum(high, value)
        if error == 0 { return }
        let rest: Double
        (low, rest) = Self.sum(low, error)
        if rest != 0 { keep(rest) }
    }

    /// Returns a sum and its rounding error.
    @inline(__always)
    private static func sum(_ left: Double, _ right: Double) -> (Double, error: Double) {
        let sum = left + right
        let part = sum - left
        return (sum, (left - (sum - part)) + (right - part))
    }

    @inline(never)
    private mutating func keep(_ error: Double) {
        errors.append(error)
        if errors.count > 256 { errors = Self.partials(errors) }
    }

    /// Returns numbers that have the same sum and do not overlap in their digits, the least first.
    private static func partials(_ numbers: [Double]) -> [Double] {
        var partials: [Double] = []
        for number in numbers {
            var (rest, kept) = (number, 0)
            for partial in partials {
                let (sum, error) =
                    partial.magnitude < rest.magnitude ? Self.sum(rest, partial) : Self.sum(partial, rest)
                if error != 0 {
                    partials[kept] = error
                    kept += 1
                }
                rest = sum
            }
            partials.removeSubrange(kept...)
            partials.append(rest)
        }
        return partials
    }

    private var partials: [Double] { Self.partials(errors + [low, high]) }

    /// The sum, rounded to the nearest double.
    var value: Double {
        if let special { return special }
        let whole = large.flatMap(\.partials).map { $0 * Self.scale }
        return whole.first { !$0.isFinite } ?? Self.rounded(Self.partials(partials + whole))
    }

    /// Rounds the sum of partials. A sum halfway between two doubles is rounded towards the sign of the remaining partials.
    private static func rounded(_ partials: [Double]) -> Double {
        var rest = partials[...]
        var (high, error) = (rest.popLast() ?? 0, 0.0)
        while error == 0, let next = rest.popLast() { (high, error) = sum(high, next) }
        guard let next = rest.last, (error < 0) == (next < 0), error != 0 else { return high }
        let doubled = sum(high, 2 * error)
        return doubled.error == 0 ? doubled.0 : high
    }
}

// MARK: - Numbers of all kinds

/// The sum and the average of numbers, as queries and the aggregates of SQLite compute them: exact, and rounded once.
/// [NSP-512]
///
/// The sum of integers is an integer if it fits in 64 bits, otherwise the nearest double. With decimal numbers among them, it
/// is a decimal number of up to 38 digits; with a double among them, the nearest double.
package struct ExactTotal {
    package private(set) var count = 0
    private var integer: Int128 = 0
    private var decimal: Decimal?
    private var doubles = ExactSum()
    private var hasDoubles = false

    package init() {}

    @inline(__always)
    package mutating func add(_ value: Int64) {
        count += 1
        integer &+= Int128(value)
    }

    @inline(__always)
    package mutating func add(_ value: Double) {
        count += 1
        hasDoubles = true
        doubles.add(value)
    }

    /// Adds a number or a Boolean. Returns false for any other value.
    package mutating func add(_ value: PredicateValue) -> Bool {
        switch value {
        case .bool(let value): add(Int64(value ? 1 : 0))
        case .integer(let value): add(value)
        case .double(let value): add(value)
        case .decimal(let value):
            count += 1
            decimal = (decimal ?? 0) + value
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return false
        }
        return true
    }

    /// The sum; nil without numbers.
    package var sum: PredicateValue {
        if count == 0 { return .null }
        if hasDoubles { return .double(double) }
        if let whole { return .decimal(whole) }
        return Int64(exactly: integer).map { .integer($0) } ?? .double(Double(integer))
    }

    /// The average; nil without numbers.
    package var average: Double? { count == 0 ? nil : double / Double(count) }

    /// The sum of the decimal numbers and the integers; nil without decimal numbers.
    private var whole: Decimal? { decimal.map { $0 + (Decimal(string: integer.description) ?? .nan) } }

    /// The sum as a double.
    private var double: Double {
        if !hasDoubles { return whole.map(\.nearestDouble) ?? Double(integer) }
        var total = doubles
        if let decimal { total.add(decimal.nearestDouble) }
        // Each part of 32 bits fits in a double.
        for shift in stride(from: 0, to: 128, by: 32) {
            let part = shift == 96 ? integer >> 96 : integer >> Int128(shift) & 0xFFFF_FFFF
            total.add(Double(part) * Double(sign: .plus, exponent: shift, significand: 1))
        }
        return total.value
    }
}

/// Numbers that are kept until their median, a percentile or their standard deviation is computed. [NSP-512]
package struct NumberList {
    private var numbers: [Double] = []
    /// The same numbers exactly, as long as all of them are integers: a double may round these.
    private var integers: [Int64] = []

    package init() {}

    package mutating func add(_ value: Int64) {
        integers.append(value)
        numbers.append(Double(value))
    }

    package mutating func add(_ value: Double) { numbers.append(value) }

    /// Adds a number or a Boolean. Returns false for any other value.
    package mutating func add(_ value: PredicateValue) -> Bool {
        if case .integer(let value) = value {
            add(value)
        } else {
            guard let number = value.realNumber else { return false }
            add(number)
        }
        return true
    }

    /// The number in the middle, or the mean of the two numbers in the middle; nil without numbers.
    package var median: PredicateValue {
        if let result = special { return result }
        let (middle, isOdd) = (numbers.count / 2, numbers.count % 2 == 1)
        if integers.count == numbers.count, isOdd { return .integer(integers.sorted()[middle]) }
        let sorted = numbers.sorted()
        return .double(isOdd ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2)
    }

    /// Returns a percentile, from 0 to 100: the number below which that share of the numbers lies, interpolated between two of
    /// them like `PERCENTILE_CONT` in SQL; nil without numbers.
    package func percentile(_ percent: Double) -> PredicateValue {
        if let result = special { return result }
        let sorted = numbers.sorted()
        let position = Double(sorted.count - 1) * percent / 100
        let index = min(max(Int(position), 0), sorted.count - 1)
        let fraction = position - Double(index)
        guard fraction > 0, index + 1 < sorted.count else { return .double(sorted[index]) }
        return .double(sorted[index] + (sorted[index + 1] - sorted[index]) * fraction)
    }

    /// The standard deviation of the numbers as a whole population; nil without numbers.
    package var deviation: PredicateValue {
        if let result = special { return result }
        let mean = Self.mean(numbers)
        return .double(Self.mean(numbers.map { ($0 - mean) * ($0 - mean) }).squareRoot())
    }

    /// The result in the special cases: nil without numbers, NaN if a number is NaN.
    private var special: PredicateValue? {
        numbers.isEmpty ? .null : numbers.contains(where: \.isNaN) ? .double(.nan) : nil
    }

    private static func mean(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.value / Double(numbers.count)
    }
}

extension PredicateValue {
    /// The nearest double of a number, 1 or 0 for a Boolean; nil for other values.
    package var realNumber: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.nearestDouble
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        }
    }
}

extension Decimal {
    /// The nearest double, by way of the decimal digits: scaling by powers of ten would add an error.
    package var nearestDouble: Double { Double(description) ?? .nan }
}
