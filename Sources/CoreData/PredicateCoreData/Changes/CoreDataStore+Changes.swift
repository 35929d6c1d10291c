import PredicateModel
public import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// Changes of a writable store. Every change increments the version of the object and updates both ends of a
/// relationship.
extension CoreDataStore {
    /// Inserts an object and returns its ID.
    ///
    /// `let id = try store.insert("ToDo", ["title": "Buy milk", "due": tomorrow, "category": home])`
    ///
    /// An omitted key gets the model's default. A to-one relationship takes an `SQLObjectID`, a `StoredObject` or
    /// nil; a to-many relationship takes an array of them. Throws a ``CoreDataError``: `missingValue`,
    /// `invalidValue`, `abstractEntity`, `store`.
    @discardableResult
    public func insert(_ entity: String, _ values: ObjectValues) throws(CoreDataError) -> SQLObjectID {
        let writer = try ObjectWriter(self)
        return try saving { () throws(CoreDataError) in
            let key = try writer.insert(entity, values.mapValues { $0?.predicateValue ?? .null })
            return SQLObjectID(entity, key: .integer(key))
        }
    }

    /// Inserts many objects in one transaction: all of them or, after an error, none.
    ///
    /// `try store.insert("ToDo", rows: names.lazy.map { ["title": $0] }, returning: .count)`
    ///
    /// The sequence is read one row at a time, and all rows use the same statement. Throws a ``CoreDataError`` as
    /// ``insert(_:_:)`` does.
    @discardableResult
    public func insert(
        _ entity: String, rows: some Sequence<ObjectValues>, returning kind: ChangeReport.Kind = .nothing
    ) throws(CoreDataError) -> ChangeReport {
        var (count, keys) = (0, [PredicateValue]())
        var rows = rows.makeIterator()
        try insert(entity) {
            rows.next()
        } inserted: { key in
            count += 1
            if kind == .primaryKeys { keys.append(.integer(key)) }
        }
        return ChangeReport(kind, count: count) { keys }
    }

    /// Inserts objects in one transaction until `next` returns nil. `inserted` is called with each new primary key.
    package func insert(
        _ entity: String, next: () throws(CoreDataError) -> ObjectValues?, inserted: (Int64) -> Void
    ) throws(CoreDataError) {
        let writer = try ObjectWriter(self)
        try savingMany { () throws(CoreDataError) in
            let insertion = try ObjectInsertion(writer, entity)
            insertion.reservesMore = true
            var first: Int64? = try writer.derived.isEmpty ? 0 : nil
            while let row = try next() {
                let key = try insertion.insert(row.mapValues { $0?.predicateValue ?? .null })
                if first == nil {
                    first = key
                    pendingChanges.beginImport(of: entity, at: key)
                }
                inserted(key)
            }
            try insertion.releaseKeys()
            if let first, first > 0 { try writer.finishImport([(entity, first)]) }
        }
    }

    /// Updates an object: `try store.update(id, ["lastAlertDate": now])`
    ///
    /// Throws a ``CoreDataError`` as ``insert(_:_:)`` does.
    public func update(_ id: SQLObjectID, _ values: ObjectValues) throws(CoreDataError) {
        let writer = try ObjectWriter(self)
        try saving { () throws(CoreDataError) in
            try writer.update(try objectKey(id), values.mapValues { $0?.predicateValue ?? .null })
        }
    }

    /// Updates several objects in one transaction: all of them or, after an error, none.
    ///
    /// `try store.update(due.map { ($0.id, ["lastAlertDate": now]) })`
    public func update(_ changes: [(id: SQLObjectID, values: ObjectValues)]) throws(CoreDataError) {
        try transaction { () throws(CoreDataError) in
            for change in changes { try update(change.id, change.values) }
        }
    }

    /// Updates the objects that match a predicate, in one transaction.
    ///
    /// `try store.update("ToDo", ["isDone": true], where: FormatPredicate("due < %@", today), returning:
    /// .primaryKeys)`
    ///
    /// The version of every object is incremented. Throws a ``CoreDataError`` as ``insert(_:_:)`` does.
    @discardableResult
    public func update(
        _ entity: String, _ values: ObjectValues, where predicate: FormatPredicate,
        variables: PredicateVariables = [:], returning kind: ChangeReport.Kind = .nothing
    ) throws(CoreDataError) -> ChangeReport {
        let writer = try ObjectWriter(self)
        let values = try CompositeValues(model, entity).split(values.mapValues { $0?.predicateValue ?? .null })
        return try savingMany { () throws(CoreDataError) in
            let ids = try matching(entity, predicate, variables)
            try writer.checkKeys(values, try writer.stored(entity).schema)
            let isDerived = try !writer.derived.isEmpty
            if isDerived || values.keys.contains(where: { schema.entities[entity]?.attributes[$0] == nil }) {
                for id in ids { try writer.update(try objectKey(id), values) }
            } else {
                try writer.updateAll(entity, ids, try writer.columns(values, of: entity))
                try writer.keepDigits(values, of: entity, ids.compactMap { $0.integerKey })
            }
            return ChangeReport(kind, count: ids.count) { ids.map(\.key) }
        }
    }

    /// Deletes the objects that match a predicate by the delete rules of the model, in one transaction.
    ///
    /// `try store.delete("ToDo", where: FormatPredicate("isDone == YES"), returning: .count)`
    ///
    /// The report covers the matching objects only, not those that a cascade deletes. Throws a ``CoreDataError``:
    /// `store` with `deletionDenied` by a rule.
    @discardableResult
    public func delete(
        _ entity: String, where predicate: FormatPredicate, variables: PredicateVariables = [:],
        returning kind: ChangeReport.Kind = .nothing
    ) throws(CoreDataError) -> ChangeReport {
        let writer = try ObjectWriter(self)
        return try saving { () throws(CoreDataError) in
            let ids = try matching(entity, predicate, variables)
            try writer.delete(ids.compactMap(\.integerKey), of: entity)
            try writer.validate()
            return ChangeReport(kind, count: ids.count) { ids.map(\.key) }
        }
    }

    /// Sets a value of the ``metadata``; nil removes it.
    ///
    /// `try store.setMetadata(true, for: "due dates are moved")`
    ///
    /// In a transaction, the metadata and the other changes are written together. Throws a ``CoreDataError``:
    /// `unreadableMetadata` for a value that a property list cannot contain.
    public func setMetadata(_ value: (any PredicateValueConvertible)?, for key: String) throws(CoreDataError) {
        let writer = try ObjectWriter(self)
        var changed = metadata
        changed.values[key] = value?.predicateValue
        let row = changed.row(try changed.data())
        try saving { () throws(CoreDataError) in try writer.run(row) }
        metadataCell.withLock { $0 = changed }
    }

    /// Runs changes in a transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try store.transaction { () throws(CoreDataError) in
    ///     guard store.metadata.values["moved"] == nil else { return }
    ///     try store.update("ToDo", ["due": nextMonth], where: isLate)
    ///     try store.setMetadata(true, for: "moved")
    /// }
    /// ```
    ///
    /// Mandatory relationships and the minimum and maximum counts of relationships are validated at the end, so that
    /// objects that require each other can be inserted one after the other.
    @discardableResult
    public func transaction<Result>(
        _ body: () throws(CoreDataError) -> Result
    ) throws(CoreDataError) -> Result {
        try saving { () throws(CoreDataError) in
            // This makes the change in `body` a nested one.
            let result = try saving(body)
            try ObjectWriter(self).validate()
            return result
        }
    }

    /// Runs a change of many objects in a transaction. If the model has derived attributes, they are computed at its end.
    private func savingMany<Result>(_ body: () throws(CoreDataError) -> Result) throws(CoreDataError) -> Result {
        try pendingChanges.derived.isEmpty ? saving(body) : transaction(body)
    }

    /// Runs one change in a transaction.
    @discardableResult
    func saving<Result>(_ body: () throws(CoreDataError) -> Result) throws(CoreDataError) -> Result {
        guard let changing else { throw CoreDataError(.readOnly) }
        let before = metadata
        func work() throws(CoreDataError) -> Result {
            try storing { () throws(StoreError) in
                try changing.connection.transactionResult {
                    Swift.Result { () throws(CoreDataError) in try save(body) }
                }
            }.get()
        }
        do throws(CoreDataError) {
            guard let xml else { return try work() }
            return try xml.changing(changing.connection, work)
        } catch {
            metadataCell.withLock { $0 = before }
            if !changing.connection.isInTransaction { pendingChanges.forget() }
            throw error
        }
    }

    /// Runs one change, then writes the history and the file of an XML store.
    private func save<Result>(_ body: () throws(CoreDataError) -> Result) throws(CoreDataError) -> Result {
        let result = try keepingHistory(body)
        try saveXML()
        return result
    }

    // MARK: - Objects

    private func matching(
        _ entity: String, _ predicate: FormatPredicate, _ variables: PredicateVariables
    ) throws(CoreDataError) -> [SQLObjectID] {
        guard let changing else { throw CoreDataError(.readOnly) }
        return try storing { () throws(StoreError) in
            try changing.fetchIDs(PredicateFetchRequest(entity, predicate, variables: variables))
        }
    }

    /// The object's own entity (not a superentity) and its primary key.
    func objectKey(_ id: SQLObjectID) throws(CoreDataError) -> ObjectKey {
        guard case .integer(let key) = id.key else { throw CoreDataError(.store(StoreError(.noSuchObject(id)))) }
        return ObjectKey(entity: try concreteEntity(of: id.entity, key), key: key)
    }
}

extension ObjectWriter {
    /// Assigns the same attribute values to many objects.
    func updateAll(
        _ entity: String, _ ids: [SQLObjectID], _ columns: [ColumnValue]
    ) throws(CoreDataError) {
        guard let table = store.layout.entities[entity]?.table else { return }
        let assignments = columns.map { SQLText.assignment($0.name, $0.value) } + [.incrementedVersion]
        let update = SQLText.update("\(name: table)", assignments)
        if store.pendingHistory != nil {
            for id in ids { recordHistory(.update(try store.objectKey(id), columns.map(\.key))) }
        }
        try run("\(update) WHERE Z_PK IN \(SQLText.keys(ids.compactMap(\.integerKey)))")
    }
}
