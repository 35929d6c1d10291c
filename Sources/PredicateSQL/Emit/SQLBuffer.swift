/// Bytes that a text is written into.
///
/// Memory of its own, which nobody shares: what is added is copied and nothing else is asked.
struct SQLBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity = 320
    private(set) var count = 0

    init() {
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
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
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        append(start, bytes.count)
    }

    @inline(__always)
    mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
        if count + length > capacity { grow(by: length) }
        (base + count).update(from: start, count: length)
        count += length
    }

    /// Puts what was written from a place on in parentheses.
    mutating func parenthesise(from start: Int) {
        append(UInt8(ascii: ")"))
        append(UInt8(ascii: ")"))
        (base + start + 1).update(from: base + start, count: count - start - 2)
        base[start] = UInt8(ascii: "(")
        base[count - 1] = UInt8(ascii: ")")
    }

    /// Puts what was written from `start` on to an earlier place.
    mutating func move(from start: Int, to place: Int) {
        let length = count - start
        if count + length > capacity { grow(by: length) }
        (base + count).update(from: base + start, count: length)
        (base + place + length).update(from: base + place, count: start - place)
        (base + place).update(from: base + count, count: length)
    }

    @inline(never)
    private mutating func grow(by length: Int) {
        capacity = max(2 * capacity, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
