import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The keys of a number of records as bytes, one after the other. Two keys are equal if their bytes are: `1.0` and `1` have the
/// same bytes, `1`, `true` and `"1"` do not. [NSP-511]
package struct GroupKeys {
    private var storage = [UInt8](repeating: 0, count: 64)
    /// The end of the appended bytes.
    private var end = 0
    private var ends: [Int] = []
    private(set) var hashes: [UInt64] = []
    /// Random numbers in the hash, so that nobody can choose keys whose hashes collide.
    private let seed: UInt64
    private let factor: UInt64

    private enum Tag: UInt8 {
        case null, bool, integer, double, decimal, date, text, list, set, dictionary, other
    }

    /// Returns the bytes of one key; they are equal for equal rows.
    package static func bytes(of values: some Sequence<PredicateValue>) -> [UInt8] {
        var keys = GroupKeys(likeThoseOf: .fixed)
        for value in values { keys.append(value) }
        return Array(keys.storage.prefix(keys.end))
    }

    /// An empty list. Copies of it use the same hash function throughout the process.
    static let fixed = GroupKeys()

    init() { (seed, factor) = (.random(in: .min ... .max), .random(in: .min ... .max) | 1) }

    /// Creates an empty list with the same hash function as another.
    init(likeThoseOf other: GroupKeys) { (seed, factor) = (other.seed, other.factor) }

    var count: Int { ends.count }

    /// Passes each key to a closure, with its index.
    @inline(__always)
    func forEach(_ indices: Range<Int>, _ body: (Int, UnsafeRawBufferPointer) -> Void) {
        storage.withUnsafeBytes { bytes in
            var start = indices.lowerBound == 0 ? 0 : ends[indices.lowerBound - 1]
            for index in indices {
                body(index, UnsafeRawBufferPointer(rebasing: bytes[start..<ends[index]]))
                start = ends[index]
            }
        }
    }

    mutating func removeAll() {
        end = 0
        ends.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
    }

    /// Ends a key.
    mutating func finish() {
        hashes.append(hash(from: ends.last ?? 0))
        ends.append(end)
    }

    /// Removes the bytes appended since the last key.
    mutating func drop() { end = ends.last ?? 0 }

    /// Passes the bytes appended since the last key to a closure, with their hash, and removes them.
    mutating func take<Result>(_ body: (UnsafeRawBufferPointer, UInt64) -> Result) -> Result {
        defer { drop() }
        return read(body)
    }

    /// Passes the bytes appended since the last key to a closure, with their hash.
    func read<Result>(_ body: (UnsafeRawBufferPointer, UInt64) -> Result) -> Result {
        let start = ends.last ?? 0
        let hash = hash(from: start)
        return storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<end]), hash) }
    }

    /// Returns the hash of the bytes appended since `start`. It multiplies eight bytes at a time and folds the halves of the
    /// product.
    private func hash(from start: Int) -> UInt64 {
        storage.withUnsafeBytes { bytes in
            var hash = seed ^ UInt64(truncatingIfNeeded: end - start)
            var index = start
            while index < end {
                // The last word has its bytes in the high bits.
                let rest = UInt64(truncatingIfNeeded: max(0, 8 * (8 - (end - index))))
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let product = (hash ^ word &<< rest).multipliedFullWidth(by: factor)
                hash = product.high ^ product.low
                index += 8
            }
            return hash
        }
    }

    /// Appends the value of a slot. Returns false for a value that has no bytes.
    @inline(__always)
    mutating func append(_ value: FlatValue) -> Bool {
        switch value {
        case .null: append(.null, 0)
        case .bool(let value): append(.bool, value ? 1 : 0)
        case .integer(let value): append(.integer, UInt64(bitPattern: value))
        case .double(let value): append(number: value)
        case .date(let value): append(date: value)
        case .text(let text): append(text)
        case .list, .opaque: return false
        }
        return true
    }

    /// Appends a value.
    mutating func append(_ value: PredicateValue) {
        switch value {
        case .null, .nullObject: append(.null, 0)
        case .bool(let value): append(.bool, value ? 1 : 0)
        case .integer(let value): append(.integer, UInt64(bitPattern: value))
        case .double(let value): append(number: value)
        case .decimal(let value): append(decimal: value)
        case .date(let value): append(date: value.timeIntervalSinceReferenceDate)
        case .string(var text): text.withUTF8 { append($0) }
        case .array(let values), .orderedSet(let values): append(.list, values)
        case .set(let values):
            append(.set, values.map { Self.bytes(of: [$0]) }.sorted { $0.lexicographicallyPrecedes($1) })
        case .dictionary(let members):
            append(
                .dictionary,
                members.map { Self.bytes(of: [.string($0), $1]) }.sorted { $0.lexicographicallyPrecedes($1) })
        case .data, .uuid, .url, .type, .object, .expression, .predicate: append(.other, value.description)
        }
    }

    /// Appends a list as the number of its elements and their bytes.
    private mutating func append(_ tag: Tag, _ values: [PredicateValue]) {
        append(tag, UInt64(truncatingIfNeeded: values.count))
        for value in values { append(value) }
    }

    private mutating func append(_ tag: Tag, _ parts: [[UInt8]]) {
        append(tag, UInt64(truncatingIfNeeded: parts.count))
        for part in parts { part.withUnsafeBufferPointer { append($0) } }
    }

    private mutating func append(_ tag: Tag, _ text: String) {
        var text = text
        text.withUTF8 { append(tag, UInt64(truncatingIfNeeded: $0.count), $0) }
    }

    /// Appends a date so that equal times have equal bytes; all NaN are equal.
    private mutating func append(date seconds: Double) {
        append(.date, (seconds.isNaN ? .nan : seconds + 0).bitPattern)
    }

    /// Appends a decimal number as the integer or double that it equals, or else as its digits.
    private mutating func append(decimal: Decimal) {
        let number = Number.decimal(decimal)
        if let integer = number.exactInteger { return append(.integer, UInt64(bitPattern: integer)) }
        let double = Number.double(number.doubleValue)
        if number.compareExactly(double) == .equal { return append(number: number.doubleValue) }
        append(.decimal, decimal.description)
    }

    private mutating func append(number: Double) {
        if let integer = Int64(exactly: number) {
            append(.integer, UInt64(bitPattern: integer))
        } else {
            append(.double, (number.isNaN ? .nan : number).bitPattern)
        }
    }

    /// Appends the length of a text, then the text.
    @inline(__always)
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        append(.text, UInt64(truncatingIfNeeded: text.count), text)
    }

    @inline(__always)
    private mutating func append(_ tag: Tag, _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>? = nil) {
        let start = end
        end += 9 + (text?.count ?? 0)
        // The hash reads up to seven bytes after the last.
        if end + 8 > storage.count { storage += [UInt8](repeating: 0, count: end + 8) }
        storage.withUnsafeMutableBytes { bytes in
            bytes[start] = tag.rawValue
            bytes.storeBytes(of: word, toByteOffset: start + 1, as: UInt64.self)
            guard let text, let source = text.baseAddress, let target = bytes.baseAddress else { return }
            (target + start + 9).copyMemory(from: source, byteCount: text.count)
        }
    }
}
