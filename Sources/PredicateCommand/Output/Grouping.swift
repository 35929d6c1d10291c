import Foundation
import PredicateSyntax

/// `--count-by city`, `--group-by city,year --sum price --avg age`
struct Grouping {
    /// An aggregate over the records of a group: `--sum price`
    struct KeyAggregate {
        enum Function: String, CaseIterable {
            case sum, avg, min, max
        }

        let function: Function
        let key: RecordKey

        /// `sum_price`
        var name: String { "\(function.rawValue)_\(key.name)" }
    }

    let keys: [RecordKey]
    let aggregates: [KeyAggregate]
    /// True for `--count-by`, which puts the largest groups first.
    let isCount: Bool

    init(_ keys: [RecordKey], _ aggregates: [KeyAggregate], isCount: Bool) {
        (self.keys, self.aggregates, self.isCount) = (keys, aggregates, isCount)
    }

    /// The names of the columns that are written.
    var columns: [String] { keys.map(\.name) + ["count"] + aggregates.map(\.name) }

    /// The key whose values each column holds; nil for the count.
    var sources: [String?] { keys.map(\.name) + [nil] + aggregates.map(\.key.name) }

    /// The root keys that must be read from records.
    var roots: [String] { (keys + aggregates.map(\.key)).flatMap(\.roots) }
}

/// Collects the records of groups. Memory use grows with the number of groups, not of records.
struct GroupCollector {
    private let grouping: Grouping
    private var places: [[PredicateValue]: Int] = [:]
    private var groups: [(values: [PredicateValue], count: Int, figures: [AggregateState])] = []

    init(_ grouping: Grouping) {
        self.grouping = grouping
        if grouping.keys.isEmpty { _ = place(of: []) }
    }

    /// Adds a record. If an aggregate of numbers finds another value, returns its key and the value.
    mutating func add(_ record: PredicateValue) -> (key: String, value: PredicateValue)? {
        let place = place(of: grouping.keys.map { $0.value(in: record) })
        groups[place].count += 1
        for (index, aggregate) in grouping.aggregates.enumerated() {
            let value = aggregate.key.value(in: record)
            if !groups[place].figures[index].add(value) { return (aggregate.key.name, value) }
        }
        return nil
    }

    private mutating func place(of values: [PredicateValue]) -> Int {
        let key = values.map(Self.normalized)
        if let place = places[key] { return place }
        places[key] = groups.count
        groups.append((values, 0, grouping.aggregates.map { AggregateState($0.function) }))
        return groups.count - 1
    }

    /// Puts `1.0` and `1` into the same group.
    private static func normalized(_ value: PredicateValue) -> PredicateValue {
        guard case .double(let number) = value, let integer = Int64(exactly: number) else { return value }
        return .integer(integer)
    }

    /// Returns a row for each group, ordered by `--sort`, or else by size or key.
    func rows(_ sort: SortOrder?, limit: Int?) -> [[PredicateValue]] {
        let columns = grouping.columns
        let rows = groups.map { group in
            group.values + [.integer(Int64(group.count))] + group.figures.map(\.value)
        }
        guard let sort else { return Array(rows.sorted(by: precedes).prefix(limit ?? rows.count)) }
        var sorter = RecordSorter<[PredicateValue]>(sort, limit: limit)
        for row in rows { sorter.add(row, .dictionary(Dictionary(zip(columns, row)) { $1 })) }
        return sorter.sorted()
    }

    private func precedes(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
        let count = grouping.keys.count
        if grouping.isCount {
            let result = ValueOrder.compare(left[count], right[count])
            if result != 0 { return result > 0 }
        }
        for index in 0..<count {
            let result = ValueOrder.compare(left[index], right[index])
            if result != 0 { return result < 0 }
        }
        return false
    }
}

/// An aggregate in progress. As in SQL, nil values are ignored, and an aggregate of no values is nil.
private struct AggregateState {
    private let function: Grouping.KeyAggregate.Function
    private var count = 0
    private var extreme = PredicateValue.null
    /// The sum of the integers. `double` holds the sum of the doubles and of integers that would overflow.
    private var integer: Int64 = 0
    private var decimal = Decimal(0)
    private var double = 0.0
    /// The rounding error of `double`.
    private var correction = 0.0
    private var (hasDoubles, hasDecimals) = (false, false)

    init(_ function: Grouping.KeyAggregate.Function) {
        self.function = function
    }

    /// Returns false for a value that the aggregate does not take.
    mutating func add(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .nullObject: return true
        case .array(let elements): return elements.allSatisfy { add($0) }
        default: break
        }
        count += 1
        switch function {
        case .sum, .avg: return addNumber(value)
        case .min: if count == 1 || ValueOrder.compare(value, extreme) < 0 { extreme = value }
        case .max: if count == 1 || ValueOrder.compare(value, extreme) > 0 { extreme = value }
        }
        return true
    }

    private mutating func addNumber(_ value: PredicateValue) -> Bool {
        switch value {
        case .bool(let value): return addNumber(.integer(value ? 1 : 0))
        case .integer(let value):
            let (sum, isTooLarge) = integer.addingReportingOverflow(value)
            if isTooLarge { add(double: Double(value)) } else { integer = sum }
        case .double(let value): add(double: value)
        case .decimal(let value):
            decimal += value
            hasDecimals = true
        default:
            count -= 1
            return false
        }
        return true
    }

    /// Adds with Neumaier's compensation, so that the sum rarely depends on the order of the records.
    private mutating func add(double value: Double) {
        hasDoubles = true
        let sum = double + value
        if sum.isFinite {
            correction += double.magnitude >= value.magnitude ? (double - sum) + value : (value - sum) + double
        }
        double = sum
    }

    var value: PredicateValue {
        switch function {
        case .min, .max: extreme
        case .sum: count == 0 ? .null : sum
        case .avg: count == 0 ? .null : ValueOrder.number(sum).map { .double($0 / Double(count)) } ?? .null
        }
    }

    private var sum: PredicateValue {
        if hasDoubles {
            return .double(double + correction + Double(integer) + (Double(decimal.description) ?? .nan))
        }
        return hasDecimals ? .decimal(decimal + Decimal(integer)) : .integer(integer)
    }
}
