/// How a property is read by its own code, of one object after another.
struct PropertyAccess {
    /// Lets a closure look at the values.
    let visit: (ObjectRun, (UnsafeRawPointer) -> Void) -> Void
    /// Copies the values to memory for them.
    private let collect: (ObjectRun, UnsafeMutableRawPointer) -> Void
    /// Gives up so many of the copies.
    fileprivate let release: (UnsafeMutableRawPointer, Int) -> Void
    /// How many bytes lie between two copies.
    private let stride: Int
    /// Whether the values are lists, each of which has memory of its own: they are best asked about while it is near.
    fileprivate let isList: Bool
    /// Where the object that has the property lies in what comes before.
    fileprivate var offset = 0

    init<Root>(_ entry: KeyPathTable<Root>.Entry) {
        visit = entry.visit
        collect = entry.collect
        release = entry.release
        stride = Self.stride(entry.valueType)
        isList = StoredType(entry.valueType)?.isList ?? false
    }

    private static func stride<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.stride }

    /// How many bytes the copies of a sweep take, up to where the next ones may begin: no type is aligned more strictly.
    fileprivate var size: Int { (stride * Sweep.width + 15) & ~15 }

    /// Those of the objects that have the property, by number; the first ones without numbers.
    func run(_ objects: Objects, _ numbers: UnsafePointer<UInt16>?, _ count: Int) -> ObjectRun {
        ObjectRun(objects.start + offset, stride: objects.stride, numbers, count: count)
    }

    fileprivate func copies(of objects: ObjectRun, in memory: UnsafeMutableRawPointer) -> Objects {
        collect(objects, memory)
        return Objects(start: memory, stride: stride)
    }
}

/// The way from objects to what is asked about: properties that are read by their own code, and a place in the last one.
///
/// `age > 21` on objects of a class: one call copies the ages of many in a loop, where object by object each age would be
/// a call of its own.
struct PropertyRoute {
    private var accesses: [PropertyAccess]
    /// Where in the value of the last property the value lies.
    let offset: Int
    let type: StoredType

    init(_ accesses: [PropertyAccess], _ offset: Int, _ type: StoredType) {
        self.accesses = accesses
        self.offset = offset
        self.type = type
    }

    /// The same way from an object that has this property.
    func behind(_ access: PropertyAccess) -> PropertyRoute { PropertyRoute([access] + accesses, offset, type) }

    /// The same way from what the object is stored in.
    func shifted(by offset: Int) -> PropertyRoute {
        var route = self
        route.accesses[0].offset += offset
        return route
    }

    /// The properties that are copied: all but a list at the end.
    private var copied: ArraySlice<PropertyAccess> { visited == nil ? accesses[...] : accesses.dropLast() }

    /// The property that is only looked at.
    var visited: PropertyAccess? { accesses.last.flatMap { $0.isList ? $0 : nil } }

    /// How many bytes of memory the copies of a sweep take.
    var size: Int { copied.reduce(0) { $0 + $1.size } }

    /// Larger copies are not worth their memory.
    static let mostSize = 1 << 19

    /// The objects with these numbers, followed as far as properties are copied; nil where none is.
    func copies(
        of objects: Objects, _ numbers: UnsafePointer<UInt16>?, _ count: Int, in memory: UnsafeMutableRawPointer
    ) -> Objects? {
        var (found, place): (Objects?, UnsafeMutableRawPointer) = (nil, memory)
        for access in copied {
            let run = access.run(found ?? objects, found == nil ? numbers : nil, count)
            found = access.copies(of: run, in: place)
            place += access.size
        }
        return found
    }

    /// Gives up the copies of so many objects.
    func release(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        var place = memory
        for access in copied {
            access.release(place, count)
            place += access.size
        }
    }
}

/// A question to values at the end of a route, as if they were stored. Where it has no answer, objects are asked one by one.
final class RoutedQuestion {
    let route: PropertyRoute
    let instruction: UnsafePointer<Instruction>

    init(_ route: PropertyRoute, _ instruction: UnsafePointer<Instruction>) {
        self.route = route
        self.instruction = instruction
    }
}
