/// The sum and the average of numbers, as `predicate filter` and the aggregates of SQLite compute them.
///
/// Integers are added exactly while their sum has 64 bits. Doubles are added with Neumaier's compensation, so that the sum
/// rarely depends on their order.
package struct CompensatedTotal {
    package enum Result {
        case integer(Int64)
        case double(Double)
    }

    package private(set) var count = 0
    /// The sum of the integers. `double` is that of the doubles, and of integers that exceed 64 bits.
    package private(set) var integer: Int64 = 0
    private var double = 0.0
    /// The rounding error of `double`.
    private var correction = 0.0
    package private(set) var hasDoubles = false

    package init() {}

    package mutating func add(_ value: Int64) {
        count += 1
        let (sum, isTooLarge) = integer.addingReportingOverflow(value)
        if isTooLarge { addDouble(Double(value)) } else { integer = sum }
    }

    package mutating func add(_ value: Double) {
        count += 1
        addDouble(value)
    }

    private mutating func addDouble(_ value: Double) {
        hasDoubles = true
        let sum = double + value
        if sum.isFinite {
            correction += double.magnitude >= value.magnitude ? (double - sum) + value : (value - sum) + double
        }
        double = sum
    }

    /// The sum as a double.
    package var doubleSum: Double { hasDoubles ? double + correction + Double(integer) : Double(integer) }

    /// Nil without numbers.
    package var sum: Result? { count == 0 ? nil : hasDoubles ? .double(doubleSum) : .integer(integer) }

    /// Nil without numbers.
    package var average: Double? { count == 0 ? nil : doubleSum / Double(count) }
}

/// The median of numbers.
package struct NumberMedian {
    private var numbers: [Double] = []
    /// The same numbers as long as all are integers, which a double may round.
    private var integers: [Int64] = []

    package init() {}

    package mutating func add(_ value: Int64) {
        integers.append(value)
        numbers.append(Double(value))
    }

    package mutating func add(_ value: Double) { numbers.append(value) }

    /// The number in the middle, or the mean of the two numbers in the middle; nil without numbers.
    package var median: CompensatedTotal.Result? {
        if numbers.isEmpty { return nil }
        if numbers.contains(where: \.isNaN) { return .double(.nan) }
        let middle = numbers.count / 2
        let isOdd = numbers.count % 2 == 1
        if integers.count == numbers.count, isOdd { return .integer(integers.sorted()[middle]) }
        let sorted = numbers.sorted()
        return .double(isOdd ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2)
    }
}
