/// Where the values are that an instruction of a sweep is asked about.
protocol Subjects {
    /// Asks about what lies so far into each of the objects that are to be split.
    func ask(_ split: inout Split, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool)
}

/// Objects one behind the other.
struct Objects: Subjects {
    let start: UnsafeRawPointer
    let stride: Int

    @inline(__always)
    func ask(_ split: inout Split, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool) {
        let (start, stride) = (start + offset, stride)
        split.runNumbers { holds(start + $0 &* stride) }
    }
}

/// A property of objects one behind the other, looked at by its own code.
struct VisitedObjects: Subjects {
    private let objects: Objects
    private let access: PropertyAccess

    init(_ objects: Objects, _ access: PropertyAccess) {
        self.objects = objects
        self.access = access
    }

    @inline(__always)
    func ask(_ split: inout Split, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool) {
        let list = split.list
        var (answers, index) = (split, 0)
        access.visit(access.run(objects, list, split.count)) { value in
            answers.add(list?[index] ?? UInt16(truncatingIfNeeded: index), holds(value + offset))
            index &+= 1
        }
        split = answers
    }
}
