public import PredicateSyntax

extension SQLQuery {
    /// Returns the statement that selects values of the objects, or of groups of them, instead of the objects.
    ///
    /// ```swift
    /// try query.select(
    ///     results: ["owner.name", .count(as: "tasks")], .grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3")),
    ///     sortKeys: [SortKey("tasks", ascending: false)], limit: 10)
    /// ```
    ///
    ///     SELECT t0."c0" AS "owner.name", t0."c1" AS "tasks" FROM (SELECT MIN(…) AS "c0", COUNT(*) AS "c1" FROM …
    ///     GROUP BY …) AS t0 WHERE t0."c1" > ?1 ORDER BY t0."c1" DESC, t0."c0" LIMIT ?2
    ///
    /// Sort keys are names of results, including expressions. For rows of single objects and for groups they may also be key
    /// paths to a value of the row. Rows with equal sort keys are ordered by primary key, or by the values that distinguish the
    /// rows. A negative limit or offset counts as 0. Strings with different code points are different. Where rows are grouped
    /// by a date that is stored as a string or since 1970, it is returned as seconds since 2001. The variables are for HAVING.
    /// [NSP-250]
    /// - Throws: ``SQLCompilationError`` for a key without a value, two results of the same name, an aggregate
    ///   without groups, a result that is neither an aggregate nor a key path of the groups, a predicate over groups
    ///   that SQL cannot express exactly, and a query with a residual.
    public func select(
        results: [ResultKey], _ rows: ResultRows = .all, variables: PredicateVariables = [:],
        sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) throws(SQLCompilationError) -> ResultSelection {
        var parts = ResultParts(results)
        (parts.isOrdered, parts.variables, parts.sortKeys) = (false, variables, sortKeys)
        (parts.limit, parts.offset) = (limit, offset)
        switch rows {
        case .all: break
        case .distinct: parts.isDistinct = true
        case .grouped(let paths, let having): (parts.groups, parts.having) = (paths.map { ResultKey($0) }, having)
        }
        return try select(parts)
    }

    /// `t0."id"`
    private var primaryKey: ValueForm {
        .column(ColumnForm(alias: 0, column: entityReference.primaryKey, isNullable: false))
    }

    /// `t0."id"`
    private var key: ResultForm {
        ResultForm(
            name: ".key", content: .value(primaryKey), type: entityReference.entity.primaryKeyType, destination: nil,
            mayBeNil: false)
    }

    /// `MIN(t0."id")`
    private var leastKey: ResultForm {
        let type = entityReference.entity.primaryKeyType
        return ResultForm(
            name: ".key", content: .aggregate(.minimum(primaryKey, isText: type == .string)), type: type,
            destination: nil, mayBeNil: true)
    }
}

extension ResultSelection.Column {
    fileprivate init(_ result: ResultForm) {
        self.init(name: result.name, type: result.type, entity: result.destination?.entity.name)
    }
}

typealias ResultPage = (limit: Int?, offset: Int?)

/// The order of rows that no sort key distinguishes, in a statement that always has an order.
enum TotalOrder { case forward, reversed }

// MARK: - Whole queries

/// The parts of a query other than its condition: results, groups, order and page.
package struct ResultParts {
    package var results: [ResultKey]
    /// The values that group objects; nil for one row per object.
    package var groups: [ResultKey]?
    /// A Boolean value that indicates whether equal rows of objects are returned once.
    package var isDistinct = false
    package var having: FormatPredicate?
    package var variables: PredicateVariables = [:]
    package var sortKeys: [SortKey] = []
    package var limit: Int?
    package var offset: Int?
    /// A Boolean value that indicates whether rows always have an order, even if no order and no page is given. Rows with equal
    /// sort keys are then in the order of the primary key, of the values that group, or, if they are distinct rows, of their
    /// first objects.
    package var isOrdered = true
    /// A Boolean value that indicates whether the last row comes first.
    package var isReversed = false
    /// A Boolean value that indicates whether the rows may be candidates, for which the residual is evaluated in memory.
    package var allowsResidual = false
    /// A Boolean value that indicates whether a last column is added: 1 for a row with an object for which an expression is an
    /// error although none of its columns is nil. If each object has a row of its own, the primary key comes before it.
    package var tellsErrors = false

    package init(_ results: [ResultKey]) { self.results = results }
}

extension SQLQuery {
    /// Returns the statement of a query.
    package func select(_ parts: ResultParts) throws(SQLCompilationError) -> ResultSelection {
        if !parts.allowsResidual { try checkComplete() }
        let resolver = ResultResolver(self)
        let form = try results(of: parts, resolver)
        let sortKeys = parts.isReversed ? parts.sortKeys.map(\.reversed) : parts.sortKeys
        let order: TotalOrder? = parts.isOrdered ? parts.isReversed ? .reversed : .forward : nil
        let page = (limit: parts.limit.map { max($0, 0) }, offset: parts.offset.map { max($0, 0) })
        let (fragment, functions) =
            if form.groups == nil {
                try rowStatement(form, parts.results, resolver, sortKeys, page, order)
            } else {
                try groupStatement(
                    form, resolver, (parts.having, parts.variables.plainValues), sortKeys, page, order)
            }
        return ResultSelection(
            statement: fragment, columns: form.columns.prefix(form.count).map(ResultSelection.Column.init),
            functions: body.functions.union(functions))
    }

    private func results(of parts: ResultParts, _ resolver: ResultResolver) throws(SQLCompilationError) -> ResultsForm {
        var form =
            if let groups = parts.groups {
                try resolver.results(parts.results, by: groups.compactMap(\.source))
            } else if parts.isDistinct {
                try resolver.distinctResults(parts.results)
            } else {
                try resolver.results(parts.results)
            }
        if parts.isDistinct, parts.groups == nil, parts.isOrdered {
            form.keys = [form.columns.count]
            form.sources = [:]
            form.columns.append(leastKey)
        }
        guard parts.tellsErrors else { return form }
        if form.groups == nil { form.columns.append(key) }
        form.columns.append(try failure(in: parts.results, resolver, isOfGroup: form.groups != nil))
        form.count = form.columns.count
        return form
    }

    /// Returns the column that is 1 for an object, or a group of objects, for which a result is an error.
    private func failure(
        in results: [ResultKey], _ resolver: ResultResolver, isOfGroup: Bool
    ) throws(SQLCompilationError) -> ResultForm {
        let value = try resolver.failure(in: results)
        let ofGroup = value.flatMap { isOfGroup ? ResultForm.Content.aggregate(.maximum($0, isText: false)) : nil }
        return ResultForm(
            name: ".error", content: ofGroup ?? .value(value ?? .word("0")), type: .integer, destination: nil,
            mayBeNil: ofGroup != nil)
    }
}

// MARK: - A row for each object

extension SQLQuery {
    /// `SELECT t0."title", t1."name" FROM … WHERE … ORDER BY …, t0."id" LIMIT …`
    private func rowStatement(
        _ form: ResultsForm, _ keys: [ResultKey], _ resolver: ResultResolver, _ sortKeys: [SortKey], _ page: ResultPage,
        _ order: TotalOrder?
    ) throws(SQLCompilationError) -> (SQLFragment, Set<SQLFunction>) {
        let terms = try resolver.terms(sortKeys, keys)
        var writer = makeWriter()
        writer.write("SELECT ")
        writer.writeResults(form.columns, areNamed: false)
        writeObjects(terms, page, order, resolver, &writer)
        return (try writer.checkedFragment(), writer.functions)
    }
}

extension ResultResolver {
    /// Returns the order by sort keys, which are results or key paths of the object.
    func terms(_ keys: [SortKey], _ results: [ResultKey]) throws(SQLCompilationError) -> [OrderTerm] {
        let results = Dictionary(results.map { (ExactName($0.name), $0.content) }) { first, _ in first }
        var terms: [OrderTerm] = []
        for key in keys { terms.append(try term(key, results)) }
        return terms
    }

    private func term(
        _ key: SortKey, _ results: [ExactName: ResultKey.Content]
    ) throws(SQLCompilationError) -> OrderTerm {
        switch results[ExactName(key.keyPath)] {
        case .expression(let expression), .aggregateOfExpression(_, let expression):
            let value = try self.value(of: expression)
            return try SQLCompilationError.naming(key.keyPath) { () throws(CompilationFault) in
                try resolver.orderTerm(value, key)
            }
        case .keyPath(let path), .aggregate(_, let path): return try resolver.orderTerm(key, by: path)
        case .count: return try resolver.orderTerm(key, by: "")
        case nil: break
        }
        guard let expression = key.expression else { return try resolver.orderTerm(key, by: key.keyPath) }
        let value = try self.value(of: expression)
        return try SQLCompilationError.naming(key.keyPath) { () throws(CompilationFault) in
            try resolver.orderTerm(value, key)
        }
    }
}

// MARK: - A row for each group

extension SQLQuery {
    /// `SELECT t0."c0", t0."c1" FROM (SELECT … GROUP BY …) AS t0 WHERE … ORDER BY …`; only the inner SELECT if the
    /// groups are neither filtered nor ordered.
    private func groupStatement(
        _ form: ResultsForm, _ resolver: ResultResolver,
        _ having: (predicate: FormatPredicate?, [String: PredicateValue]),
        _ sortKeys: [SortKey], _ page: ResultPage, _ totalOrder: TotalOrder?
    ) throws(SQLCompilationError) -> (SQLFragment, Set<SQLFunction>) {
        var writer = makeWriter()
        if having.predicate == nil, sortKeys.isEmpty, page.limit == nil, page.offset == nil, totalOrder == nil {
            writeGroups(of: form, resolver, areNamed: false, &writer)
            return (try writer.checkedFragment(), writer.functions)
        }
        let results = ResultTable(form, of: self, having.1, after: resolver.resolver.parameterCount)
        let condition = try having.predicate.map { (predicate) throws(SQLCompilationError) in
            try results.condition(predicate)
        }
        let order = try results.order(sortKeys, isReversed: totalOrder == .reversed)
        writer.write("SELECT ")
        writer.writeList(0..<form.count) { writer, index in
            writer.writeColumn(results.columns[index], of: 0)
            writer.writeName(ofResult: form.columns[index].name)
        }
        writer.write(" FROM (")
        writeGroups(of: form, resolver, areNamed: true, &writer)
        writer.write(") AS t0")
        writer.writeJoins(of: results.resolver.root.scope)
        writer.begin(over: results.resolver.root.scope, aliasCount: results.resolver.aliasCount)
        writer.writeCondition(where: condition)
        writer.writeOrder(order)
        writer.writePage(page, results.resolver)
        return (try writer.checkedFragment(), writer.functions)
    }

    /// `SELECT t1."name" AS "c0", COUNT(*) AS "c1" FROM … WHERE … GROUP BY t1."name"`
    private func writeGroups(
        of form: ResultsForm, _ resolver: ResultResolver, areNamed: Bool, _ writer: inout SQLWriter
    ) {
        writer.write("SELECT ")
        writer.writeResults(areNamed ? form.columns[...] : form.columns.prefix(form.count), areNamed: areNamed)
        writer.noteNumbers(of: resolver.resolver.root.scope, in: form.groups?.map(\.form) ?? [])
        writer.writeTables(of: resolver.resolver.root.scope, nil)
        writer.writeWhere(body, bindings)
        guard let groups = form.groups, !groups.isEmpty else { return }
        writer.write(" GROUP BY ")
        writer.writeList(groups) { writer, group in writer.writeGroup(group) }
    }
}

extension SQLWriter {
    fileprivate mutating func writeGroup(_ group: GroupForm) {
        if let position = group.position { return writeNumber(position) }
        _ = group.isText ? writeComparable(group.form, ordered: false) : writeValue(group.form)
    }
}

/// The results of groups as a table, whose columns HAVING and sort keys name.
///
/// `tasks > 3` with the second result `tasks`: `t0."c1" > ?1`
struct ResultTable {
    let resolver: Resolver
    let columns: [ColumnReference]
    private let compiler: SQLCompiler
    private let form: ResultsForm

    /// Creates the table of a query's results. Its parameters are numbered after the parameters of the groups.
    init(_ form: ResultsForm, of query: SQLQuery, _ variables: [String: PredicateValue], after parameters: Int) {
        var compiler = query.compiler
        compiler.mode = .exact
        self.compiler = compiler
        self.form = form
        let entity = EntityReference(Self.entity(form), compiler.dialect)
        columns = form.columns.indices.map {
            ColumnReference(Self.column($0), collation: nil, compiler.dialect)
        }
        resolver = Resolver(
            compiler, entity, variables, parameters: parameters, resultNames: DottedNames(form.columns.map(\.name)))
    }

    /// Returns the name of a column, which cannot clash with the name of a result.
    static func column(_ index: Int) -> String { "c\(index)" }

    private static func entity(_ form: ResultsForm) -> SQLEntity {
        var entity = SQLEntity("the results", primaryKey: "", attributes: [:])
        for (index, result) in form.columns.enumerated() {
            if let destination = result.destination {
                entity.relationships[result.name] = .toOne(destination.entity.name, column: column(index))
            } else {
                entity.attributes[result.name] = SQLAttribute(
                    result.type, column: column(index), isNullable: result.mayBeNil,
                    affinity: result.affinity)
            }
        }
        return entity
    }

    /// Returns the condition of HAVING.
    func condition(_ predicate: FormatPredicate) throws(SQLCompilationError) -> ConditionForm {
        try compiler.review(predicate)
        do throws(CompilationFault) {
            return try resolver.condition(predicate.node, .root)
        } catch {
            let node = error.path.nodeNumber(in: .predicate(predicate.node))
            throw SQLCompilationError(error.code, node: node, in: predicate)
        }
    }

    /// Returns the order of the rows: the sort keys, then the values that distinguish the rows.
    func order(_ sortKeys: [SortKey], isReversed: Bool) throws(SQLCompilationError) -> [OrderTerm] {
        var terms: [OrderTerm] = []
        for key in sortKeys { terms.append(try term(key)) }
        for index in form.keys { terms.append(try tie(index, isReversed)) }
        return terms
    }

    /// Returns the order term for a value that distinguishes rows.
    private func tie(_ index: Int, _ isReversed: Bool) throws(SQLCompilationError) -> OrderTerm {
        let (column, result) = (columns[index], form.columns[index])
        let form = ValueForm.column(ColumnForm(alias: 0, column: column, isNullable: true))
        switch ValueKind(result.type) {
        case .decimal, .double, .data:
            let value = TypedValue(form: form, kind: ValueKind(result.type), mayBeNil: true)
            return try SQLCompilationError.naming(result.name) { () throws(CompilationFault) in
                try resolver.orderTerm(value, SortKey(result.name, ascending: !isReversed))
            }
        case .integer, .power, .boolean, .string, .date, .uuid, .any: break
        }
        return OrderTerm(form: form, isText: result.isText, ascending: !isReversed, nullsFirst: !isReversed)
    }

    private func term(_ key: SortKey) throws(SQLCompilationError) -> OrderTerm {
        try SQLCompilationError.naming(key.keyPath) { () throws(CompilationFault) in
            guard case .value(let value) = try knownValue(key) else {
                throw CompilationFault(.notAColumn(key: key.keyPath), at: .root)
            }
            return try resolver.orderTerm(value, key)
        }
    }

    private func knownValue(_ key: SortKey) throws(CompilationFault) -> Resolved {
        do throws(CompilationFault) {
            return try value(key)
        } catch {
            guard case .unknownKey = error.code else { throw error }
            throw CompilationFault(.notGrouped(key.keyPath), at: .root)
        }
    }

    /// Returns the value of a sort key: the result with its name, a value that rows are grouped by, or an expression of
    /// results.
    private func value(_ key: SortKey) throws(CompilationFault) -> Resolved {
        let isNamed = resolver.resultNames.contains(key.keyPath)
        let source = key.expression.map(ResultSource.expression) ?? .keyPath(ExactName(key.keyPath))
        if !isNamed, let group = form.sources[source] {
            return try resolver.step(form.columns[form.keys[group]].name, from: resolver.root, .root)
        }
        if !isNamed, let expression = key.expression { return try resolver.resolve(expression.node, .root) }
        let keys = resolver.joiningResultName(KeyPathExpression.keys(of: key.keyPath))
        return try resolver.follow(keys[...], from: .object(resolver.root), .root)
    }
}

extension Resolver {
    /// Joins the first keys of a path into one key if together they are the name of a result, such as `owner.name`.
    /// The longest such name is used.
    func joiningResultName(_ keys: [String]) -> [String] {
        guard root.alias == 0, let (name, count) = resultNames.longest(at: keys) else { return keys }
        return [name] + keys[count...]
    }
}
