import PredicateChecks
import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// `predicate filter 'age >= 21' store.sqlite --table people`: writes the rows of a SQLite file that match.
struct StoreFilter {
    private let settings: FilterSettings
    private let console: Console
    private let store: PredicateStore
    private let columns: RowColumns
    private let request: FetchRequest
    /// True if SQL expresses the whole predicate.
    private let isExact: Bool
    private let path: String
    /// What is noted about the predicate if no row matches.
    private let reasons: [String]
    /// Divisions of integers in it.
    private let divisions: [String]

    init(
        _ path: String, _ predicate: FormatPredicate, _ settings: FilterSettings, _ console: Console
    ) throws(CommandFailure) {
        let coreData = try CoreDataFile.open(path, settings.rows)
        let found: SchemaFile
        if let coreData {
            (found, store) = (SchemaFile.entities(of: coreData), coreData.objects)
        } else {
            (found, store) = try Self.tables(path, settings)
        }
        let entity = try settings.rows.entity(of: found)
        let predicate = try coreData.reading(predicate, of: entity, in: found.schema)
        let wanted = settings.isInverted ? !predicate : predicate
        isExact = try Self.isExact(wanted, entity, found.schema, settings)
        if settings.writesObjectIDs, coreData == nil {
            throw .message("--object-ids needs a Core Data store, and '\(path)' is read by its tables")
        }
        let others = settings.grouping?.allNames ?? settings.sortNames
        let keys = settings.grouping == nil ? settings.keys : []
        columns = try RowColumns(
            keys, others: others, of: entity, in: store, identities: settings.writesObjectIDs ? coreData : nil)
        request = FetchRequest(
            entity.name, wanted, variables: settings.words.variables, limit: settings.stoppingLimit,
            keys: columns.keysToFetch, prefetching: columns.relationshipsToPrefetch,
            allowsResidual: settings.allowsResidual)
        let writesRows = !settings.isQuiet && !settings.countsOnly && settings.grouping == nil
        if writesRows, let coreData { try Self.checkExternalData(coreData, columns, entity, path) }
        let scope = CheckScope(found.schema, entity: entity.name)
        reasons =
            PredicateNotes.mismatches(predicate, scope, mayRead: nil) + PredicateNotes.reasons(predicate, scope)
        divisions = PredicateNotes.divisions(predicate, scope)
        (self.path, self.settings, self.console) = (path, settings, console)
    }

    /// Data that are printed must be there: a column has the name of their file alone.
    private static func checkExternalData(
        _ store: CoreDataStore, _ columns: RowColumns, _ entity: SQLEntity, _ path: String
    ) throws(CommandFailure) {
        do throws(CoreDataError) {
            try store.checkExternalData(of: entity.name, keys: Set(columns.keysToFetch))
        } catch {
            throw CoreDataFile.failure(error, path)
        }
    }

    /// A file by its tables, or by a schema that is given.
    private static func tables(
        _ path: String, _ settings: FilterSettings
    ) throws(CommandFailure) -> (SchemaFile, PredicateStore) {
        let file = try settings.rows.schema.map { (schema) throws(CommandFailure) in try SchemaFile.load(schema) }
        let connection = try SQLiteFile.open(path)
        let found = if let file { file } else { try SchemaFile.tables(of: connection) }
        do throws(StoreError) {
            return (found, try PredicateStore(connection, schema: found.schema))
        } catch {
            throw .store(error, path)
        }
    }

    /// Compiles the predicate, so that its errors are reported first.
    private static func isExact(
        _ predicate: FormatPredicate, _ entity: SQLEntity, _ schema: SQLSchema, _ settings: FilterSettings
    ) throws(CommandFailure) -> Bool {
        let compiler = SQLCompiler(
            schema: schema, mode: settings.allowsResidual ? .residual : .exact, limits: settings.words.limits)
        do throws(SQLCompilationError) {
            let query = try compiler.compile(predicate, entity: entity.name, variables: settings.words.variables)
            return query.residual == nil
        } catch {
            throw .compilation(error, schema)
        }
    }

    func run() throws(CommandFailure) -> ExitStatus {
        if settings.explainsPlan { return try writePlan() }
        let status = try select()
        guard !settings.isQuiet else { return status }
        let notes = divisions + (status == .negative ? reasons : [])
        for note in notes { console.report("note: \(path): \(note)") }
        return status
    }

    private func select() throws(CommandFailure) -> ExitStatus {
        guard isExact, settings.grouping == nil, settings.isQuiet || settings.countsOnly else {
            return try StorePass(settings, columns, console, path).run(store, request)
        }
        return try settings.isQuiet ? exists() : count()
    }

    /// Writes SQLite's query plan.
    private func writePlan() throws(CommandFailure) -> ExitStatus {
        let plan = try store.reading { (store) throws(StoreError) in try store.queryPlan(of: request) }
        try console.write(plan + "\n")
        return .success
    }

    /// Returns the status for whether any row matches; SQLite stops at the first.
    private func exists() throws(CommandFailure) -> ExitStatus {
        var request = request
        request.limit = nil
        let exists = try store.reading { (store) throws(StoreError) in try store.exists(request) }
        return exists ? .success : .negative
    }

    private func count() throws(CommandFailure) -> ExitStatus {
        let count = try store.reading { (store) throws(StoreError) in try store.count(request) }
        try console.write("\(count)\n")
        return count > 0 ? .success : .negative
    }
}
