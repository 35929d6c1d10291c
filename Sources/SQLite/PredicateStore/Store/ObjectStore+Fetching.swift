public import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

extension ObjectStore: Hashable {
    /// The store as an argument of `FETCH`.
    ///
    /// `try store.fetchAll("Task", where: FormatPredicate("owner IN FETCH(%@, %@, NO)", adults, store.context))`
    ///
    /// In a predicate of this store, FETCH becomes a subquery. In memory, and in predicates of other stores, FETCH
    /// queries the store. [NSP-182] [NSP-183]
    public var context: Context { Context(store: self) }

    /// A store as the context of `FETCH`.
    public struct Context: FetchContext {
        public typealias Failure = StoreError

        let store: ObjectStore

        /// Returns the objects that a request selects, each a ``StoredObject``. Throws the errors of
        /// ``ObjectStore/fetchAll(_:)``.
        public func objects(for request: PredicateFetchRequest) throws(StoreError) -> [KeyedValue] {
            try store.fetchAll(request).map { .object($0) }
        }

        /// Returns the number of objects that a request selects. Throws the errors of ``ObjectStore/fetchCount(_:)``.
        public func count(for request: PredicateFetchRequest) throws(StoreError) -> Int {
            try store.fetchCount(request)
        }
    }

    /// Copies of a store are equal.
    public static func == (left: ObjectStore, right: ObjectStore) -> Bool { left.core === right.core }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(core))
    }
}

extension ObjectStore {
    /// Returns the IDs of the objects that a request selects, in its order, without creating objects.
    ///
    /// `try store.fetchIDs(PredicateFetchRequest("Task", isDue, sortKeys: [SortKey("due")]))`
    public func fetchIDs(_ request: PredicateFetchRequest) throws(StoreError) -> [SQLObjectID] {
        var request = request
        request.keys = []
        let objects = try fetchCursor(request)
        var ids: [SQLObjectID] = []
        while let object = try objects.next() { ids.append(object.id) }
        return ids
    }

    /// Returns values of the objects that a request selects, or of groups of them, as dictionaries keyed by result name.
    ///
    /// ```swift
    /// let busy = try store.fetchDictionaries(
    ///     PredicateFetchRequest("Task", isOpen, sortKeys: [SortKey("tasks", ascending: false)], limit: 10),
    ///     ["owner.name", .count(as: "tasks"), .maximum("due", as: "latest")],
    ///     .grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3")))
    /// ```
    ///
    /// Values are the same as an object's; a key path that ends in a to-one relationship gives an `SQLObjectID`. Every
    /// dictionary contains all names. The request's sort keys are result names or key paths, as
    /// `SQLQuery.select(results:_:variables:sortKeys:limit:offset:)` describes. Its variables also apply to HAVING. Its `keys`
    /// and prefetched relationships have no effect.
    ///
    /// Throws a ``StoreError``: `compilation` for results that SQL cannot express, and for a predicate with a residual.
    public func fetchDictionaries(
        _ request: PredicateFetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all
    ) throws(StoreError) -> [[String: PredicateValue]] {
        let cursor = try cursor(request, results, rows)
        var dictionaries: [[String: PredicateValue]] = []
        while let dictionary = try cursor.nextDictionary() { dictionaries.append(dictionary) }
        return dictionaries
    }

    /// Returns SQLite's query plan for the results of a request: the output of `EXPLAIN QUERY PLAN`, one step per line.
    package func queryPlan(
        of request: PredicateFetchRequest, _ results: [ResultKey], _ rows: ResultRows = .all
    ) throws(StoreError) -> String {
        try plan(of: try selection(request, results, rows).statement)
    }

    func cursor(
        _ request: PredicateFetchRequest, _ results: [ResultKey], _ rows: ResultRows
    ) throws(StoreError) -> ResultCursor {
        try ResultCursor(self, try selection(request, results, rows))
    }

    private func selection(
        _ request: PredicateFetchRequest, _ results: [ResultKey], _ rows: ResultRows
    ) throws(StoreError) -> ResultSelection {
        let page = try RequestPage(request)
        let query = try query(request.predicate, request.entity, request.variables, mode: .exact)
        let variables = PredicateVariables(plain: request.variables.mapValues { $0.withIdentities(in: core) })
        return try compiling { () throws(SQLCompilationError) in
            try query.select(
                results: results, rows.withIdentities(in: core), variables: variables, sortKeys: request.sortKeys,
                limit: page.limit, offset: page.offset > 0 ? page.offset : nil)
        }
    }
}

/// The rows of a statement for results, read one at a time.
final class ResultCursor {
    private let core: StoreCore
    private let rows: SQLiteRows
    private let columns: [ResultSelection.Column]
    private let names: [String]

    init(_ store: ObjectStore, _ selection: ResultSelection) throws(StoreError) {
        core = store.core
        columns = selection.columns
        names = columns.map(\.name)
        rows = try store.rows(of: selection.statement)
    }

    /// Returns the next row, or nil after the last.
    func next() throws(StoreError) -> [PredicateValue]? {
        try core.explaining { () throws(StoreError) in
            try rows.next { statement in columns.indices.map { columns[$0].value(of: statement.value($0)) } }
        }
    }

    /// Returns the next row as a dictionary, or nil after the last.
    func nextDictionary() throws(StoreError) -> [String: PredicateValue]? {
        try next().map { Dictionary(zip(names, $0)) { first, _ in first } }
    }

    /// Returns the remaining rows.
    func rest() throws(StoreError) -> [[PredicateValue]] {
        var found: [[PredicateValue]] = []
        while let row = try next() { found.append(row) }
        return found
    }
}

extension ResultSelection.Column {
    /// Converts a stored value to the type of the result.
    fileprivate func value(of stored: SQLBinding) -> PredicateValue {
        let value = type.value(of: stored)
        guard let entity, value != .null else { return value }
        return SQLObjectID(entity, key: value).predicateValue
    }
}

extension ResultRows {
    /// The rows with object IDs in place of stored objects in the HAVING predicate.
    fileprivate func withIdentities(in core: StoreCore) -> ResultRows {
        switch self {
        case .all, .distinct: self
        case .grouped(let paths, let having): .grouped(by: paths, having: having?.withIdentities(in: core))
        }
    }
}

/// Objects by integer key. A list of keys takes a fraction of the memory of a list of objects.
extension ObjectStore {
    /// The integer primary keys of the objects that a request selects, in ascending order. Other keys are left out.
    package func fetchIntegerKeys(_ request: PredicateFetchRequest) throws(StoreError) -> [Int64] {
        var request = request
        request.keys = []
        let objects = try fetchCursor(request)
        var keys: [Int64] = []
        while let object = try objects.next() {
            if case .integer(let key) = object.key { keys.append(key) }
        }
        return keys.sorted()
    }

    /// The object with an ID, whose row is read on first access; nil for an unknown entity.
    package func object(_ id: SQLObjectID) -> StoredObject? { StoredObject(core, id) }

    /// The objects with the given keys, read in few statements, in the order of the keys. Missing objects are left out.
    package func fetchAll(_ entity: String, keys: ArraySlice<Int64>) throws(StoreError) -> [StoredObject] {
        let layout = try core.layout(entity)
        var found: [SQLBinding: StoredObject] = [:]
        try layout.statements.byKey.read(for: keys.map(SQLBinding.integer), on: core) { statement in
            let object = StoredObject(core, layout, statement)
            found[object.key] = object
        }
        return keys.compactMap { found[.integer($0)] }
    }
}

/// The page of a request: an optional limit, and the number of matching objects to skip.
struct RequestPage {
    let limit: Int?
    let offset: Int

    /// Throws `negativeLimit` or `negativeOffset`.
    init(_ request: PredicateFetchRequest) throws(StoreError) {
        if let limit = request.limit, limit < 0 { throw StoreError(.negativeLimit(limit)) }
        if let offset = request.offset, offset < 0 { throw StoreError(.negativeOffset(offset)) }
        limit = request.limit
        offset = request.offset ?? 0
    }

    /// True if the page has neither a limit nor an offset.
    var isWhole: Bool { limit == nil && offset == 0 }

    /// The number of objects on this page, given the total.
    func count(of total: Int) -> Int {
        let rest = max(0, total - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
