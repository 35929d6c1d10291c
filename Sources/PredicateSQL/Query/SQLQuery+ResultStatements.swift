import PredicateSyntax

typealias ResultPage = (limit: Int?, offset: Int?)

// MARK: - A row for each object

extension SQLQuery {
    /// `SELECT t0."title", t1."name" FROM … WHERE … ORDER BY …, t0."id" LIMIT …`
    func rowStatement(
        _ form: ResultsForm, _ keys: [ResultKey], _ resolver: ResultResolver, _ sortKeys: [SortKey], _ page: ResultPage
    ) throws(SQLCompilationError) -> SQLFragment {
        var order: [OrderTerm] = []
        for sortKey in sortKeys { order.append(try resolver.term(sortKey, keys)) }
        var writer = SQLWriter(compiler.writing)
        writer.write("SELECT ")
        writer.writeResults(form.columns, areNamed: false)
        writer.writeTables(of: resolver.resolver.root.scope, nil)
        writer.writeWhere(body, bindings)
        if !order.isEmpty || page.limit != nil || page.offset != nil {
            writer.writeOrder(order, then: entityReference.primaryKey, of: 0)
        }
        writer.writePage(page, resolver.resolver)
        return try statement(writer)
    }

    /// The text with its values, refused where the database cannot read it.
    private func statement(_ writer: borrowing SQLWriter) throws(SQLCompilationError) -> SQLFragment {
        do throws(Fault) {
            try writer.checkLimits()
        } catch {
            throw SQLCompilationError(error.code)
        }
        return writer.fragment
    }
}

extension ResultResolver {
    /// The order by a result, or by a key path of the object.
    fileprivate func term(_ key: SortKey, _ results: [ResultKey]) throws(SQLCompilationError) -> OrderTerm {
        let result = results.first { $0.name.hasSameCodePoints(as: key.keyPath) }
        guard case .value(let value) = try resolve(result?.path ?? key.keyPath) else {
            throw SQLCompilationError(.notAColumn(key: key.keyPath))
        }
        return try naming(key.keyPath) { () throws(Fault) in try resolver.orderTerm(value, key) }
    }
}

// MARK: - A row for each group

extension SQLQuery {
    /// `SELECT t0."c0", t0."c1" FROM (SELECT … GROUP BY …) AS t0 WHERE … ORDER BY …`; the groups alone where nothing is
    /// asked of them.
    func groupStatement(
        _ form: ResultsForm, _ resolver: ResultResolver,
        _ having: (predicate: FormatPredicate?, [String: PredicateValue]),
        _ sortKeys: [SortKey], _ page: ResultPage
    ) throws(SQLCompilationError) -> SQLFragment {
        var writer = SQLWriter(compiler.writing)
        if having.predicate == nil, sortKeys.isEmpty, page.limit == nil, page.offset == nil {
            writeGroups(of: form, resolver, areNamed: false, &writer)
            return try statement(writer)
        }
        let results = ResultTable(form, of: self, having.1, after: resolver.resolver.parameterCount)
        let condition = try having.predicate.map { (predicate) throws(SQLCompilationError) in
            try results.condition(predicate)
        }
        let order = try results.order(sortKeys)
        writer.write("SELECT ")
        writer.writeList(0..<form.count) { writer, index in writer.writeColumn(results.columns[index], of: 0) }
        writer.write(" FROM (")
        writeGroups(of: form, resolver, areNamed: true, &writer)
        writer.write(") AS t0")
        writer.writeJoins(of: results.resolver.root.scope)
        writer.begin(over: results.resolver.root.scope, aliasCount: results.resolver.aliasCount)
        writer.writeCondition(where: condition)
        writer.writeOrder(order)
        writer.writePage(page, results.resolver)
        return try statement(writer)
    }

    /// `SELECT t1."name" AS "c0", COUNT(*) AS "c1" FROM … WHERE … GROUP BY t1."name"`
    private func writeGroups(
        of form: ResultsForm, _ resolver: ResultResolver, areNamed: Bool, _ writer: inout SQLWriter
    ) {
        writer.write("SELECT ")
        writer.writeResults(areNamed ? form.columns[...] : form.columns.prefix(form.count), areNamed: areNamed)
        writer.writeTables(of: resolver.resolver.root.scope, nil)
        writer.writeWhere(body, bindings)
        guard let groups = form.groups, !groups.isEmpty else { return }
        writer.write(" GROUP BY ")
        writer.writeList(groups) { writer, group in
            _ = group.isText ? writer.writeComparable(group.form, ordered: false) : writer.writeValue(group.form)
        }
    }
}
