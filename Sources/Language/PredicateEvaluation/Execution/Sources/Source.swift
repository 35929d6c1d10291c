import PredicateSyntax

/// The source of a leaf's value if it is not stored in the object but fetched by code, for example from a dictionary or from a
/// slot.
class Source {
    /// The type of the values if all of them have the same type.
    var type: StoredType? { nil }

    /// Tests the value of an object; unknown if only the plan can access it.
    func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult { .unknown }

    /// Returns the value of an object as a number; nil for any other value.
    func number(of object: UnsafeRawPointer) -> NumericValue? { nil }

    /// Returns the value of an object as plain data; nil if only the plan can access it.
    func value(of object: UnsafeRawPointer) -> PredicateValue? { nil }

    /// True if values of ``type`` are in memory that lives as long as the object.
    var hasPlaces: Bool { false }

    /// Returns the place of the value of an object; unknown if it is not in memory that lives as long as the object.
    func place(of object: UnsafeRawPointer) -> StoredPlace { .unknown }

    /// The route to the values of many objects at once; nil if they are fetched one by one.
    var route: PropertyRoute? { nil }
}

/// A property that is read through its accessor, such as a computed property or a property of a class, and the location of
/// the tested value in the value of the property: `dept.name` where `dept` is an object.
final class PropertySource: Source {
    private let access: PropertyAccess
    private let rest: ValueLocation

    init(_ access: PropertyAccess, _ rest: ValueLocation) {
        self.access = access
        self.rest = rest
    }

    override var type: StoredType? { rest.type }

    override var route: PropertyRoute? {
        switch rest {
        case .stored(let offset, let type): PropertyRoute([access], offset, type)
        case .fetched(let source): source.route?.after(access)
        }
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        var result = LeafResult.unknown
        access.visit(ObjectRun(object)) { result = rest.result(for: $0, test) }
        return result
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        var number: NumericValue?
        access.visit(ObjectRun(object)) { number = rest.number(of: $0) }
        return number
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        var value: PredicateValue?
        access.visit(ObjectRun(object)) { value = rest.value(of: $0) }
        return value
    }
}

/// Another source, applied to a value stored at an offset in the object.
final class OffsetSource: Source {
    private let offset: Int
    private let rest: Source

    init(_ offset: Int, _ rest: Source) {
        self.offset = offset
        self.rest = rest
    }

    override var type: StoredType? { rest.type }
    override var route: PropertyRoute? { rest.route?.shifted(by: offset) }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        rest.result(for: object + offset, test)
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        rest.number(of: object + offset)
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? { rest.value(of: object + offset) }
    override var hasPlaces: Bool { rest.hasPlaces }
    override func place(of object: UnsafeRawPointer) -> StoredPlace { rest.place(of: object + offset) }
}

/// A source that is always nil: the value that a constant predicate tests.
final class NilSource: Source {
    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        test.pointee.null
    }
}

/// A key of an object that fetches values by code: any `KeyValueCoding`.
final class AccessorSource: Source {
    private let read: (UnsafeRawPointer) -> KeyedValue?

    init(_ read: @escaping (UnsafeRawPointer) -> KeyedValue?) {
        self.read = read
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        test.pointee.result(ofKeyed: read(object))
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        guard case .value(let value)? = read(object) else { return nil }
        return NumericValue(value)
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? { read(object)?.predicateValue }
}

/// A slot of records that share a layout, or a value reached by keys from the slot.
final class RecordSource: Source {
    private let layout: KeyedRecord.Layout
    private let slot: Int
    private let rest: [String]
    private let findsExactKeys: Bool

    init(_ layout: KeyedRecord.Layout, slot: Int, _ rest: [String]) {
        self.layout = layout
        self.slot = slot
        self.rest = rest
        findsExactKeys = rest.allSatisfy(\.isItsOnlySpelling)
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        withValue(of: object) { value in
            if rest.isEmpty { return test.pointee.result(of: value) }
            return value.entry(rest, findsExactKeys).map { test.pointee.result(of: $0) } ?? .unknown
        } ?? .unknown
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        withValue(of: object) { value in value.entry(rest, findsExactKeys).flatMap { NumericValue($0) } } ?? nil
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        withValue(of: object) { $0.entry(rest, findsExactKeys) } ?? nil
    }

    /// Calls `body` with the value in the slot; returns nil for a record of another layout.
    @inline(__always)
    private func withValue<Result>(of object: UnsafeRawPointer, _ body: (PredicateValue) -> Result) -> Result? {
        object.assumingMemoryBound(to: KeyedRecord.self).withValue { record in
            guard record.layout === layout else { return nil }
            return record.values.withUnsafeBufferPointer { values in
                guard slot < values.count, let start = values.baseAddress else { return nil }
                return (start + slot).withValue(body)
            }
        }
    }
}

// MARK: - Properties of batches

/// A property that is read through its accessor, for one object after another.
struct PropertyAccess {
    /// Calls a closure with the address of each value.
    let visit: (ObjectRun, (UnsafeRawPointer) -> Void) -> Void
    /// Copies the values to memory.
    private let collect: (ObjectRun, UnsafeMutableRawPointer) -> Void
    /// Deinitializes a number of copies.
    fileprivate let release: (UnsafeMutableRawPointer, Int) -> Void
    /// The distance between copies in bytes.
    private let stride: Int
    /// True for lists. Each list has memory of its own and is best tested while that is in the cache.
    fileprivate let isList: Bool
    /// The offset, within the preceding value, of the object that has the property.
    fileprivate var offset = 0

    init<Root>(_ entry: KeyPathTable<Root>.Entry) {
        visit = entry.visit
        collect = entry.collect
        release = entry.release
        stride = Self.stride(entry.valueType)
        isList = StoredType(entry.valueType)?.isList ?? false
    }

    private static func stride<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.stride }

    /// The size of the copies of a batch in bytes, rounded up to 16, the strictest alignment of any type, so that
    /// other copies may follow.
    fileprivate var size: Int { (stride * Sweep.width + 15) & ~15 }

    /// Returns the run of objects that have the property: those in `numbers`, or the first `count` if that is nil.
    func run(_ objects: ObjectAddresses, _ numbers: UnsafePointer<UInt16>?, _ count: Int) -> ObjectRun {
        ObjectRun(objects.start + offset, stride: objects.stride, numbers, count: count)
    }

    fileprivate func copies(of objects: ObjectRun, in memory: UnsafeMutableRawPointer) -> ObjectAddresses {
        collect(objects, memory)
        return ObjectAddresses(start: memory, stride: stride)
    }
}

/// The route from objects to the tested value: properties that are read through accessors, and an offset in the last one.
///
/// `age > 21` for objects of a class: one call copies the ages of many objects in a loop, whereas evaluation object by object
/// needs a call for each.
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

    /// Returns the route from an object that has this property.
    func after(_ access: PropertyAccess) -> PropertyRoute { PropertyRoute([access] + accesses, offset, type) }

    /// Returns the route from a value that stores the object at an offset.
    func shifted(by offset: Int) -> PropertyRoute {
        var route = self
        route.accesses[0].offset += offset
        return route
    }

    /// The properties that are copied: all except a list at the end.
    private var copied: ArraySlice<PropertyAccess> { visited == nil ? accesses[...] : accesses.dropLast() }

    /// The property that is visited in place.
    var visited: PropertyAccess? { accesses.last.flatMap { $0.isList ? $0 : nil } }

    /// The size of the copies of a batch in bytes.
    var size: Int { copied.reduce(0) { $0 + $1.size } }

    /// The maximum size; larger copies are not worth their memory.
    static let mostSize = 1 << 19

    /// Copies the last property for the objects of a selection vector, by way of the properties before it; nil if no property
    /// is copied.
    func copies(
        of objects: ObjectAddresses, _ numbers: UnsafePointer<UInt16>?, _ count: Int, in memory: UnsafeMutableRawPointer
    ) -> ObjectAddresses? {
        var (found, copy): (ObjectAddresses?, UnsafeMutableRawPointer) = (nil, memory)
        for access in copied {
            let run = access.run(found ?? objects, found == nil ? numbers : nil, count)
            found = access.copies(of: run, in: copy)
            copy += access.size
        }
        return found
    }

    /// Deinitializes the copies of a number of objects.
    func release(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        var copy = memory
        for access in copied {
            access.release(copy, count)
            copy += access.size
        }
    }
}

/// An instruction for the values at the end of a route, as if they were stored. Values that it leaves undecided are
/// evaluated object by object.
final class RoutedInstruction {
    let route: PropertyRoute
    let instruction: UnsafePointer<Instruction>

    init(_ route: PropertyRoute, _ instruction: UnsafePointer<Instruction>) {
        self.route = route
        self.instruction = instruction
    }
}

/// A value that is never copied as a whole, so that the compiler reads it in place.
private struct Held<Value>: ~Copyable {
    private let value: Value

    @inline(__always)
    borrowing func with<Result>(_ body: (Value) -> Result) -> Result { body(value) }
}

extension UnsafePointer {
    /// Calls `body` with the value in place; `pointee` would copy it first, with reference counting.
    @inline(__always)
    func withValue<Result>(_ body: (Pointee) -> Result) -> Result {
        // A struct with one property has the same layout as the property.
        UnsafeRawPointer(self).assumingMemoryBound(to: Held<Pointee>.self).pointee.with(body)
    }
}
