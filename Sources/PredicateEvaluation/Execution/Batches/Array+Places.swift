import Dispatch

/// Elements copied by pointer: a subscript of a type that only the caller knows takes memory for each.
extension Array {
    /// The objects at ascending places.
    init(_ objects: UnsafeBufferPointer<Element>, at places: ArraySlice<Int>) {
        // Filling no room would write to the empty array that all threads share.
        guard !places.isEmpty else {
            self = []
            return
        }
        self.init(unsafeUninitializedCapacity: places.count) { buffer, count in
            guard let start = buffer.baseAddress, let objects = objects.baseAddress else { return }
            start.initialize(from: objects, at: places)
            count = places.count
        }
    }
}

extension Array where Element: Sendable {
    /// How many copies are worth a thread of their own.
    private static var worthwhile: Int { 16_384 }

    /// The same on all cores.
    init(concurrently objects: UnsafeBufferPointer<Element>, at places: [Int]) {
        let parts = places.count / Self.worthwhile
        guard parts > 1, let first = objects.baseAddress else {
            self.init(objects, at: places[...])
            return
        }
        self.init(unsafeUninitializedCapacity: places.count) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            // Every thread writes to memory of its own, and all only read the rest.
            nonisolated(unsafe) let (target, source) = (start, first)
            DispatchQueue.concurrentPerform(iterations: parts) { part in
                let range = places.count * part / parts..<places.count * (part + 1) / parts
                (target + range.lowerBound).initialize(from: source, at: places[range])
            }
            count = places.count
        }
    }
}

extension UnsafeMutablePointer {
    /// Fills memory with the objects at ascending places, neighbours in one go.
    fileprivate func initialize(from objects: UnsafePointer<Pointee>, at places: ArraySlice<Int>) {
        var (position, index) = (self, places.startIndex)
        while index < places.endIndex {
            let first = places[index]
            let begin = index
            repeat { index += 1 } while index < places.endIndex && places[index] - first == index - begin
            position.initialize(from: objects + first, count: index - begin)
            position += index - begin
        }
    }
}
