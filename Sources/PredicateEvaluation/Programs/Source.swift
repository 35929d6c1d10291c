import PredicateSyntax

/// Where a leaf gets its value from when it does not lie in the object: asked of the object, looked up in a dictionary,
/// taken from a slot.
class Source {
    /// What a test says of the value that an object has; unknown where only the plan can get at it.
    func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer { .unknown }

    /// The number that an object has; nil for everything else.
    func number(_ object: UnsafeRawPointer) -> NumericValue? { nil }
}

/// A key asked of an object: of a class, a computed property, any `KeyValueCoding`.
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

/// A slot of a record, of those records that share a layout.
final class RecordSource: Source {
    private let layout: RecordLayout
    private let slot: Int

    init(_ layout: RecordLayout, slot: Int) {
        self.layout = layout
        self.slot = slot
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        let record = object.assumingMemoryBound(to: Record.self)
        guard record.pointee.layout === layout else { return .unknown }
        return record.pointee.values.withUnsafeBufferPointer { values in
            slot < values.count ? test.pointee.answer(values[slot]) : .unknown
        }
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        let record = object.assumingMemoryBound(to: Record.self)
        guard record.pointee.layout === layout, slot < record.pointee.values.count else { return nil }
        return NumericValue(record.pointee.values[slot])
    }
}
