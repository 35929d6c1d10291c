/// A piece of at most sixteen bytes, which is written with one store: `?1`
struct ShortText {
    fileprivate let bytes: SIMD16<UInt8>
    fileprivate let count: Int

    init?(_ text: String) {
        guard text.utf8.count <= 16 else { return nil }
        var bytes = SIMD16<UInt8>()
        for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
        self.bytes = bytes
        count = text.utf8.count
    }
}

/// Bytes that a text is written into.
///
/// Memory of its own without reference counts: bytes are copied there.
struct SQLBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// True if the buffer owns the memory.
    private var isOwned: Bool

    /// A buffer that begins in memory of others, which outlives it; without any in its own.
    init(_ scratch: UnsafeMutableBufferPointer<UInt8>? = nil) {
        isOwned = scratch?.baseAddress == nil
        capacity = isOwned ? 320 : scratch?.count ?? 0
        base = scratch?.baseAddress ?? .allocate(capacity: capacity)
    }

    deinit {
        if isOwned { base.deallocate() }
    }

    /// The bytes as a string.
    var text: String {
        String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: base, count: count))
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        base[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        append(start, bytes.count)
    }

    @inline(__always)
    mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
        if count &+ length > capacity { grow(by: length) }
        (base + count).update(from: start, count: length)
        count &+= length
    }

    @inline(__always)
    mutating func append(_ text: ShortText) {
        if count &+ 16 > capacity { grow(by: 16) }
        UnsafeMutableRawPointer(base + count).storeBytes(of: text.bytes, as: SIMD16<UInt8>.self)
        count &+= text.count
    }

    /// Puts the text from an offset on in parentheses.
    mutating func parenthesise(from start: Int) {
        append(UInt8(ascii: ")"))
        append(UInt8(ascii: ")"))
        (base + start + 1).update(from: base + start, count: count - start - 2)
        base[start] = UInt8(ascii: "(")
        base[count - 1] = UInt8(ascii: ")")
    }

    @inline(never)
    private mutating func grow(by length: Int) {
        capacity = max(2 * capacity, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        if isOwned { base.deallocate() }
        base = larger
        isOwned = true
    }
}
