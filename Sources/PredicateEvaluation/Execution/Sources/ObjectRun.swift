/// The objects of a selection vector, at a constant stride in memory.
@usableFromInline
package struct ObjectRun {
    @usableFromInline let start: UnsafeRawPointer
    /// The stride of the objects in bytes.
    @usableFromInline let stride: Int
    /// The indices of the objects; nil for the first `count`.
    @usableFromInline let numbers: UnsafePointer<UInt16>?
    @usableFromInline let count: Int

    package init(_ start: UnsafeRawPointer, stride: Int, _ numbers: UnsafePointer<UInt16>?, count: Int) {
        self.start = start
        self.stride = stride
        self.numbers = numbers
        self.count = count
    }

    /// The one object at an address.
    package init(_ object: UnsafeRawPointer) {
        self.init(object, stride: 0, nil, count: 1)
    }

    @inlinable
    @inline(__always)
    subscript(_ index: Int) -> UnsafeRawPointer {
        guard let numbers else { return start + index &* stride }
        return start + Int(numbers[index]) &* stride
    }
}
