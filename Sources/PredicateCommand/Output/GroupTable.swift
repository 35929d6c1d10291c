import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The keys of a group as bytes. Keys are equal if their bytes are: `1.0` and `1` have the same, `1` and `"1"` do not.
struct GroupKey {
    private(set) var bytes: [UInt8] = []

    private enum Tag: UInt8 {
        case null, bool, integer, double, date, text
    }

    /// The hash, which differs from run to run, so that no input makes it collide.
    var hash: Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Appends the value of a slot. Returns false for a value without bytes.
    @inline(__always)
    mutating func append(_ value: FlatValue) -> Bool {
        switch value {
        case .null: bytes.append(Tag.null.rawValue)
        case .bool(let value): append(.bool, value ? 1 : 0)
        case .integer(let value): append(.integer, UInt64(bitPattern: value))
        case .double(let value): append(number: value)
        case .date(let value): append(.date, (value + 0).bitPattern)
        case .text(let text): append(text)
        case .list, .opaque: return false
        }
        return true
    }

    /// Appends a value. Returns false for a value without bytes.
    mutating func append(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .nullObject: bytes.append(Tag.null.rawValue)
        case .bool(let value): append(.bool, value ? 1 : 0)
        case .integer(let value): append(.integer, UInt64(bitPattern: value))
        case .double(let value): append(number: value)
        case .date(let value): append(.date, (value.timeIntervalSinceReferenceDate + 0).bitPattern)
        case .string(var text): text.withUTF8 { append($0) }
        case .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            return false
        }
        return true
    }

    private mutating func append(number: Double) {
        if let integer = Int64(exactly: number) {
            append(.integer, UInt64(bitPattern: integer))
        } else {
            append(.double, number.bitPattern)
        }
    }

    private mutating func append(_ tag: Tag, _ word: UInt64) {
        bytes.append(tag.rawValue)
        withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }

    /// Appends a text behind its length.
    @inline(__always)
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        append(.text, UInt64(text.count))
        bytes.append(contentsOf: text)
    }
}

/// A hash table from the bytes of keys to the places of groups.
struct GroupTable {
    /// The bytes of all keys, one after the other, and the end of each.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var hashes: [Int] = []
    private var places: [Int] = []
    /// The number of the key in each bucket; -1 for an empty one. The number of buckets is a power of 2.
    private var buckets = [Int32](repeating: -1, count: 64)

    /// Returns the place of a key. A new key gets the place `next`, and the result is nil.
    mutating func place(of key: borrowing GroupKey, orInsert next: Int) -> Int? {
        let hash = key.hash
        var bucket = hash & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let number = Int(buckets[bucket])
            if hashes[number] == hash, isKey(number, key.bytes) { return places[number] }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        buckets[bucket] = Int32(ends.count)
        bytes += key.bytes
        ends.append(bytes.count)
        hashes.append(hash)
        places.append(next)
        if 2 * ends.count > buckets.count { grow() }
        return nil
    }

    private func isKey(_ number: Int, _ key: [UInt8]) -> Bool {
        let start = number == 0 ? 0 : ends[number - 1]
        let count = ends[number] - start
        guard count == key.count else { return false }
        return bytes.withUnsafeBytes { all in
            key.withUnsafeBytes { key in
                guard let all = all.baseAddress, let key = key.baseAddress else { return true }
                return memcmp(all + start, key, count) == 0
            }
        }
    }

    private mutating func grow() {
        buckets = [Int32](repeating: -1, count: 4 * buckets.count)
        for (number, hash) in hashes.enumerated() {
            var bucket = hash & (buckets.count - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = Int32(number)
        }
    }
}

/// An aggregate in progress. As in SQL, nil values are ignored, and an aggregate of no values is nil.
struct AggregateState {
    private let function: Grouping.ValueAggregate.Function
    private var count = 0
    private var extreme = PredicateValue.null
    /// The sum of the integers. `double` holds the sum of the doubles and of integers that would overflow.
    private var integer: Int64 = 0
    private var decimal = Decimal(0)
    private var double = 0.0
    /// The rounding error of `double`.
    private var correction = 0.0
    private var (hasDoubles, hasDecimals) = (false, false)
    /// The numbers of a median.
    private var numbers: [Double] = []
    /// The same numbers as long as all are integers, which a double may round.
    private var integers: [Int64] = []

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
        count += 1
        switch function {
        case .sum, .avg: return addNumber(value)
        case .min: if count == 1 || ValueOrder.compare(value, extreme) < 0 { extreme = value }
        case .max: if count == 1 || ValueOrder.compare(value, extreme) > 0 { extreme = value }
        case .median:
            guard let number = ValueOrder.number(value) else { return false }
            if case .integer(let integer) = value { integers.append(integer) } else { hasDoubles = true }
            numbers.append(number)
        }
        return true
    }

    /// Adds the value of a slot, which the function takes.
    @inline(__always)
    mutating func add(flat value: FlatValue) {
        switch (function, value) {
        case (_, .null): break
        case (.sum, .integer(let number)), (.avg, .integer(let number)):
            count += 1
            add(integer: number)
        case (.sum, .double(let number)), (.avg, .double(let number)):
            count += 1
            add(double: number)
        default: _ = add(PredicateValue(flat: value))
        }
    }

    private mutating func addNumber(_ value: PredicateValue) -> Bool {
        switch value {
        case .bool(let value): add(integer: value ? 1 : 0)
        case .integer(let value): add(integer: value)
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

    private mutating func add(integer value: Int64) {
        let (sum, isTooLarge) = integer.addingReportingOverflow(value)
        if isTooLarge { add(double: Double(value)) } else { integer = sum }
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
        case .median: median
        }
    }

    private var sum: PredicateValue {
        if hasDoubles {
            return .double(double + correction + Double(integer) + (Double(decimal.description) ?? .nan))
        }
        return hasDecimals ? .decimal(decimal + Decimal(integer)) : .integer(integer)
    }

    /// The number in the middle, or the mean of the two numbers in the middle.
    private var median: PredicateValue {
        if numbers.isEmpty { return .null }
        if numbers.contains(where: \.isNaN) { return .double(.nan) }
        let middle = numbers.count / 2
        if !hasDoubles, numbers.count % 2 == 1 { return .integer(integers.sorted()[middle]) }
        let sorted = numbers.sorted()
        if sorted.count % 2 == 0 { return .double(sorted[middle - 1] / 2 + sorted[middle] / 2) }
        return .double(sorted[middle])
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

/// The slots of some values of a sifted record.
struct SlotPlaces {
    /// The paths of all slots.
    private(set) var paths: [[String]]
    /// The slot of each value.
    private(set) var values: [Int] = []
    /// The slots of members whose name is spelled like a path. If a record has one, it is the value.
    private var spellings: [Int] = []

    init(_ paths: [[String]]) {
        self.paths = paths
    }

    mutating func add(_ path: [String], spelling: String?) {
        values.append(slot(of: path))
        if let spelling { spellings.append(slot(of: [spelling])) }
    }

    private mutating func slot(of path: [String]) -> Int {
        if let slot = paths.firstIndex(of: path) { return slot }
        paths.append(path)
        return paths.count - 1
    }

    /// Returns true if the slots of the values have the values.
    @inline(__always)
    func areValues(_ slots: UnsafePointer<FlatValue>) -> Bool {
        for slot in spellings {
            guard case .null = slots[slot] else { return false }
        }
        return true
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
