import CPredicateSQLite
internal import PredicateSQL
public import PredicateSyntax

/// The values of an object by key, for inserting and updating.
public typealias ObjectValues = [String: (any PredicateValueConvertible)?]

extension ObjectStore {
    /// Inserts an object and returns it with its new primary key and the defaults of its columns.
    ///
    /// ```swift
    /// let task = try store.insert("Task", ["title": "Buy milk", "owner": ann, "tags": [urgent, fun]])
    /// task.id.key     // .integer(7)
    /// ```
    ///
    /// Keys are attributes and relationships. A to-one relationship takes a ``StoredObject``, an `SQLObjectID` or nil; a
    /// to-many relationship takes an array of them. An omitted key gets the default of its column. A version starts at 1.
    ///
    /// Throws a ``StoreError``: `compilation` for an unknown entity or key and for a value of the wrong type, `missingValue`
    /// for nil if the schema or the file does not allow it (the primary key included), `noSuchObject` for a related object that
    /// does not exist, `sqlite(.constraint, …)` for any other constraint of the file. After an error nothing is inserted.
    @discardableResult
    public func insert(_ entity: String, _ values: ObjectValues) throws(StoreError) -> StoredObject {
        var insertion = try EntityInsertion(self, entity)
        return try connection.transaction { () throws(StoreError) in try insertion.insertObject(values) }
    }

    /// Inserts many objects in one transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try store.insert("Person", rows: names.lazy.map { ["name": $0] }, returning: .count)
    /// ```
    ///
    /// The sequence is read one row at a time. Rows with the same keys share one prepared statement.
    ///
    /// Throws a ``StoreError`` as ``insert(_:_:)`` does.
    @discardableResult
    public func insert(
        _ entity: String, rows: some Sequence<ObjectValues>, returning kind: ChangeReport.Kind = .nothing
    ) throws(StoreError) -> ChangeReport {
        var insertion = try EntityInsertion(self, entity)
        return try connection.transaction { () throws(StoreError) in
            var (count, keys) = (0, [PredicateValue]())
            for row in rows {
                let key = try insertion.insert(row)
                count += 1
                if kind == .primaryKeys { keys.append(insertion.entity.primaryKeyType.value(of: key)) }
            }
            return ChangeReport(kind, count: count) { keys }
        }
    }
}

/// Inserts objects of one entity one after another, in a transaction.
private struct EntityInsertion {
    let entity: SQLEntity
    private let core: StoreCore
    private let layout: EntityLayout
    /// The last statement, with the keys that it assigns.
    private var last: (keys: [String], text: InsertStatement, statement: RepeatedStatement)?

    init(_ store: ObjectStore, _ name: String) throws(StoreError) {
        core = store.core
        layout = try core.layout(name)
        entity = layout.entity
    }

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
        let given = try AssignedValues(values, of: entity, in: core)
        let key = try core.explainingConstraints(of: entity) { () throws(StoreError) in try run(given) }
        // A table whose primary key is not the rowid accepts NULL as a key.
        guard let key, key != .null else {
            throw StoreError(.missingValue(key: entity.primaryKey, entity: entity.name))
        }
        for (relationship, objects) in given.related {
            try RelatedRows(entity, relationship, core).set(objects, of: key)
        }
        return key
    }

    /// Runs the INSERT statement for the keys of the given values; reuses the last statement if the keys are the same.
    private mutating func run(_ given: AssignedValues) throws(StoreError) -> SQLBinding? {
        if let last, last.keys.count == given.columns.count, last.keys.allSatisfy({ given.columns[$0] != nil }) {
            return try last.statement.run(try Self.bindings(last.text, given))
        }
        let keys = given.columns.keys.sorted()
        let text = try compiling { () throws(SQLCompilationError) in
            try InsertStatement(core.compiler, entity.name, keys: keys, returningKey: true)
        }
        let bindings = try Self.bindings(text, given)
        let statement = try RepeatedStatement(core.connection, SQLFragment(verbatim: text.text, bindings: bindings))
        last = (keys, text, statement)
        return try statement.run(bindings)
    }

    private static func bindings(_ text: InsertStatement, _ given: AssignedValues) throws(StoreError) -> [SQLBinding] {
        try compiling { () throws(SQLCompilationError) in try text.bindings { given.columns[$0] ?? .null } }
    }
}

/// The values that a change assigns to an object, split into columns and to-many relationships.
struct AssignedValues {
    /// The values of attributes and to-one relationships, with object IDs in place of objects.
    var columns: [String: PredicateValue] = [:]
    /// The primary keys of related objects, by key.
    private(set) var related: [(key: String, objects: PrimaryKeySet)] = []

    /// Throws `missingValue` for nil if the schema does not allow it, `compilation` for objects of the wrong entity.
    init(_ values: ObjectValues, of entity: SQLEntity, in core: StoreCore, isNew: Bool = true) throws(StoreError) {
        for (key, value) in values {
            let value = value?.predicateValue.withIdentities(in: core) ?? .null
            if let relationship = entity.relationships[key], relationship.isToMany {
                related.append((key, try PrimaryKeySet(value, key, relationship.destination, core)))
            } else {
                columns[key] = value
            }
        }
        try entity.checkNil(columns)
        if isNew, let version = entity.versionKey, columns[version] == nil { columns[version] = 1 }
    }
}

extension PrimaryKeySet {
    /// The primary keys of the objects that a value for a to-many relationship contains.
    init(_ value: PredicateValue, _ key: String, _ destination: String, _ core: StoreCore) throws(StoreError) {
        let layout = try core.layout(destination)
        guard let elements = value.listedObjects else { throw Self.wrongKind(value, key, destination) }
        for element in elements {
            guard case .object(let object) = element, let id = object.base as? SQLObjectID,
                id.entity.hasSameCodePoints(as: destination),
                let key = layout.entity.primaryKeyType.binding(of: id.key)
            else { throw Self.wrongKind(element, key, destination) }
            insert(key)
        }
    }

    private static func wrongKind(_ value: PredicateValue, _ key: String, _ destination: String) -> StoreError {
        let code = SQLCompilationError.Code.valueKind(
            key: key, expected: "SQLObjectIDs of \(destination)", found: value.identityWords ?? value.kindName)
        return StoreError(.compilation(SQLCompilationError(code)))
    }
}

extension SQLEntity {
    /// Throws `missingValue` for nil if the schema does not allow it.
    func checkNil(_ values: [String: PredicateValue]) throws(StoreError) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where value == .null || value == .nullObject {
            guard let attribute = attributes[key], !attribute.isNullable else { continue }
            throw StoreError(.missingValue(key: key, entity: name))
        }
    }
}

extension PredicateValue {
    /// The elements of a value for a to-many relationship: a single object or a collection; empty for nil, and nil
    /// for values of other kinds.
    package var listedObjects: [PredicateValue]? {
        switch self {
        case .null, .nullObject: []
        case .array(let elements), .orderedSet(let elements): elements
        case .set(let elements): Array(elements)
        case .object: [self]
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .dictionary, .expression,
            .predicate:
            nil
        }
    }
}

extension StoreCore {
    /// Runs a change of an entity's rows. If SQLite reports a NOT NULL constraint, throws `missingValue` with the key.
    func explainingConstraints<Result>(
        of entity: SQLEntity, _ work: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try explaining(work)
        } catch {
            guard case .sqlite(_, SQLITE_CONSTRAINT_NOTNULL) = error.code,
                let key = entity.key(ofColumn: error.message)
            else { throw error }
            throw error.with(.missingValue(key: key, entity: entity.name))
        }
    }
}

/// The extended result code of `NOT NULL constraint failed: task.title`; in C it is a macro that Swift does not import.
private let SQLITE_CONSTRAINT_NOTNULL = SQLITE_CONSTRAINT | (5 << 8)

extension SQLEntity {
    /// The key of the column at the end of SQLite's message.
    fileprivate func key(ofColumn message: String) -> String? {
        let columns =
            attributes.map { ($0.key, $0.value.column ?? $0.key) }
            + relationships.compactMap { key, relationship in
                if case .toOne(let column) = relationship.kind { (key, column) } else { nil }
            }
        return columns.sorted { $0.1.utf8.count > $1.1.utf8.count }.first { message.hasSuffix("." + $0.1) }?.0
    }
}
