package import PredicateSQL
public import PredicateSyntax

extension ObjectStore {
    /// Updates an object and returns it with its new values. The given object keeps its old values.
    ///
    /// ```swift
    /// let done = try store.update(task, ["isDone": true, "tags": [urgent]])
    /// ```
    ///
    /// Values are as for ``insert(_:_:)``. An array for a to-many relationship replaces all of its objects. If the schema
    /// declares a version key, the object must not have changed since it was read, and its version is incremented.
    ///
    /// Throws a ``StoreError``: `conflict` if the object has changed since it was read, `noSuchObject` if it no longer exists,
    /// `managedVersion` if the values contain its version key, and the errors of ``insert(_:_:)``. After an error nothing is
    /// changed.
    @discardableResult
    public func update(_ object: StoredObject, _ values: ObjectValues) throws(StoreError) -> StoredObject {
        try change(object) { (change) throws(StoreError) in
            if let version = change.entity.versionKey, values.index(forKey: version) != nil {
                throw StoreError(.managedVersion(version, entity: change.entity.name))
            }
            let given = try AssignedValues(values, of: change.entity, in: core, isNew: false)
            try change.update(given.columns)
            for (key, objects) in given.related {
                try RelatedRows(change.entity, key, core).set(objects, of: change.key)
            }
        }
    }

    /// Adds objects to a to-many relationship: `try store.add([urgent], to: "tags", of: task)`.
    ///
    /// Returns the object with its new values, as ``update(_:_:)`` does. Adding an object that is already related has
    /// no effect.
    @discardableResult
    public func add(
        _ objects: [any PredicateValueConvertible], to key: String, of object: StoredObject
    ) throws(StoreError) -> StoredObject {
        try change(object) { (change) throws(StoreError) in
            try change.update([:])
            let rows = try RelatedRows(change.entity, key, core)
            try rows.add(try keys(of: objects, key, change.entity), to: change.key)
        }
    }

    /// Removes objects from a to-many relationship: `try store.remove([urgent], from: "tags", of: task)`.
    ///
    /// Returns the object with its new values, as ``update(_:_:)`` does. The removed objects are not deleted; objects
    /// that are not related are ignored.
    @discardableResult
    public func remove(
        _ objects: [any PredicateValueConvertible], from key: String, of object: StoredObject
    ) throws(StoreError) -> StoredObject {
        try change(object) { (change) throws(StoreError) in
            try change.update([:])
            let rows = try RelatedRows(change.entity, key, core)
            for object in try keys(of: objects, key, change.entity).list { try rows.remove(object, from: change.key) }
        }
    }

    /// Deletes an object by the delete rules of the schema, in one transaction.
    ///
    /// `try store.delete(task)`
    ///
    /// If the schema declares a version key, the object must not have changed since it was read. References without a
    /// delete rule are subject to the foreign keys of the file.
    ///
    /// Throws a ``StoreError``: `deletionDenied` if a rule forbids it, `conflict` and `noSuchObject` as ``update(_:_:)`` does.
    /// After an error nothing is deleted.
    public func delete(_ object: StoredObject) throws(StoreError) {
        let change = try ObjectChange(object, in: self)
        try connection.transaction { () throws(StoreError) in
            try change.check()
            var deletion = CascadingDeletion(core)
            try deletion.add([change.key], of: change.entity)
            try deletion.checkDenials()
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
    ) throws(StoreError) -> PrimaryKeySet {
        let relationship = try entity.toMany(key)
        let values = objects.map { $0.predicateValue.withIdentities(in: core) }
        return try PrimaryKeySet(.array(values), key, relationship.destination, core)
    }
}

/// A change to one object in a transaction, with the check of its version.
private struct ObjectChange {
    let entity: SQLEntity
    /// The primary key of the object.
    let key: SQLBinding
    private let object: StoredObject
    private let store: ObjectStore
    private let layout: EntityLayout

    init(_ object: StoredObject, in store: ObjectStore) throws(StoreError) {
        self.object = object
        self.store = store
        layout = try store.core.layout(object.id.entity)
        entity = layout.entity
        key = object.key
    }

    /// Assigns columns and increments the version. Throws if the object has changed since it was read.
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

    /// Throws if the object has changed since it was read.
    func check() throws(StoreError) {
        if try !store.exists(PredicateFetchRequest(entity.name, try asRead())) { throw try absence() }
    }

    /// The object with its current values.
    func changedObject() throws(StoreError) -> StoredObject {
        guard let row = try store.core.row(layout, key: key) else { throw StoreError(.noSuchObject(object.id)) }
        return StoredObject(store.core, layout, key, row)
    }

    /// The predicate that selects the object in the version that was read: `SELF == … AND version == 3`
    private func asRead() throws(StoreError) -> FormatPredicate {
        let isObject = ExpressionNode.evaluatedObject.isEqual(to: object.id)
        guard let version = entity.versionKey else { return isObject }
        let value = try object.value(of: version) ?? .null
        return isObject && ExpressionNode.keyPath(KeyPathExpression([.key(version)])).isEqual(to: value)
    }

    /// The object's version when it was read (0 for NULL); nil for an entity without a version key.
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
    /// A to-many relationship. Throws `unknownKey` for any other key.
    func toMany(_ key: String) throws(StoreError) -> SQLRelationship {
        if let relationship = relationships[key], relationship.isToMany { return relationship }
        let names = relationships.filter(\.value.isToMany).keys
        let code = SQLCompilationError.Code.unknownKey(
            key, entity: name, nearMisses: NearMiss.candidates(for: key, among: names))
        throw StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
    }
}

extension SQLEntity {
    /// `"version" = COALESCE("version", 0) + 1`; nil for an entity without a version key.
    var versionIncrement: SQLText? {
        versionKey.flatMap { key in attributes[key].map { .incremented($0.column ?? key) } }
    }

    /// True if a delete rule applies to objects of this entity.
    var hasDeleteRules: Bool { relationships.values.contains { $0.deleteRule != .noAction } }
}

extension SQLText {
    /// `"version" = COALESCE("version", 0) + 1`
    package static func incremented(_ column: String) -> SQLText {
        "\(name: column) = COALESCE(\(name: column), 0) + 1"
    }
}
