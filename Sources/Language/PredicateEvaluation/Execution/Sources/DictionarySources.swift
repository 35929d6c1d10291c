import Foundation
import PredicateSyntax

/// Nested keys of a dictionary of data: `dept.name` of a JSON row. A missing key is nil.
final class ValueSource: Source {
    private let first: String
    private let rest: [String]
    private let isDictionary: Bool
    /// True if a plain dictionary lookup finds these keys and no canonically equivalent ones.
    private let findsExactKeys: Bool

    /// Makes the source for `[String: PredicateValue]`, or for a `PredicateValue` that is a dictionary.
    init(_ first: String, _ rest: [String], isDictionary: Bool) {
        self.first = first
        self.rest = rest
        self.isDictionary = isDictionary
        findsExactKeys = first.isItsOnlySpelling && rest.allSatisfy(\.isItsOnlySpelling)
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        guard let value = value(of: object) else { return .unknown }
        return test.pointee.result(of: value)
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        value(of: object).flatMap { NumericValue($0) }
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        start(object)?.entry(rest, findsExactKeys)
    }

    private func start(_ object: UnsafeRawPointer) -> PredicateValue? {
        guard isDictionary else {
            return object.assumingMemoryBound(to: PredicateValue.self).withValue { $0.entry(first, findsExactKeys) }
        }
        return object.assumingMemoryBound(to: [String: PredicateValue].self).withValue { dictionary in
            (findsExactKeys ? dictionary[first] : dictionary.rareValue(exactly: first)) ?? .null
        }
    }
}

/// The value itself: `$t BEGINSWITH "s"` for an element of plain data.
final class OwnValueSource: Source {
    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        object.assumingMemoryBound(to: PredicateValue.self).withValue { test.pointee.result(of: $0) }
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        object.assumingMemoryBound(to: PredicateValue.self).withValue { NumericValue($0) }
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        object.assumingMemoryBound(to: PredicateValue.self).pointee
    }
}

extension PredicateValue {
    /// Returns the value at the end of nested keys; nil if a key is applied to a value other than a dictionary.
    @inline(__always)
    func entry(_ keys: [String], _ findsExactKeys: Bool) -> PredicateValue? {
        guard let first = keys.first else { return self }
        var value = entry(first, findsExactKeys)
        for key in keys.dropFirst() { value = value?.entry(key, findsExactKeys) }
        return value
    }

    /// Returns the value of a key of a dictionary; nil for any other value.
    @inline(__always)
    fileprivate func entry(_ key: String, _ findsExactKeys: Bool) -> PredicateValue? {
        switch self {
        case .dictionary(let entries): (findsExactKeys ? entries[key] : entries.rareValue(exactly: key)) ?? .null
        case .null, .nullObject: .null
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .expression, .predicate:
            nil
        }
    }
}

/// Nested keys of a dictionary of any values.
///
/// Values are not cast: the existential is opened once, and its type is compared with the likely ones.
final class AnyDictionarySource: Source {
    private let key: String
    private let next: AnyDictionarySource?
    private let findsExactKeys: Bool

    init(_ first: String, _ rest: ArraySlice<String>) {
        self.key = first
        findsExactKeys = first.isItsOnlySpelling
        self.next = rest.first.map { AnyDictionarySource($0, rest.dropFirst()) }
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        guard let value = value(in: object) else { return test.pointee.null }
        return result(of: value, test)
    }

    private func result<Value>(of value: Value, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        withUnsafePointer(to: value) { pointer in
            let address = UnsafeRawPointer(pointer)
            if let next {
                return Value.self == [String: Any].self ? next.result(for: address, test) : .unknown
            }
            return Self.result(at: address, Value.self, test)
        }
    }

    @inline(__always)
    private static func result(
        at address: UnsafeRawPointer, _ type: any Any.Type, _ test: UnsafePointer<LeafTest>
    ) -> LeafResult {
        if type == String.self { return test.pointee.texts.result(at: address.assumingMemoryBound(to: String.self)) }
        if type == Int.self { return test.pointee.result(integer: Int64(address.load(as: Int.self))) }
        if type == Double.self { return test.pointee.result(double: address.load(as: Double.self)) }
        if type == Bool.self { return test.pointee.result(bool: address.load(as: Bool.self)) }
        if type == Date.self { return test.pointee.result(date: address.load(as: Date.self)) }
        if type == [String].self { return test.result(ofStrings: address.assumingMemoryBound(to: [String].self)) }
        if type == PredicateValue.self {
            return test.pointee.result(ofKeyed: address.assumingMemoryBound(to: PredicateValue.self).pointee.keyedValue)
        }
        return .unknown
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        value(in: object).flatMap { number(of: $0) }
    }

    override func value(of object: UnsafeRawPointer) -> PredicateValue? {
        guard let value = value(in: object) else { return .null }
        guard let next else { return KeyedValue(bridging: value).predicateValue }
        return (value as? [String: Any]).flatMap { value in withUnsafePointer(to: value) { next.value(of: $0) } }
    }

    private func value(in object: UnsafeRawPointer) -> Any? {
        object.assumingMemoryBound(to: [String: Any].self).withValue {
            findsExactKeys ? $0[key] : $0.rareValue(exactly: key)
        }
    }

    private func number<Value>(of value: Value) -> NumericValue? {
        withUnsafePointer(to: value) { pointer in
            let address = UnsafeRawPointer(pointer)
            if let next { return Value.self == [String: Any].self ? next.number(of: address) : nil }
            if Value.self == Int.self { return NumericValue(Int64(address.load(as: Int.self))) }
            if Value.self == Double.self { return NumericValue(address.load(as: Double.self)) }
            if Value.self == Bool.self { return NumericValue(address.load(as: Bool.self)) }
            return nil
        }
    }
}

extension Dictionary where Key == String {
    /// Returns the value of a key that is compared by code points. It is not inlined, since few keys need it.
    @inline(never)
    fileprivate func rareValue(exactly key: String) -> Value? {
        value(exactly: key)
    }
}

/// The value itself: `$t BEGINSWITH "s"` for an element of a flat list.
final class OwnFlatSource: Source {
    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        test.result(ofFlat: object.assumingMemoryBound(to: FlatValue.self).pointee)
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        NumericValue(object.assumingMemoryBound(to: FlatValue.self).pointee)
    }
}

extension UnsafePointer<LeafTest> {
    /// Returns the result for a value in the input.
    @inline(__always)
    func result(ofFlat value: FlatValue) -> LeafResult {
        switch value {
        case .opaque: .unknown
        case .null: pointee.null
        case .bool(let value): pointee.result(bool: value)
        case .integer(let value): pointee.result(integer: value)
        case .double(let value): pointee.result(double: value)
        case .date(let seconds): pointee.result(date: Date(timeIntervalSinceReferenceDate: seconds))
        case .text(let bytes): textResult(bytes)
        case .list(let elements): listResult(elements)
        }
    }

    @inline(__always)
    private func textResult(_ bytes: UnsafeBufferPointer<UInt8>) -> LeafResult {
        let result = pointee.texts.result(of: bytes)
        return result == .unknown && pointee.texts.operation == .pattern ? stringResult(bytes) : result
    }

    /// A regular expression that the automaton does not decide requires a String.
    @inline(never)
    private func stringResult(_ bytes: UnsafeBufferPointer<UInt8>) -> LeafResult {
        pointee.result(text: String(decoding: bytes, as: UTF8.self))
    }

    @inline(never)
    private func listResult(_ elements: UnsafeBufferPointer<FlatValue>) -> LeafResult {
        pointee.lists.result(elements) { $0.result(ofFlat: $1.pointee) }
    }
}

extension NumericValue {
    /// Makes the number of a flat value; nil for any other value.
    init?(_ value: FlatValue) {
        switch value {
        case .bool(let value): self.init(value)
        case .integer(let value): self.init(value)
        case .double(let value): self.init(value)
        case .null, .date, .text, .list, .opaque: return nil
        }
    }
}
