import PredicateText

/// The memory that the instructions of a program point to; it lives as long as the program.
///
/// Instructions hold pointers and nothing else, so that running them counts no references.
final class Arena {
    private var blocks: [UnsafeMutableRawPointer] = []
    private var objects: [AnyObject] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A copy of the values, in place for good.
    func store<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
        let block = UnsafeMutablePointer<Value>.allocate(capacity: max(values.count, 1))
        let buffer = UnsafeMutableBufferPointer(start: block, count: values.count)
        _ = buffer.initialize(from: values)
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafeBufferPointer(buffer)
    }

    /// The same with room behind them, filled with the last of them, so that loops may read 64 at once.
    func storePadded<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
        let capacity = (values.count + 63) / 64 * 64 + 64
        let block = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
        values.withUnsafeBufferPointer { values in
            if let start = values.baseAddress { block.initialize(from: start, count: values.count) }
        }
        if let last = values.last {
            (block + values.count).initialize(repeating: last, count: capacity - values.count)
        }
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }

    /// A copy of the value, in place for good.
    func store<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value> {
        let block = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        block.initialize(to: value)
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }

    /// What is looked for in texts, folded as `mode` says.
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
