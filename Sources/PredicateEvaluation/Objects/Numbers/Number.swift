import Foundation
import PredicateSyntax

/// A numeric value: the operand of arithmetic, `@sum` and the order of numbers.
///
/// `1 + 2`, `2.5 * 3`, `prices.@sum.self`
///
/// There are three kinds; Booleans are the integers 0 and 1. Two integers give an integer, an integer and a decimal a
/// decimal, a double and any other number a double.
package enum Number: Hashable, Sendable {
    /// `42`, `YES`
    case integer(Int64)
    /// `2.5`
    case double(Double)
    /// `CAST("1.10", "NSDecimalNumber")`
    case decimal(Decimal)

    /// Makes a number of a numeric value; nil for every other value.
    package init?(_ value: PredicateValue) {
        switch value {
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .bool(let value): self = .integer(value ? 1 : 0)
        case .decimal(let value): self = .decimal(value)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return nil
        }
    }

    /// The number as plain data.
    package var predicateValue: PredicateValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        }
    }

    /// The nearest double.
    package var doubleValue: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.nearestDouble
        }
    }

    /// The number as an integer; nil for a fraction, an infinity, and a number that does not fit 64 bits.
    package var exactInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.exactInteger
        }
    }

    /// The number as a decimal; a double goes by its shortest spelling.
    package var decimalValue: Decimal {
        switch self {
        case .integer(let value): Decimal(value)
        case .double(let value): value.isFinite ? Decimal(string: "\(value)") ?? .nan : .nan
        case .decimal(let value): value
        }
    }

    /// Two numbers in their common kind.
    package enum Pair {
        case integers(Int64, Int64)
        case doubles(Double, Double)
        case decimals(Decimal, Decimal)
    }

    /// This number and another one in a common kind.
    package func paired(with other: Number) -> Pair {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): .integers(left, right)
        case (.double, _), (_, .double): .doubles(doubleValue, other.doubleValue)
        case (.decimal, _), (_, .decimal): .decimals(decimalValue, other.decimalValue)
        }
    }
}

extension Number {
    /// Compares by value: `8 == 8.0`, `YES == 1`.
    ///
    /// An integer and a double are compared as doubles. What is not a number equals itself, and stands between the negative
    /// numbers and 0. [NSP-176]
    package func compare(_ other: Number) -> NumberOrder {
        switch paired(with: other) {
        case .integers(let left, let right): left < right ? .less : left == right ? .equal : .greater
        case .doubles(let left, let right): NumberOrder(left, right)
        case .decimals(let left, let right): Self.compare(left, right)
        }
    }

    private static func compare(_ left: Decimal, _ right: Decimal) -> NumberOrder {
        if left.isNaN || right.isNaN { return NumberOrder(left.sign, right.sign) }
        return left < right ? .less : left == right ? .equal : .greater
    }
}

extension Decimal {
    /// A double that stands to what is not a number as this decimal does.
    fileprivate var sign: Double { isNaN ? .nan : self < 0 ? -1 : 1 }

    /// The nearest double, by way of the decimal digits: no error from scaling by powers of ten.
    var nearestDouble: Double {
        Double(description) ?? .nan
    }

    /// The number as an integer; nil if it does not fit 64 bits.
    var exactInteger: Int64? {
        guard !isNaN, truncated == self else { return nil }
        return Int64(truncated.description)
    }

    /// The number without its fraction.
    var truncated: Decimal {
        var result = Decimal()
        var copy = self
        NSDecimalRound(&result, &copy, 0, isSignMinus ? .up : .down)
        return result
    }
}
