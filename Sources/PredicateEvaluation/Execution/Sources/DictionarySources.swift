import Foundation
import PredicateSyntax

/// The keys of a dictionary of data, one inside the other: `dept.name` of a JSON row. A missing one is nil.
final class ValueSource: Source {
    private let first: String
    private let rest: [String]
    private let isDictionary: Bool

    /// Of `[String: PredicateValue]`, or of a `PredicateValue` that is a dictionary.
    init(_ first: String, _ rest: [String], isDictionary: Bool) {
        self.first = first
        self.rest = rest
        self.isDictionary = isDictionary
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        guard let value = value(object) else { return .unknown }
        return test.pointee.answer(value)
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        value(object).flatMap { NumericValue($0) }
    }

    private func value(_ object: UnsafeRawPointer) -> PredicateValue? {
        start(object)?.entry(rest)
    }

    private func start(_ object: UnsafeRawPointer) -> PredicateValue? {
        guard isDictionary else {
            return object.assumingMemoryBound(to: PredicateValue.self).withValue { $0.entry(first) }
        }
        return object.assumingMemoryBound(to: [String: PredicateValue].self).withValue { dictionary in
            dictionary[first] ?? .null
        }
    }
}

/// The value itself: `$t BEGINSWITH "s"` of an element of plain data.
final class OwnValueSource: Source {
    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        object.assumingMemoryBound(to: PredicateValue.self).withValue { test.pointee.answer($0) }
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        object.assumingMemoryBound(to: PredicateValue.self).withValue { NumericValue($0) }
    }
}

extension PredicateValue {
    /// What is found by following keys from dictionary to dictionary; nil where one is none.
    @inline(__always)
    func entry(_ keys: [String]) -> PredicateValue? {
        guard let first = keys.first else { return self }
        var value = entry(first)
        for key in keys.dropFirst() { value = value?.entry(key) }
        return value
    }

    /// The value of a key of a dictionary; nil of what is no dictionary.
    @inline(__always)
    fileprivate func entry(_ key: String) -> PredicateValue? {
        switch self {
        case .dictionary(let entries): entries[key] ?? .null
        case .null, .nullObject: .null
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .expression, .predicate:
            nil
        }
    }
}

/// The keys of a dictionary of anything, one inside the other.
///
/// No value is cast: what is in the dictionary is opened once, and its type compared with those that are likely.
final class AnyDictionarySource: Source {
    private let key: String
    private let next: AnyDictionarySource?

    init(_ first: String, _ rest: ArraySlice<String>) {
        self.key = first
        self.next = rest.first.map { AnyDictionarySource($0, rest.dropFirst()) }
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        guard let value = value(in: object) else { return test.pointee.null }
        return answer(of: value, test)
    }

    private func answer<Value>(of value: Value, _ test: UnsafePointer<LeafTest>) -> Answer {
        withUnsafePointer(to: value) { pointer in
            let place = UnsafeRawPointer(pointer)
            if let next {
                return Value.self == [String: Any].self ? next.answer(place, test) : .unknown
            }
            return Self.answer(at: place, Value.self, test)
        }
    }

    @inline(__always)
    private static func answer(
        at place: UnsafeRawPointer, _ type: any Any.Type, _ test: UnsafePointer<LeafTest>
    ) -> Answer {
        if type == String.self { return test.pointee.texts.answer(at: place.assumingMemoryBound(to: String.self)) }
        if type == Int.self { return test.pointee.answer(Int64(place.load(as: Int.self))) }
        if type == Double.self { return test.pointee.answer(place.load(as: Double.self)) }
        if type == Bool.self { return test.pointee.answer(place.load(as: Bool.self)) }
        if type == Date.self { return test.pointee.answer(place.load(as: Date.self)) }
        if type == [String].self { return test.answer(place.assumingMemoryBound(to: [String].self)) }
        if type == PredicateValue.self {
            return test.pointee.answer(place.assumingMemoryBound(to: PredicateValue.self).pointee.keyedValue)
        }
        return .unknown
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        value(in: object).flatMap { number(of: $0) }
    }

    private func value(in object: UnsafeRawPointer) -> Any? {
        object.assumingMemoryBound(to: [String: Any].self).withValue { $0[key] }
    }

    private func number<Value>(of value: Value) -> NumericValue? {
        withUnsafePointer(to: value) { pointer in
            let place = UnsafeRawPointer(pointer)
            if let next { return Value.self == [String: Any].self ? next.number(place) : nil }
            if Value.self == Int.self { return NumericValue(Int64(place.load(as: Int.self))) }
            if Value.self == Double.self { return NumericValue(place.load(as: Double.self)) }
            if Value.self == Bool.self { return NumericValue(place.load(as: Bool.self)) }
            return nil
        }
    }
}
