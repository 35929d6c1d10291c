import PredicateSyntax

/// The origin of a leaf's value that is not stored in the object: fetched by code, from a dictionary, from a slot.
class Source {
    /// The type of every value, where all have the same.
    var type: StoredType? { nil }

    /// Tests the value of an object; unknown where only the plan can get at it.
    func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult { .unknown }

    /// The number of an object; nil for every other value.
    func number(of object: UnsafeRawPointer) -> NumericValue? { nil }

    /// The route to the values of many objects at once; nil where they are fetched one by one.
    var route: PropertyRoute? { nil }

    /// The relative cost of a test that every value decides; nil where it may end in an error.
    func cost(of test: LeafTest) -> Int? { nil }
}

/// A property read by its own code, of a class or computed, whose value is then read as if it were stored.
final class PropertySource: Source {
    private let access: PropertyAccess
    /// The offset of the tested value in the value of the property.
    private let offset: Int
    private let stored: StoredType

    init(_ access: PropertyAccess, _ offset: Int, _ type: StoredType) {
        self.access = access
        self.offset = offset
        stored = type
    }

    override var type: StoredType? { stored }
    override var route: PropertyRoute? { PropertyRoute([access], offset, stored) }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        var result = LeafResult.unknown
        access.visit(ObjectRun(object)) { result = stored.result(at: $0 + offset, test) }
        return result
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        var number: NumericValue?
        access.visit(ObjectRun(object)) { number = stored.number(at: $0 + offset) }
        return number
    }
}

/// `dept.name` of objects that lead to objects: another source, of the value of a property.
final class ChainSource: Source {
    private let access: PropertyAccess
    private let rest: Source

    init(_ access: PropertyAccess, _ rest: Source) {
        self.access = access
        self.rest = rest
    }

    override var type: StoredType? { rest.type }
    override var route: PropertyRoute? { rest.route?.after(access) }

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
}

/// Another source, of a value stored at an offset in the object.
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
}

/// A key of an object that fetches it by code: any `KeyValueCoding`.
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
}

/// A slot of records that share a layout, or the value that keys lead to from there.
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

    /// Calls `body` with the value in the slot; nil for a record of another layout.
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
