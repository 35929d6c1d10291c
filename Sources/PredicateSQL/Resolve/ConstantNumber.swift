#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax

/// A constant number, compared with 64-bit integers by the rules of the language: a double compares as doubles, a decimal
/// as decimals.
enum ConstantNumber {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    init?(_ value: PredicateValue) {
        switch value {
        case .bool(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return nil
        }
    }

    /// The nearest double.
    var doubleValue: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description) ?? .nan
        }
    }

    var isNaN: Bool {
        switch self {
        case .integer: false
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        }
    }

    /// The order of two constants. [NSP-176]
    func order(to other: ConstantNumber) -> NumberOrder {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? .less : left == right ? .equal : .greater
        case (.double, _), (_, .double): return NumberOrder(doubleValue, other.doubleValue)
        case (.decimal, _), (_, .decimal):
            if isNaN || other.isNaN { return NumberOrder(doubleValue, other.doubleValue) }
            let (left, right) = (decimalValue, other.decimalValue)
            return left < right ? .less : left == right ? .equal : .greater
        }
    }

    private var decimalValue: Decimal {
        switch self {
        case .integer(let value): Decimal(value)
        case .double: .nan
        case .decimal(let value): value
        }
    }

    /// True if an integer satisfies an operator with this number on its right.
    func admits(_ integer: Int64, _ relation: RelationOperator) -> Bool {
        relation.admits(ConstantNumber.integer(integer).order(to: self))
    }

    /// The least integer that is not below this number; nil if there is no such integer.
    var leastIntegerAtOrAbove: Int64? {
        MonotoneSearch.first { admits($0, .greaterOrEqual) }
    }

    /// The greatest integer that is not above this number; nil if there is no such integer.
    var greatestIntegerAtOrBelow: Int64? {
        guard let above = MonotoneSearch.first(where: { admits($0, .greater) }) else { return .max }
        return above == .min ? nil : above - 1
    }
}

extension SQLLimits {
    /// True if a parameter carries all digits of a decimal number.
    func holds(_ number: Decimal) -> Bool {
        if wholeDigits == .max, fractionDigits == .max { return true }
        guard number.isFinite else { return false }
        let parts = number.description.utf8.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        return (parts.first?.count ?? 0) <= wholeDigits && (parts.dropFirst().first?.count ?? 0) <= fractionDigits
    }
}

/// A binary search for the least value of a monotone condition.
enum MonotoneSearch {
    /// The least integer for which it holds; nil when it holds for none.
    static func first(where holds: (Int64) -> Bool) -> Int64? {
        guard holds(.max) else { return nil }
        var low: UInt64 = 0
        var high = UInt64.max
        while low < high {
            let middle = low + (high - low) / 2
            if holds(integer(middle)) { high = middle } else { low = middle + 1 }
        }
        return integer(low)
    }

    /// The least double for which it holds, infinities included; nil when it holds for none.
    static func firstDouble(where holds: (Double) -> Bool) -> Double? {
        first { holds(double($0)) }.map(double)
    }

    /// Integers in their order, from the least.
    private static func integer(_ offset: UInt64) -> Int64 {
        Int64(bitPattern: offset ^ (1 << 63))
    }

    /// Doubles in their order, by integers; what lies past the infinities counts as they do.
    private static func double(_ rank: Int64) -> Double {
        let limit = Int64(bitPattern: Double.infinity.bitPattern)
        if rank >= 0 { return Double(bitPattern: UInt64(min(rank, limit))) }
        return -Double(bitPattern: UInt64(min(-(rank + 1), limit)))
    }
}
