/// At most sixteen bytes of SQL, which are written with one store: `?1`
struct ShortSQL {
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

/// A buffer that SQL is written into.
///
/// It manages its memory without reference counts and copies the bytes.
struct SQLBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// True if the buffer owns the memory.
    private var isOwned: Bool

    /// Creates a buffer that starts in borrowed memory, which must outlive it, or in memory of its own.
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
    mutating func append(_ text: ShortSQL) {
        if count &+ 16 > capacity { grow(by: 16) }
        UnsafeMutableRawPointer(base + count).storeBytes(of: text.bytes, as: SIMD16<UInt8>.self)
        count &+= text.count
    }

    /// Puts parentheses around the SQL that starts at an offset.
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

/// Values in the order of their placeholders.
///
/// It manages its memory without reference counts and moves the values.
struct BindingBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SQLBinding>
    private var capacity: Int
    private(set) var count = 0
    /// True if the buffer owns the memory.
    private var isOwned: Bool

    /// Creates a buffer that starts in borrowed memory, which must outlive it, or in memory of its own.
    init(_ scratch: UnsafeMutableBufferPointer<SQLBinding>? = nil) {
        isOwned = scratch?.baseAddress == nil
        capacity = isOwned ? 8 : scratch?.count ?? 0
        base = scratch?.baseAddress ?? .allocate(capacity: capacity)
    }

    deinit {
        if count > 0 { base.deinitialize(count: count) }
        if isOwned { base.deallocate() }
    }

    /// A copy of the values.
    var values: [SQLBinding] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// Moves the values out of the buffer.
    mutating func take() -> [SQLBinding] {
        defer { count = 0 }
        // An array literal allocates its memory in one step, and most statements have no more values.
        switch count {
        case 1: return [base.move()]
        case 2: return [base.move(), (base + 1).move()]
        case 3: return [base.move(), (base + 1).move(), (base + 2).move()]
        case 4: return [base.move(), (base + 1).move(), (base + 2).move(), (base + 3).move()]
        default:
            var values: [SQLBinding] = []
            values.reserveCapacity(count)
            for index in 0..<count { values.append((base + index).move()) }
            return values
        }
    }

    @inline(__always)
    mutating func append(_ binding: consuming SQLBinding) {
        if count == capacity { grow() }
        (base + count).initialize(to: binding)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        capacity *= 2
        let larger = UnsafeMutablePointer<SQLBinding>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        if isOwned { base.deallocate() }
        base = larger
        isOwned = true
    }
}
