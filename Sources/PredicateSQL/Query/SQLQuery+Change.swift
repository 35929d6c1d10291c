public import PredicateSyntax

extension SQLQuery {
    /// `UPDATE "person" AS t0 SET "name" = ?1 WHERE …`: new values for the rows that the predicate selects.
    ///
    /// Keys are attributes, and to-one relationships, which take an ``SQLObjectID`` or nil. With `returningKeys` the
    /// statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a key that is no column, a value of another kind, no values, and a query
    ///   that has a residual.
    public func update(
        _ values: [String: PredicateValue], returningKeys: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        var builder = StatementBuilder(self)
        var assignments: [(column: QuotedName, value: SQLParameter)] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            assignments.append(try assignment(key, value, builder))
        }
        guard !assignments.isEmpty else { throw SQLCompilationError(.nothingToUpdate) }
        builder.writer.write("UPDATE ")
        builder.writer.writeName(entityReference.table)
        builder.writer.write(" AS t0 SET ")
        for (index, assignment) in assignments.enumerated() {
            if index > 0 { builder.writer.write(", ") }
            builder.writer.writeName(assignment.column)
            builder.writer.write(" = ")
            builder.writer.writeParameter(assignment.value)
        }
        return changed(&builder.writer, returningKeys)
    }

    /// `DELETE FROM "person" AS t0 WHERE …`
    ///
    /// With `returningKeys` the statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a query that has a residual.
    public func delete(returningKeys: Bool = false) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        var writer = SQLWriter(compiler.writing)
        writer.write("DELETE FROM ")
        writer.writeName(entityReference.table)
        writer.write(" AS t0")
        return changed(&writer, returningKeys)
    }

    func checkComplete() throws(SQLCompilationError) {
        guard let residual else { return }
        let text = residual.predicateFormat
        throw SQLCompilationError(.residualInChange, text: text, range: 0..<text.utf8.count)
    }

    /// Writes the condition; where it joins tables, as the primary keys that the whole query selects.
    private func changed(_ writer: inout SQLWriter, _ returningKeys: Bool) -> SQLFragment {
        let key = entityReference.primaryKey
        if body.joinsTables {
            writer.write(" WHERE ")
            writer.writeColumn(key, of: 0)
            writer.write(" IN (SELECT ")
            writer.writeColumn(key, of: 0)
            writer.writeTables(of: body.scope, nil)
            writer.writeWhere(body, bindings)
            writer.write(")")
        } else {
            writer.writeWhere(body, bindings)
        }
        if returningKeys {
            writer.write(" RETURNING ")
            writer.writeName(key.name)
        }
        return writer.fragment
    }

    private func assignment(
        _ key: String, _ value: PredicateValue, _ builder: borrowing StatementBuilder
    ) throws(SQLCompilationError) -> (column: QuotedName, value: SQLParameter) {
        switch entityReference.property(key) {
        case .attribute(let attribute):
            return (attribute.column.name, try builder.parameter(for: value, of: attribute.type, key: key))
        case .toOne(let name, let column):
            guard let destination = compiler.schema.entities.exactly(name) else { break }
            let id = try primaryKey(value, destination, key)
            return (column.name, try builder.parameter(for: id, of: destination.primaryKeyType, key: key))
        case .toMany, .manyToMany: break
        case nil:
            throw SQLCompilationError(entity.missingKey(key))
        }
        throw SQLCompilationError(.notAColumn(key: key))
    }

    /// The primary key that a to-one relationship is set to.
    private func primaryKey(
        _ value: PredicateValue, _ destination: SQLEntity, _ key: String
    ) throws(SQLCompilationError) -> PredicateValue {
        if value.isNil { return .null }
        if case .object(let host) = value, let id = host.base as? SQLObjectID,
            id.entity.hasSameCodePoints(as: destination.name)
        {
            return id.key
        }
        throw SQLCompilationError(
            .valueKind(key: key, expected: "an SQLObjectID of \(destination.name)", found: value.kindName))
    }
}
