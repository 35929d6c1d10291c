internal import PredicateSQL
public import PredicateSyntax

/// The outcome of a change to many objects. A change that fails throws an error instead.
///
/// The cases correspond to the result types of `NSBatchInsertResult`, `NSBatchUpdateResult` and `NSBatchDeleteResult`: status
/// only, count, object IDs.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ChangeReport: Hashable, Sendable {
    /// No details: the change succeeded.
    case nothing
    /// The number of changed objects.
    case count(Int)
    /// The primary keys of the changed objects. For inserted objects, in the order of the rows.
    case primaryKeys([PredicateValue])

    /// The kind of report to return.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Only success.
        case nothing
        /// The number of changed objects.
        case count
        /// The primary keys of the changed objects.
        case primaryKeys
    }

    /// A report of a change. `keys` is called only for the kind `primaryKeys`.
    package init(_ kind: Kind, count: Int, keys: () -> [PredicateValue]) {
        switch kind {
        case .nothing: self = .nothing
        case .count: self = .count(count)
        case .primaryKeys: self = .primaryKeys(keys())
        }
    }
}

extension ObjectStore {
    /// Updates the objects that match a predicate, in one transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try store.update("Task", ["isDone": true], where: FormatPredicate("due < %@", today), returning: .count)
    /// ```
    ///
    /// Keys are attributes and to-one relationships. A to-one relationship takes a ``StoredObject``, an `SQLObjectID` or nil.
    /// Values are bound as the types of the schema. Objects that were read before keep their values. If the schema declares a
    /// version key, the version of every changed object is incremented, unless the values contain it.
    ///
    /// Throws a ``StoreError``: `compilation` for a predicate that SQL cannot express exactly, an unknown key or a
    /// value of the wrong type, `missingValue` for nil if the schema does not allow it.
    @discardableResult
    public func update(
        _ entity: String, _ values: ObjectValues, where predicate: FormatPredicate,
        variables: PredicateVariables = [:], returning kind: ChangeReport.Kind = .nothing
    ) throws(StoreError) -> ChangeReport {
        let values = values.mapValues { $0?.predicateValue.withIdentities(in: core) ?? .null }
        return try change(predicate, entity, variables, kind) { (query, returnsKeys) throws(StoreError) in
            try query.entity.checkNil(values)
            return try compiling { () throws(SQLCompilationError) in
                try query.update(values, returningKeys: returnsKeys)
            }
        }
    }

    /// Deletes the objects that match a predicate, in one transaction: all of them or, after an error, none.
    ///
    /// `try store.delete("Task", where: FormatPredicate("isDone == YES"), returning: .primaryKeys)`
    ///
    /// The delete rules of the schema apply. The report covers only the matching objects, not those that a cascade deletes.
    /// References without a delete rule are subject to the file's foreign keys. Throws a ``StoreError`` as
    /// ``update(_:_:where:variables:returning:)`` does, and `deletionDenied` if a rule forbids the deletion.
    @discardableResult
    public func delete(
        _ entity: String, where predicate: FormatPredicate, variables: PredicateVariables = [:],
        returning kind: ChangeReport.Kind = .nothing
    ) throws(StoreError) -> ChangeReport {
        if try core.layout(entity).entity.hasDeleteRules {
            return try deleteByRules(entity, predicate, variables, kind)
        }
        return try change(predicate, entity, variables, kind) { (query, returnsKeys) throws(StoreError) in
            try compiling { () throws(SQLCompilationError) in try query.delete(returningKeys: returnsKeys) }
        }
    }

    private func deleteByRules(
        _ entity: String, _ predicate: FormatPredicate, _ variables: PredicateVariables,
        _ kind: ChangeReport.Kind
    ) throws(StoreError) -> ChangeReport {
        let query = try query(predicate, entity, variables.plainValues, mode: .exact)
        return try connection.transaction { () throws(StoreError) in
            let keys = try rows(of: query.select).all().compactMap(\.first)
            var deletion = CascadingDeletion(core)
            try deletion.add(keys, of: query.entity)
            try deletion.checkDenials()
            try deletion.run()
            return ChangeReport(kind, count: keys.count) { keys.map { query.entity.primaryKeyType.value(of: $0) } }
        }
    }

    private func change(
        _ predicate: FormatPredicate, _ entity: String, _ variables: PredicateVariables,
        _ kind: ChangeReport.Kind, _ statement: (SQLQuery, Bool) throws(StoreError) -> SQLFragment
    ) throws(StoreError) -> ChangeReport {
        let query = try query(predicate, entity, variables.plainValues, mode: .exact)
        let fragment = try statement(query, kind == .primaryKeys)
        return try connection.transaction { () throws(StoreError) in
            try core.explainingConstraints(of: query.entity) { () throws(StoreError) in
                try report(kind, fragment, query.entity.primaryKeyType)
            }
        }
    }

    private func report(
        _ kind: ChangeReport.Kind, _ statement: SQLFragment, _ keyType: SQLType
    ) throws(StoreError) -> ChangeReport {
        switch kind {
        case .nothing:
            try connection.run(statement)
            return .nothing
        case .count: return .count(try connection.run(statement))
        case .primaryKeys:
            let rows = try connection.rows(of: statement).all()
            return .primaryKeys(rows.compactMap { $0.first.map { keyType.value(of: $0) } })
        }
    }
}
