/// A property that is read by its own code, of one object after another.
struct PropertyAccess {
    /// Calls a closure with the address of each value.
    let visit: (ObjectRun, (UnsafeRawPointer) -> Void) -> Void
    /// Copies the values to memory for them.
    private let collect: (ObjectRun, UnsafeMutableRawPointer) -> Void
    /// Deinitializes a number of copies.
    fileprivate let release: (UnsafeMutableRawPointer, Int) -> Void
    /// The distance of two copies in bytes.
    private let stride: Int
    /// True for lists, each of which has memory of its own: they are best tested while it is in the cache.
    fileprivate let isList: Bool
    /// The offset of the object that has the property in the value before it.
    fileprivate var offset = 0

    init<Root>(_ entry: KeyPathTable<Root>.Entry) {
        visit = entry.visit
        collect = entry.collect
        release = entry.release
        stride = Self.stride(entry.valueType)
        isList = StoredType(entry.valueType)?.isList ?? false
    }

    private static func stride<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.stride }

    /// The size of the copies of a batch in bytes, up to where the next ones may begin: no type is aligned more strictly.
    fileprivate var size: Int { (stride * Sweep.width + 15) & ~15 }

    /// The objects of a selection vector as they have the property; without one the first `count`.
    func run(_ objects: ObjectAddresses, _ numbers: UnsafePointer<UInt16>?, _ count: Int) -> ObjectRun {
        ObjectRun(objects.start + offset, stride: objects.stride, numbers, count: count)
    }

    fileprivate func copies(of objects: ObjectRun, in memory: UnsafeMutableRawPointer) -> ObjectAddresses {
        collect(objects, memory)
        return ObjectAddresses(start: memory, stride: stride)
    }
}

/// The route from objects to the tested value: properties that are read by their own code, and an offset in the last one.
///
/// `age > 21` on objects of a class: one call copies the ages of many in a loop, where object by object each age would be
/// a call of its own.
struct PropertyRoute {
    private var accesses: [PropertyAccess]
    /// The offset of the value in the last property.
    let offset: Int
    let type: StoredType

    init(_ accesses: [PropertyAccess], _ offset: Int, _ type: StoredType) {
        self.accesses = accesses
        self.offset = offset
        self.type = type
    }

    /// The route from an object that has this property.
    func after(_ access: PropertyAccess) -> PropertyRoute { PropertyRoute([access] + accesses, offset, type) }

    /// The route from the value that the object is stored in.
    func shifted(by offset: Int) -> PropertyRoute {
        var route = self
        route.accesses[0].offset += offset
        return route
    }

    /// The properties that are copied: all but a list at the end.
    private var copied: ArraySlice<PropertyAccess> { visited == nil ? accesses[...] : accesses.dropLast() }

    /// The property that is visited and not copied.
    var visited: PropertyAccess? { accesses.last.flatMap { $0.isList ? $0 : nil } }

    /// The size of the copies of a batch in bytes.
    var size: Int { copied.reduce(0) { $0 + $1.size } }

    /// Larger copies are not worth their memory.
    static let mostSize = 1 << 19

    /// The copies for a selection vector at the end of the copied properties; nil where none is copied.
    func copies(
        of objects: ObjectAddresses, _ numbers: UnsafePointer<UInt16>?, _ count: Int, in memory: UnsafeMutableRawPointer
    ) -> ObjectAddresses? {
        var (found, place): (ObjectAddresses?, UnsafeMutableRawPointer) = (nil, memory)
        for access in copied {
            let run = access.run(found ?? objects, found == nil ? numbers : nil, count)
            found = access.copies(of: run, in: place)
            place += access.size
        }
        return found
    }

    /// Deinitializes the copies of a number of objects.
    func release(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        var place = memory
        for access in copied {
            access.release(place, count)
            place += access.size
        }
    }
}

/// An instruction for the values at the end of a route, as if they were stored; what it leaves undecided is evaluated
/// object by object.
final class RoutedInstruction {
    let route: PropertyRoute
    let instruction: UnsafePointer<Instruction>

    init(_ route: PropertyRoute, _ instruction: UnsafePointer<Instruction>) {
        self.route = route
        self.instruction = instruction
    }
}
