import Foundation
import PredicateEvaluation
import PredicateSyntax

/// An error of the reference: the code of the language's error.
package struct ReferenceError: Error, Hashable {
    package let name: EvaluationErrorName

    package init(_ name: EvaluationErrorName) {
        self.name = name
    }
}

/// The value of an expression in the reference: cases by what operators do with them, sharing no code with the library.
package indirect enum ReferenceValue {
    /// `nil`
    case null
    /// `<null>`: nil to every operator
    case nullObject
    /// `21`, `2.5`, `YES`
    case number(ReferenceNumber)
    /// `"jo"`
    case text(String)
    /// `CAST(0, "NSDate")`
    case date(Date)
    /// Data, UUIDs, URLs, classes, and expressions and predicates as constants: equal or not, and nothing else
    case plain(PredicateValue)
    /// `{1, 2}`
    case list([ReferenceValue], KeyedCollection.Kind)
    /// The keys with their values, in the order of the keys
    case dictionary([(key: ReferenceValue, value: ReferenceValue)])
    /// An object with keys.
    case object(any KeyValueCoding)

    package init(_ value: KeyedValue) {
        switch value {
        case .value(let plain): self.init(plain)
        case .object(let object as PredicateValue): self.init(object)
        case .object(let object as any DictionaryCoding): self = .dictionary(Self.pairs(object))
        case .object(let object): self = .object(object)
        case .collection(let collection): self = .list(collection.elements.map(Self.init), collection.kind)
        }
    }

    package init(_ value: PredicateValue) {
        switch value {
        case .null: self = .null
        case .nullObject: self = .nullObject
        case .bool(let value): self = .number(.integer(value ? 1 : 0))
        case .integer(let value): self = .number(.integer(value))
        case .double(let value): self = .number(.double(value))
        case .decimal(let value): self = .number(.decimal(value))
        case .string(let value): self = .text(value)
        case .date(let value): self = .date(value)
        case .data, .uuid, .url, .type, .expression, .predicate: self = .plain(value)
        case .array(let values): self = .list(values.map(Self.init), .array)
        case .orderedSet(let values): self = .list(values.map(Self.init), .orderedSet)
        case .set(let values): self = .list(values.map(Self.init), .set)
        case .dictionary(let entries): self = .dictionary(Self.pairs(entries.mapValues(KeyedValue.value)))
        case .object(let object): self.init(object.keyedValue)
        }
    }

    private static func pairs(_ entries: [String: KeyedValue]) -> [(key: ReferenceValue, value: ReferenceValue)] {
        entries.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
            .map { (.text($0.key), Self($0.value)) }
    }

    private static func pairs(_ object: any DictionaryCoding) -> [(key: ReferenceValue, value: ReferenceValue)] {
        if let entries = object.entries { return pairs(entries) }
        return object.orderedKeys.map { (Self($0), Self(object.value(for: $0) ?? .null)) }
    }

    /// The value as the host and the properties of single values take it.
    package var keyedValue: KeyedValue {
        switch self {
        case .null: .null
        case .nullObject: .value(.nullObject)
        case .number(let number): .value(number.value)
        case .text(let text): .value(.string(text))
        case .date(let date): .value(.date(date))
        case .plain(let value): .value(value)
        case .list(let elements, let kind): KeyedValue(elements: elements.map(\.keyedValue), kind: kind)
        case .dictionary(let pairs):
            KeyedValue(dictionary: pairs.map { ($0.key.keyedValue, $0.value.keyedValue) })
        case .object(let object): .object(object)
        }
    }
}

extension ReferenceValue {
    /// True for nil and `<null>`. [NSP-061]
    var isNull: Bool {
        switch self {
        case .null, .nullObject: true
        case .number, .text, .date, .plain, .list, .dictionary, .object: false
        }
    }

    var number: ReferenceNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The elements of an array or a set, not those of a dictionary.
    var list: [ReferenceValue]? {
        if case .list(let elements, _) = self { elements } else { nil }
    }

    var kind: KeyedCollection.Kind? {
        if case .list(_, let kind) = self { kind } else { nil }
    }

    /// The elements of an array that keeps an order.
    var orderedList: [ReferenceValue]? {
        kind == .set ? nil : list
    }

    /// The values of a dictionary with their keys.
    var pairs: [(key: ReferenceValue, value: ReferenceValue)]? {
        if case .dictionary(let pairs) = self { pairs } else { nil }
    }

    /// The elements that IN searches: those of a collection, or the values of a dictionary. [NSP-087]
    var elements: [ReferenceValue]? {
        list ?? pairs?.map(\.value)
    }

    /// The value of a dictionary's key, by its code points. [NSP-010]
    func entry(_ key: String) -> ReferenceValue? {
        entry(.text(key))
    }

    /// The value of the key of a dictionary that equals a value. [NSP-171]
    func entry(_ key: ReferenceValue) -> ReferenceValue? {
        pairs?.first { $0.key.equals(key) }?.value
    }
}

extension ReferenceValue {
    /// The values that `ANYKEY` asks, in the order of their keys: what has no keys itself. Nil where an object lists no
    /// keys. [NSP-179]
    var attributes: [ReferenceValue]? {
        switch self {
        case .dictionary(let pairs): return pairs.map(\.value).filter(\.isAttribute)
        case .object(let object):
            let keys = object.attributeKeys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            if keys.isEmpty, !object.toleratesMissingKeys { return nil }
            return keys.compactMap { object.value(forKey: $0) }.map(Self.init).filter(\.isAttribute)
        case .null, .nullObject, .number, .text, .date, .plain, .list: return []
        }
    }

    private var isAttribute: Bool { !hasKeys && list?.contains(where: \.hasKeys) != true }

    private var hasKeys: Bool {
        switch self {
        case .dictionary, .object: true
        case .null, .nullObject, .number, .text, .date, .plain, .list: false
        }
    }
}

extension ReferenceValue {
    /// Equality by value: numbers across their kinds, strings by code point, arrays in order, sets in none, no array
    /// to a set, objects by identity or their own `==`. [NSP-064] [NSP-080] [NSP-081]
    package func equals(_ other: ReferenceValue, level: Int = 0) -> Bool {
        switch (self, other) {
        case (.null, .null), (.null, .nullObject), (.nullObject, .null), (.nullObject, .nullObject): return true
        case (.number(let left), .number(let right)): return left.order(right) == 0
        case (.text(let left), .text(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)):
            return ReferenceNumber.order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate) == 0
        case (.plain(let left), .plain(let right)): return left == right
        case (.list(let left, let kind), .list(let right, let otherKind)):
            guard level < PredicateLimits.standard.nesting, kind == otherKind else { return false }
            return kind == .set ? Self.sameMembers(left, right) : Self.sameElements(left, right, level: level + 1)
        case (.dictionary(let left), .dictionary(let right)):
            guard level < PredicateLimits.standard.nesting, left.count == right.count else { return false }
            return left.allSatisfy { pair in other.entry(pair.key)?.equals(pair.value, level: level + 1) ?? false }
        case (.object, .object): return Self.isSame(keyedValue.hostObject, other.keyedValue.hostObject)
        case (_, _): return false
        }
    }

    private static func sameElements(_ left: [ReferenceValue], _ right: [ReferenceValue], level: Int) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.equals($1, level: level) }
    }

    private static func sameMembers(_ left: [ReferenceValue], _ right: [ReferenceValue]) -> Bool {
        let (left, right) = (left.distinct, right.distinct)
        return left.count == right.count && left.allSatisfy(right.has)
    }

    private static func isSame(_ left: Any?, _ right: Any?) -> Bool {
        guard let left, let right else { return false }
        if type(of: left) is AnyClass, type(of: right) is AnyClass, left as AnyObject === right as AnyObject {
            return true
        }
        return (left as? any Equatable).map { isEqual($0, right) } ?? false
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
        right as? Value == left
    }

    /// True if collections in it nest more than `limit` levels deep.
    func nests(past levels: Int) -> Bool {
        guard let elements else { return false }
        return levels == 0 || elements.contains { $0.nests(past: levels - 1) }
    }
}

extension [ReferenceValue] {
    /// True if one of the elements equals the value.
    func has(_ value: ReferenceValue) -> Bool {
        contains { $0.equals(value) }
    }

    /// Each element once, where it stands first.
    var distinct: [ReferenceValue] {
        reduce(into: []) { kept, value in if !kept.has(value) { kept.append(value) } }
    }
}
