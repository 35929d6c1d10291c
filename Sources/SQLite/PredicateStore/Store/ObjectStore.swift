import Foundation
public import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

/// The objects of a SQLite file, which predicates fetch, count and change.
///
/// ```swift
/// let store = try ObjectStore(StoreConnection("library.sqlite"))
/// for book in try store.fetchAll("book", where: FormatPredicate("title BEGINSWITH[cd] 'the'")) {
///     print(book["title"] ?? .null)
/// }
/// ```
///
/// A predicate selects exactly the objects for which it evaluates to true in memory. Several tasks may share a store,
/// just as they may share a ``StoreConnection``.
public struct ObjectStore: Sendable {
    let core: StoreCore

    /// The connection to the file.
    public var connection: StoreConnection { core.connection }
    /// The entities of the store, with their tables and columns.
    public var schema: SQLSchema { core.schema }

    /// Creates a store with a schema, by default the one that ``StoreConnection/schema()`` introspects.
    ///
    /// Predicates may call the functions of the context; this requires a residual: see `PredicateFetchRequest.allowsResidual`.
    /// So does `[l]`, which compares by the rules of the context's locale [NSP-184]. The date functions that
    /// `EvaluationRegistry.registerCalendarFunctions(timeZone:)` adds have SQL in UTC. Any other zone requires a residual, and
    /// also applies to dates without an offset in string columns. [NSP-496]
    ///
    /// ```swift
    /// var registry = EvaluationRegistry.standard
    /// registry.registerCalendarFunctions(timeZone: .gmt)
    /// let store = try ObjectStore(connection, context: PredicateContext(registry: registry))
    /// ```
    ///
    /// The limits and variables of the context have no effect: the connection has the limits, each request its variables.
    ///
    /// Throws a ``StoreError``: `encoding` for a UTF-16 database, `schema` for an inconsistent schema, such as one
    /// with a relationship to an unknown entity. [NSP-381]
    public init(
        _ connection: StoreConnection, schema: SQLSchema? = nil, context: PredicateContext = .standard
    ) throws(StoreError) {
        try self.init(connection, schema, context, decoder: nil)
    }

    /// Creates a store that decodes the data of attributes where the schema says so.
    package init(
        _ connection: StoreConnection, _ schema: SQLSchema?, _ context: PredicateContext,
        decoder: (@Sendable ([UInt8]) -> PredicateValue?)?
    ) throws(StoreError) {
        let encoding = try connection.rows(of: SQLFragment("PRAGMA encoding")).next()?.text(0) ?? "UTF-8"
        guard encoding == "UTF-8" else { throw StoreError(.encoding(encoding)) }
        guard let schema else {
            core = StoreCore(connection, try connection.schema(), context)
            return
        }
        do throws(SQLSchemaError) { try schema.check() } catch { throw StoreError(.schema(error)) }
        core = StoreCore(connection, try FoldIndexReader(connection: connection).schema(schema), context, decoder)
    }

    init(core: StoreCore) {
        self.core = core
    }

    // MARK: - Fetching

    /// Returns a cursor over the objects that a request selects.
    ///
    /// ```swift
    /// let people = try store.fetchCursor(PredicateFetchRequest("Person", predicate, sortKeys: [SortKey("name")], limit: 20))
    /// while let person = try people.next() { … }
    /// ```
    ///
    /// Throws a ``StoreError``: `compilation` for an unknown entity or key, and for a predicate that SQL cannot
    /// express exactly, unless the request allows a residual.
    public func fetchCursor(_ request: PredicateFetchRequest) throws(StoreError) -> ObjectCursor {
        try ObjectCursor(self, request, query(for: request))
    }

    /// Returns the objects that a request selects.
    ///
    /// `try store.fetchAll(PredicateFetchRequest("Person", predicate, sortKeys: [SortKey("name")], limit: 20))`
    ///
    /// Throws the errors of ``fetchCursor(_:)`` and of reading its objects.
    public func fetchAll(_ request: PredicateFetchRequest) throws(StoreError) -> [StoredObject] {
        try fetchCursor(request).all()
    }

    /// Returns the objects of an entity that match a predicate, or all of them if there is none.
    ///
    /// `try store.fetchAll("Person", where: FormatPredicate("age > 21"))`
    ///
    /// `FormatPredicate(matching: ["publisher": "BookCo"])` selects by values of keys.
    public func fetchAll(
        _ entity: String, where predicate: FormatPredicate? = nil
    ) throws(StoreError) -> [StoredObject] {
        try fetchAll(PredicateFetchRequest(entity, predicate))
    }

    /// Returns the only object that a request selects, or nil if it selects none.
    ///
    /// `try store.fetchOne(PredicateFetchRequest("Task", isOpen, sortKeys: [SortKey("due")], limit: 1))`
    ///
    /// Throws `severalObjects` if it selects several objects.
    public func fetchOne(_ request: PredicateFetchRequest) throws(StoreError) -> StoredObject? {
        let found = try fetchAll(request.limited(to: 2))
        guard found.count < 2 else { throw StoreError(.severalObjects(entity: request.entity)) }
        return found.first
    }

    /// Returns the only object that matches a predicate, or nil if none does.
    ///
    /// `try store.fetchOne("Book", where: FormatPredicate(matching: ["isbn": isbn]))`
    ///
    /// Throws `severalObjects` if several objects match.
    package func fetchOne(_ entity: String, where predicate: FormatPredicate) throws(StoreError) -> StoredObject? {
        try fetchOne(PredicateFetchRequest(entity, predicate))
    }

    // MARK: - Counting

    /// Returns the number of objects that a request selects, within its limit and offset.
    ///
    /// `try store.fetchCount(PredicateFetchRequest("Person", predicate))`
    public func fetchCount(_ request: PredicateFetchRequest) throws(StoreError) -> Int {
        let page = try RequestPage(request)
        let query = try query(for: request)
        guard query.residual == nil else { return try ObjectCursor(self, request.unsorted, query).count() }
        let count = try value(of: try statement(forCountOf: query)) ?? 0
        return page.count(of: Int(clamping: count))
    }

    package func countStatement(of request: PredicateFetchRequest) throws(StoreError) -> String {
        try statement(forCountOf: try query(for: request)).text
    }

    private func statement(forCountOf query: SQLQuery) throws(StoreError) -> SQLFragment {
        var columns: [String] = []
        for column in query.boundedColumns where try core.looksUpGreatest(column, of: query.entity.table) {
            columns.append(column)
        }
        return query.count(withGreatestOf: columns)
    }

    /// Returns true if a request selects at least one object: `try store.exists(PredicateFetchRequest("Person", predicate))`.
    public func exists(_ request: PredicateFetchRequest) throws(StoreError) -> Bool {
        let page = try RequestPage(request)
        let query = try query(for: request)
        if query.residual == nil, page.isWhole { return try value(of: query.exists) == 1 }
        var first = request.unsorted
        first.limit = min(page.limit ?? 1, 1)
        return try ObjectCursor(self, first, query).next() != nil
    }

    /// Returns SQLite's query plan for a request: the output of `EXPLAIN QUERY PLAN`, one step per line.
    ///
    /// `SEARCH t0 USING INDEX person_age (age>?)`
    public func queryPlan(of request: PredicateFetchRequest) throws(StoreError) -> String {
        try plan(of: try ObjectCursor.statement(for: request, try query(for: request), core).fragment)
    }

    func plan(of statement: SQLFragment) throws(StoreError) -> String {
        let plan = SQLFragment("EXPLAIN QUERY PLAN \(verbatim: statement.text)", bindings: statement.bindings)
        return try rows(of: plan).all().compactMap { $0.text(3) }.joined(separator: "\n")
    }

    private func value(of statement: SQLFragment) throws(StoreError) -> Int64? {
        try core.explaining { () throws(StoreError) in try connection.rows(of: statement).next()?.integer(0) }
    }

    // MARK: - Statements

    func query(for request: PredicateFetchRequest) throws(StoreError) -> SQLQuery {
        try query(
            request.predicate, request.entity, request.variables, mode: request.allowsResidual ? .residual : .exact)
    }

    func query(
        _ predicate: FormatPredicate?, _ entity: String, _ variables: [String: PredicateValue], mode: SQLCompiler.Mode
    ) throws(StoreError) -> SQLQuery {
        var compiler = core.compiler
        compiler.mode = mode
        let predicate = predicate?.withIdentities(in: core) ?? .constant(true)
        return try compiling { () throws(SQLCompilationError) in
            try compiler.compile(
                predicate, entity: entity,
                variables: PredicateVariables(plain: variables.mapValues { $0.withIdentities(in: core) }))
        }
    }

    /// Runs a statement that was compiled from the schema. Throws `missingTable` or `missingColumn` if the file does
    /// not match the schema.
    func rows(of statement: SQLFragment) throws(StoreError) -> SQLiteRows {
        try core.explaining { () throws(StoreError) in try connection.rows(of: statement) }
    }
}

extension PredicateFetchRequest {
    /// The request with a limit, unless its own is lower.
    func limited(to limit: Int) -> PredicateFetchRequest {
        var request = self
        request.limit = min(self.limit ?? limit, limit)
        return request
    }

    /// The request without sort keys and columns, which do not affect a count.
    fileprivate var unsorted: PredicateFetchRequest {
        var request = self
        request.sortKeys = []
        request.keys = []
        return request
    }
}

/// Runs the compiler and wraps its error in a store error.
func compiling<Result>(_ work: () throws(SQLCompilationError) -> Result) throws(StoreError) -> Result {
    do throws(SQLCompilationError) {
        return try work()
    } catch {
        throw StoreError(.compilation(error))
    }
}

extension ObjectStore {
    /// Runs changes in a transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try store.transaction { () throws(StoreError) in
    ///     let list = try store.insert("List", ["name": "Home"])
    ///     try store.update("Task", ["list": list], where: isLost)
    /// }
    /// ```
    ///
    /// This is ``StoreConnection/transaction(_:)``: a nested transaction can fail alone, and other tasks that use
    /// this store wait for the end.
    public func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try connection.transaction(body)
    }

    /// Runs fetches that all see the same state of the file: the state at the first fetch.
    ///
    /// ```swift
    /// let (count, tasks) = try store.snapshot { () throws(StoreError) in
    ///     (try store.fetchCount(request), try store.fetchAll(request))
    /// }
    /// ```
    ///
    /// With a write-ahead log (``SQLiteOptions/Journal/wal``), other connections can write meanwhile; otherwise they
    /// wait. Within a transaction, the snapshot is that transaction.
    package func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try connection.snapshot(body)
    }

    /// Opens a store with its own connection to the same file, for parallel reads.
    ///
    /// ```swift
    /// let store = try ObjectStore(StoreConnection("todo.sqlite", SQLiteOptions(.readWrite, journal: .wal)))
    /// let reader = try store.reader()
    /// ```
    ///
    /// A connection runs one statement at a time, so each task that reads in parallel needs its own reader. With a write-ahead
    /// log, readers and the single writer never block each other, and a fetch sees the state of the file at its beginning until
    /// its last object is read. Objects of the two stores are equal if they have the same row, and can be arguments in
    /// predicates of the other store. Asynchronous tasks need no readers of their own: ``read(_:)`` shares a few.
    ///
    /// Throws a ``StoreError``: `inMemory` for a database in memory.
    public func reader() throws(StoreError) -> ObjectStore {
        guard let file = connection.file else { throw StoreError(.inMemory) }
        let reader = try StoreConnection(file, connection.options.reading)
        return ObjectStore(core: StoreCore(reader, sharing: core))
    }
}

extension SQLiteOptions {
    /// The same options for a read-only connection.
    fileprivate var reading: SQLiteOptions {
        var options = self
        (options.access, options.journal) = (.readOnly, nil)
        return options
    }
}
