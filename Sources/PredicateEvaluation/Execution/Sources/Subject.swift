import Foundation
import PredicateSyntax

/// The kind of objects that a program is compiled for: it locates the value of each key.
enum Subject {
    /// A string, a number, …: `SELF BEGINSWITH "b"`
    case stored(StoredType)
    /// A type with a table of keys, and one of its objects
    case table(any KeyPathCoding.Type, sample: UnsafeRawPointer)
    /// A type that fetches the values of its keys
    case keyed(any KeyValueCoding.Type)
    /// A struct or a class without a table, whose stored properties are keys
    case reflected(any Any.Type)
    /// `[String: Any]`
    case anyDictionary
    /// `[String: PredicateValue]`
    case valueDictionary
    /// `PredicateValue`: JSON rows
    case plainValue
    /// Records of one layout
    case record(KeyedRecord.Layout)
    /// Rows of a table, by number
    case columns(ColumnTable)
    /// Values of a record that lie in slots
    case flat(FlatLayout)
    /// An element of a list among those
    case flatElement
}

/// The location of a value: stored at an offset, or fetched.
enum ValueLocation {
    /// In the object itself, at an offset in bytes.
    case stored(offset: Int, StoredType)
    /// Elsewhere.
    case fetched(Source)

    /// The type of every value there, where it is the same.
    var type: StoredType? {
        switch self {
        case .stored(_, let type): type
        case .fetched(let source): source.type
        }
    }
}

extension Subject {
    /// The kind of objects of a type; nil for those that only the bridge reads.
    ///
    /// A sample tells whether an object that offers keys stands for itself: one that names another value for itself is
    /// left to the plan.
    init?<Object>(_ type: Object.Type, sample: UnsafePointer<Object>) {
        if let stored = StoredType(type) {
            self = .stored(stored)
        } else if type == [String: Any].self || type == [String: any Sendable].self {
            self = .anyDictionary
        } else if type == [String: PredicateValue].self {
            self = .valueDictionary
        } else if type == PredicateValue.self {
            self = .plainValue
        } else if type == KeyedRecord.self {
            let record = UnsafeRawPointer(sample).assumingMemoryBound(to: KeyedRecord.self)
            self = .record(record.pointee.layout)
        } else {
            if StoredLayout.of(type) != nil {
                self = .reflected(type)
                return
            }
            guard let keyed = type as? any KeyValueCoding.Type, keyed.standsForItself(UnsafeRawPointer(sample)) else {
                return nil
            }
            let table = type as? any KeyPathCoding.Type
            self = table.map { .table($0, sample: UnsafeRawPointer(sample)) } ?? .keyed(keyed)
        }
    }

    /// The location of the value at the end of a path; nil where only the plan finds it.
    func location(of steps: [KeyPathStep]) -> ValueLocation? {
        let steps = steps.filter { if case .receiver = $0 { false } else { true } }
        guard let keys = Self.keys(steps) else { return nil }
        switch self {
        case .stored(let type): return keys.isEmpty ? .stored(offset: 0, type) : nil
        case .table(let type, let sample): return type.location(of: steps[...], keys[...], sample)
        case .keyed(let type): return type.accessor(of: steps[...], keys[...]).map(ValueLocation.fetched)
        case .reflected(let type): return StoredKeys(steps: steps[...], keys: keys[...]).location(in: type)
        case .anyDictionary:
            return keys.first.map { .fetched(AnyDictionarySource($0, keys.dropFirst())) }
        case .valueDictionary, .plainValue:
            var isDictionary = false
            if case .valueDictionary = self { isDictionary = true }
            if keys.isEmpty { return isDictionary ? nil : .fetched(OwnValueSource()) }
            return keys.first.map { .fetched(ValueSource($0, Array(keys.dropFirst()), isDictionary: isDictionary)) }
        case .record(let layout):
            guard let slot = keys.first.flatMap({ layout.slot(of: $0) }) else { return nil }
            return .fetched(RecordSource(layout, slot: slot, Array(keys.dropFirst())))
        case .columns(let table):
            return table.source(of: keys).map(ValueLocation.fetched)
        case .flat(let layout):
            if keys.isEmpty { return nil }
            let slot = layout.slot(of: keys)
            return .fetched(FlatSource(slot: slot))
        case .flatElement:
            return keys.isEmpty ? .fetched(OwnFlatSource()) : nil
        }
    }

    /// The keys of a path that is made of nothing else.
    private static func keys(_ steps: [KeyPathStep]) -> [String]? {
        var keys: [String] = []
        for step in steps {
            guard case .key(let name, _) = step else { return nil }
            keys.append(name)
        }
        return keys
    }
}

extension KeyPathCoding {
    /// The location at the end of a path from a value of this type: through stored structs to an offset, else fetched.
    fileprivate static func location(
        of steps: ArraySlice<KeyPathStep>, _ keys: ArraySlice<String>, _ sample: UnsafeRawPointer
    ) -> ValueLocation? {
        guard let first = keys.first, let entry = Self.keys[first] else { return nil }
        let (steps, keys) = (steps.dropFirst(), keys.dropFirst())
        if let offset = entry.offset {
            switch location(in: entry.valueType, steps, keys, sample + offset) {
            case .stored(let inner, let type): return .stored(offset: offset + inner, type)
            case .fetched(let source): return .fetched(OffsetSource(offset, source))
            case nil: break
            }
        }
        return .fetched(source(entry, steps, keys, sample))
    }

    /// The location at the end of the rest of a path from a value of another type; nil where only a walk finds it.
    private static func location(
        in type: any Any.Type, _ steps: ArraySlice<KeyPathStep>, _ keys: ArraySlice<String>,
        _ sample: UnsafeRawPointer
    ) -> ValueLocation? {
        if keys.isEmpty { return StoredType(type).map { .stored(offset: 0, $0) } }
        guard let type = type as? any KeyPathCoding.Type, type.standsForItself(sample) else { return nil }
        return type.location(of: steps, keys, sample)
    }

    private static func source(
        _ entry: KeyPathTable<Self>.Entry, _ steps: ArraySlice<KeyPathStep>, _ keys: ArraySlice<String>,
        _ sample: UnsafeRawPointer
    ) -> Source {
        var inner: ValueLocation?
        entry.visit(ObjectRun(sample)) { inner = location(in: entry.valueType, steps, keys, $0) }
        switch inner {
        case .stored(let offset, let type): return PropertySource(PropertyAccess(entry), offset, type)
        case .fetched(let source): return ChainSource(PropertyAccess(entry), source)
        case nil: break
        }
        let read = entry.read
        if steps.isEmpty { return AccessorSource { read($0.assumingMemoryBound(to: Self.self).pointee) } }
        return AccessorSource { object in
            try? KeyPathWalk(union: false).value(from: read(object.assumingMemoryBound(to: Self.self).pointee), steps)
        }
    }
}

extension KeyValueCoding {
    /// True if the object at an address offers its own keys, and names no other value for itself.
    fileprivate static func standsForItself(_ address: UnsafeRawPointer) -> Bool {
        guard case .object(let own) = address.assumingMemoryBound(to: Self.self).pointee.keyedValue else {
            return false
        }
        return type(of: own) == Self.self
    }

    /// Fetches the first key of an object of this type, and follows the others from there.
    fileprivate static func accessor(
        of steps: ArraySlice<KeyPathStep>, _ keys: ArraySlice<String>
    ) -> Source? {
        guard let key = keys.first else { return nil }
        let rest = steps.dropFirst()
        if rest.isEmpty {
            return AccessorSource { $0.assumingMemoryBound(to: Self.self).pointee.value(forKey: key) }
        }
        return AccessorSource { object in
            guard let first = object.assumingMemoryBound(to: Self.self).pointee.value(forKey: key) else { return nil }
            return try? KeyPathWalk(union: false).value(from: first, rest)
        }
    }
}
