import PredicateData
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// `predicate filter 'age >= 21' store.sqlite --table people`: the rows of a SQLite file for which a predicate holds.
struct StoreFilter {
    private let settings: FilterSettings
    private let console: Console
    private let store: PredicateStore
    private let columns: ObjectColumns
    private let request: FetchRequest
    /// Whether SQL says all of the predicate.
    private let isExact: Bool
    private let path: String

    init(
        _ path: String, _ predicate: FormatPredicate, _ settings: FilterSettings, _ console: Console
    ) throws(CommandFailure) {
        let file = try settings.rows.schema.map { (schema) throws(CommandFailure) in try SchemaFile.load(schema) }
        let connection = try SQLiteFile.open(path)
        let found = if let file { file } else { try SchemaFile.tables(of: connection) }
        let entity = try settings.rows.entity(of: found)
        let wanted = settings.isInverted ? !predicate : predicate
        isExact = try Self.isExact(wanted, entity, found.schema, settings)
        do throws(StoreError) {
            store = try PredicateStore(connection, schema: found.schema)
        } catch {
            throw .store(error, path)
        }
        columns = try ObjectColumns(settings.keys, of: entity, in: store)
        request = FetchRequest(
            entity.name, wanted, variables: settings.words.variables, limit: settings.limit,
            keys: columns.keysToFetch, allowsResidual: settings.allowsResidual)
        (self.path, self.settings, self.console) = (path, settings, console)
    }

    /// Compiles the predicate, so that its errors come first.
    private static func isExact(
        _ predicate: FormatPredicate, _ entity: SQLEntity, _ schema: SQLSchema, _ settings: FilterSettings
    ) throws(CommandFailure) -> Bool {
        let compiler = SQLCompiler(schema: schema, mode: settings.allowsResidual ? .residual : .exact)
        do throws(SQLCompilationError) {
            let query = try compiler.compile(predicate, entity: entity.name, variables: settings.words.variables)
            return query.residual == nil
        } catch {
            throw .compilation(error, schema)
        }
    }

    func run() throws(CommandFailure) -> ExitStatus {
        if settings.explainsPlan { return try writePlan() }
        guard isExact, settings.isQuiet || settings.countsOnly else {
            var pass = try StorePass(settings, columns, console, path)
            return try pass.run(store, request)
        }
        return try settings.isQuiet ? ask() : count()
    }

    /// How SQLite goes about it.
    private func writePlan() throws(CommandFailure) -> ExitStatus {
        let plan = try reading { () throws(StoreError) in try store.queryPlan(of: request) }
        try console.write(plan + "\n")
        return .success
    }

    /// Whether there is such a row; SQLite need not look for all of them.
    private func ask() throws(CommandFailure) -> ExitStatus {
        var request = request
        request.limit = nil
        let exists = try reading { () throws(StoreError) in try store.exists(request) }
        return exists ? .success : .negative
    }

    private func count() throws(CommandFailure) -> ExitStatus {
        let count = try reading { () throws(StoreError) in try store.count(request) }
        try console.write("\(count)\n")
        return count > 0 ? .success : .negative
    }

    private func reading<Result>(_ work: () throws(StoreError) -> Result) throws(CommandFailure) -> Result {
        do throws(StoreError) {
            return try work()
        } catch {
            throw .store(error, store)
        }
    }
}
