import Foundation
import PredicateSyntax

/// The types whose values bytecode reads where they are stored.
enum StoredType: UInt8 {
    case integer, integer32, integer16, integer8
    case unsigned, unsigned32, unsigned16, unsigned8
    case bool, double, float, date, string
    case optionalInteger, optionalInteger32, optionalBool, optionalDouble, optionalDate, optionalString
    case strings, integers, doubles

    /// The stored type of a property; nil for one that is read by its own code.
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

    /// The type of the elements of a list; nil for every other type.
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

    /// True if a test decides every value of this type, so that its leaf never ends in an error.
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
}

extension StoredType {
    /// The value stored at an address.
    func value(at address: UnsafeRawPointer) -> PredicateValue {
        switch self {
        case .integer: .integer(address.load(as: Int64.self))
        case .integer32: .integer(Int64(address.load(as: Int32.self)))
        case .integer16: .integer(Int64(address.load(as: Int16.self)))
        case .integer8: .integer(Int64(address.load(as: Int8.self)))
        case .unsigned: address.load(as: UInt64.self).predicateValue
        case .unsigned32: .integer(Int64(address.load(as: UInt32.self)))
        case .unsigned16: .integer(Int64(address.load(as: UInt16.self)))
        case .unsigned8: .integer(Int64(address.load(as: UInt8.self)))
        case .bool: .bool(address.load(as: Bool.self))
        case .double: .double(address.load(as: Double.self))
        case .float: .double(Double(address.load(as: Float.self)))
        case .date: .date(address.load(as: Date.self))
        case .string: .string(address.assumingMemoryBound(to: String.self).pointee)
        case .optionalInteger: address.load(as: Int64?.self).map(PredicateValue.integer) ?? .null
        case .optionalInteger32: address.load(as: Int32?.self).map { .integer(Int64($0)) } ?? .null
        case .optionalBool: address.load(as: Bool?.self).map(PredicateValue.bool) ?? .null
        case .optionalDouble: address.load(as: Double?.self).map(PredicateValue.double) ?? .null
        case .optionalDate: address.load(as: Date?.self).map(PredicateValue.date) ?? .null
        case .optionalString:
            address.assumingMemoryBound(to: String?.self).pointee.map(PredicateValue.string) ?? .null
        case .strings: .array(address.assumingMemoryBound(to: [String].self).pointee.map(PredicateValue.string))
        case .integers: .array(address.assumingMemoryBound(to: [Int].self).pointee.map { .integer(Int64($0)) })
        case .doubles: .array(address.assumingMemoryBound(to: [Double].self).pointee.map(PredicateValue.double))
        }
    }
}
