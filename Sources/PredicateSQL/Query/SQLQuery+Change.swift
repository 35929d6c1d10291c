public import PredicateSyntax

extension SQLQuery {
    /// `UPDATE "person" AS t0 SET "name" = ?1 WHERE …`: new values for the rows that the predicate selects.
    ///
    /// Keys are attributes, and to-one relationships, which take an ``ObjectID`` or nil. With `returningKeys` the
    /// statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a key that is no column, a value of another kind, and a query that has a
    ///   residual.
    public func update(
        _ values: [String: PredicateValue], returningKeys: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        var builder = StatementBuilder(self)
        var assignments: [SQLText] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            assignments.append(try assignment(key, value, &builder))
        }
        guard !assignments.isEmpty else { throw SQLCompilationError(.notAColumn(key: "")) }
        let table = builder.name(entity.table)
        let list = SQLText.joined(assignments, by: ", ")
        return builder.fragment(
            "UPDATE \(table) AS t0 SET \(list)\(changed(&builder))\(returning(returningKeys, &builder))")
    }

    /// `DELETE FROM "person" AS t0 WHERE …`
    ///
    /// With `returningKeys` the statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a query that has a residual.
    public func delete(returningKeys: Bool = false) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        var builder = StatementBuilder(self)
        let table = builder.name(entity.table)
        return builder.fragment(
            "DELETE FROM \(table) AS t0\(changed(&builder))\(returning(returningKeys, &builder))")
    }

    private func checkComplete() throws(SQLCompilationError) {
        guard let residual else { return }
        let text = residual.predicateFormat
        throw SQLCompilationError(.residualInChange, text: text, range: 0..<text.utf8.count)
    }

    /// The condition; where it joins tables, by way of the primary keys that the whole query selects.
    private func changed(_ builder: inout StatementBuilder) -> SQLText {
        guard body.scope.scope.sources.count > 1 else { return body.whereClause }
        let key = builder.name(entity.primaryKey)
        return " WHERE t0.\(key) IN (\(body.select("SELECT \(body.primaryKey)")))"
    }

    private func returning(_ isWanted: Bool, _ builder: inout StatementBuilder) -> SQLText {
        isWanted ? " RETURNING \(builder.name(entity.primaryKey))" : ""
    }

    private func assignment(
        _ key: String, _ value: PredicateValue, _ builder: inout StatementBuilder
    ) throws(SQLCompilationError) -> SQLText {
        if let attribute = entity.attributes.exactly(key) {
            let parameter = try builder.parameter(for: value, of: attribute.type, key: key)
            return "\(builder.name(attribute.column ?? key)) = \(parameter)"
        }
        guard case .toOne(let name, let column)? = entity.relationships.exactly(key),
            let destination = schema.entities.exactly(name)
        else {
            let names = Array(entity.attributes.keys) + entity.relationships.keys
            let nearMisses = NearMiss.candidates(for: key, among: names)
            throw entity.relationships.exactly(key) == nil
                ? SQLCompilationError(.unknownKey(key, entity: entity.name, nearMisses: nearMisses))
                : SQLCompilationError(.notAColumn(key: key))
        }
        let parameter = try builder.parameter(
            for: try primaryKey(value, destination, key), of: destination.primaryKeyType, key: key)
        return "\(builder.name(column)) = \(parameter)"
    }

    /// What a to-one relationship is set to.
    private func primaryKey(
        _ value: PredicateValue, _ destination: SQLEntity, _ key: String
    ) throws(SQLCompilationError) -> PredicateValue {
        if value.isNil { return .null }
        if case .object(let host) = value, let id = host.base as? ObjectID,
            id.entity.hasSameCodePoints(as: destination.name)
        {
            return id.key
        }
        throw SQLCompilationError(
            .valueKind(key: key, expected: "an ObjectID of \(destination.name)", found: value.kindName))
    }
}
