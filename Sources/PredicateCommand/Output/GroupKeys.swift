import PredicateEvaluation
import PredicateSyntax

/// The keys of some records as bytes, one after the other. Keys are equal if their bytes are: `1.0` and `1` have the
/// same, `1` and `"1"` do not.
struct GroupKeys {
    private var storage = [UInt8](repeating: 0, count: 64)
    /// The end of what was appended.
    private var end = 0
    private var ends: [Int] = []
    private(set) var hashes: [UInt64] = []
    /// Random numbers, so that nobody can write keys whose hashes collide.
    private let seed: UInt64
    private let factor: UInt64

    private enum Tag: UInt8 {
        case null, bool, integer, double, date, text
    }

    init() { (seed, factor) = (.random(in: .min ... .max), .random(in: .min ... .max) | 1) }

    /// Creates an empty list whose keys have the same hashes.
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

    /// Removes what was appended since the last key.
    mutating func drop() { end = ends.last ?? 0 }

    /// Returns the hash of what was appended, eight bytes at a time: the halves of a product are folded.
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

    /// Appends the value of a slot. Returns false for a value without bytes.
    @inline(__always)
    mutating func append(_ value: FlatValue) -> Bool {
        switch value {
        case .null: append(.null, 0)
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
        case .null, .nullObject: append(.null, 0)
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

    /// Appends a text behind its length.
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
