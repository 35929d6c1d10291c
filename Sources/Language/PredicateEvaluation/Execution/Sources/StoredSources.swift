import PredicateSyntax

/// A value inside an optional: nil if there is none. In the storage of a lazy property, the value is read only once
/// it exists.
final class OptionalSource: Source {
    private let optional: any OptionalValue.Type
    private let value: ValueLocation
    private let isLazy: Bool

    init(_ optional: any OptionalValue.Type, _ value: ValueLocation, isLazy: Bool = false) {
        self.optional = optional
        self.value = value
        self.isLazy = isLazy
    }

    override var type: StoredType? { value.type }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        guard optional.isNil(at: object) else { return value.result(for: object, test) }
        return isLazy ? .unknown : test.pointee.null
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        optional.isNil(at: object) ? nil : value.number(of: object)
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        guard optional.isNil(at: object) else { return value.value(of: object) }
        return isLazy ? nil : .null
    }

    override var hasPlaces: Bool { value.hasPlaces }

    override func place(of object: UnsafeRawPointer) -> StoredPlace {
        guard optional.isNil(at: object) else { return value.place(of: object) }
        return isLazy ? .unknown : .null
    }
}

/// A property of an `@Observable` class, which is left to the plan while reads are tracked.
final class UntrackedSource: Source {
    private let value: ValueLocation

    init(_ value: ValueLocation) {
        self.value = value
    }

    override var type: StoredType? { value.type }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        ObservationScope.isTracking ? .unknown : value.result(for: object, test)
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        ObservationScope.isTracking ? nil : value.number(of: object)
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        ObservationScope.isTracking ? nil : value.value(of: object)
    }

    override var hasPlaces: Bool { value.hasPlaces }

    override func place(of object: UnsafeRawPointer) -> StoredPlace {
        ObservationScope.isTracking ? .unknown : value.place(of: object)
    }
}

/// The raw value of an enum: `status == "open"`.
final class RawValueSource<Value: RawRepresentable>: Source {
    private let stored: StoredType

    init?(_ type: Value.Type) {
        guard let stored = StoredType(Value.RawValue.self) else { return nil }
        self.stored = stored
    }

    override var type: StoredType? { stored }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        withRawValue(of: object) { stored.result(at: $0, test) }
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        withRawValue(of: object) { stored.number(at: $0) }
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        withRawValue(of: object) { stored.value(at: $0) }
    }

    @inline(__always)
    private func withRawValue<Result>(of object: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Result) -> Result {
        let raw = object.assumingMemoryBound(to: Value.self).withValue { $0.rawValue }
        return withUnsafePointer(to: raw) { body(UnsafeRawPointer($0)) }
    }
}

/// A value in the instance that a reference refers to: `boss.name`, and every key of an object of a class.
///
/// Instances of subclasses have their own locations, found for the first instance of each class.
///
/// `@unchecked` is not needed: programs own sources, and the list of classes is published through an atomic pointer.
final class InstanceSource: Source {
    /// A class with the location of the value in its instances; nil if only the plan can find it.
    private struct Entry {
        let isa: UnsafeRawPointer
        let value: ValueLocation?
        let next: UnsafePointer<Entry>?
    }

    private let keys: StoredKeyPath
    private let first: Entry
    private let others = PublishedPointer()

    /// Makes the source of the value at the end of these keys, in instances of a class. Its subclasses may have keys that it
    /// lacks.
    init(_ type: AnyClass, _ keys: StoredKeyPath) {
        let value = keys.location(inInstancesOf: type)
        first = Entry(isa: unsafeBitCast(type, to: UnsafeRawPointer.self), value: value, next: nil)
        self.keys = keys
    }

    deinit {
        var entry = otherEntries
        while let current = entry {
            entry = current.pointee.next
            let entry = UnsafeMutablePointer(mutating: current)
            entry.deinitialize(count: 1)
            entry.deallocate()
        }
    }

    override var type: StoredType? { first.value?.type }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        guard let instance = object.load(as: UnsafeRawPointer?.self) else { return test.pointee.null }
        guard let value = value(in: instance) else { return .unknown }
        if case .stored(let offset, let type) = value { return type.result(at: instance + offset, test) }
        return Self.retaining(instance) { value.result(for: instance, test) }
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        guard let instance = object.load(as: UnsafeRawPointer?.self), let value = value(in: instance) else {
            return nil
        }
        return Self.retaining(instance) { value.number(of: instance) }
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        guard let instance = object.load(as: UnsafeRawPointer?.self) else { return .null }
        guard let value = value(in: instance) else { return nil }
        return Self.retaining(instance) { value.value(of: instance) }
    }

    override var hasPlaces: Bool { first.value?.hasPlaces ?? false }

    override func place(of object: UnsafeRawPointer) -> StoredPlace {
        guard let instance = object.load(as: UnsafeRawPointer?.self) else { return .null }
        return value(in: instance)?.place(of: instance) ?? .unknown
    }

    /// Retains an instance while accessors of its properties may run.
    private static func retaining<Result>(_ instance: UnsafeRawPointer, _ body: () -> Result) -> Result {
        withExtendedLifetime(Unmanaged<AnyObject>.fromOpaque(instance).takeUnretainedValue(), body)
    }

    /// An instance begins with a pointer to its class.
    @inline(__always)
    private func value(in instance: UnsafeRawPointer) -> ValueLocation? {
        let isa = instance.load(as: UnsafeRawPointer.self)
        return isa == first.isa ? first.value : otherValue(isa, instance)
    }

    private func otherValue(_ isa: UnsafeRawPointer, _ instance: UnsafeRawPointer) -> ValueLocation? {
        var entry = otherEntries
        while let current = entry {
            if current.pointee.isa == isa { return current.pointee.value }
            entry = current.pointee.next
        }
        return add(isa, instance)
    }

    private var otherEntries: UnsafePointer<Entry>? { others.pointer?.assumingMemoryBound(to: Entry.self) }

    @inline(never)
    private func add(_ isa: UnsafeRawPointer, _ instance: UnsafeRawPointer) -> ValueLocation? {
        let object = Unmanaged<AnyObject>.fromOpaque(instance).takeUnretainedValue()
        var value = keys.location(inInstancesOf: Swift.type(of: object))
        // If the class itself has the value, the instruction was made for that value's type only.
        if first.value != nil, value?.type != type { value = nil }
        let next = otherEntries
        let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
        entry.initialize(to: Entry(isa: isa, value: value, next: next))
        if !others.publish(entry, replacing: next) {
            entry.deinitialize(count: 1)
            entry.deallocate()
        }
        return value
    }
}

extension ValueLocation {
    @inline(__always)
    func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        switch self {
        case .stored(let offset, let type): type.result(at: object + offset, test)
        case .fetched(let source): source.result(for: object, test)
        }
    }

    @inline(__always)
    func number(of object: UnsafeRawPointer) -> NumericValue? {
        switch self {
        case .stored(let offset, let type): type.number(at: object + offset)
        case .fetched(let source): source.number(of: object)
        }
    }

    func value(of object: UnsafeRawPointer) -> PredicateValue? {
        switch self {
        case .stored(let offset, let type): type.value(at: object + offset)
        case .fetched(let source): source.value(of: object)
        }
    }

    fileprivate var hasPlaces: Bool {
        switch self {
        case .stored: true
        case .fetched(let source): source.hasPlaces
        }
    }

    fileprivate func place(of object: UnsafeRawPointer) -> StoredPlace {
        switch self {
        case .stored(let offset, _): .at(object + offset)
        case .fetched(let source): source.place(of: object)
        }
    }

    /// Returns the same location, relative to a value that stores this one at an offset.
    fileprivate func shifted(by offset: Int) -> ValueLocation {
        switch self {
        case .stored(let inner, let type): .stored(offset: offset + inner, type)
        case .fetched(let source): offset == 0 ? self : .fetched(OffsetSource(offset, source))
        }
    }
}

/// The keys of a path through stored properties, from a value of a type to the tested value.
struct StoredKeyPath {
    /// The steps of the path, each of which is a key.
    let steps: ArraySlice<KeyPathStep>
    let keys: ArraySlice<String>

    /// Returns the location in values of a type without a table of keys; nil if only the plan can find it.
    func location(in type: any Any.Type) -> ValueLocation? {
        if let layout = StoredLayout.of(type) {
            guard let type = type as? AnyClass else { return location(in: layout) }
            return .fetched(InstanceSource(type, self))
        }
        if keys.isEmpty, let stored = StoredType(type) { return .stored(offset: 0, stored) }
        if let optional = type as? any OptionalValue.Type {
            return location(in: optional.wrapped).map { .fetched(OptionalSource(optional, $0)) }
        }
        guard keys.isEmpty, !(type is any KeyedValueConvertible.Type),
            !(type is any ForeignContainer.Type), let raw = type as? any RawRepresentable.Type
        else { return nil }
        return Self.rawValue(raw).map(ValueLocation.fetched)
    }

    private static func rawValue<Value: RawRepresentable>(_ type: Value.Type) -> Source? { RawValueSource(type) }

    /// Returns the location in instances of exactly one class, relative to the start of the instance.
    fileprivate func location(inInstancesOf type: AnyClass) -> ValueLocation? {
        StoredLayout.of(type).flatMap(location)
    }

    private func location(in layout: StoredLayout) -> ValueLocation? {
        guard let key = keys.first, let property = layout[key] else { return nil }
        let rest = StoredKeyPath(steps: steps.dropFirst(), keys: keys.dropFirst())
        if property.isLazy, let optional = property.type as? any OptionalValue.Type {
            guard let value = rest.location(in: optional.wrapped) else { return rest.fetched(property) }
            return ValueLocation.fetched(OptionalSource(optional, value, isLazy: true)).shifted(by: property.offset)
        }
        guard let value = rest.location(in: property.type)?.shifted(by: property.offset) else {
            return rest.fetched(property)
        }
        return property.isTracked ? .fetched(UntrackedSource(value)) : value
    }

    /// Returns the location of the rest of a path, after a property whose value is fetched.
    private func fetched(_ property: StoredLayout.Property) -> ValueLocation {
        if steps.isEmpty { return .fetched(AccessorSource { property.value(of: $0) }) }
        let steps = steps
        return .fetched(
            AccessorSource { object in
                guard let value = property.value(of: object) else { return nil }
                return try? KeyPathReader(union: false).value(from: value, steps)
            })
    }
}
