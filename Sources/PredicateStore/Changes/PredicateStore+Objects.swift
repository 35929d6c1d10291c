import PredicateSQL
public import PredicateSyntax

extension PredicateStore {
    /// Changes an object, and returns it as it is then; the object that is given keeps its values.
    ///
    /// ```swift
    /// let done = try store.update(task, ["isDone": true, "tags": [urgent]])
    /// ```
    ///
    /// Values are as for ``insert(_:_:)``; an array for a to-many relationship takes the place of all its objects. Where the
    /// schema names a version, the object must not have been changed since it was read, and its version is counted up.
    ///
    /// Throws a ``StoreError``: `conflict` if the object was changed since, `noSuchObject` if it is not there any more,
    /// `countedKey` for a value of its version, and what ``insert(_:_:)`` throws. Nothing is changed then.
    @discardableResult
    public func update(_ object: StoredObject, _ values: ObjectValues) throws(StoreError) -> StoredObject {
        try change(object) { (change) throws(StoreError) in
            if let version = change.entity.versionKey, values.index(forKey: version) != nil {
                throw StoreError(.countedKey(version, entity: change.entity.name))
            }
            let given = try GivenValues(values, of: change.entity, in: core, isNew: false)
            try change.update(given.columns)
            for (key, objects) in given.related { try core.setRelated(key, of: change.entity, change.key, to: objects) }
        }
    }

    /// Adds objects to a to-many relationship: `try store.add([urgent], to: "tags", of: task)`.
    ///
    /// Returns the object as it is then, as ``update(_:_:)`` does. An object that is there already stays there once.
    @discardableResult
    public func add(
        _ objects: [any PredicateValueConvertible], to key: String, of object: StoredObject
    ) throws(StoreError) -> StoredObject {
        try change(object) { (change) throws(StoreError) in
            try change.update([:])
            try core.addRelated(key, of: change.entity, change.key, try keys(of: objects, key, change.entity))
        }
    }

    /// Removes objects from a to-many relationship: `try store.remove([urgent], from: "tags", of: task)`.
    ///
    /// Returns the object as it is then, as ``update(_:_:)`` does. The removed objects are not deleted, and those that are
    /// not there are none of its business.
    @discardableResult
    public func remove(
        _ objects: [any PredicateValueConvertible], from key: String, of object: StoredObject
    ) throws(StoreError) -> StoredObject {
        try change(object) { (change) throws(StoreError) in
            try change.update([:])
            try core.removeRelated(key, of: change.entity, change.key, try keys(of: objects, key, change.entity))
        }
    }

    /// Deletes an object by the delete rules of the schema, in one transaction.
    ///
    /// `try store.delete(task)`
    ///
    /// Where the schema names a version, the object must not have been changed since it was read. References from rows to
    /// which no rule applies are subject to the foreign keys of the file.
    ///
    /// Throws a ``StoreError``: `deletionDenied` by a rule, `conflict` and `noSuchObject` as ``update(_:_:)`` does. Nothing
    /// is deleted then.
    public func delete(_ object: StoredObject) throws(StoreError) {
        let change = try ObjectChange(object, in: self)
        try connection.transaction { () throws(StoreError) in
            try change.check()
            var deletion = Deletion(core)
            try deletion.add([change.key], of: change.entity)
            try deletion.run()
        }
    }

    private func change(
        _ object: StoredObject, _ body: (ObjectChange) throws(StoreError) -> Void
    ) throws(StoreError) -> StoredObject {
        let change = try ObjectChange(object, in: self)
        return try connection.transaction { () throws(StoreError) in
            try body(change)
            return try change.changedObject()
        }
    }

    private func keys(
        of objects: [any PredicateValueConvertible], _ key: String, _ entity: SQLEntity
    ) throws(StoreError) -> StoredKeys {
        let relationship = try entity.toMany(key)
        let values = objects.map { $0.predicateValue.withIdentities(in: core) }
        return try StoredKeys(.array(values), key, relationship.destination, core)
    }
}

/// A change of one object, in a transaction.
private struct ObjectChange {
    let entity: SQLEntity
    /// The primary key of the object.
    let key: SQLBinding
    private let object: StoredObject
    private let store: PredicateStore
    private let layout: EntityLayout

    init(_ object: StoredObject, in store: PredicateStore) throws(StoreError) {
        self.object = object
        self.store = store
        layout = try store.core.layout(object.id.entity)
        entity = layout.entity
        key = object.key
    }

    /// Gives columns values, and counts the version up. Throws if the object is not as it was read.
    func update(_ values: [String: PredicateValue]) throws(StoreError) {
        var values = values
        if let version = try version() { values[version.key] = .integer(version.value &+ 1) }
        guard !values.isEmpty else { return try check() }
        let query = try store.query(try asRead(), entity.name, [:], mode: .exact)
        let statement = try compiling { () throws(SQLCompilationError) in try query.update(values) }
        let count = try store.core.explainingConstraints(of: entity) { () throws(StoreError) in
            try store.connection.run(statement)
        }
        if count == 0 { throw try absence() }
    }

    /// Throws if the object is not as it was read.
    func check() throws(StoreError) {
        if try !store.exists(FetchRequest(entity.name, try asRead())) { throw try absence() }
    }

    /// The object with the values that it has now.
    func changedObject() throws(StoreError) -> StoredObject {
        guard let row = try store.core.row(layout, key: key) else { throw StoreError(.noSuchObject(object.id)) }
        return StoredObject(store.core, layout, key, row)
    }

    /// `SELF == … AND version == 3`
    private func asRead() throws(StoreError) -> FormatPredicate {
        let isObject = ExpressionNode.evaluatedObject.isEqual(to: object.id)
        guard let version = entity.versionKey else { return isObject }
        let value = try object.value(of: version) ?? .null
        return isObject && ExpressionNode.keyPath(KeyPathExpression([.key(version)])).isEqual(to: value)
    }

    /// The version that the object had when it was read, 0 for nil; nil for an entity without versions.
    private func version() throws(StoreError) -> (key: String, value: Int64)? {
        guard let key = entity.versionKey else { return nil }
        guard case .integer(let value)? = try object.value(of: key) else { return (key, 0) }
        return (key, value)
    }

    private func absence() throws(StoreError) -> StoreError {
        let isThere = try store.core.row(layout, key: key) != nil
        return StoreError(isThere ? .conflict(object.id) : .noSuchObject(object.id))
    }
}

extension SQLEntity {
    /// A to-many relationship. Throws the error of a key that is none.
    func toMany(_ key: String) throws(StoreError) -> SQLRelationship {
        if let relationship = relationships[key], relationship.isToMany { return relationship }
        let names = relationships.filter(\.value.isToMany).keys
        let code = SQLCompilationError.Code.unknownKey(
            key, entity: name, nearMisses: NearMiss.candidates(for: key, among: names))
        throw StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
    }
}
