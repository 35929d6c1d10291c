/// Some of the objects that lie one behind the other in memory, in their order.
@usableFromInline
package struct ObjectRun {
    @usableFromInline let start: UnsafeRawPointer
    /// How many bytes lie between two objects.
    @usableFromInline let stride: Int
    /// The numbers of the objects; nil for the first ones.
    @usableFromInline let numbers: UnsafePointer<UInt16>?
    @usableFromInline let count: Int

    package init(_ start: UnsafeRawPointer, stride: Int, _ numbers: UnsafePointer<UInt16>?, count: Int) {
        self.start = start
        self.stride = stride
        self.numbers = numbers
        self.count = count
    }

    /// The one object at a place.
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
