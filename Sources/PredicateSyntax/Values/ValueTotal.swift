#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The sum and the average of values of the command and its session. As in SQL, without numbers both are nil.
///
/// Integers that exceed 64 bits and doubles are added as in ``CompensatedTotal``, decimal numbers by themselves. [NSP-485]
package struct ValueTotal {
    /// The total of the integers, the doubles and the Booleans.
    package var numbers = CompensatedTotal()
    /// The sum of the decimal numbers, and their number.
    private var (decimal, decimalCount) = (Decimal(0), 0)

    package init() {}

    /// Returns false for a value that is neither a number nor a Boolean.
    package mutating func add(_ value: PredicateValue) -> Bool {
        switch value {
        case .bool(let value): numbers.add(Int64(value ? 1 : 0))
        case .integer(let value): numbers.add(value)
        case .double(let value): numbers.add(value)
        case .decimal(let value):
            decimal += value
            decimalCount += 1
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return false
        }
        return true
    }

    package var sum: PredicateValue {
        if decimalCount == 0 { return PredicateValue(numbers.sum) }
        if numbers.hasDoubles { return .double(double) }
        return .decimal(decimal + Decimal(numbers.integer))
    }

    package var average: PredicateValue {
        let count = numbers.count + decimalCount
        return count == 0 ? .null : .double(double / Double(count))
    }

    /// The sum as a double.
    private var double: Double {
        guard decimalCount > 0 else { return numbers.doubleSum }
        if numbers.hasDoubles { return numbers.doubleSum + (Double(decimal.description) ?? .nan) }
        return Double((decimal + Decimal(numbers.integer)).description) ?? .nan
    }
}

extension NumberMedian {
    /// Adds a number or a Boolean. Returns false for another value.
    package mutating func add(_ value: PredicateValue) -> Bool {
        switch value {
        case .integer(let value): add(value)
        case .bool(let value): add(value ? 1.0 : 0.0)
        case .double(let value): add(value)
        case .decimal(let value): add(Double(value.description) ?? .nan)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return false
        }
        return true
    }

    /// The median; nil without numbers.
    package var value: PredicateValue { PredicateValue(median) }
}

extension PredicateValue {
    fileprivate init(_ result: CompensatedTotal.Result?) {
        switch result {
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case nil: self = .null
        }
    }
}
