import Foundation
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

/// An aggregate in progress, for the values of one group so far. It ignores nil and adds each element of an array. [NSP-512]
package struct Accumulator {
    private let function: ResultKey.Aggregate
    private var count = 0
    private var total = ExactTotal()
    private var extreme: PredicateValue?
    /// The state that only some aggregates need, such as all values so far.
    private var kept: Kept?

    private final class Kept {
        var numbers = NumberList()
        var distinct = DifferentKeys()
        var text = ""
    }

    package init(_ function: ResultKey.Aggregate) {
        self.function = function
        switch function {
        case .count, .sum, .average, .minimum, .maximum: break
        case .countDistinct, .median, .standardDeviation, .percentile, .joined: kept = Kept()
        }
    }

    /// Adds a value. Returns false for a value that the aggregate does not take.
    package mutating func add(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .nullObject: return true
        case .array(let elements), .orderedSet(let elements):
            return elements.reduce(true) { add($1) && $0 }
        case .set(let elements): return elements.reduce(true) { add($1) && $0 }
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .dictionary, .object,
            .expression, .predicate:
            return addOne(value)
        }
    }

    private mutating func addOne(_ value: PredicateValue) -> Bool {
        switch function {
        case .count: count += 1
        case .sum, .average: return total.add(value)
        case .minimum: if extreme.map({ OrderedValue(value).compare(OrderedValue($0)) < 0 }) ?? true { extreme = value }
        case .maximum: if extreme.map({ OrderedValue(value).compare(OrderedValue($0)) > 0 }) ?? true { extreme = value }
        case .countDistinct: _ = kept?.distinct.place(of: CollectionOfOne(value))
        case .median, .standardDeviation, .percentile: return kept?.numbers.add(value) ?? false
        case .joined(let separator):
            if count > 0 { kept?.text += separator }
            kept?.text += value.joinedText
            count += 1
        }
        return true
    }

    /// Adds the value of a slot. The function must accept the value.
    @inline(__always)
    package mutating func add(flat value: FlatValue) {
        switch (function, value) {
        case (_, .null): break
        case (.sum, .integer(let number)), (.average, .integer(let number)): total.add(number)
        case (.sum, .double(let number)), (.average, .double(let number)): total.add(number)
        case (.count, _): count += 1
        case (.countDistinct, _): kept?.distinct.insert(value)
        case (.median, .integer(let number)), (.percentile, .integer(let number)): kept?.numbers.add(number)
        case (.median, .double(let number)), (.percentile, .double(let number)): kept?.numbers.add(number)
        case (.minimum, _) where isBeyond(value, order: -1), (.maximum, _) where isBeyond(value, order: 1): break
        default: _ = add(PredicateValue(flat: value))
        }
    }

    /// Returns true for a value that certainly does not change the minimum or maximum so far.
    @inline(__always)
    private func isBeyond(_ value: FlatValue, order: Int) -> Bool {
        switch (value, extreme) {
        case (.integer(let value), .integer(let extreme)): order < 0 ? value >= extreme : value <= extreme
        case (.double(let value), .double(let extreme)): order < 0 ? value >= extreme : value <= extreme
        case (.date(let value), .date(let extreme)):
            order < 0
                ? value >= extreme.timeIntervalSinceReferenceDate : value <= extreme.timeIntervalSinceReferenceDate
        case (.text(let value), .string(var extreme)):
            // Strings have the order of their code points, which is that of their bytes.
            extreme.withUTF8 { order < 0 ? !value.precedes($0) : !$0.precedes(value) }
        default: false
        }
    }

    /// The number of different values so far.
    package var differentCount: Int { kept?.distinct.count ?? 0 }

    /// The result of the values so far.
    package var value: PredicateValue {
        switch function {
        case .count: .integer(Int64(count))
        case .countDistinct: .integer(Int64(kept?.distinct.count ?? 0))
        case .sum: total.sum
        case .average: total.average.map(PredicateValue.double) ?? .null
        case .minimum, .maximum: extreme ?? .null
        case .median: kept?.numbers.median ?? .null
        case .standardDeviation: kept?.numbers.deviation ?? .null
        case .percentile(let percent): kept?.numbers.percentile(percent) ?? .null
        case .joined: count == 0 ? .null : .string(kept?.text ?? "")
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns true if these bytes sort before the others.
    fileprivate func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let shared = Swift.min(count, other.count)
        guard shared > 0, let start = baseAddress, let otherStart = other.baseAddress else {
            return count < other.count
        }
        let order = memcmp(start, otherStart, shared)
        return order != 0 ? order < 0 : count < other.count
    }
}

extension ResultKey.Aggregate {
    /// Returns true if the function accepts the value of a slot, and it is neither a list nor a decimal number.
    @inline(__always)
    func takes(_ value: FlatValue) -> Bool {
        switch value {
        case .null, .integer, .double, .bool: true
        case .date, .text: !takesNumbers
        case .list, .opaque: false
        }
    }
}

extension PredicateValue {
    /// The text of a value in `joined`: a string itself, nothing for NaN, and JSON for any other value.
    fileprivate var joinedText: String {
        if case .string(let text) = self { return text }
        if case .double(let number) = self, number.isNaN { return "" }
        let json = JSONWriter().text(of: self)
        return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
    }
}
