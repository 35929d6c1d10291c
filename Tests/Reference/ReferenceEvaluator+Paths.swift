import PredicateEvaluation
import PredicateSyntax

/// Key paths: one key after another, through objects, dictionaries, collections and the properties of values.
extension ReferenceEvaluator {
    mutating func value(_ path: KeyPathExpression, flattens: Bool) throws(ReferenceError) -> ReferenceValue {
        let start = if let base = path.base { try value(base) } else { object }
        var keys: [String] = []
        for component in path.components {
            switch component {
            case .key(let key): keys.append(key)
            case .variable(let name):
                // [NSP-137]
                guard let key = try value(ofVariable: name).text else { throw ReferenceError(.notAKey) }
                keys.append(key)
            }
        }
        if keys.count > limits.nesting { throw ReferenceError(.nestingTooDeep) }
        return try follow(keys[...], from: start, flattens)
    }

    /// nil anywhere gives nil. [NSP-108]
    mutating func follow(
        _ keys: ArraySlice<String>, from start: ReferenceValue, _ flattens: Bool = false
    ) throws(ReferenceError) -> ReferenceValue {
        var value = start
        for (place, key) in zip(keys.indices, keys) {
            if value.isNull { return .null }
            if key.utf8.elementsEqual("self".utf8) { continue }
            guard key.utf8.first == UInt8(ascii: "@") else {
                value = try self.value(ofKey: key, in: value, flattens, level: 0)
                continue
            }
            if Self.collectionOperators.contains(key) {
                return try apply(key, to: value, keys[(place + 1)...], flattens)
            }
            value = try Self.entryLikeOperator(key, in: value)
        }
        return value
    }

    /// Keys that only a dictionary or an object may have: `@owner`. [NSP-116]
    private static func entryLikeOperator(
        _ key: String, in receiver: ReferenceValue
    ) throws(ReferenceError) -> ReferenceValue {
        if let entry = receiver.entry(key) { return entry }
        if case .object(let object) = receiver, let value = object.value(forKey: key) { return ReferenceValue(value) }
        throw ReferenceError(.unknownCollectionOperator)
    }

    /// The value of one key. [NSP-107] [NSP-109] [NSP-110]
    private mutating func value(
        ofKey key: String, in receiver: ReferenceValue, _ flattens: Bool, level: Int
    ) throws(ReferenceError) -> ReferenceValue {
        switch receiver {
        case .null, .nullObject: return .null
        case .dictionary: return receiver.entry(key) ?? .null
        case .object(let object):
            if let value = object.value(forKey: key) { return ReferenceValue(value) }
            if object.toleratesMissingKeys { return .null }
            if let obstacle = Self.obstacle(to: key, in: receiver.keyedValue.hostObject) { throw obstacle }
            if let value = try property(key, of: receiver) { return value }
            throw ReferenceError(.undefinedKey)
        case .list(let elements, let kind):
            if let value = Self.ownProperty(key, of: elements, kind), !elements.contains(where: { $0.hasOwn(key) }) {
                return value
            }
            return try mapped(key, over: elements, kind, flattens, level: level + 1)
        case .number, .text, .date, .plain:
            guard let value = try property(key, of: receiver) else { throw ReferenceError(.undefinedKey) }
            return value
        }
    }

    /// What reflection cannot read: the state of an actor, and a lazy property that nothing has read. [NSP-174]
    private static func obstacle(to key: String, in host: Any?) -> ReferenceError? {
        guard let host, !(host is any KeyValueCoding) else { return nil }
        if host is any Actor { return ValueProperty(rawValue: key) == nil ? ReferenceError(.isolatedKey) : nil }
        var level: Mirror? = Mirror(reflecting: host)
        while let mirror = level {
            if let storage = mirror.children.first(where: { $0.label == "$__lazy_storage_$_" + key }) {
                return Mirror(reflecting: storage.value).children.isEmpty ? ReferenceError(.unreadLazyKey) : nil
            }
            level = mirror.superclassMirror
        }
        return nil
    }

    /// A key through a collection is asked of each element: arrays keep nil as `<null>`, sets drop it.
    private mutating func mapped(
        _ key: String, over elements: [ReferenceValue], _ kind: KeyedCollection.Kind, _ flattens: Bool, level: Int
    ) throws(ReferenceError) -> ReferenceValue {
        if level >= limits.nesting { throw ReferenceError(.nestingTooDeep) }
        try spend(elements.count)
        var values: [ReferenceValue] = []
        for element in elements {
            let value = try value(ofKey: key, in: element, flattens, level: level)
            if value.isNull {
                if kind != .set { values.append(.nullObject) }
            } else if flattens, let inner = value.list {
                values += inner
            } else {
                values.append(value)
            }
        }
        return .list(kind == .array ? values : values.distinct, kind)
    }

    /// A property that values have without being asked to: those of single values are Foundation's, by name.
    func property(_ key: String, of receiver: ReferenceValue) throws(ReferenceError) -> ReferenceValue? {
        if case .list(let elements, let kind) = receiver, let value = Self.ownProperty(key, of: elements, kind) {
            return value
        }
        if let pairs = receiver.pairs, let value = Self.ownProperty(key, of: pairs) { return value }
        if key == "description" { try checkDescription(of: receiver) }
        return ValueProperty(rawValue: key)?.value(of: receiver.keyedValue).map(ReferenceValue.init)
    }

    /// The value of a key of the collection itself, used if no element has a key of that name.
    private static func ownProperty(
        _ key: String, of elements: [ReferenceValue], _ kind: KeyedCollection.Kind
    ) -> ReferenceValue? {
        switch key {
        case "count": .number(.integer(Int64(elements.count)))
        case "firstObject", "anyObject": elements.first ?? .null
        case "lastObject": elements.last ?? .null
        case "allObjects", "array": .list(elements, .array)
        case "set": .list(elements.distinct, .set)
        default: nil
        }
    }

    private static func ownProperty(
        _ key: String, of pairs: [(key: ReferenceValue, value: ReferenceValue)]
    ) -> ReferenceValue? {
        switch key {
        case "count": .number(.integer(Int64(pairs.count)))
        case "allKeys": .list(pairs.map(\.key), .array)
        case "allValues": .list(pairs.map(\.value), .array)
        default: nil
        }
    }

}

extension ReferenceValue {
    /// True for an object or a dictionary that has the key itself.
    fileprivate func hasOwn(_ key: String) -> Bool {
        if case .object(let object) = self { return object.value(forKey: key) != nil }
        return entry(key) != nil
    }
}

/// Collection operators: they take the rest of the path for each element. [NSP-113] [NSP-114] [NSP-115]
extension ReferenceEvaluator {
    private static let collectionOperators: Set<String> = [
        "@count", "@sum", "@avg", "@min", "@max", "@unionOfObjects", "@distinctUnionOfObjects", "@unionOfArrays",
        "@distinctUnionOfArrays", "@unionOfSets", "@distinctUnionOfSets", "@allKeys", "@allValues",
    ]

    private mutating func apply(
        _ name: String, to receiver: ReferenceValue, _ rest: ArraySlice<String>, _ flattens: Bool
    ) throws(ReferenceError) -> ReferenceValue {
        if name == "@allKeys" || name == "@allValues" {
            guard let pairs = receiver.pairs else { throw ReferenceError(.notACollection) }
            let found = ReferenceValue.list(pairs.map(name == "@allKeys" ? \.key : \.value), .array)
            return try follow(rest, from: found, flattens)
        }
        guard let elements = receiver.elements else { throw ReferenceError(.notACollection) }
        if name == "@count" { return try follow(rest, from: .number(.integer(Int64(elements.count))), flattens) }
        if name.hasSuffix("Arrays") || name.hasSuffix("Sets") {
            var found: [ReferenceValue] = []
            for collection in try leaves(receiver, rest, flattens) where !collection.isNull {
                guard let inner = collection.elements else { throw ReferenceError(.notACollection) }
                try spend(inner.count)
                found += inner
            }
            return try Self.union(found, name, name.hasSuffix("Sets") ? .set : .array)
        }
        let leaves = try leaves(receiver, rest, flattens)
        if name.hasSuffix("Objects") { return try Self.union(leaves, name, receiver.kind ?? .array) }
        return try Self.summary(name, of: leaves)
    }

    /// The values of the rest of the path, one for each element.
    private mutating func leaves(
        _ receiver: ReferenceValue, _ rest: ArraySlice<String>, _ flattens: Bool
    ) throws(ReferenceError) -> [ReferenceValue] {
        guard let elements = receiver.elements else { throw ReferenceError(.notACollection) }
        try spend(elements.count)
        var leaves: [ReferenceValue] = []
        for element in elements { leaves.append(try follow(rest, from: element, flattens)) }
        return leaves
    }

    private static func union(
        _ leaves: [ReferenceValue], _ name: String, _ kind: KeyedCollection.Kind
    ) throws(ReferenceError) -> ReferenceValue {
        let present = leaves.filter { !$0.isNull }
        if name.hasPrefix("@distinct"), present.cannotBeToldApart { throw ReferenceError(.notEquatable) }
        return .list(name.hasPrefix("@distinct") || kind != .array ? present.distinct : present, kind)
    }

    /// One value of many. nil counts as 0 in a sum, and as an element where the mean is taken.
    private static func summary(
        _ name: String, of leaves: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue {
        let present = leaves.filter { !$0.isNull }
        switch name {
        case "@sum":
            return .number(try sum(of: numbers(present)))
        case "@avg": return leaves.isEmpty ? .null : .number(try mean(of: numbers(present), over: leaves.count))
        default:
            var best: ReferenceValue?
            for leaf in present {
                let order = try order(leaf, best ?? leaf, .none)
                if best == nil || order == (name == "@min" ? -1 : 1) { best = leaf }
            }
            return best ?? .null
        }
    }

    private static func number(_ value: ReferenceValue) throws(ReferenceError) -> ReferenceNumber {
        guard let number = value.number else { throw ReferenceError(.notANumber) }
        return number
    }

    private static func numbers(_ values: [ReferenceValue]) throws(ReferenceError) -> [ReferenceNumber] {
        var numbers: [ReferenceNumber] = []
        for value in values { numbers.append(try number(value)) }
        return numbers
    }
}
