import Foundation
import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// A hash table from the bytes of keys to the places of groups, which are numbered from 0.
struct GroupTable {
    /// The bytes of all keys, one after the other, and the end and the hash of each.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var hashes: [UInt64] = []
    /// For each bucket the first bits of a hash and, in ``placeBits``, the place and 1; 0 for an empty bucket. The
    /// number of buckets is a power of 2.
    private var buckets = [UInt64](repeating: 0, count: 64)

    private static let placeBits: UInt64 = 1 << 40 - 1
    /// Something of what ``touch(_:)`` has read, so that it is read.
    private var touched: UInt64 = 0

    /// Reads what the lookups of some hashes will read. The processor waits for the memory of all of them at the same
    /// time, and then hardly for that of each lookup.
    mutating func touch(_ hashes: ArraySlice<UInt64>) {
        if bytes.isEmpty { return }
        var sum: UInt64 = 0
        for hash in hashes { sum ^= buckets[first(hash)] }
        for hash in hashes {
            let place = Int(truncatingIfNeeded: buckets[first(hash)] & Self.placeBits) - 1
            if place >= 0 { sum ^= UInt64(truncatingIfNeeded: ends[place]) }
        }
        for hash in hashes {
            let place = Int(truncatingIfNeeded: buckets[first(hash)] & Self.placeBits) - 1
            if place >= 0 { sum ^= UInt64(bytes[ends[place] - 1]) }
        }
        touched = sum
    }

    /// Returns the place of a key with its hash, and whether it is new.
    mutating func place(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> (place: Int, isNew: Bool) {
        var bucket = first(hash)
        while buckets[bucket] != 0 {
            let place = Int(truncatingIfNeeded: buckets[bucket] & Self.placeBits) - 1
            if (buckets[bucket] ^ hash) & ~Self.placeBits == 0, isKey(place, key) { return (place, false) }
            bucket = next(bucket)
        }
        bytes.append(contentsOf: key)
        let place = addPlace(hash)
        buckets[bucket] = entry(place)
        if 4 * ends.count > 3 * buckets.count { grow() }
        return (place, true)
    }

    /// Adds a place that no key leads to, and returns it.
    mutating func addPlace(_ hash: UInt64 = 0) -> Int {
        ends.append(bytes.count)
        hashes.append(hash)
        return ends.count - 1
    }

    private func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (buckets.count - 1) }

    private func next(_ bucket: Int) -> Int { (bucket + 1) & (buckets.count - 1) }

    private func entry(_ place: Int) -> UInt64 {
        hashes[place] & ~Self.placeBits | UInt64(truncatingIfNeeded: place + 1)
    }

    private func isKey(_ place: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let start = place == 0 ? 0 : ends[place - 1]
        guard ends[place] - start == key.count else { return false }
        return bytes.withUnsafeBytes { all in
            guard let all = all.baseAddress, let key = key.baseAddress else { return true }
            return memcmp(all + start, key, ends[place] - start) == 0
        }
    }

    private mutating func grow() {
        buckets = [UInt64](repeating: 0, count: 2 * buckets.count)
        for place in hashes.indices where ends[place] > (place == 0 ? 0 : ends[place - 1]) {
            var bucket = first(hashes[place])
            while buckets[bucket] != 0 { bucket = next(bucket) }
            buckets[bucket] = entry(place)
        }
    }
}

/// An aggregate in progress. As in SQL, nil values are ignored, and an aggregate of no values is nil.
struct AggregateState {
    private let function: Grouping.ValueAggregate.Function
    private var total = CompensatedTotal()
    /// The sum of the decimal numbers, and their number.
    private var (decimal, decimalCount) = (Decimal(0), 0)
    private var middle = NumberMedian()
    private var extreme: PredicateValue?

    init(_ function: Grouping.ValueAggregate.Function) {
        self.function = function
    }

    /// Returns false for a value that the aggregate does not take.
    mutating func add(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .nullObject: return true
        case .array(let elements): return elements.allSatisfy { add($0) }
        default: break
        }
        switch function {
        case .sum, .avg: return addNumber(value)
        case .min: if extreme.map({ OrderKey(value).compare(OrderKey($0)) < 0 }) ?? true { extreme = value }
        case .max: if extreme.map({ OrderKey(value).compare(OrderKey($0)) > 0 }) ?? true { extreme = value }
        case .median:
            guard let number = OrderKey.number(value) else { return false }
            if case .integer(let integer) = value { middle.add(integer) } else { middle.add(number) }
        }
        return true
    }

    /// Adds the value of a slot, which the function takes.
    @inline(__always)
    mutating func add(flat value: FlatValue) {
        switch (function, value) {
        case (_, .null): break
        case (.sum, .integer(let number)), (.avg, .integer(let number)): total.add(number)
        case (.sum, .double(let number)), (.avg, .double(let number)): total.add(number)
        default: _ = add(PredicateValue(flat: value))
        }
    }

    private mutating func addNumber(_ value: PredicateValue) -> Bool {
        switch value {
        case .bool(let value): total.add(Int64(value ? 1 : 0))
        case .integer(let value): total.add(value)
        case .double(let value): total.add(value)
        case .decimal(let value):
            decimal += value
            decimalCount += 1
        default: return false
        }
        return true
    }

    var value: PredicateValue {
        let count = total.count + decimalCount
        switch function {
        case .min, .max: return extreme ?? .null
        case .sum: return count == 0 ? .null : sum
        case .avg: return count == 0 ? .null : OrderKey.number(sum).map { .double($0 / Double(count)) } ?? .null
        case .median: return PredicateValue(middle.median)
        }
    }

    private var sum: PredicateValue {
        if decimalCount == 0 { return PredicateValue(total.sum) }
        if total.hasDoubles { return .double(total.doubleSum + (Double(decimal.description) ?? .nan)) }
        return .decimal(decimal + Decimal(total.integer))
    }
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

extension Grouping.ValueAggregate.Function {
    /// Returns true for the value of a slot that the function takes, and that is not a list or a decimal number.
    @inline(__always)
    func takes(_ value: FlatValue) -> Bool {
        switch (self, value) {
        case (_, .null), (_, .integer), (_, .double): true
        case (_, .list), (_, .opaque): false
        case (.min, _), (.max, _): true
        case (.sum, .bool), (.avg, .bool), (.median, .bool): true
        case (.sum, .date), (.avg, .date), (.median, .date), (.sum, .text), (.avg, .text), (.median, .text): false
        }
    }

    /// Returns true for a value that the function takes, and that is not a list.
    func takes(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .nullObject, .bool, .integer, .double, .decimal: true
        case .array: false
        case .string, .date, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            self == .min || self == .max
        }
    }
}

extension PredicateValue {
    /// Creates the value of a slot; nil for a list or an opaque value.
    init(flat value: FlatValue) {
        switch value {
        case .null, .list, .opaque: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .date(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .text(let text): self = .string(String(decoding: text, as: UTF8.self))
        }
    }
}

extension RowCell {
    /// Creates the cell of a value, which is written without a time if it is a midnight in a column of days. [NSP-496]
    init(_ value: PredicateValue, isDay: Bool) {
        guard isDay, value.isDayOrNil, case .date(let date) = value else {
            self = .value(value)
            return
        }
        self = .day(EvaluationRegistry.ambient.zone?.wallClock(of: date) ?? date)
    }
}

extension PredicateValue {
    /// A Boolean value that indicates whether the value is nil, or a date at midnight in the zone of the functions of dates.
    var isDayOrNil: Bool {
        switch self {
        case .null: true
        case .date(let date):
            (EvaluationRegistry.ambient.zone?.wallClock(of: date) ?? date).timeIntervalSinceReferenceDate
                .remainder(dividingBy: 86_400) == 0
        default: false
        }
    }
}
