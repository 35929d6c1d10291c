import Foundation
import PredicateAgreement
@_spi(Dialect) import PredicateSQL
import PredicateSyntax

/// The shape of the objects of a record, where they are rows of tables: keys with values, with other objects, and with lists
/// of these.
///
/// `{"name": "jo", "boss": {"age": 7}, "phones": [{"number": "1"}]}`
struct RecordShape: Hashable {
    /// The types of columns; nil where only nil was seen.
    var attributes: [String: SQLType?] = [:]
    var objects: [String: RecordShape] = [:]
    var lists: [String: RecordShape] = [:]

    /// The shape of an object; nil for one that is no row.
    init?(_ object: PredicateValue, _ traits: RecordTypes) {
        guard case .dictionary(let entries) = object, !entries.keys.contains(where: \.isEmpty) else { return nil }
        for (key, value) in entries {
            guard add(value, key, traits) else { return nil }
        }
    }

    private init() {}

    private mutating func add(_ value: PredicateValue, _ key: String, _ types: RecordTypes) -> Bool {
        switch value {
        case .null: attributes.updateValue(nil, forKey: key)
        case .dictionary:
            guard let shape = RecordShape(value, types) else { return false }
            objects[key] = shape
        case .array(let elements) where types.type(of: value) != nil && !elements.isEmpty:
            attributes[key] = types.type(of: value)
        case .array(let elements):
            guard let shape = Self.shape(of: elements, types) else { return false }
            lists[key] = shape
        default:
            guard let type = types.type(of: value) else { return false }
            attributes[key] = type
        }
        return true
    }

    /// Lists are sets of rows: nil would drop out of what their keys lead to, so that every element has every key.
    private static func shape(of elements: [PredicateValue], _ types: RecordTypes) -> RecordShape? {
        var whole: RecordShape?
        for element in elements {
            guard let shape = RecordShape(element, types), !shape.attributes.values.contains(nil) else { return nil }
            guard whole == nil || whole == shape else { return nil }
            whole = shape
        }
        return whole ?? RecordShape()
    }

    /// The shape of rows of both shapes; nil if a key holds values of two kinds.
    func merged(with other: RecordShape) -> RecordShape? {
        if hasKeysAlike(other) { return nil }
        var result = self
        for (key, type) in other.attributes {
            let known = result.attributes[key] ?? nil
            if let known, let type, known != type { return nil }
            result.attributes.updateValue(known ?? type, forKey: key)
        }
        for (key, shape) in other.objects {
            guard let merged = (result.objects[key] ?? shape).merged(with: shape) else { return nil }
            result.objects[key] = merged
        }
        for (key, shape) in other.lists {
            // A list of none says nothing about its elements.
            let known = result.lists[key] ?? shape
            guard known == shape || known == RecordShape() || shape == RecordShape() else { return nil }
            result.lists[key] = known == RecordShape() ? shape : known
        }
        return result.settled
    }

    /// True if a key of one is canonically equivalent to a key of the other and yet another one.
    private func hasKeysAlike(_ other: RecordShape) -> Bool {
        let own = Set(allKeys.map { Array($0.utf8) })
        return other.allKeys.contains { key in allKeys.contains(key) && !own.contains(Array(key.utf8)) }
    }

    private var allKeys: [String] { Array(attributes.keys) + objects.keys + lists.keys }

    /// Without the nils of keys that hold objects in other rows; nil for a key that holds a list, which is never nil.
    private var settled: RecordShape? {
        var result = self
        for key in Array(objects.keys) {
            if let type = result.attributes.removeValue(forKey: key), type != nil { return nil }
        }
        let isMixed = lists.keys.contains { attributes.keys.contains($0) || objects.keys.contains($0) }
        return isMixed ? nil : result
    }

    /// True if a row of this shape lacks a list that rows of another have: it is nil there, and no rows.
    func lacksList(of other: RecordShape) -> Bool {
        !Set(other.lists.keys).isSubset(of: lists.keys)
    }

    /// True if a key holds nothing but nil.
    var hasUnknownTypes: Bool {
        attributes.values.contains(nil) || objects.values.contains(where: \.hasUnknownTypes)
    }

    /// The shape with a type for keys that hold nothing but nil.
    func filled(with type: SQLType) -> RecordShape {
        var result = self
        result.attributes = attributes.mapValues { $0 ?? type }
        result.objects = objects.mapValues { $0.filled(with: type) }
        return result
    }
}

/// The columns in which an engine keeps the values of records.
struct RecordTypes {
    let traits: EngineTraits
    let dialect: any SQLDialect

    /// The type of a column for a value; nil of one that no column of the engine holds as it is.
    func type(of value: PredicateValue) -> SQLType? {
        guard let type = plainType(of: value), let cell = Cell(storing: value, type), traits.held(cell) == cell else {
            return nil
        }
        return type
    }

    private func plainType(of value: PredicateValue) -> SQLType? {
        switch value {
        case .bool: .boolean
        case .integer: .integer
        case .double(let value): value.isNaN ? nil : .double
        case .decimal(let value): value.isNaN ? nil : .decimal
        // SQLite's functions for texts stop at U+0000.
        case .string(let text): text.utf8.contains(0) ? nil : .string
        case .date(let date): .date(date.isMicrosecond && dialect.timestamps != nil ? .timestamp : .since2001)
        case .data: .data
        case .uuid: .uuid
        case .array(let elements): arrayType(of: elements)
        case .null, .nullObject, .url, .type, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            nil
        }
    }

    /// The type of an array of strings or integers.
    private func arrayType(of elements: [PredicateValue]) -> SQLType? {
        let types = Set(elements.filter { $0 != .null }.map(plainType))
        guard let element = types.first ?? .string, types.count < 2, element == .string || element == .integer else {
            return nil
        }
        return .array(element, dialect.arrays)
    }
}

extension SQLDialect {
    /// The storage of arrays: the database's own type, or JSON.
    var arrays: SQLType.ArrayStorage {
        text(of: .elements(of: "a", .string, .native, as: "t")) == nil ? .json : .native
    }
}
