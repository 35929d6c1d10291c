import Foundation
import PredicateSyntax

/// A number of the language: what arithmetic, `@sum` and the order of numbers work on.
///
/// `1 + 2`, `2.5 * 3`, `prices.@sum.self`
///
/// There are three kinds only; Booleans are the integers 0 and 1. Two integers give an integer, an integer beside a
/// decimal a decimal, and a double beside anything a double.
package enum Number: Hashable, Sendable {
    /// `42`, `YES`
    case integer(Int64)
    /// `2.5`
    case double(Double)
    /// `CAST("1.10", "NSDecimalNumber")`
    case decimal(Decimal)

    /// The number that a value is; nil for every other value.
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

    /// The same number as an integer; nil for a fraction, an infinity and what 64 bits cannot hold.
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

    /// Two numbers brought to the kind in which both are worked on.
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

/// How one number stands to another.
package enum NumberOrder: Hashable, Sendable {
    case less
    case equal
    case greater
    /// One of them is not a number.
    case unordered
}

extension Number {
    /// The order by value: `8 == 8.0`, `YES == 1`.
    ///
    /// An integer beside a double is compared as a double.
    package func compare(_ other: Number) -> NumberOrder {
        switch paired(with: other) {
        case .integers(let left, let right): left < right ? .less : left == right ? .equal : .greater
        case .doubles(let left, let right): left < right ? .less : left == right ? .equal : Self.rest(left > right)
        case .decimals(let left, let right): Self.compare(left, right)
        }
    }

    private static func compare(_ left: Decimal, _ right: Decimal) -> NumberOrder {
        if left.isNaN || right.isNaN { return .unordered }
        return left < right ? .less : left == right ? .equal : .greater
    }

    private static func rest(_ greater: Bool) -> NumberOrder {
        greater ? .greater : .unordered
    }
}

extension Decimal {
    /// The nearest double, by way of the decimal digits: no error from scaling by powers of ten.
    var nearestDouble: Double {
        Double(description) ?? .nan
    }

    /// The same number as an integer, when 64 bits hold it.
    var exactInteger: Int64? {
        guard !isNaN, truncated == self else { return nil }
        return Int64(truncated.description)
    }

    /// Without what stands behind the point.
    var truncated: Decimal {
        var result = Decimal()
        var copy = self
        NSDecimalRound(&result, &copy, 0, isSignMinus ? .up : .down)
        return result
    }
}
