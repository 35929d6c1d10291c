public import PredicateSyntax

extension SQLQuery {
    /// `UPDATE "person" AS t0 SET "name" = ?1 WHERE …`: new values for the rows that the predicate selects.
    ///
    /// Keys are attributes, and to-one relationships, which take an ``SQLObjectID`` or nil. The version of a row is
    /// counted up unless it is given. With `returningKeys` the statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a key that is no column, a value of another kind, no values, and a query
    ///   that has a residual.
    public func update(
        _ values: [String: PredicateValue], returningKeys: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        var builder = StatementBuilder(self)
        var assignments: [(column: QuotedName, value: SQLParameter)] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let column = try AssignedColumn(key, of: entityReference, in: compiler.schema)
            let (binding, type) = try column.binding(of: value, dialect)
            assignments.append((column.name, builder.parameter(binding, type)))
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
        if let version = countedVersion(values) {
            builder.writer.write(", ")
            builder.writer.writeIncrement(of: version)
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

    /// The column that counts changes, unless it is given a value.
    private func countedVersion(_ values: [String: PredicateValue]) -> ColumnReference? {
        guard let key = entity.versionKey, values.exactly(key) == nil,
            case .attribute(let attribute)? = entityReference.property(key)
        else { return nil }
        return attribute.column
    }
}

extension SQLWriter {
    /// `"version" = COALESCE(t0."version", 0) + 1`
    fileprivate mutating func writeIncrement(of column: ColumnReference) {
        writeName(column.name)
        write(" = COALESCE(")
        writeColumn(column, of: 0)
        write(", 0) + 1")
    }
}
