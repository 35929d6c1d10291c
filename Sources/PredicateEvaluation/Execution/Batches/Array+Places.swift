import Dispatch

/// Elements copied by pointer: a subscript of a type that only the caller knows takes memory for each.
extension Array {
    /// The objects at ascending indices.
    init(_ objects: UnsafeBufferPointer<Element>, at indices: ArraySlice<Int>) {
        // Filling no room would write to the empty array that all threads share.
        guard !indices.isEmpty else {
            self = []
            return
        }
        self.init(unsafeUninitializedCapacity: indices.count) { buffer, count in
            guard let start = buffer.baseAddress, let objects = objects.baseAddress else { return }
            start.initialize(from: objects, at: indices)
            count = indices.count
        }
    }
}

extension Array where Element: Sendable {
    /// The number of copies that is worth a thread.
    private static var worthwhile: Int { 16_384 }

    /// The objects at ascending indices, copied on all cores.
    init(concurrently objects: UnsafeBufferPointer<Element>, at indices: [Int]) {
        let parts = indices.count / Self.worthwhile
        guard parts > 1, let first = objects.baseAddress else {
            self.init(objects, at: indices[...])
            return
        }
        self.init(unsafeUninitializedCapacity: indices.count) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            // Every thread writes to memory of its own, and all only read the rest.
            nonisolated(unsafe) let (target, source) = (start, first)
            DispatchQueue.concurrentPerform(iterations: parts) { part in
                let range = indices.count * part / parts..<indices.count * (part + 1) / parts
                (target + range.lowerBound).initialize(from: source, at: indices[range])
            }
            count = indices.count
        }
    }
}

extension UnsafeMutablePointer {
    /// Fills memory with the objects at ascending indices, neighbours in one go.
    fileprivate func initialize(from objects: UnsafePointer<Pointee>, at indices: ArraySlice<Int>) {
        var (position, index) = (self, indices.startIndex)
        while index < indices.endIndex {
            let first = indices[index]
            let begin = index
            repeat { index += 1 } while index < indices.endIndex && indices[index] - first == index - begin
            position.initialize(from: objects + first, count: index - begin)
            position += index - begin
        }
    }
}
