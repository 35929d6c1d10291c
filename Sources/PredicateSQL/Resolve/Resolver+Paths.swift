import PredicateSyntax

extension Resolver {
    /// The resolved form of a key path.
    func resolve(_ keyPath: KeyPathExpression, _ path: TreePath) throws(Fault) -> Resolved {
        if let name = keyPath.singleKey, !name.isOperator { return try step(name, from: .object(root), path) }
        var found: Resolved = .object(root)
        if let base = keyPath.base { found = try resolve(base, path.child(0)) }
        var keys: [String] = []
        for component in keyPath.components { keys += try self.keys(of: component, path) }
        if keyPath.base == nil, !resultNames.isEmpty { keys = joiningResultName(keys) }
        guard keys.count <= limits.pathKeys else { throw Fault(excess(.pathKeys), at: path) }
        guard keys.count <= limits.nesting || keys.count(where: \.isOperator) <= limits.nesting else {
            throw Fault(.nestingTooDeep(limit: limits.nesting), at: path)
        }
        return try follow(keys[...], from: found, path)
    }

    /// A variable in a path stands for keys.
    private func keys(of component: KeyPathExpression.Component, _ path: TreePath) throws(Fault) -> [String] {
        switch component {
        case .key(let name): return [name]
        case .variable(let name):
            guard case .constant(.string(let text)) = try variable(name, path) else {
                throw Fault(.expected(.key, found: "the variable $\(name)"), at: path)
            }
            return KeyPathExpression.keys(of: text)
        }
    }

    func follow(_ keys: ArraySlice<String>, from start: Resolved, _ path: TreePath) throws(Fault) -> Resolved {
        var found = start
        var rest = keys
        while let key = rest.first {
            if found.isNil { return found }
            if let length = try elementLength(of: rest, in: found, path) {
                found = try step(rest.prefix(length).joined(separator: "."), from: found, path)
                rest = rest.dropFirst(length)
                continue
            }
            rest = rest.dropFirst()
            // A key of an object may look like an operator, which objects have not.
            if key.isOperator, !found.isObject(with: key) {
                guard let `operator` = CollectionOperator(rawValue: key), `operator`.hasSQL else {
                    throw Fault(.property(key), at: path)
                }
                return try apply(`operator`, rest, to: found, path)
            }
            found = try step(key, from: found, path)
        }
        return found
    }

    /// The number of keys that lead to an element of a composite attribute, `address.street`, which is one column; nil where
    /// the first key is one by itself. Throws for a composite attribute as a whole, and for an element that is not there.
    private func elementLength(
        of keys: ArraySlice<String>, in start: Resolved, _ path: TreePath
    ) throws(Fault) -> Int? {
        guard let reference = start.objectReference, reference.hasElements, let first = keys.first,
            reference.property(first) == nil, reference.entity.isComposite(first)
        else { return nil }
        for length in 1...keys.count {
            let name = keys.prefix(length).joined(separator: ".")
            if reference.property(name) != nil { return length }
            guard reference.entity.isComposite(name) else {
                throw Fault(schema.schema.missingKey(name, of: reference.entity), at: path)
            }
        }
        throw Fault(.property(keys.joined(separator: ".")), at: path)
    }

    private func step(_ key: String, from start: Resolved, _ path: TreePath) throws(Fault) -> Resolved {
        if key == "self" { return start }
        switch start {
        case .object(let object): return try step(key, from: object, path)
        case .value(let value): return .value(try property(key, of: value, path))
        case .collection(let collection): return try step(key, from: collection, path)
        case .choice(let test, let left, let right):
            return .choice(test, try step(key, from: left, path), try step(key, from: right, path))
        case .constant(.dictionary(let entries)): return .constant(entries[key] ?? .null)
        case .constant(let constant):
            guard let value = value(of: constant) else { throw Fault(.property(key), at: path) }
            return .value(try property(key, of: value, path))
        case .list, .combined: throw Fault(.collectionValue, at: path)
        }
    }

    /// A key of an object: one of its columns, or other objects.
    func step(_ key: String, from object: ObjectForm, _ path: TreePath) throws(Fault) -> Resolved {
        guard let property = object.reference.property(key) else {
            // SQL has no dictionaries.
            if object.reference.hasElements, object.entity.isComposite(key) { throw Fault(.property(key), at: path) }
            throw Fault(schema.schema.missingKey(key, of: object.entity), at: path)
        }
        switch property {
        case .attribute(let attribute): return .value(try value(attribute, of: object, path))
        case .toOne(let name, let column):
            let destination = try entity(name, path)
            let key = ColumnForm(alias: row(of: object), column: column, isNullable: true)
            return .object(ObjectForm(destination, key: key, mayBeNil: true, alias: nil, scope: object.scope))
        case .toMany(let name, _), .manyToMany(let name, _, _, _):
            return .collection(collection(key, property, try entity(name, path), of: object))
        }
    }

    private func value(
        _ attribute: AttributeReference, of object: ObjectForm, _ path: TreePath
    ) throws(Fault) -> Value {
        if attribute.isPrimaryKey, object.alias == nil, attribute.kind == object.reference.primaryKeyKind,
            attribute.guardedAffinity == nil
        {
            return object.keyValue
        }
        if case .any = attribute.kind, !useOfAnyKind.takes(attribute) {
            throw Fault(.mixedKinds(attribute.column.name.text), at: path)
        }
        let isNullable = object.mayBeNil || attribute.isNullable
        let column = ColumnForm(
            alias: row(of: object), column: attribute.column, isNullable: isNullable)
        guard let affinity = attribute.guardedAffinity else {
            return Value(form: .column(column), kind: attribute.kind, mayBeNil: isNullable)
        }
        let name = parameter(.text(attribute.column.name.text), .text)
        let textColumn = ColumnForm(alias: column.alias, column: attribute.textColumn, isNullable: isNullable)
        let guarded = GuardedColumn(
            column: column, kind: attribute.kind, affinity: affinity, name: name, textColumn: textColumn)
        return Value(form: .guarded(guarded), kind: attribute.kind, mayBeNil: isNullable)
    }

    /// The row of an object, looked up by its key where it is not at hand.
    private func row(of object: ObjectForm) -> Int {
        if let alias = object.alias { return alias }
        return object.scope.lookUp(object.key, in: object.reference.rows, by: object.reference.primaryKey) {
            newAlias()
        }
    }
}

extension Resolved {
    /// The entity whose keys can follow; nil for values.
    fileprivate var objectReference: EntityReference? {
        switch self {
        case .object(let object): object.reference
        case .collection(let collection):
            if case .object(let object) = collection.element { object.reference } else { nil }
        case .constant, .value, .list, .choice, .combined: nil
        }
    }

    /// True for an object that has a key.
    fileprivate func isObject(with key: String) -> Bool {
        if case .object(let object) = self { object.reference.property(key) != nil } else { false }
    }
}

extension KeyPathExpression.Component {
    /// `@count`
    var isOperator: Bool {
        switch self {
        case .key(let name): name.isOperator
        case .variable: false
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
