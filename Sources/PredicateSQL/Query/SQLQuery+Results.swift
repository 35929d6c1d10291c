public import PredicateSyntax

extension SQLQuery {
    /// The statement that returns values of the selected objects, or of groups of them, in place of the objects.
    ///
    /// ```swift
    /// try query.select(
    ///     results: ["owner.name", .count(as: "tasks")], .grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3")),
    ///     sortKeys: [SortKey("tasks", ascending: false)], limit: 10)
    /// ```
    ///
    ///     SELECT t0."c0", t0."c1" FROM (SELECT MIN(…) AS "c0", COUNT(*) AS "c1" FROM … GROUP BY …) AS t0
    ///     WHERE t0."c1" > ?1 ORDER BY t0."c1" DESC, t0."c0" LIMIT ?2
    ///
    /// Sort keys are names of results; of rows for each object, and of groups, they may also be key paths that lead to a
    /// value of the row. What sort keys leave equal is ordered by primary key, or by the values that tell the rows apart. A negative limit or
    /// offset counts as 0. Texts are different where their code points are; a date kept as text or since 1970 is returned
    /// as seconds since 2001 where rows are grouped by it. The variables are those of HAVING. [NSP-250]
    /// - Throws: ``SQLCompilationError`` for a key that leads to no value, two results of one name, an aggregate without
    ///   groups, a result that a group has not, a predicate over groups that SQL does not express exactly, and for a query
    ///   that has a residual.
    public func select(
        results: [ResultKey], _ rows: ResultRows = .all, variables: [String: PredicateValue] = [:],
        sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) throws(SQLCompilationError) -> SQLSelection {
        try checkComplete()
        let resolver = ResultResolver(self)
        let form = try resolver.results(results, rows)
        let page = (limit: limit.map { max($0, 0) }, offset: offset.map { max($0, 0) })
        let fragment =
            if form.groups == nil {
                try rowStatement(form, results, resolver, sortKeys, page)
            } else {
                try groupStatement(form, resolver, (rows.having, variables), sortKeys, page)
            }
        let columns = form.columns.prefix(form.count).map { column in
            SQLSelection.Column(name: column.name, type: column.type, entity: column.destination?.entity.name)
        }
        return SQLSelection(statement: fragment, columns: columns)
    }
}

extension ResultRows {
    var having: FormatPredicate? {
        switch self {
        case .all, .distinct: nil
        case .grouped(_, let having): having
        }
    }
}
