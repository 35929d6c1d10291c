import PredicateChecks
import PredicateCoreData
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// `predicate filter 'age >= 21' store.sqlite --table people`: writes the rows of a SQLite file that match.
struct StoreFilter {
    private let settings: FilterSettings
    private let console: Console
    private let store: ObjectStore
    private let columns: RowColumns
    private let request: PredicateFetchRequest
    /// The part of the predicate that is evaluated in memory; nil if SQL expresses all of it.
    private let residual: FormatPredicate?
    /// The part of the query that SQL does; nil if memory evaluates a part of the predicate.
    private let statement: StoreQuery?
    private let path: String
    /// Notes that are shown if no row matches.
    private let reasons: [String]
    /// Notes about divisions of integers.
    private let divisions: [String]

    init(
        _ path: String, _ predicate: FormatPredicate, _ settings: FilterSettings, _ console: Console
    ) throws(CommandFailure) {
        let coreData = try CoreDataFile.open(
            path, settings.rows, settings.context, decodesData: settings.decodesArchives)
        let found: SchemaFile
        if let coreData {
            (found, store) = (SchemaFile.entities(of: coreData), coreData.objects)
        } else {
            (found, store) = try Self.tables(path, settings)
        }
        let entity = try settings.rows.entity(of: found)
        var settings = settings
        settings.query = settings.query.of(entity)
        let predicate = try coreData.reading(predicate, of: entity, in: found.schema, zone: settings.context.zone)
        let texts = TextReadings(entity, found.schema, in: settings.context.zone)
        for value in settings.query.values { try value.read(texts) }
        let wanted = settings.isInverted ? !predicate : predicate
        residual = try Self.residual(of: wanted, entity, found.schema, settings)
        if settings.writesObjectIDs, coreData == nil {
            throw .message("--object-ids needs a Core Data store, and '\(path)' is read as plain tables")
        }
        let keys = settings.query.grouping == nil ? settings.query.keys : []
        columns = try RowColumns(
            keys, others: settings.query.arranging, of: entity, in: store,
            identities: settings.writesObjectIDs ? coreData : nil, decodesArchives: settings.decodesArchives,
            findsDays: !settings.isQuiet && !settings.countsOnly)
        request = PredicateFetchRequest(
            entity.name, wanted, variables: PredicateVariables(plain: settings.context.variables),
            limit: Self.limit(settings.query),
            keys: columns.keysToFetch, prefetching: columns.relationshipsToPrefetch,
            allowsResidual: residual != nil)
        if settings.writesRows, let coreData {
            for missing in try Self.missingData(coreData, columns, entity, path, settings) {
                console.report("note: \(path): \(missing.readingNote)")
            }
        }
        statement = StoreQuery(settings, residual: residual, in: store)
        let scope = CheckScope(found.schema, entity: entity.name).with(settings.context)
        reasons =
            PredicateNotes.mismatches(predicate, scope, mayRead: nil) + PredicateNotes.reasons(predicate, scope)
            + settings.predicateOptions.listNotes(predicate)
        divisions = PredicateNotes.divisions(predicate, scope) + settings.query.divisions(scope)
        (self.path, self.settings, self.console) = (path, settings, console)
    }

    /// The number of rows to select. Any limit, even the number of all rows, selects them in the order of the primary key.
    /// Ties, pages, and the choice among equal rows depend on this order.
    private static func limit(_ query: OutputQuery) -> Int? {
        if query.grouping != nil { return nil }
        if query.leavesOutMatches || query.sort != nil { return .max }
        return query.stoppingLimit ?? (query.page.skipsRows ? .max : nil)
    }

    /// The external data to print whose files are missing. Throws unless missing files are allowed.
    private static func missingData(
        _ store: CoreDataStore, _ columns: RowColumns, _ entity: SQLEntity, _ path: String, _ settings: FilterSettings
    ) throws(CommandFailure) -> [MissingExternalData] {
        return try CoreDataFile.reading(path) { () throws(CoreDataError) in
            let missing = try store.missingData(of: entity.name, keys: Set(columns.keysToFetch))
            try missing.check(allowing: settings.rows.allowsMissingFiles)
            return missing
        }
    }

    /// Opens a file by its tables, or by the schema of `--schema`.
    private static func tables(
        _ path: String, _ settings: FilterSettings
    ) throws(CommandFailure) -> (SchemaFile, ObjectStore) {
        let file = try settings.rows.schema.map { (schema) throws(CommandFailure) in try SchemaFile.load(schema) }
        let connection = try SQLiteFile.open(path, limits: settings.context.limits)
        let found = if let file { file } else { try SchemaFile.tables(of: connection) }
        return (found, try found.store(connection, settings.context))
    }

    /// Compiles the predicate first, to report its errors. Returns the part that SQL cannot express.
    ///
    /// With --residual, that part may include errors in memory as well. An untrusted predicate is evaluated in memory only on
    /// request, because the evaluation has the limits of a trusted one.
    private static func residual(
        of predicate: FormatPredicate, _ entity: SQLEntity, _ schema: SQLSchema, _ settings: FilterSettings
    ) throws(CommandFailure) -> FormatPredicate? {
        let refusal: SQLCompilationError
        do throws(SQLCompilationError) {
            return try compiled(predicate, entity, schema, settings, .exact).residual
        } catch {
            refusal = error
        }
        let isLeft = refusal.concernsSQLOnly && !settings.predicateOptions.isUntrusted
        guard settings.allowsResidual || isLeft else { throw .compilation(refusal, schema) }
        do throws(SQLCompilationError) {
            let residual = try compiled(predicate, entity, schema, settings, .residual).residual
            // If no evaluator accepts the residual, the error is in the predicate, not in a row.
            let canEvaluate = residual.map { (try? PredicateEvaluator($0, context: settings.context)) != nil } ?? true
            guard settings.allowsResidual || canEvaluate else { throw refusal }
            return residual
        } catch {
            throw .compilation(error, schema)
        }
    }

    private static func compiled(
        _ predicate: FormatPredicate, _ entity: SQLEntity, _ schema: SQLSchema, _ settings: FilterSettings,
        _ mode: SQLCompiler.Mode
    ) throws(SQLCompilationError) -> SQLQuery {
        try SQLCompiler(schema: schema, mode: mode, context: settings.context).compile(
            predicate, entity: entity.name, variables: PredicateVariables(plain: settings.context.variables))
    }

    func run() throws(CommandFailure) -> ExitStatus {
        if let residual, !settings.allowsResidual, !settings.isQuiet {
            let words =
                "SQL cannot express \(RecordErrorText.plain(residual.predicateFormat)), which is evaluated for each row"
            console.report("note: \(path): \(words)")
        }
        if settings.explainsPlan { return try writePlan() }
        let status = try inOneTransaction(select)
        guard !settings.isQuiet else { return status }
        let notes = divisions + (status == .negative ? reasons : [])
        for note in notes { console.report("note: \(path): \(note)") }
        return status
    }

    /// Runs all statements in one read transaction, so that they see the same rows even if other processes write meanwhile.
    /// [NSP-464]
    private func inOneTransaction(
        _ body: () throws(CommandFailure) -> ExitStatus
    ) throws(CommandFailure) -> ExitStatus {
        try store.reading { (store) throws(StoreError) in
            try store.snapshot { Result { () throws(CommandFailure) in try body() } }
        }.get()
    }

    private func select() throws(CommandFailure) -> ExitStatus {
        if let grouping = settings.query.grouping, let rows = statement?.groups(request) {
            return try run(columns).write(
                groups: grouping.ordered(rows, settings.query), matched: grouping.sizes(of: rows).reduce(0, +))
        }
        if let rows = statement?.distinctRows(request) { return try write(distinct: rows) }
        if let ordered = orderedRequest {
            let status = try write(ordered, runInOrder)
            return status == .negative && ordered.offset != nil ? try exists() : status
        }
        let isOneValue = settings.isQuiet || settings.countsOnly && !settings.query.leavesOutMatches
        guard residual == nil, settings.query.grouping == nil, isOneValue else {
            return try write(request, run(columns))
        }
        return try settings.isQuiet ? exists() : count()
    }

    /// Returns a pass over objects whose columns are read.
    private func run(_ columns: RowColumns) -> StoreRun {
        StoreRun(settings, columns, console, path)
    }

    /// The pass over objects or rows that arrive in the right order. None of them is left out.
    private var runInOrder: StoreRun {
        StoreRun(settings.ofRowsInOrder, columns.written, console, path)
    }

    /// Writes the rows of a request. If memory sorts the rows, it also computes their values.
    private func write(_ request: PredicateFetchRequest, _ run: StoreRun) throws(CommandFailure) -> ExitStatus {
        if run.isInOrder, let rows = statement?.values(request) { return try run.run(store, rows) }
        return try run.run(store, request)
    }

    /// The request for the rows in the order that SQL gives them; nil if memory sorts them.
    private var orderedRequest: PredicateFetchRequest? {
        var request = request
        (request.keys, request.prefetching) = (columns.written.keysToFetch, columns.written.relationshipsToPrefetch)
        return statement?.ordered(request)
    }

    /// Writes SQLite's query plan.
    private func writePlan() throws(CommandFailure) -> ExitStatus {
        let (ordered, request) = (orderedRequest, request)
        let ofValues = ordered == nil && settings.query.sort != nil ? nil : ordered ?? request
        let known = statement?.groupPlan(request) ?? ofValues.flatMap { statement?.valuePlan($0) }
        let plan =
            if let known { known } else {
                try store.reading { (store) throws(StoreError) in try store.queryPlan(of: ordered ?? request) }
            }
        try console.write(plan + "\n")
        return .success
    }

    /// Returns the exit status that says whether a row matches. SQLite stops at the first match.
    private func exists() throws(CommandFailure) -> ExitStatus {
        var request = request
        request.limit = nil
        let exists = try store.reading { (store) throws(StoreError) in try store.exists(request) }
        return exists ? .success : .negative
    }

    /// Writes distinct rows that SQL has selected, or their number.
    private func write(distinct rows: [[PredicateValue]]) throws(CommandFailure) -> ExitStatus {
        guard settings.countsOnly else {
            let found = QueryResults(columns: (settings.query.keys ?? []).map(\.spelling), rows: rows)
            let page = try settings.query.indices(of: found).map { rows[$0] }
            return try runInOrder.write(page, matched: rows.count)
        }
        try console.write("\(rows.count)\n")
        return rows.count > 0 ? .success : .negative
    }

    private func count() throws(CommandFailure) -> ExitStatus {
        let count = try store.reading { (store) throws(StoreError) in try store.fetchCount(request) }
        try console.write("\(count)\n")
        return count > 0 ? .success : .negative
    }
}

extension ObjectStore {
    /// Runs work on the store, and turns its errors into failures of the command.
    func reading<Result>(
        _ work: (ObjectStore) throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(StoreError) {
            return try work(self)
        } catch {
            throw .store(error, self)
        }
    }
}
