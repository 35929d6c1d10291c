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
        var (yes, no, index) = (split.whenTrue, split.whenFalse, 0)
        access.visit(access.run(objects, list, split.count)) { value in
            let number = list?[index] ?? UInt16(truncatingIfNeeded: index)
            let answer = holds(value + offset)
            yes.pointee = number
            no.pointee = number
            yes += answer ? 1 : 0
            no += answer ? 0 : 1
            index &+= 1
        }
        (split.whenTrue, split.whenFalse) = (yes, no)
    }
}
