/// The values that an instruction of a vectorized batch tests.
protocol BatchValues {
    /// Splits a selection by a test of the value at an offset in each object.
    func partition(_ split: inout SelectionSplit, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool)
}

/// Objects at a constant stride in memory.
struct ObjectAddresses: BatchValues {
    let start: UnsafeRawPointer
    let stride: Int

    @inline(__always)
    func partition(_ split: inout SelectionSplit, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool) {
        let (start, stride) = (start + offset, stride)
        split.forEachRow { holds(start + $0 &* stride) }
    }
}

/// A property of objects at a constant stride, visited by its own code.
struct VisitedObjects: BatchValues {
    private let objects: ObjectAddresses
    private let access: PropertyAccess

    init(_ objects: ObjectAddresses, _ access: PropertyAccess) {
        self.objects = objects
        self.access = access
    }

    @inline(__always)
    func partition(_ split: inout SelectionSplit, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool) {
        let selection = split.selection
        var (result, index) = (split, 0)
        access.visit(access.run(objects, selection, split.count)) { value in
            result.add(selection?[index] ?? UInt16(truncatingIfNeeded: index), holds(value + offset))
            index &+= 1
        }
        split = result
    }
}
