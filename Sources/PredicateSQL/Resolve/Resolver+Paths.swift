import PredicateSyntax

extension Resolver {
    /// What the keys of a path lead to.
    func resolve(_ path: KeyPathExpression, _ place: Place) throws(Fault) -> Resolved {
        var found: Resolved = .object(root)
        if let base = path.base { found = try resolve(base, place.child(0)) }
        if path.components.count == 1, case .key(let name) = path.components[0], !found.isNil, !name.isOperator {
            return try step(name, from: found, place)
        }
        var keys: [String] = []
        for component in path.components { keys += try self.keys(of: component, place) }
        guard keys.count <= limits.nesting else {
            throw Fault(.nestingTooDeep(limit: limits.nesting), at: place)
        }
        return try follow(keys[...], from: found, place)
    }

    /// A variable in a path stands for keys.
    private func keys(of component: KeyPathComponent, _ place: Place) throws(Fault) -> [String] {
        switch component {
        case .key(let name): return [name]
        case .variable(let name):
            guard case .constant(.string(let text)) = try variable(name, place) else {
                throw Fault(.expected("a key", found: "the variable $\(name)"), at: place)
            }
            return text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
    }

    func follow(_ keys: ArraySlice<String>, from start: Resolved, _ place: Place) throws(Fault) -> Resolved {
        var found = start
        for (index, key) in zip(keys.indices, keys) {
            if found.isNil { return found }
            if key.isOperator {
                guard let `operator` = CollectionOperator(rawValue: key) else {
                    throw Fault(.property(key), at: place)
                }
                return try apply(`operator`, keys[(index + 1)...], to: found, place)
            }
            found = try step(key, from: found, place)
        }
        return found
    }

    private func step(_ key: String, from start: Resolved, _ place: Place) throws(Fault) -> Resolved {
        if key == "self" { return start }
        switch start {
        case .object(let object): return try step(key, from: object, place)
        case .value(let value): return .value(try property(key, of: value, place))
        case .collection(let collection): return try step(key, from: collection, place)
        case .choice(let test, let left, let right):
            return .choice(test, try step(key, from: left, place), try step(key, from: right, place))
        case .constant(.dictionary(let entries)): return .constant(entries[key] ?? .null)
        case .constant(let constant):
            guard let value = value(of: constant) else { throw Fault(.property(key), at: place) }
            return .value(try property(key, of: value, place))
        case .list, .combined: throw Fault(.collectionValue, at: place)
        }
    }

    /// A key of an object: one of its columns, or other objects.
    func step(_ key: String, from object: ObjectForm, _ place: Place) throws(Fault) -> Resolved {
        if let attribute = object.entity.attributes.exactly(key) {
            return .value(try column(attribute, key, of: object, place))
        }
        guard let relationship = object.entity.relationships.exactly(key) else {
            throw Fault(unknownKey(key, object.entity), at: place)
        }
        let destination = try entity(relationship.destination, place)
        switch relationship {
        case .toOne(_, let column):
            let alias = try row(of: object, place)
            let key = ColumnForm(alias: alias, name: column, isNullable: true)
            return .object(ObjectForm(destination, key: key, mayBeNil: true, alias: nil, scope: object.scope))
        case .toMany, .manyToMany:
            return .collection(try collection(key, relationship, destination, of: object, place))
        }
    }

    private func unknownKey(_ key: String, _ entity: SQLEntity) -> SQLCompilationError.Code {
        let names = Array(entity.attributes.keys) + entity.relationships.keys
        return .unknownKey(key, entity: entity.name, nearMisses: NearMiss.candidates(for: key, among: names))
    }

    private func column(
        _ attribute: SQLAttribute, _ key: String, of object: ObjectForm, _ place: Place
    ) throws(Fault) -> Value {
        let name = attribute.column ?? key
        let isOwnKey = name.hasSameCodePoints(as: object.entity.primaryKey)
        if isOwnKey, object.alias == nil, ValueKind(attribute.type) == ValueKind(object.entity.primaryKeyType) {
            return object.keyValue
        }
        let isNullable = object.mayBeNil || (attribute.isNullable && !isOwnKey)
        let column = ColumnForm(
            alias: try row(of: object, place), name: name, isNullable: isNullable, collation: attribute.collation)
        return Value(form: .column(column), kind: ValueKind(attribute.type), mayBeNil: isNullable)
    }

    /// The row of an object, looked up by its key where it is not at hand.
    private func row(of object: ObjectForm, _ place: Place) throws(Fault) -> Int {
        try check(object.key.alias, place)
        if let alias = object.alias { return alias }
        return object.scope.lookUp(object.key, in: object.entity.table, by: object.entity.primaryKey) {
            newAlias(level: object.scope.level)
        }
    }
}

extension String {
    /// `@count`
    fileprivate var isOperator: Bool { utf8.first == UInt8(ascii: "@") }
}

extension Dictionary where Key == String {
    /// The entry whose key has the same code points.
    func exactly(_ key: String) -> Value? {
        guard let index = index(forKey: key), self[index].key.hasSameCodePoints(as: key) else { return nil }
        return self[index].value
    }
}
