import PredicateText

/// The memory that leaves and instructions point to; it lives as long as its owner.
///
/// A bump allocator: values are only ever added, and freed together. Instructions hold pointers and nothing else, so that
/// running them counts no references.
final class Arena {
    /// Each block begins with the address of the one before it.
    private var block: UnsafeMutableRawPointer?
    private var next: UnsafeMutableRawPointer?
    private var room = 0
    private var objects: [AnyObject] = []

    private static let alignment = 16
    private static let blockSize = 512

    deinit {
        while let current = block {
            block = current.load(as: UnsafeMutableRawPointer?.self)
            current.deallocate()
        }
    }

    private func allocate<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
        let size = (max(count, 1) * MemoryLayout<Value>.stride + Self.alignment - 1) & ~(Self.alignment - 1)
        if let next, size <= room { return take(size, at: next) }
        let capacity = max(size, Self.blockSize)
        let start = UnsafeMutableRawPointer.allocate(
            byteCount: capacity + Self.alignment, alignment: Self.alignment)
        start.storeBytes(of: block, as: UnsafeMutableRawPointer?.self)
        (block, room) = (start, capacity)
        return take(size, at: start + Self.alignment)
    }

    private func take<Value>(_ size: Int, at start: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
        (next, room) = (start + size, room - size)
        return start.assumingMemoryBound(to: Value.self)
    }

    /// Copies the values.
    func store<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
        let buffer = UnsafeMutableBufferPointer<Value>(start: allocate(values.count), count: values.count)
        _ = buffer.initialize(from: values)
        return UnsafeBufferPointer(buffer)
    }

    /// Copies the values and pads them with the last one, so that loops may read 64 at once.
    func storePadded<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
        let capacity = (values.count + 63) / 64 * 64 + 64
        let start: UnsafeMutablePointer<Value> = allocate(capacity)
        values.withUnsafeBufferPointer { values in
            if let source = values.baseAddress { start.initialize(from: source, count: values.count) }
        }
        if let last = values.last {
            (start + values.count).initialize(repeating: last, count: capacity - values.count)
        }
        return UnsafePointer(start)
    }

    /// Copies the value.
    func store<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value> {
        let start: UnsafeMutablePointer<Value> = allocate(1)
        start.initialize(to: value)
        return UnsafePointer(start)
    }

    /// Copies a folded needle.
    func needle(_ folded: [UInt8], _ mode: FoldMode) -> FlatNeedle {
        let bytes = store(folded)
        return FlatNeedle(bytes, mode, store(NeedleWords(bytes, mode)))
    }

    /// Keeps an object alive.
    func keep<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
        objects.append(object)
        return .passUnretained(object)
    }
}
