public import Foundation
import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

/// The objects of a SQLite file, fetched, counted and changed by predicates.
///
/// ```swift
/// let store = try PredicateStore(SQLiteConnection("library.sqlite"))
/// for book in try store.objects("book", where: FormatPredicate("title BEGINSWITH[cd] 'the'")) {
///     print(book["title"] ?? .null)
/// }
/// ```
///
/// A predicate selects exactly the objects for which it evaluates to true in memory. Several tasks may use a store, as
/// they may use a ``SQLiteConnection``.
public struct PredicateStore: Sendable {
    let core: StoreCore

    /// The connection to the file.
    public var connection: SQLiteConnection { core.connection }
    /// The entities of the store, with their tables and columns.
    public var schema: SQLSchema { core.schema }

    /// A store with a schema, by default the one that ``SQLiteConnection/schema()`` introspects.
    ///
    /// With a locale `[l]` compares by its rules, which only a residual can: see `FetchRequest.allowsResidual`. [NSP-184]
    ///
    /// Throws a ``StoreError``: `encoding` for a file with UTF-16 text, `schema` for a schema that contradicts itself, such as
    /// one with a delete rule of a relationship that is not there. [NSP-381]
    public init(
        _ connection: SQLiteConnection, schema: SQLSchema? = nil, locale: Locale? = nil
    ) throws(StoreError) {
        let encoding = try connection.rows(of: SQLFragment("PRAGMA encoding")).next()?.text(0) ?? "UTF-8"
        guard encoding == "UTF-8" else { throw StoreError(.encoding(encoding)) }
        guard let schema else {
            core = StoreCore(connection, try connection.schema(), locale)
            return
        }
        do throws(SQLSchemaError) { try schema.check() } catch { throw StoreError(.schema(error)) }
        core = StoreCore(connection, try FoldIndexReader(connection: connection).schema(schema), locale)
    }

    /// The store that objects of a core belong to.
    init(core: StoreCore) {
        self.core = core
    }

    // MARK: - Fetching

    /// Fetches the objects that a request selects, one at a time.
    ///
    /// ```swift
    /// let people = try store.fetch(FetchRequest("Person", predicate, sortKeys: [SortKey("name")], limit: 20))
    /// while let person = try people.next() { … }
    /// ```
    ///
    /// Throws a ``StoreError``: `compilation` for an unknown entity or key, and for a predicate that SQL does not express
    /// exactly, unless the request allows a residual.
    public func fetch(_ request: FetchRequest) throws(StoreError) -> StoredObjects {
        try StoredObjects(self, request, query(for: request))
    }

    /// Returns the objects of an entity, or those that match a predicate.
    ///
    /// `try store.objects("Person", where: FormatPredicate("age > 21"))`
    ///
    /// `FormatPredicate(matching: ["publisher": "BookCo"])` selects by values of keys.
    public func objects(
        _ entity: String, where predicate: FormatPredicate? = nil
    ) throws(StoreError) -> [StoredObject] {
        try fetch(FetchRequest(entity, predicate)).all()
    }

    /// Returns the only object that matches a predicate, or nil if there is none.
    ///
    /// `try store.object("Book", where: FormatPredicate(matching: ["isbn": isbn]))`
    ///
    /// Throws `severalObjects` if there are more.
    public func object(_ entity: String, where predicate: FormatPredicate) throws(StoreError) -> StoredObject? {
        let found = try fetch(FetchRequest(entity, predicate, limit: 2)).all()
        guard found.count < 2 else { throw StoreError(.severalObjects(entity: entity)) }
        return found.first
    }

    // MARK: - Counting

    /// Returns the number of objects on the page of a request: `try store.count(FetchRequest("Person", predicate))`.
    public func count(_ request: FetchRequest) throws(StoreError) -> Int {
        let page = try Page(request)
        let query = try query(for: request)
        guard query.residual == nil else { return try StoredObjects(self, request.unsorted, query).count() }
        let count = try value(of: try statement(forCountOf: query)) ?? 0
        return page.count(of: Int(clamping: count))
    }

    /// The text of the statement that counts the objects of a request.
    package func countStatement(of request: FetchRequest) throws(StoreError) -> String {
        try statement(forCountOf: try query(for: request)).text
    }

    private func statement(forCountOf query: SQLQuery) throws(StoreError) -> SQLFragment {
        var columns: [String] = []
        for column in query.boundedColumns where try core.looksUpGreatest(column, of: query.entity.table) {
            columns.append(column)
        }
        return query.count(withGreatestOf: columns)
    }

    /// Returns true if there is an object on the page of a request: `try store.exists(FetchRequest("Person", predicate))`.
    public func exists(_ request: FetchRequest) throws(StoreError) -> Bool {
        let page = try Page(request)
        let query = try query(for: request)
        if query.residual == nil, page.isWhole { return try value(of: query.exists) == 1 }
        var first = request.unsorted
        first.limit = min(page.limit ?? 1, 1)
        return try StoredObjects(self, first, query).next() != nil
    }

    /// Returns SQLite's plan for a request: the text of `EXPLAIN QUERY PLAN`, one step per line.
    ///
    /// `SEARCH t0 USING INDEX person_age (age>?)`
    public func queryPlan(of request: FetchRequest) throws(StoreError) -> String {
        try plan(of: try StoredObjects.statement(for: request, try query(for: request), core).fragment)
    }

    func plan(of statement: SQLFragment) throws(StoreError) -> String {
        var statement = statement
        statement.text = "EXPLAIN QUERY PLAN " + statement.text
        return try rows(of: statement).all().compactMap { $0.text(3) }.joined(separator: "\n")
    }

    private func value(of statement: SQLFragment) throws(StoreError) -> Int64? {
        try core.explaining { () throws(StoreError) in try connection.rows(of: statement).next()?.integer(0) }
    }

    // MARK: - Statements

    /// Compiles the predicate of a request.
    func query(for request: FetchRequest) throws(StoreError) -> SQLQuery {
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
                predicate, entity: entity, variables: variables.mapValues { $0.withIdentities(in: core) })
        }
    }

    /// Returns the rows of a statement that was made from the schema. Throws `missingTable` or `missingColumn` if the
    /// file and the schema differ.
    func rows(of statement: SQLFragment) throws(StoreError) -> SQLiteRows {
        try core.explaining { () throws(StoreError) in try connection.rows(of: statement) }
    }
}

extension FetchRequest {
    /// The request for a count: an order and columns do not affect it.
    fileprivate var unsorted: FetchRequest {
        var request = self
        request.sortKeys = []
        request.keys = []
        return request
    }
}

/// Runs the compiler; its errors become errors of the store.
func compiling<Result>(_ work: () throws(SQLCompilationError) -> Result) throws(StoreError) -> Result {
    do throws(SQLCompilationError) {
        return try work()
    } catch {
        throw StoreError(.compilation(error))
    }
}
