import PredicateEvaluation
public import PredicateQuery
internal import PredicateSQL
public import PredicateSyntax

extension ObjectStore {
    /// Returns the rows of a query over the objects of an entity.
    ///
    /// ```swift
    /// let query = try FormatQuery("owner.name, count() AS tasks WHERE done == NO GROUP BY owner.name ORDER BY tasks DESC")
    /// for row in try store.results(of: query, from: "Task").dictionaries { print(row["owner.name"], row["tasks"]) }
    /// ```
    ///
    /// SQL does as much of the query as it can do exactly. The rest is done in memory; this may read every object that the
    /// predicate selects. Rows that are equal in all sort keys are in the order of the primary key. A query for whole objects
    /// returns their attributes. [NSP-513]
    ///
    /// Throws a ``StoreError``: `compilation` for an unknown entity or key, `evaluation` for an error in memory.
    public func results(
        of query: FormatQuery, from entity: String, variables: PredicateVariables = [:]
    ) throws(StoreError) -> QueryResults {
        do throws(StoreError) {
            let statement = try statement(of: query, entity, variables)
            let rows = try ResultCursor(self, statement.selection).rest()
            return try evaluating { () throws(EvaluationError) in
                try statement.results(of: rows, variables: variables, context: core.context)
            }
        } catch {
            guard error.leavesObjects else { throw error }
            return try resultsOfObjects(query, entity, variables)
        }
    }

    private func statement(
        of query: FormatQuery, _ entity: String, _ variables: PredicateVariables
    ) throws(StoreError) -> QueryStatement {
        var query = query
        query.predicate = query.predicate?.withIdentities(in: core)
        query.having = query.having?.withIdentities(in: core)
        let variables = PredicateVariables(plain: variables.plainValues.mapValues { $0.withIdentities(in: core) })
        return try compiling { () throws(SQLCompilationError) in
            try core.compiler.compile(query, entity: entity, variables: variables)
        }
    }

    /// Returns the rows of a query that SQL cannot compute even in part.
    private func resultsOfObjects(
        _ query: FormatQuery, _ entity: String, _ variables: PredicateVariables
    ) throws(StoreError) -> QueryResults {
        var (rest, request) = (query, PredicateFetchRequest(entity, query.predicate, variables: variables))
        // With a limit, equal rows are in the order of the primary key.
        (request.allowsResidual, request.limit) = (true, .max)
        let objects = try fetchAll(request)
        rest.predicate = nil
        if rest.keys == nil, rest.groups == nil { rest.keys = try core.layout(entity).attributes.map { ResultKey($0) } }
        return try evaluating { () throws(EvaluationError) in
            try objects.results(of: rest, variables: variables, context: core.context)
        }
    }

    private func evaluating(
        _ work: () throws(EvaluationError) -> QueryResults
    ) throws(StoreError) -> QueryResults {
        do throws(EvaluationError) {
            return try work()
        } catch {
            // An object that cannot be read appears as a missing key to the evaluator.
            throw core.takeError() ?? StoreError(.evaluation(error))
        }
    }
}

extension StoreError {
    /// True if the query may still be answered from objects.
    fileprivate var leavesObjects: Bool {
        switch code {
        case .mixedKinds: true
        case .compilation(let error): error.code.leavesObjects
        default: false
        }
    }
}
