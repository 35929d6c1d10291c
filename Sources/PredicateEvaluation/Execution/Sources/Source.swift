import PredicateSyntax

/// Where a leaf gets its value from when it does not lie in the object: asked of the object, looked up in a dictionary,
/// taken from a slot.
class Source {
    /// The type of every value, where all have the same.
    var type: StoredType? { nil }

    /// What a test says of the value that an object has; unknown where only the plan can get at it.
    func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer { .unknown }

    /// The number that an object has; nil for everything else.
    func number(_ object: UnsafeRawPointer) -> NumericValue? { nil }

    /// The way to the values of many objects at once; nil where each is to be asked by itself.
    var route: PropertyRoute? { nil }

    /// How dear a test of the value is, where it always has an answer; nil where it may end in an error.
    func cost(of test: LeafTest) -> Int? { nil }
}

/// A property read by its own code, of a class or computed, and looked at as if it were stored.
final class PropertySource: Source {
    private let access: PropertyAccess
    /// Where in the value of the property the value lies that is asked about.
    private let offset: Int
    private let stored: StoredType

    init(_ access: PropertyAccess, _ offset: Int, _ type: StoredType) {
        self.access = access
        self.offset = offset
        stored = type
    }

    override var type: StoredType? { stored }
    override var route: PropertyRoute? { PropertyRoute([access], offset, stored) }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        var answer = Answer.unknown
        access.visit(ObjectRun(object)) { answer = stored.answer(at: $0 + offset, test) }
        return answer
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        var number: NumericValue?
        access.visit(ObjectRun(object)) { number = stored.number(at: $0 + offset) }
        return number
    }
}

/// `dept.name` of objects that lead to objects: what another source finds in the value of a property.
final class ChainSource: Source {
    private let access: PropertyAccess
    private let rest: Source

    init(_ access: PropertyAccess, _ rest: Source) {
        self.access = access
        self.rest = rest
    }

    override var type: StoredType? { rest.type }
    override var route: PropertyRoute? { rest.route?.behind(access) }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        var answer = Answer.unknown
        access.visit(ObjectRun(object)) { answer = rest.answer($0, test) }
        return answer
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        var number: NumericValue?
        access.visit(ObjectRun(object)) { number = rest.number($0) }
        return number
    }
}

/// The same of what is stored so far into the object.
final class OffsetSource: Source {
    private let offset: Int
    private let rest: Source

    init(_ offset: Int, _ rest: Source) {
        self.offset = offset
        self.rest = rest
    }

    override var type: StoredType? { rest.type }
    override var route: PropertyRoute? { rest.route?.shifted(by: offset) }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        rest.answer(object + offset, test)
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        rest.number(object + offset)
    }
}

/// A key asked of an object that answers as it likes: any `KeyValueCoding`.
final class AccessorSource: Source {
    private let read: (UnsafeRawPointer) -> KeyedValue?

    init(_ read: @escaping (UnsafeRawPointer) -> KeyedValue?) {
        self.read = read
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        test.pointee.answer(read(object))
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        guard case .value(let value)? = read(object) else { return nil }
        return NumericValue(value)
    }
}

/// A slot of a record, of those records that share a layout, or what keys lead to from there.
final class RecordSource: Source {
    private let layout: KeyedRecord.Layout
    private let slot: Int
    private let rest: [String]

    init(_ layout: KeyedRecord.Layout, slot: Int, _ rest: [String]) {
        self.layout = layout
        self.slot = slot
        self.rest = rest
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        withValue(of: object) { value in
            if rest.isEmpty { return test.pointee.answer(value) }
            return value.entry(rest).map { test.pointee.answer($0) } ?? .unknown
        } ?? .unknown
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        withValue(of: object) { value in value.entry(rest).flatMap { NumericValue($0) } } ?? nil
    }

    /// Calls `body` with what is in the slot; nil for a record of another layout.
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
