public import PredicateSyntax

extension SQLQuery {
    /// `UPDATE "person" AS t0 SET "name" = ?1 WHERE …`: new values for the rows that the predicate selects.
    ///
    /// Keys are attributes, and to-one relationships, which take an ``SQLObjectID`` or nil. The version of a row is
    /// counted up unless it is given. With `returningKeys` the statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a key that is no column, a value of another kind, no values, a query
    ///   that has a residual, and a database whose UPDATE returns no keys: MariaDB, MySQL.
    public func update(
        _ values: [String: PredicateValue], returningKeys: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        if returningKeys, !has(.returnsUpdatedKeys) { throw noKeys(of: "UPDATE") }
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
        let isDirect = isDirect(.readsWhatItUpdates)
        writeRows(&builder.writer, isDirect: isDirect, isAliased: true)
        return returning(&builder.writer, returningKeys)
    }

    /// `DELETE FROM "person" AS t0 WHERE …`
    ///
    /// With `returningKeys` the statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a query that has a residual, and for a database whose DELETE returns no keys: MySQL.
    public func delete(returningKeys: Bool = false) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        if returningKeys, !has(.returnsDeletedKeys) { throw noKeys(of: "DELETE") }
        var writer = SQLWriter(compiler.writing)
        let isAliased = !returningKeys || has(.readsWhatItDeletes)
        let piece = SQLPiece.deletion(SQLText(operand: 0), returningKeys: returningKeys)
        let table = entityReference.table
        _ = writer.writeTemplate(dialect.text(of: piece).map(SQLTemplate.init), or: "DELETE") { writer, _ in
            writer.writeName(table)
            return .atom
        }
        writeRows(&writer, isDirect: isAliased && isDirect(.readsWhatItDeletes), isAliased: isAliased)
        return returning(&writer, returningKeys)
    }

    private func has(_ feature: SQLFeatures) -> Bool { compiler.writing.features.contains(feature) }

    private func noKeys(of statement: String) -> SQLCompilationError {
        SQLCompilationError(.keysNotReturned(statement: statement, dialect: dialect.name))
    }

    /// False for a condition with joins, and for one with subqueries where they may not read the table that changes.
    private func isDirect(_ feature: SQLFeatures) -> Bool {
        !body.joinsTables && (!body.hasSubqueries || has(feature))
    }

    func checkComplete() throws(SQLCompilationError) {
        guard let residual else { return }
        let text = residual.predicateFormat
        throw SQLCompilationError(.residualInChange, text: text, range: 0..<text.utf8.count)
    }

    /// Writes the condition, or, where a statement cannot have it, the primary keys that the whole query selects.
    private func writeRows(_ writer: inout SQLWriter, isDirect: Bool, isAliased: Bool) {
        if isDirect { return writer.writeWhere(body, bindings) }
        let (key, body, bindings) = (entityReference.primaryKey, body, bindings)
        writer.write(" WHERE ")
        if isAliased { writer.writeColumn(key, of: 0) } else { writer.writeName(key.name) }
        writer.write(" IN ")
        _ = writer.writeTemplate(writer.templates.selection, or: "a selection of keys") { writer, _ in
            writer.write("SELECT ")
            writer.writeColumn(key, of: 0)
            writer.writeTables(of: body.scope, nil)
            writer.writeWhere(body, bindings)
            return .or
        }
    }

    private func returning(_ writer: inout SQLWriter, _ returningKeys: Bool) -> SQLFragment {
        if returningKeys {
            writer.write(" RETURNING ")
            writer.writeName(entityReference.primaryKey.name)
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
