import Foundation
import PredicateSyntax

/// The types whose values a program reads where they are stored.
enum StoredType: UInt8 {
    case integer, integer32, integer16, integer8
    case unsigned, unsigned32, unsigned16, unsigned8
    case bool, double, float, date, string
    case optionalInteger, optionalInteger32, optionalBool, optionalDouble, optionalDate, optionalString
    case strings, integers, doubles

    /// The type of a property, nil for one that must be read through its own code.
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

    /// Whether the values are lists.
    var isList: Bool {
        switch self {
        case .strings, .integers, .doubles: true
        case .integer, .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .bool,
            .double, .float, .date, .string, .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble,
            .optionalDate, .optionalString:
            false
        }
    }
}

extension StoredType {
    /// What a test says of the value stored at a place.
    @inline(__always)
    func answer(at place: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        switch self {
        case .integer: test.pointee.answer(place.load(as: Int64.self))
        case .integer32: test.pointee.answer(Int64(place.load(as: Int32.self)))
        case .integer16: test.pointee.answer(Int64(place.load(as: Int16.self)))
        case .integer8: test.pointee.answer(Int64(place.load(as: Int8.self)))
        case .unsigned: Int64(exactly: place.load(as: UInt64.self)).map { test.pointee.answer($0) } ?? .unknown
        case .unsigned32: test.pointee.answer(Int64(place.load(as: UInt32.self)))
        case .unsigned16: test.pointee.answer(Int64(place.load(as: UInt16.self)))
        case .unsigned8: test.pointee.answer(Int64(place.load(as: UInt8.self)))
        case .bool: test.pointee.answer(place.load(as: Bool.self))
        case .double: test.pointee.answer(place.load(as: Double.self))
        case .float: test.pointee.answer(Double(place.load(as: Float.self)))
        case .date: test.pointee.answer(place.load(as: Date.self))
        case .string: test.pointee.texts.answer(at: place.assumingMemoryBound(to: String.self))
        case .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble, .optionalDate, .optionalString:
            optionalAnswer(at: place, test)
        case .strings: test.answer(place.assumingMemoryBound(to: [String].self))
        case .integers: place.assumingMemoryBound(to: [Int].self).withValue { test.pointee.lists.answer($0) }
        case .doubles: place.assumingMemoryBound(to: [Double].self).withValue { test.pointee.lists.answer($0) }
        }
    }

    @inline(__always)
    private func optionalAnswer(at place: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        switch self {
        case .optionalInteger: answer(place.load(as: Int64?.self), test) { test.pointee.answer($0) }
        case .optionalInteger32: answer(place.load(as: Int32?.self), test) { test.pointee.answer(Int64($0)) }
        case .optionalBool: answer(place.load(as: Bool?.self), test) { test.pointee.answer($0) }
        case .optionalDouble: answer(place.load(as: Double?.self), test) { test.pointee.answer($0) }
        case .optionalDate: answer(place.load(as: Date?.self), test) { test.pointee.answer($0) }
        case .optionalString:
            place.assumingMemoryBound(to: String?.self).withValue { text in
                answer(text, test) { test.pointee.answer($0) }
            }
        case .integer, .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .bool,
            .double, .float, .date, .string, .strings, .integers, .doubles:
            .unknown
        }
    }

    @inline(__always)
    private func answer<Value>(
        _ value: Value?, _ test: UnsafePointer<LeafTest>, _ ask: (Value) -> Answer
    ) -> Answer {
        guard let value else { return test.pointee.null }
        return ask(value)
    }

    /// Whether a test of a value of this type always has an answer, so that its leaf can never end in an error.
    func isCertain(_ test: LeafTest) -> Bool {
        switch self {
        case .integer, .integer32, .integer16, .integer8, .unsigned32, .unsigned16, .unsigned8, .bool, .double, .float:
            test.knowsNumbers
        case .date: test.knowsDates
        case .string: test.texts.isCertain
        case .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble:
            test.knowsNumbers && test.null != .unknown
        case .optionalDate: test.knowsDates && test.null != .unknown
        case .optionalString: test.texts.isCertain && test.null != .unknown
        case .unsigned, .strings, .integers, .doubles: false
        }
    }
}

extension TextTest {
    /// Whether every string has an answer.
    var isCertain: Bool {
        switch operation {
        case .unknown, .expression: false
        case .never, .equal, .ordered, .prefix, .suffix, .contains, .tokens, .member: true
        }
    }
}

extension StoredType {
    /// The value stored at a place as plain data.
    func value(at place: UnsafeRawPointer) -> PredicateValue {
        switch self {
        case .integer: .integer(place.load(as: Int64.self))
        case .integer32: .integer(Int64(place.load(as: Int32.self)))
        case .integer16: .integer(Int64(place.load(as: Int16.self)))
        case .integer8: .integer(Int64(place.load(as: Int8.self)))
        case .unsigned: place.load(as: UInt64.self).predicateValue
        case .unsigned32: .integer(Int64(place.load(as: UInt32.self)))
        case .unsigned16: .integer(Int64(place.load(as: UInt16.self)))
        case .unsigned8: .integer(Int64(place.load(as: UInt8.self)))
        case .bool: .bool(place.load(as: Bool.self))
        case .double: .double(place.load(as: Double.self))
        case .float: .double(Double(place.load(as: Float.self)))
        case .date: .date(place.load(as: Date.self))
        case .string: .string(place.assumingMemoryBound(to: String.self).pointee)
        case .optionalInteger: place.load(as: Int64?.self).map(PredicateValue.integer) ?? .null
        case .optionalInteger32: place.load(as: Int32?.self).map { .integer(Int64($0)) } ?? .null
        case .optionalBool: place.load(as: Bool?.self).map(PredicateValue.bool) ?? .null
        case .optionalDouble: place.load(as: Double?.self).map(PredicateValue.double) ?? .null
        case .optionalDate: place.load(as: Date?.self).map(PredicateValue.date) ?? .null
        case .optionalString:
            place.assumingMemoryBound(to: String?.self).pointee.map(PredicateValue.string) ?? .null
        case .strings: .array(place.assumingMemoryBound(to: [String].self).pointee.map(PredicateValue.string))
        case .integers: .array(place.assumingMemoryBound(to: [Int].self).pointee.map { .integer(Int64($0)) })
        case .doubles: .array(place.assumingMemoryBound(to: [Double].self).pointee.map(PredicateValue.double))
        }
    }
}
