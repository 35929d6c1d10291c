import Foundation
import PredicateEvaluation
import PredicateSyntax

/// A hash table from the bytes of keys to the places of groups: their numbers, from 0.
struct GroupTable {
    /// The bytes of all keys, one after the other, and the end and the hash of each.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var hashes: [UInt64] = []
    /// For each bucket, the first bits of a hash and, in the bits of ``placeBits``, the place plus 1; 0 for an empty bucket.
    /// The number of buckets is a power of 2.
    private var buckets: [UInt64]

    private static let placeBits: UInt64 = 1 << 40 - 1
    /// A value made from what ``touch(_:)`` reads, so that the compiler keeps these reads.
    private var touched: UInt64 = 0

    /// Creates an empty table. The number of buckets must be a power of 2.
    init(buckets: Int = 64) { self.buckets = [UInt64](repeating: 0, count: buckets) }

    /// The number of places.
    var count: Int { ends.count }

    /// Reads the memory that lookups of these hashes will need. The reads overlap in the processor, so the lookups after them
    /// hardly wait for memory.
    mutating func touch(_ hashes: ArraySlice<UInt64>) {
        if bytes.isEmpty { return }
        var sum: UInt64 = 0
        for hash in hashes { sum ^= buckets[first(hash)] }
        for hash in hashes {
            if let place = place(in: first(hash)) { sum ^= UInt64(truncatingIfNeeded: ends[place]) }
        }
        for hash in hashes {
            if let place = place(in: first(hash)) { sum ^= UInt64(bytes[ends[place] - 1]) }
        }
        touched = sum
    }

    /// Passes the number of each key to a closure, with the key's place and whether the place is new.
    @inline(__always)
    mutating func forEachPlace(of keys: GroupKeys, _ numbers: Range<Int>, _ body: (Int, Int, Bool) -> Void) {
        // Keys are looked up in groups of 128, so that the processor fetches the memory of many places at once.
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 128) {
            let some = start..<min(start + 128, numbers.upperBound)
            touch(keys.hashes[some])
            keys.forEach(some) { number, key in
                let (place, isNew) = place(of: key, keys.hashes[number])
                body(number, place, isNew)
            }
        }
    }

    /// Returns the place of a key with this hash, and whether the place is new.
    mutating func place(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> (place: Int, isNew: Bool) {
        let bucket = bucket(of: key, hash)
        if let place = place(in: bucket) { return (place, false) }
        let place = ends.count
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
        hashes.append(hash)
        buckets[bucket] = entry(place)
        if 4 * ends.count > 3 * buckets.count { grow() }
        return (place, true)
    }

    /// Returns the place of a key with this hash; nil if there is none.
    func find(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int? { place(in: bucket(of: key, hash)) }

    /// Returns the bucket of a key, or else the empty one for it.
    @inline(__always)
    private func bucket(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        var bucket = first(hash)
        while let place = place(in: bucket) {
            if (buckets[bucket] ^ hash) & ~Self.placeBits == 0, isKey(place, key) { return bucket }
            bucket = next(bucket)
        }
        return bucket
    }

    /// Returns the place in a bucket; nil for an empty one.
    @inline(__always)
    private func place(in bucket: Int) -> Int? {
        buckets[bucket] == 0 ? nil : Int(truncatingIfNeeded: buckets[bucket] & Self.placeBits) - 1
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
        for place in hashes.indices {
            var bucket = first(hashes[place])
            while buckets[bucket] != 0 { bucket = next(bucket) }
            buckets[bucket] = entry(place)
        }
    }
}

/// The different keys in a sequence, numbered in the order in which they first occur. [NSP-511]
struct DifferentKeys {
    private var key = GroupKeys(likeThoseOf: .fixed)
    private var table = GroupTable(buckets: 4)

    /// An empty list, which allocates nothing.
    static let none = DifferentKeys()

    var count: Int { table.count }

    /// Returns the place of a key, and whether it is new.
    mutating func place(of values: some Sequence<PredicateValue>) -> (place: Int, isNew: Bool) {
        for value in values { key.append(value) }
        return key.take { table.place(of: $0, $1) }
    }

    /// Returns the place of the key whose bytes were appended to `key`; nil if there is none.
    func find(_ key: GroupKeys) -> Int? { key.read { table.find($0, $1) } }

    /// Inserts a key that is the value of a single slot, which must have bytes.
    @inline(__always)
    mutating func insert(_ value: FlatValue) {
        if key.append(value) { _ = key.take { table.place(of: $0, $1) } }
    }

    /// Passes the number of each key to a closure, with the key's place and whether the place is new.
    @inline(__always)
    mutating func forEachPlace(of keys: GroupKeys, _ body: (Int, Int, Bool) -> Void) {
        table.forEachPlace(of: keys, 0..<keys.count, body)
    }
}
