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
    private var total = ValueTotal()
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
        case .sum, .avg: return total.add(value)
        case .min: if extreme.map({ OrderKey(value).compare(OrderKey($0)) < 0 }) ?? true { extreme = value }
        case .max: if extreme.map({ OrderKey(value).compare(OrderKey($0)) > 0 }) ?? true { extreme = value }
        case .median: return middle.add(value)
        }
        return true
    }

    /// Adds the value of a slot, which the function takes.
    @inline(__always)
    mutating func add(flat value: FlatValue) {
        switch (function, value) {
        case (_, .null): break
        case (.sum, .integer(let number)), (.avg, .integer(let number)): total.numbers.add(number)
        case (.sum, .double(let number)), (.avg, .double(let number)): total.numbers.add(number)
        default: _ = add(PredicateValue(flat: value))
        }
    }

    var value: PredicateValue {
        switch function {
        case .min, .max: extreme ?? .null
        case .sum: total.sum
        case .avg: total.average
        case .median: middle.value
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
