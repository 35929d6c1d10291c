/// Values in the order of their placeholders.
///
/// Memory of its own without reference counts: values are moved there.
struct BindingBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SQLBinding>
    private var capacity: Int
    private(set) var count = 0
    /// True if the buffer owns the memory.
    private var isOwned: Bool

    /// A buffer that begins in memory of others, which outlives it; without any in its own.
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

    /// The values, which are not in the buffer any more.
    mutating func take() -> [SQLBinding] {
        defer { count = 0 }
        // A list written out takes its memory in one step, and most statements have no more values.
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
