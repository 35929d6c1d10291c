import Foundation
import PredicateSyntax

/// The aggregates of a group: values in the order of the rows in, one value out. [NSP-512]
package enum ReferenceTotals {
    /// What an aggregate says about the values of a group.
    package enum Function: Hashable, Sendable {
        /// `count(x)`; without an operand the number of rows
        case count
        /// `count(DISTINCT x)`
        case countDistinct
        case sum
        case average
        case minimum
        case maximum
        case median
        /// `stddev(x)`, of the whole population
        case deviation
        /// `percentile(x, 95)`
        case percentile(Double)
        /// `joined(x, ", ")`
        case joined(String)

        /// True for functions of numbers, to which another value is an error of its row.
        var takesNumbers: Bool {
            switch self {
            case .sum, .average, .median, .deviation, .percentile: true
            case .count, .countDistinct, .minimum, .maximum, .joined: false
            }
        }
    }

    /// The values that an operand has given, without nil, and the elements in place of arrays.
    static func elements(_ value: ReferenceCell) -> [ReferenceCell] {
        switch value {
        case .null: []
        case .list(_, let elements) where !value.isSet: elements.flatMap(self.elements)
        case .bool, .integer, .double, .decimal, .date, .text, .list, .dictionary, .other: [value]
        }
    }

    /// The result for values that are not nil, and numbers where the function takes numbers.
    static func result(_ function: Function, _ values: [ReferenceCell]) -> ReferenceCell {
        switch function {
        case .count: return .integer(Int64(values.count))
        case .countDistinct: return .integer(Int64(distinct(values).count))
        case .sum, .average, .minimum, .maximum, .median, .deviation, .percentile, .joined: break
        }
        guard let first = values.first else { return .null }
        switch function {
        case .count, .countDistinct: return .null
        case .sum: return sum(values)
        case .average: return .double(double(sum(values)) / Double(values.count))
        case .minimum: return values.dropFirst().reduce(first) { ReferenceOrder().order($1, $0) < 0 ? $1 : $0 }
        case .maximum: return values.dropFirst().reduce(first) { ReferenceOrder().order($1, $0) > 0 ? $1 : $0 }
        case .median: return median(values)
        case .deviation: return .double(deviation(values.map(double)))
        case .percentile(let share): return .double(percentile(values.map(double), share))
        case .joined(let separator): return .text(values.map(\.csvText).joined(separator: separator))
        }
    }

    private static func double(_ value: ReferenceCell) -> Double { value.nearestDouble ?? .nan }

    private static func distinct(_ values: [ReferenceCell]) -> [ReferenceCell] {
        values.reduce(into: []) { kept, value in
            if !kept.contains(where: { ReferenceEquality.isSame($0, value) }) { kept.append(value) }
        }
    }

    // MARK: Sums

    /// The sum of all digits, rounded once. Beside doubles the sum of the decimal numbers is a double of its own.
    private static func sum(_ values: [ReferenceCell]) -> ReferenceCell {
        let (doubles, decimals) = (values.filter(\.isDouble), values.filter(\.isDecimal))
        if doubles.isEmpty, decimals.isEmpty {
            let sum = exactSum(values)
            return sum.integer.map(ReferenceCell.integer) ?? .double(sum.double)
        }
        if doubles.isEmpty { return .decimal(exactSum(values).rounded(to: 38)) }
        let decimal = ReferenceCell.double(exactSum(decimals).rounded(to: 38).double)
        return .double(doubleSum(values.filter { !$0.isDecimal } + [decimal]))
    }

    /// The sum of numbers of which none is infinite or NaN.
    private static func exactSum(_ values: [ReferenceCell]) -> ReferenceDecimal {
        values.reduce(ReferenceDecimal()) { $0 + exactly($1) }
    }

    private static func exactly(_ value: ReferenceCell) -> ReferenceDecimal {
        if case .double(let number) = value { return ReferenceDecimal(exactly: number) }
        return value.exactNumber ?? ReferenceDecimal()
    }

    /// The exact sum, as a double. Infinities and NaN are added as they are.
    private static func doubleSum(_ values: [ReferenceCell]) -> Double {
        let unbounded = values.map(double).filter { !$0.isFinite }
        return unbounded.isEmpty ? exactSum(values).double : unbounded.reduce(0, +)
    }

    // MARK: Middles

    /// The number in the middle; an integer if all are integers and their number is odd.
    private static func median(_ values: [ReferenceCell]) -> ReferenceCell {
        let integers = values.compactMap { value -> Int64? in
            if case .integer(let integer) = value { integer } else { nil }
        }
        let middle = values.count / 2
        if integers.count == values.count, values.count % 2 == 1 { return .integer(integers.sorted()[middle]) }
        let numbers = values.map(double)
        if numbers.contains(where: \.isNaN) { return .double(.nan) }
        let sorted = numbers.sorted()
        return .double(values.count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2)
    }

    /// Between the two numbers around the place `(n − 1) · p / 100`, in proportion.
    private static func percentile(_ numbers: [Double], _ share: Double) -> Double {
        if numbers.contains(where: \.isNaN) { return .nan }
        let sorted = numbers.sorted()
        let place = Double(sorted.count - 1) * share / 100
        let low = Int(place.rounded(.down))
        let fraction = place - Double(low)
        return fraction == 0 ? sorted[low] : sorted[low] + (sorted[low + 1] - sorted[low]) * fraction
    }

    /// The square root of the mean of the squares of the distances from the mean.
    private static func deviation(_ numbers: [Double]) -> Double {
        let count = Double(numbers.count)
        let mean = doubleSum(numbers.map(ReferenceCell.double)) / count
        let squares = numbers.map { ReferenceCell.double(($0 - mean) * ($0 - mean)) }
        return (doubleSum(squares) / count).squareRoot()
    }
}

extension ReferenceCell {
    fileprivate var isDouble: Bool {
        if case .double = self { true } else { false }
    }

    fileprivate var isDecimal: Bool {
        if case .decimal = self { true } else { false }
    }
}
