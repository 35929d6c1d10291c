import PredicateSQL
public import PredicateSyntax

/// The values of an object by key, for inserting and updating.
public typealias ObjectValues = [String: (any PredicateValueConvertible)?]

extension PredicateStore {
    /// Inserts an object, and returns it as it is then: with its new primary key and the defaults of its columns.
    ///
    /// ```swift
    /// let task = try store.insert("Task", ["title": "Buy milk", "owner": ann, "tags": [urgent, fun]])
    /// task.id.key     // .integer(7)
    /// ```
    ///
    /// Keys are attributes and relationships; those that lead to objects take a ``StoredObject``, an `SQLObjectID` or nil,
    /// to-many ones an array of them. A key that is not given has the default of its column; a version begins at 1.
    ///
    /// Throws a ``StoreError``: `compilation` for an unknown entity or key and for a value of the wrong kind, `missingValue`
    /// where the schema or the file does not allow nil, for the primary key too, `noSuchObject` for a related object that
    /// is not there, `sqlite(.constraint, …)` for any other constraint of the file. Nothing is inserted then.
    @discardableResult
    public func insert(_ entity: String, _ values: ObjectValues) throws(StoreError) -> StoredObject {
        var insertion = try Insertion(self, entity)
        return try connection.transaction { () throws(StoreError) in try insertion.insertObject(values) }
    }

    /// Inserts many objects in one transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try store.insert("Person", rows: names.lazy.map { ["name": $0] }, returning: .count)
    /// ```
    ///
    /// The sequence is read one row at a time. Rows that give values for the same keys use one prepared statement.
    ///
    /// Throws a ``StoreError`` as ``insert(_:_:)`` does.
    @discardableResult
    public func insert(
        _ entity: String, rows: some Sequence<ObjectValues>, returning kind: ChangeReport.Kind = .nothing
    ) throws(StoreError) -> ChangeReport {
        var insertion = try Insertion(self, entity)
        return try connection.transaction { () throws(StoreError) in
            var (count, keys) = (0, [PredicateValue]())
            for row in rows {
                let key = try insertion.insert(row)
                count += 1
                if kind == .primaryKeys { keys.append(insertion.entity.primaryKeyType.value(of: key)) }
            }
            switch kind {
            case .nothing: return .nothing
            case .count: return .count(count)
            case .primaryKeys: return .primaryKeys(keys)
            }
        }
    }
}

/// The insertion of objects of one entity, one after another, in a transaction.
private struct Insertion {
    let entity: SQLEntity
    private let core: StoreCore
    private let layout: EntityLayout
    /// The last statement, and the keys that it gives values.
    private var last: (keys: [String], text: InsertStatement, statement: RepeatedStatement)?

    init(_ store: PredicateStore, _ name: String) throws(StoreError) {
        core = store.core
        layout = try core.layout(name)
        entity = layout.entity
    }

    /// Inserts an object and returns it.
    mutating func insertObject(_ values: ObjectValues) throws(StoreError) -> StoredObject {
        let key = try insert(values)
        guard let row = try core.row(layout, key: key) else { throw StoreError(.noSuchObject(id(key))) }
        return StoredObject(core, layout, key, row)
    }

    private func id(_ key: SQLBinding) -> SQLObjectID {
        SQLObjectID(entity.name, key: entity.primaryKeyType.value(of: key))
    }

    /// Inserts an object and returns its primary key.
    mutating func insert(_ values: ObjectValues) throws(StoreError) -> SQLBinding {
        let given = try GivenValues(values, of: entity, in: core)
        let key = try core.explainingConstraints(of: entity) { () throws(StoreError) in try run(given) }
        // A table whose primary key is no rowid takes NULL for one.
        guard let key, key != .null else {
            throw StoreError(.missingValue(key: entity.primaryKey, entity: entity.name))
        }
        for (relationship, objects) in given.related {
            try core.setRelated(relationship, of: entity, key, to: objects)
        }
        return key
    }

    /// Runs the statement for the keys of some values, the last one if it has the same.
    private mutating func run(_ given: GivenValues) throws(StoreError) -> SQLBinding? {
        if let last, last.keys.count == given.columns.count, last.keys.allSatisfy({ given.columns[$0] != nil }) {
            return try last.statement.run(try Self.bindings(last.text, given))
        }
        let keys = given.columns.keys.sorted()
        let text = try compiling { () throws(SQLCompilationError) in
            try InsertStatement(core.compiler, entity.name, keys: keys, returningKey: true)
        }
        let bindings = try Self.bindings(text, given)
        let statement = try RepeatedStatement(core.connection, SQLFragment(text.text, bindings: bindings))
        last = (keys, text, statement)
        return try statement.run(bindings)
    }

    private static func bindings(_ text: InsertStatement, _ given: GivenValues) throws(StoreError) -> [SQLBinding] {
        try compiling { () throws(SQLCompilationError) in try text.bindings { given.columns[$0] ?? .null } }
    }
}
