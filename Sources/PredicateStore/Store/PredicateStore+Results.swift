public import PredicateSQL
public import PredicateSyntax

extension PredicateStore {
    /// Returns the identities of the objects that a request selects, in its order: no object is made.
    ///
    /// `try store.ids(FetchRequest("Task", isDue, sortKeys: [SortKey("due")]))`
    public func ids(_ request: FetchRequest) throws(StoreError) -> [SQLObjectID] {
        var request = request
        request.keys = []
        let objects = try fetch(request)
        var ids: [SQLObjectID] = []
        while let object = try objects.next() { ids.append(object.id) }
        return ids
    }

    /// Returns values of the objects that a request selects, or of groups of them, as dictionaries by the names of the
    /// results.
    ///
    /// ```swift
    /// let busy = try store.dictionaries(
    ///     FetchRequest("Task", isOpen, sortKeys: [SortKey("tasks", ascending: false)], limit: 10),
    ///     ["owner.name", .count(as: "tasks"), .maximum("due", as: "latest")],
    ///     .grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3")))
    /// ```
    ///
    /// A value is as an object has it; the object at the end of a to-one key path is an `SQLObjectID` as a value; every
    /// dictionary has all names. Sort keys of the request are names of results or key paths, as
    /// `SQLQuery.select(results:_:variables:sortKeys:limit:offset:)` describes, and the variables are those of HAVING too.
    /// Its keys and relationships to prefetch have no effect.
    ///
    /// Throws a ``StoreError``: `compilation` for what that statement refuses, and for a predicate with a residual.
    public func dictionaries(
        _ request: FetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all
    ) throws(StoreError) -> [[String: PredicateValue]] {
        let cursor = try cursor(request, results, rows)
        var dictionaries: [[String: PredicateValue]] = []
        while let dictionary = try cursor.next() { dictionaries.append(dictionary) }
        return dictionaries
    }

    /// Returns SQLite's plan for the results of a request: the text of `EXPLAIN QUERY PLAN`, one step per line.
    public func queryPlan(
        of request: FetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all
    ) throws(StoreError) -> String {
        try plan(of: try selection(request, results, rows).statement)
    }

    func cursor(
        _ request: FetchRequest, _ results: [ResultKey], _ rows: ResultRows
    ) throws(StoreError) -> StoredDictionaries {
        try StoredDictionaries(self, try selection(request, results, rows))
    }

    private func selection(
        _ request: FetchRequest, _ results: [ResultKey], _ rows: ResultRows
    ) throws(StoreError) -> SQLSelection {
        let page = try Page(request)
        let query = try query(request.predicate, request.entity, request.variables, mode: .exact)
        let variables = request.variables.mapValues { $0.withIdentities(in: core) }
        return try compiling { () throws(SQLCompilationError) in
            try query.select(
                results: results, rows.withIdentities(in: core), variables: variables, sortKeys: request.sortKeys,
                limit: page.limit, offset: page.offset > 0 ? page.offset : nil)
        }
    }
}

/// The dictionaries of a statement of results, read one at a time.
final class StoredDictionaries {
    private let core: StoreCore
    private let rows: SQLiteRows
    private let columns: [SQLSelection.Column]

    init(_ store: PredicateStore, _ selection: SQLSelection) throws(StoreError) {
        core = store.core
        columns = selection.columns
        rows = try store.rows(of: selection.statement)
    }

    /// Returns the next dictionary, or nil after the last.
    func next() throws(StoreError) -> [String: PredicateValue]? {
        try core.explaining { () throws(StoreError) in
            try rows.next { statement in
                var dictionary: [String: PredicateValue] = [:]
                dictionary.reserveCapacity(columns.count)
                for (index, column) in columns.enumerated() {
                    dictionary[column.name] = column.value(of: statement.value(index))
                }
                return dictionary
            }
        }
    }
}

extension SQLSelection.Column {
    /// A stored value as the value of the result.
    fileprivate func value(of stored: SQLBinding) -> PredicateValue {
        let value = type.value(of: stored)
        guard let entity, value != .null else { return value }
        return SQLObjectID(entity, key: value).predicateValue
    }
}

extension ResultRows {
    /// The rows with identities in place of stored objects in the predicate over groups.
    fileprivate func withIdentities(in core: StoreCore) -> ResultRows {
        switch self {
        case .all, .distinct: self
        case .grouped(let paths, let having): .grouped(by: paths, having: having?.withIdentities(in: core))
        }
    }
}
