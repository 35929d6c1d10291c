import Foundation
import PredicateSyntax

/// The kind of objects for which a program is compiled; it locates the value of each key.
enum Subject {
    /// A string, a number, …: `SELF BEGINSWITH "b"`
    case stored(StoredType)
    /// A type with a table of keys, and one of its objects
    case table(any KeyPathCoding.Type, sample: UnsafeRawPointer)
    /// A type that fetches the values of its keys
    case keyed(any KeyValueCoding.Type)
    /// A struct or a class without a table, whose stored properties are its keys
    case reflected(any Any.Type)
    /// `[String: Any]`
    case anyDictionary
    /// `[String: PredicateValue]`
    case valueDictionary
    /// `PredicateValue`: JSON rows
    case plainValue
    /// Records of one layout
    case record(KeyedRecord.Layout)
    /// Values of a record in slots
    case flat(FlatLayout)
    /// An element of a list in a slot
    case flatElement
}

/// The location of a value: stored at an offset, or fetched.
enum ValueLocation {
    /// In the object itself, at an offset in bytes.
    case stored(offset: Int, StoredType)
    /// Anywhere else.
    case fetched(Source)

    /// The type of the values at the location, if it is always the same.
    var type: StoredType? {
        switch self {
        case .stored(_, let type): type
        case .fetched(let source): source.type
        }
    }
}

extension Subject {
    /// Makes the kind of a type's objects; nil for objects that only bridging can read.
    ///
    /// If the type offers keys, the sample shows whether an object is its own `keyedValue`. If its `keyedValue` is
    /// something else, the object is left to the plan.
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

    /// Returns the location of the value at the end of a path; nil if only the plan can find it.
    func location(of steps: [KeyPathStep]) -> ValueLocation? {
        let steps = steps.filter { if case .receiver = $0 { false } else { true } }
        guard let keys = Self.keys(steps) else { return nil }
        switch self {
        case .stored(let type): return keys.isEmpty ? .stored(offset: 0, type) : nil
        case .table(let type, let sample): return type.location(of: steps[...], keys[...], sample)
        case .keyed(let type): return type.accessor(of: steps[...], keys[...]).map(ValueLocation.fetched)
        case .reflected(let type): return StoredKeyPath(steps: steps[...], keys: keys[...]).location(in: type)
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
        case .flat(let layout):
            if keys.isEmpty { return nil }
            let slot = layout.slot(of: keys)
            guard case .key(_, let property?)? = steps.last, keys.count > 1 else {
                return .fetched(FlatSource(slot: slot))
            }
            return .fetched(FlatProperty(slot: layout.slot(of: keys.dropLast()), member: slot, property))
        case .flatElement:
            return keys.isEmpty ? .fetched(OwnFlatSource()) : nil
        }
    }

    /// Returns the keys of a path that consists only of keys; nil for any other path.
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
    /// Returns the location at the end of a path from a value of this type: an offset through stored structs, or a
    /// fetched value.
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

    /// Returns the location at the end of the rest of a path from a value of another type; nil if only walking the
    /// path finds it.
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
        if let inner { return PropertySource(PropertyAccess(entry), inner) }
        let read = entry.read
        if steps.isEmpty { return AccessorSource { read($0.assumingMemoryBound(to: Self.self).pointee) } }
        return AccessorSource { object in
            try? KeyPathReader(union: false).value(from: read(object.assumingMemoryBound(to: Self.self).pointee), steps)
        }
    }
}

extension KeyValueCoding {
    /// Returns true if the object at an address offers its own keys, that is, if it is its own `keyedValue`.
    fileprivate static func standsForItself(_ address: UnsafeRawPointer) -> Bool {
        guard case .object(let own) = address.assumingMemoryBound(to: Self.self).pointee.keyedValue else {
            return false
        }
        return type(of: own) == Self.self
    }

    /// Fetches the first key of an object of this type and follows the remaining keys from there.
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
            return try? KeyPathReader(union: false).value(from: first, rest)
        }
    }
}

// MARK: - Stored types

/// The types whose values bytecode reads in place.
enum StoredType: UInt8 {
    case integer, integer32, integer16, integer8
    case unsigned, unsigned32, unsigned16, unsigned8
    case bool, double, float, date, string
    case optionalInteger, optionalInteger32, optionalBool, optionalDouble, optionalDate, optionalString
    case strings, integers, doubles

    /// Makes the stored type of a property; nil for a type that bytecode cannot read in place.
    init?(_ type: any Any.Type) {
        guard let found = Self.table[ObjectIdentifier(type)] else { return nil }
        self = found
    }

    private static let table: [ObjectIdentifier: StoredType] = [
        ObjectIdentifier(Int.self): .integer, ObjectIdentifier(Int64.self): .integer,
        ObjectIdentifier(Int32.self): .integer32, ObjectIdentifier(Int16.self): .integer16,
        ObjectIdentifier(Int8.self): .integer8, ObjectIdentifier(UInt.self): .unsigned,
        ObjectIdentifier(UInt64.self): .unsigned, ObjectIdentifier(UInt32.self): .unsigned32,
        ObjectIdentifier(UInt16.self): .unsigned16, ObjectIdentifier(UInt8.self): .unsigned8,
        ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Double.self): .double,
        ObjectIdentifier(Float.self): .float, ObjectIdentifier(Date.self): .date,
        ObjectIdentifier(String.self): .string, ObjectIdentifier(Int?.self): .optionalInteger,
        ObjectIdentifier(Int64?.self): .optionalInteger, ObjectIdentifier(Int32?.self): .optionalInteger32,
        ObjectIdentifier(Bool?.self): .optionalBool, ObjectIdentifier(Double?.self): .optionalDouble,
        ObjectIdentifier(Date?.self): .optionalDate, ObjectIdentifier(String?.self): .optionalString,
        ObjectIdentifier([String].self): .strings, ObjectIdentifier([Int].self): .integers,
        ObjectIdentifier([Double].self): .doubles,
    ]

    /// The type of the elements of a list; nil for any other type.
    var elementType: StoredType? {
        switch self {
        case .strings: .string
        case .integers: .integer
        case .doubles: .double
        case .integer, .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .bool,
            .double, .float, .date, .string, .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble,
            .optionalDate, .optionalString:
            nil
        }
    }

    /// True if the values are lists.
    var isList: Bool { elementType != nil }
}

extension StoredType {
    /// Tests the value stored at an address.
    @inline(__always)
    func result(at address: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        switch self {
        case .integer: test.pointee.result(integer: address.load(as: Int64.self))
        case .integer32: test.pointee.result(integer: Int64(address.load(as: Int32.self)))
        case .integer16: test.pointee.result(integer: Int64(address.load(as: Int16.self)))
        case .integer8: test.pointee.result(integer: Int64(address.load(as: Int8.self)))
        case .unsigned: Int64(exactly: address.load(as: UInt64.self)).map(test.pointee.result(integer:)) ?? .unknown
        case .unsigned32: test.pointee.result(integer: Int64(address.load(as: UInt32.self)))
        case .unsigned16: test.pointee.result(integer: Int64(address.load(as: UInt16.self)))
        case .unsigned8: test.pointee.result(integer: Int64(address.load(as: UInt8.self)))
        case .bool: test.pointee.result(bool: address.load(as: Bool.self))
        case .double: test.pointee.result(double: address.load(as: Double.self))
        case .float: test.pointee.result(double: Double(address.load(as: Float.self)))
        case .date: test.pointee.result(date: address.load(as: Date.self))
        case .string: test.pointee.texts.result(at: address.assumingMemoryBound(to: String.self))
        case .optionalInteger:
            address.load(as: Int64?.self).map { test.pointee.result(integer: $0) } ?? test.pointee.null
        case .optionalInteger32:
            address.load(as: Int32?.self).map { test.pointee.result(integer: Int64($0)) } ?? test.pointee.null
        case .optionalBool: address.load(as: Bool?.self).map { test.pointee.result(bool: $0) } ?? test.pointee.null
        case .optionalDouble:
            address.load(as: Double?.self).map { test.pointee.result(double: $0) } ?? test.pointee.null
        case .optionalDate: address.load(as: Date?.self).map { test.pointee.result(date: $0) } ?? test.pointee.null
        case .optionalString:
            address.assumingMemoryBound(to: String?.self).withValue { text in
                text.map { test.pointee.result(text: $0) } ?? test.pointee.null
            }
        case .strings: test.result(ofStrings: address.assumingMemoryBound(to: [String].self))
        case .integers: address.assumingMemoryBound(to: [Int].self).withValue(test.pointee.lists.result(ofIntegers:))
        case .doubles: address.assumingMemoryBound(to: [Double].self).withValue(test.pointee.lists.result(ofDoubles:))
        }
    }

    /// Returns true if a test decides every value of this type, so that its leaf never fails.
    func isTotal(_ test: LeafTest) -> Bool {
        switch self {
        case .integer, .integer32, .integer16, .integer8, .unsigned32, .unsigned16, .unsigned8, .bool, .double, .float:
            test.decidesNumbers
        case .date: test.decidesDates
        case .string: test.texts.isTotal
        case .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble:
            test.decidesNumbers && test.null != .unknown
        case .optionalDate: test.decidesDates && test.null != .unknown
        case .optionalString: test.texts.isTotal && test.null != .unknown
        case .unsigned, .strings, .integers, .doubles: false
        }
    }

    /// Returns the value stored at an address.
    func value(at address: UnsafeRawPointer) -> PredicateValue {
        switch self {
        case .integer, .integer32, .integer16, .integer8, .unsigned32, .unsigned16, .unsigned8, .double, .float,
            .optionalInteger, .optionalInteger32, .optionalDouble:
            number(at: address)?.predicateValue ?? .null
        case .unsigned: address.load(as: UInt64.self).predicateValue
        case .bool: .bool(address.load(as: Bool.self))
        case .optionalBool: address.load(as: Bool?.self).map(PredicateValue.bool) ?? .null
        case .date: .date(address.load(as: Date.self))
        case .optionalDate: address.load(as: Date?.self).map(PredicateValue.date) ?? .null
        case .string: .string(address.assumingMemoryBound(to: String.self).pointee)
        case .optionalString:
            address.assumingMemoryBound(to: String?.self).pointee.map(PredicateValue.string) ?? .null
        case .strings: .array(address.assumingMemoryBound(to: [String].self).pointee.map(PredicateValue.string))
        case .integers: .array(address.assumingMemoryBound(to: [Int].self).pointee.map { .integer(Int64($0)) })
        case .doubles: .array(address.assumingMemoryBound(to: [Double].self).pointee.map(PredicateValue.double))
        }
    }
}
