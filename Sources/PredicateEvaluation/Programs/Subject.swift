import Foundation
import PredicateSyntax

/// The type of the objects that a program is made for: it says where each key is found.
enum Subject {
    /// A string, a number, …: `SELF BEGINSWITH "b"`
    case stored(StoredType)
    /// A type with a table of keys
    case table(any KeyPathCoding.Type)
    /// A type that answers for its keys
    case keyed(any KeyValueCoding.Type)
    /// `[String: Any]`
    case anyDictionary
    /// `[String: PredicateValue]`
    case valueDictionary
    /// `PredicateValue`: JSON rows
    case plainValue
    /// Records of one layout
    case record(RecordLayout)
    /// Rows of a table, by number
    case columns(ColumnTable)
}

/// Where a value is.
enum Place {
    /// In the object itself, so many bytes from its start.
    case stored(offset: Int, StoredType)
    /// Somewhere else.
    case fetched(Source)
}

extension Subject {
    /// What objects of a type are; nil for those that only the bridge knows.
    ///
    /// A sample tells whether an object that offers keys stands for itself: one that names another in its place is
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
        } else if type == Record.self {
            let record = UnsafeRawPointer(sample).assumingMemoryBound(to: Record.self)
            self = .record(record.pointee.layout)
        } else {
            self.init(object: sample.pointee, type)
        }
    }

    private init?<Object>(object: Object, _ type: Object.Type) {
        guard let keyed = type as? any KeyValueCoding.Type, let sample = object as? any KeyValueCoding,
            case .object(let own) = sample.keyedValue, Swift.type(of: own) == type
        else { return nil }
        self = (type as? any KeyPathCoding.Type).map(Subject.table) ?? .keyed(keyed)
    }

    /// Where the value at the end of a path is; nil where only the plan finds it.
    func place(of steps: [KeyPathStep]) -> Place? {
        let steps = steps.filter { if case .receiver = $0 { false } else { true } }
        guard let keys = Self.keys(steps) else { return nil }
        switch self {
        case .stored(let type): return keys.isEmpty ? .stored(offset: 0, type) : nil
        case .table(let type): return type.place(of: steps[...], keys[...])
        case .keyed(let type): return type.accessor(of: steps[...], keys[...]).map(Place.fetched)
        case .anyDictionary:
            return keys.first.map { .fetched(AnyDictionarySource($0, keys.dropFirst())) }
        case .valueDictionary, .plainValue:
            var isDictionary = false
            if case .valueDictionary = self { isDictionary = true }
            if keys.isEmpty { return isDictionary ? nil : .fetched(OwnValueSource()) }
            return keys.first.map { .fetched(ValueSource($0, Array(keys.dropFirst()), isDictionary: isDictionary)) }
        case .record(let layout):
            guard keys.count == 1, let slot = keys.first.flatMap({ layout.slot(of: $0.name) }) else { return nil }
            return .fetched(RecordSource(layout, slot: slot))
        case .columns(let table):
            return table.column(keys.map(\.name).joined(separator: ".")).map { .fetched(ColumnSource($0)) }
        }
    }

    /// The keys of a path that is made of nothing else.
    private static func keys(_ steps: [KeyPathStep]) -> [DictionaryKey]? {
        var keys: [DictionaryKey] = []
        for step in steps {
            guard case .key(let name, let property) = step else { return nil }
            keys.append(DictionaryKey(name, property))
        }
        return keys
    }
}

extension KeyPathCoding {
    /// Where a path leads from a value of this type: through stored structs to a place, else through accessors.
    fileprivate static func place(of steps: ArraySlice<KeyPathStep>, _ keys: ArraySlice<DictionaryKey>) -> Place? {
        guard let first = keys.first, let entry = Self.keys[first.name] else { return nil }
        if let offset = entry.offset, let place = stored(entry, offset, steps.dropFirst(), keys.dropFirst()) {
            return place
        }
        return .fetched(accessor(entry, steps.dropFirst()))
    }

    private static func stored(
        _ entry: KeyTable<Self>.Entry, _ offset: Int, _ steps: ArraySlice<KeyPathStep>,
        _ keys: ArraySlice<DictionaryKey>
    ) -> Place? {
        guard !keys.isEmpty else { return StoredType(entry.valueType).map { .stored(offset: offset, $0) } }
        guard let type = entry.valueType as? any KeyPathCoding.Type,
            case .stored(let inner, let stored)? = type.place(of: steps, keys)
        else { return nil }
        return .stored(offset: offset + inner, stored)
    }

    private static func accessor(_ entry: KeyTable<Self>.Entry, _ rest: ArraySlice<KeyPathStep>) -> Source {
        let read = entry.read
        if rest.isEmpty { return AccessorSource { read($0.assumingMemoryBound(to: Self.self).pointee) } }
        return AccessorSource { object in
            try? KeyPathWalk(union: false).value(from: read(object.assumingMemoryBound(to: Self.self).pointee), rest)
        }
    }
}

extension KeyValueCoding {
    /// Asks an object of this type for the first key, and what that gives for the others.
    fileprivate static func accessor(
        of steps: ArraySlice<KeyPathStep>, _ keys: ArraySlice<DictionaryKey>
    ) -> Source? {
        guard let key = keys.first?.name else { return nil }
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
