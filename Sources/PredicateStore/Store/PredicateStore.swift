import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

/// The objects of a SQLite file: fetched, counted and changed by predicates.
///
/// ```swift
/// let store = try PredicateStore(SQLiteConnection("library.sqlite"))
/// for book in try store.objects("book", where: FormatPredicate("title BEGINSWITH[cd] 'the'")) {
///     print(book["title"] ?? .null)
/// }
/// ```
///
/// A predicate selects exactly the objects for which an evaluator answers true. May be used from several tasks, as
/// ``SQLiteConnection`` may.
public struct PredicateStore: Sendable {
    let core: StoreCore

    public var connection: SQLiteConnection { core.connection }
    public var schema: SQLSchema { core.schema }

    /// The objects that a schema finds in a file; without one, as ``SQLiteConnection/schema()`` finds them.
    ///
    /// Throws a ``StoreError``: `encoding` for a file that keeps its texts in UTF-16.
    public init(_ connection: SQLiteConnection, schema: SQLSchema? = nil) throws(StoreError) {
        let encoding = try connection.rows(of: SQLFragment("PRAGMA encoding")).next()?.text(0) ?? "UTF-8"
        guard encoding == "UTF-8" else { throw StoreError(.encoding(encoding)) }
        guard let schema else {
            core = StoreCore(connection, try connection.schema())
            return
        }
        core = StoreCore(connection, schema)
    }

    // MARK: - Fetching

    /// The objects that a request selects, read as they are asked for.
    ///
    /// ```swift
    /// let people = try store.fetch(FetchRequest("Person", predicate, sortKeys: [SQLSortKey("name")], limit: 20))
    /// while let person = try people.next() { … }
    /// ```
    ///
    /// Throws a ``StoreError``: `compilation` for a predicate that SQL cannot say exactly, unless the request allows a
    /// residual, and for an entity or a key that there is not.
    public func fetch(_ request: FetchRequest) throws(StoreError) -> StoredObjects {
        try StoredObjects(self, request)
    }

    /// All objects of an entity: `try store.objects("Person")`.
    public func objects(_ entity: String) throws(StoreError) -> [StoredObject] {
        try fetch(FetchRequest(entity)).all()
    }

    /// The objects for which a predicate holds: `try store.objects("Person", where: FormatPredicate("age > 21"))`.
    public func objects(_ entity: String, where predicate: FormatPredicate) throws(StoreError) -> [StoredObject] {
        try fetch(FetchRequest(entity, predicate)).all()
    }

    /// The objects with values for some keys: `try store.objects("Book", matching: ["publisher": "BookCo"])`.
    ///
    /// All values must fit, or any of them: `combinedWith: .or`. A nil value asks for nil.
    public func objects(
        _ entity: String, matching values: KeyValuePairs<String, (any PredicateValueConvertible)?>,
        combinedWith type: LogicalType = .and
    ) throws(StoreError) -> [StoredObject] {
        try objects(entity, where: FormatPredicate(matching: values, combinedWith: type))
    }

    /// The one object for which a predicate holds, nil for none.
    ///
    /// `try store.object("Book", where: FormatPredicate("isbn == %@", isbn))`
    ///
    /// Throws `severalObjects` where there are more.
    public func object(_ entity: String, where predicate: FormatPredicate) throws(StoreError) -> StoredObject? {
        let found = try fetch(FetchRequest(entity, predicate, limit: 2)).all()
        guard found.count < 2 else { throw StoreError(.severalObjects(entity: entity)) }
        return found.first
    }

    /// The one object with values for some keys, nil for none: `try store.object("Book", matching: ["isbn": isbn])`.
    ///
    /// Throws `severalObjects` where there are more.
    public func object(
        _ entity: String, matching values: KeyValuePairs<String, (any PredicateValueConvertible)?>,
        combinedWith type: LogicalType = .and
    ) throws(StoreError) -> StoredObject? {
        try object(entity, where: FormatPredicate(matching: values, combinedWith: type))
    }

    // MARK: - Counting

    /// How many objects a request selects, within its limit: `try store.count(FetchRequest("Person", predicate))`.
    public func count(_ request: FetchRequest) throws(StoreError) -> Int {
        let page = try Page(request)
        let query = try query(for: request)
        guard query.residual == nil else { return try fetch(request).count() }
        let count = try value(of: query.count) ?? 0
        return page.count(of: Int(clamping: count))
    }

    /// Whether there is an object that a request selects: `try store.exists(FetchRequest("Person", predicate))`.
    public func exists(_ request: FetchRequest) throws(StoreError) -> Bool {
        let page = try Page(request)
        let query = try query(for: request)
        guard query.residual == nil, page.isWhole else { return try fetch(request).next() != nil }
        return try value(of: query.exists) == 1
    }

    /// How SQLite goes about it: the text of `EXPLAIN QUERY PLAN`, a line for each step.
    ///
    /// `SEARCH t0 USING INDEX person_age (age>?)`
    public func queryPlan(of request: FetchRequest) throws(StoreError) -> String {
        var statement = try StoredObjects.statement(for: request, try query(for: request), core).fragment
        statement.text = "EXPLAIN QUERY PLAN " + statement.text
        return try rows(of: statement).all().compactMap { $0.text(3) }.joined(separator: "\n")
    }

    private func value(of statement: SQLFragment) throws(StoreError) -> Int64? {
        try core.explaining { () throws(StoreError) in try connection.rows(of: statement).next()?.integer(0) }
    }

    // MARK: - Statements

    /// The compiled predicate of a request.
    func query(for request: FetchRequest) throws(StoreError) -> SQLQuery {
        try query(
            request.predicate, request.entity, request.variables, mode: request.allowsResidual ? .residual : .exact)
    }

    func query(
        _ predicate: FormatPredicate?, _ entity: String, _ variables: [String: PredicateValue], mode: SQLCompiler.Mode
    ) throws(StoreError) -> SQLQuery {
        var compiler = core.compiler
        compiler.mode = mode
        let predicate = predicate?.withIdentities ?? .constant(true)
        return try compiling { () throws(SQLCompilationError) in
            try compiler.compile(predicate, entity: entity, variables: variables.mapValues(\.withIdentities))
        }
    }

    /// The rows of a statement that was made from the schema. Throws `missingTable` and `missingColumn` where the file
    /// and the schema differ.
    func rows(of statement: SQLFragment) throws(StoreError) -> SQLiteRows {
        try core.explaining { () throws(StoreError) in try connection.rows(of: statement) }
    }
}

/// Runs the compiler.
func compiling<Result>(_ work: () throws(SQLCompilationError) -> Result) throws(StoreError) -> Result {
    do throws(SQLCompilationError) {
        return try work()
    } catch {
        throw StoreError(.compilation(error))
    }
}
