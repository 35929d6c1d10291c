import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

extension SQLCompiler {
    /// Returns the statement of a query.
    ///
    /// ```swift
    /// let query = try FormatQuery("owner.name, count() AS n WHERE done == NO GROUP BY owner.name HAVING n > 3")
    /// let statement = try SQLCompiler(schema: schema, dialect: PostgreSQLDialect()).compile(query, entity: "Task")
    /// ```
    ///
    /// SQL does as much of the query as it can do exactly: all of it, or the groups and their aggregates, or the selection of
    /// the values that the query names. The rest is the ``QueryStatement/remainder``. Rows that are equal in all sort keys are
    /// in the order of the primary key, and groups in the order of their keys. The results of a query for whole objects are
    /// their attributes.
    /// - Throws: ``/PredicateSQL/SQLCompilationError`` for an unknown key, and for a query that SQL cannot express and that
    ///   cannot be completed from the values of columns.
    public func compile(
        _ query: FormatQuery, entity: String, variables: PredicateVariables = [:]
    ) throws(SQLCompilationError) -> QueryStatement {
        let translation = try QueryTranslation(query, entity, variables, self)
        do throws(SQLCompilationError) {
            return try translation.whole()
        } catch {
            if let statement = try? translation.groups() { return statement }
            do {
                return try translation.values()
            } catch let other as SQLCompilationError where !other.code.leavesObjects {
                throw other
            } catch _ {
                throw error
            }
        }
    }
}

/// The ways to divide a query between SQL and memory.
private struct QueryTranslation {
    let query: FormatQuery
    let variables: PredicateVariables
    let compiler: SQLCompiler
    let entity: String
    /// The results; for a query for whole objects, their attributes.
    let keys: [ResultKey]
    /// The compiled condition, with a residual that memory evaluates.
    let condition: SQLQuery

    init(
        _ query: FormatQuery, _ entity: String, _ variables: PredicateVariables, _ compiler: SQLCompiler
    ) throws(SQLCompilationError) {
        var compiler = compiler
        compiler.mode = .residual
        condition = try compiler.compile(query.predicate ?? .constant(true), entity: entity, variables: variables)
        (self.query, self.entity, self.variables, self.compiler) = (query, entity, variables, compiler)
        let attributes = Array(condition.entity.attributes.keys).inCodePointOrder()
        keys = query.keys ?? query.groups.map { $0 + [.count(as: "count")] } ?? attributes.map { ResultKey($0) }
    }

    /// All of the query as SQL.
    func whole() throws(SQLCompilationError) -> QueryStatement {
        if let residual = condition.residual {
            var exact = compiler
            exact.mode = .exact
            // Throws the reason why there is a residual.
            _ = try exact.compile(residual, entity: entity, variables: variables)
        }
        guard query.limitByKey == nil, query.having == nil || query.groups != nil, !mergesGroups else {
            throw SQLCompilationError(.notExpressible(.construct("LIMIT … BY, or DISTINCT of groups")))
        }
        var parts = ResultParts(keys)
        (parts.groups, parts.having, parts.variables) = (query.groups, query.having, variables)
        parts.isDistinct = query.isDistinct && query.groups == nil
        parts.sortKeys = query.sortKeys
        switch query.page {
        case .first(let limit, let offset): (parts.limit, parts.offset) = (limit, offset > 0 ? offset : nil)
        case .last(let count): (parts.limit, parts.isReversed) = (count, true)
        }
        return QueryStatement(selection: try condition.select(parts), remainder: nil, isReversed: parts.isReversed)
    }

    /// True if different groups may give equal rows, of which DISTINCT keeps one.
    private var mergesGroups: Bool {
        guard query.isDistinct, let groups = query.groups else { return false }
        let (values, names) = (Set(keys.map(\.content)), Set(keys.map(\.name)))
        return !groups.allSatisfy { values.contains($0.content) || names.contains($0.name) }
    }

    /// The groups and their aggregates as SQL. The columns have the names of results and of groups.
    func groups() throws -> QueryStatement {
        guard let groups = query.groups, condition.residual == nil else { throw NoTranslation() }
        let values = groups.map { ResultKey($0.nameInGroups, $0.content) }
        var parts = ResultParts(values + keys.filter(\.isAggregate))
        parts.groups = groups
        let names = ResultNames(
            columns: parts.results.map(\.name), keys: groups.map { ($0.expression, $0.nameInGroups) })
        var remainder = FormatQuery(
            try keys.map { ResultKey(try names.value(of: $0), as: $0.name) },
            having: try query.having.map(names.condition))
        try remainder.takePasses(of: query, by: names)
        return QueryStatement(selection: try condition.select(parts), remainder: remainder, isReversed: false)
    }

    /// The values of the key paths that the query names as SQL. The columns have the names of the key paths.
    func values() throws -> QueryStatement {
        var columns = KeyPathColumns()
        var remainder = FormatQuery(try keys.map { try columns.key($0) })
        remainder.predicate = try condition.residual.map { try columns.predicate($0) }
        if let groups = query.groups {
            let names = ResultNames(
                columns: keys.map(\.name) + groups.map(\.nameInGroups),
                keys: groups.map { ($0.expression, $0.nameInGroups) })
            remainder.groups = try groups.map { ResultKey(try columns.expression($0.expression), as: $0.nameInGroups) }
            remainder.having = try query.having.map(names.condition)
            try remainder.takePasses(of: query, by: names)
        } else {
            if query.having != nil { throw NoTranslation() }
            try remainder.takePasses(of: query, by: ResultNames(elements: []))
            try columns.map(&remainder, besides: keys.map(\.name))
        }
        var parts = ResultParts(columns.paths.map { ResultKey($0) })
        parts.allowsResidual = true
        return QueryStatement(selection: try condition.select(parts), remainder: remainder, isReversed: false)
    }
}

/// Thrown if a query cannot be divided in this way.
private struct NoTranslation: Error {}

extension FormatQuery {
    /// Takes the clauses after HAVING from a query, with names and expressions replaced by their values for its rows.
    fileprivate mutating func takePasses(of query: FormatQuery, by names: ResultNames) throws {
        (isDistinct, page) = (query.isDistinct, query.page)
        limitByKey = try query.limitByKey.map { limit in
            LimitByKey(limit.limit, by: try limit.keys.map { ResultKey(try names.value(of: $0), as: $0.nameInGroups) })
        }
        sortKeys = try query.sortKeys.map { $0.of(try names.value(of: $0.value, named: $0.keyPath)) }
    }
}

/// Replaces key paths of objects by keys of the rows of a statement: the path `owner.name` becomes the single key `owner.name`.
private struct KeyPathColumns: TreeMapping {
    /// The key paths so far.
    private(set) var paths: [String] = []
    private var known: Set<ExactName> = []

    mutating func key(_ key: ResultKey) throws -> ResultKey {
        if case .count = key.content { return key }
        let value = ResultKey(try expression(key.expression), as: key.name)
        return key.aggregate.map(value.aggregated) ?? value
    }

    mutating func expression(_ expression: FormatExpression) throws -> FormatExpression {
        FormatExpression(try self.expression(expression.node))
    }

    mutating func predicate(_ predicate: FormatPredicate) throws -> FormatPredicate {
        FormatPredicate(try self.predicate(predicate.node))
    }

    /// Replaces the key paths in the passes of a query for objects. Names of results are not replaced.
    mutating func map(_ query: inout FormatQuery, besides names: [String]) throws {
        let names = Set(names.map(ExactName.init))
        for index in query.sortKeys.indices where !names.contains(ExactName(query.sortKeys[index].keyPath)) {
            query.sortKeys[index] = query.sortKeys[index].of(try expression(query.sortKeys[index].value))
        }
        guard var limit = query.limitByKey else { return }
        for index in limit.keys.indices where !names.contains(ExactName(limit.keys[index].name)) {
            limit.keys[index] = try key(limit.keys[index])
        }
        query.limitByKey = limit
    }

    mutating func predicate(_ node: PredicateNode) throws -> PredicateNode {
        if case .block = node { throw NoTranslation() }
        return try mappingChildren(of: node)
    }

    mutating func expression(_ node: ExpressionNode) throws -> ExpressionNode {
        switch node {
        case .keyPath(let path) where path.base == nil:
            guard let text = FormatExpression(node).plainKeyPath else { throw NoTranslation() }
            if known.insert(ExactName(text)).inserted { paths.append(text) }
            return FormatExpression(key: text).node
        // These need the object, or have keys of other objects.
        case .evaluatedObject, .anyKey, .block, .fetch, .subquery, .message, .assignment: throw NoTranslation()
        case .constantValue, .variable, .keyPath, .member, .function, .cast, .aggregate, .index, .symbol, .conditional,
            .set:
            return try mappingChildren(of: node)
        }
    }
}
