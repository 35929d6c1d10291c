extension SQLQuery {
    /// Returns the condition as a part of a statement of your own, in which the entity's table has an alias other than `t0`, or
    /// is called by its name.
    ///
    /// ```swift
    /// query.placeholders = .numbered(from: 2)
    /// let filter = try query.condition(on: "person")      // ("person"."age" >= ?2)
    /// let sql = "SELECT * FROM person WHERE tenant = ?1 AND \(filter.text)"
    /// ```
    ///
    /// It needs no other tables: if ``from`` joins tables for the condition, it selects primary keys, `"person"."id" IN (SELECT
    /// …)`. It is in parentheses, for AND and OR. It may be NULL where the predicate is false, so compile the negated predicate
    /// rather than writing NOT before it. Like ``where``, it selects too many rows if there is a ``residual``.
    /// - Throws: ``SQLCompilationError`` for an alias that the database cannot quote, and for a condition with joins on an
    ///   entity whose rows have no key.
    public func condition(on alias: String) throws(SQLCompilationError) -> SQLFragment {
        guard let quoted = dialect.quoted(alias) else { throw SQLCompilationError(.unusableName(alias)) }
        var writer = makeWriter()
        guard body.joinsTables || readsNumber else {
            writer.writeCondition(of: body, bindings)
            var condition = writer.fragment
            condition.text = "(" + RenamedAliases(condition.text, root: alias, quoted: quoted).text + ")"
            return condition
        }
        writer.write("(")
        try writeSelectedKeys(&writer) { writer, column in
            writer.writeQuoted(alias)
            writer.write(".")
            writer.writeName(column.name)
        }
        writer.write(")")
        return try writer.checkedFragment()
    }
}
