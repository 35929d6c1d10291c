import PredicateChecks
import PredicateCoreData
import PredicateData
import PredicateEvaluation
import PredicateJSON
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
    /// The groups that SQL may compute; nil without groups, and if they are computed in memory.
    private let groups: StoreGroups?
    /// The order that SQL may give the rows; nil without one, and if memory gives it.
    private let order: StoreOrder?
    private let path: String
    /// Notes that are shown if no row matches.
    private let reasons: [String]
    /// Notes about divisions of integers.
    private let divisions: [String]

    init(
        _ path: String, _ predicate: FormatPredicate, _ settings: FilterSettings, _ console: Console
    ) throws(CommandFailure) {
        let coreData = try CoreDataFile.open(path, settings.rows, limits: settings.predicateOptions.limits)
        let found: SchemaFile
        if let coreData {
            (found, store) = (SchemaFile.entities(of: coreData), coreData.objects)
        } else {
            (found, store) = try Self.tables(path, settings)
        }
        let entity = try settings.rows.entity(of: found)
        let predicate = try coreData.reading(predicate, of: entity, in: found.schema)
        let wanted = settings.isInverted ? !predicate : predicate
        residual = try Self.residual(of: wanted, entity, found.schema, settings)
        if settings.writesObjectIDs, coreData == nil {
            throw .message("--object-ids needs a Core Data store, and '\(path)' is read as plain tables")
        }
        let keys = settings.query.grouping == nil ? settings.query.keys : []
        columns = try RowColumns(
            keys, others: settings.query.arranging, of: entity, in: store,
            identities: settings.writesObjectIDs ? coreData : nil, decodesArchives: settings.decodesArchives)
        request = PredicateFetchRequest(
            entity.name, wanted, variables: PredicateVariables(plain: settings.predicateOptions.variables),
            limit: settings.query.isDistinct ? nil : settings.query.stoppingLimit,
            keys: columns.keysToFetch, prefetching: columns.relationshipsToPrefetch,
            allowsResidual: residual != nil)
        let writesRows = !settings.isQuiet && !settings.countsOnly && settings.query.grouping == nil
        if writesRows, let coreData { try Self.checkExternalData(coreData, columns, entity, path) }
        let readsPlainValues = residual == nil && !settings.writesObjectIDs && !settings.decodesArchives
        groups = settings.query.grouping.flatMap { grouping in
            readsPlainValues ? StoreGroups(grouping, settings.query, of: entity) : nil
        }
        order = residual == nil && writesRows ? StoreOrder(settings.query, of: entity) : nil
        let scope = CheckScope(found.schema, entity: entity.name)
        reasons =
            PredicateNotes.mismatches(predicate, scope, mayRead: nil) + PredicateNotes.reasons(predicate, scope)
        divisions = PredicateNotes.divisions(predicate, scope) + settings.query.divisions(scope)
        (self.path, self.settings, self.console) = (path, settings, console)
    }

    /// Throws if a file with external data to be printed is missing: the column holds only the name of the file.
    private static func checkExternalData(
        _ store: CoreDataStore, _ columns: RowColumns, _ entity: SQLEntity, _ path: String
    ) throws(CommandFailure) {
        do throws(CoreDataError) {
            try store.checkExternalData(of: entity.name, keys: Set(columns.keysToFetch))
        } catch {
            throw CoreDataFile.failure(error, path)
        }
    }

    /// Opens a file by its tables, or by the schema of `--schema`.
    private static func tables(
        _ path: String, _ settings: FilterSettings
    ) throws(CommandFailure) -> (SchemaFile, ObjectStore) {
        let file = try settings.rows.schema.map { (schema) throws(CommandFailure) in try SchemaFile.load(schema) }
        let connection = try SQLiteFile.open(path, limits: settings.predicateOptions.limits)
        let found = if let file { file } else { try SchemaFile.tables(of: connection) }
        do throws(StoreError) {
            return (found, try ObjectStore(connection, schema: found.schema))
        } catch {
            throw .store(error, path)
        }
    }

    /// Compiles the predicate first, to report its errors. Returns the part that SQL cannot express.
    ///
    /// With --residual, that includes parts that are errors in memory as well. An untrusted predicate is evaluated in
    /// memory only on request, because the limits of its evaluation are those of a trusted one.
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
            // What no evaluator takes is an error of the predicate, not of a row.
            let canEvaluate = residual.map { (try? PredicateEvaluator($0, registry: .ambient)) != nil } ?? true
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
        try SQLCompiler(
            schema: schema, mode: mode, limits: settings.predicateOptions.limits,
            calendarZone: EvaluationRegistry.ambient.calendarZone
        ).compile(
            predicate, entity: entity.name,
            variables: PredicateVariables(plain: settings.predicateOptions.variables))
    }

    func run() throws(CommandFailure) -> ExitStatus {
        if let residual, !settings.allowsResidual, !settings.isQuiet {
            let words = "SQL cannot express \(residual.predicateFormat), which is evaluated for each row"
            console.report("note: \(path): \(words)")
        }
        if settings.explainsPlan { return try writePlan() }
        let status = try select()
        guard !settings.isQuiet else { return status }
        let notes = divisions + (status == .negative ? reasons : [])
        for note in notes { console.report("note: \(path): \(note)") }
        return status
    }

    private func select() throws(CommandFailure) -> ExitStatus {
        if let groups, !settings.isQuiet, let rows = groups.rows(store, request) {
            return try StoreRun(settings, request.predicate, columns, console, path).write(
                groups: try groups.written(rows), matched: groups.count(of: rows))
        }
        if let ordered = orderedRequest {
            let run = StoreRun(settings.ofRowsInOrder, request.predicate, columns.written, console, path)
            return try run.run(store, ordered.request, ordering: ordered.values)
        }
        let isOneValue = settings.isQuiet || settings.countsOnly && !settings.query.isDistinct
        guard residual == nil, settings.query.grouping == nil, isOneValue else {
            return try StoreRun(settings, request.predicate, columns, console, path).run(store, request)
        }
        return try settings.isQuiet ? exists() : count()
    }

    /// The request for the rows in the order of SQL; nil if memory orders them.
    private var orderedRequest: StoreOrder.Request? {
        var request = request
        (request.keys, request.prefetching) = (columns.written.keysToFetch, columns.written.relationshipsToPrefetch)
        return order?.request(request, store)
    }

    /// Writes SQLite's query plan.
    private func writePlan() throws(CommandFailure) -> ExitStatus {
        if let plan = groups?.plan(store, request) {
            try console.write(plan + "\n")
            return .success
        }
        let ordered = orderedRequest ?? StoreOrder.Request(request: request, values: [])
        let plan = try store.reading { (store) throws(StoreError) in
            try store.queryPlan(of: ordered.request, ordering: ordered.values)
        }
        try console.write(plan + "\n")
        return .success
    }

    /// Returns the exit status for whether a row matches. SQLite stops at the first match.
    private func exists() throws(CommandFailure) -> ExitStatus {
        var request = request
        request.limit = nil
        let exists = try store.reading { (store) throws(StoreError) in try store.exists(request) }
        return exists ? .success : .negative
    }

    private func count() throws(CommandFailure) -> ExitStatus {
        let count = try store.reading { (store) throws(StoreError) in try store.fetchCount(request) }
        try console.write("\(count)\n")
        return count > 0 ? .success : .negative
    }
}

/// One pass over the objects that a request selects. It writes, counts, sorts or groups them.
final class StoreRun {
    private let tally: MatchTally
    private let columns: RowColumns
    private let path: String
    private let console: Console
    private let painter: OutputPainter
    private let output: RowWriter?
    private let sorter: MatchSorter?
    private var groups: GroupCollector?

    init(
        _ settings: FilterSettings, _ predicate: FormatPredicate?, _ columns: RowColumns, _ console: Console,
        _ path: String
    ) {
        let painter = OutputPainter(settings, predicate, console)
        painter.begin(settings.output ?? .jsonl)
        self.painter = painter
        (tally, self.columns, self.path) = (MatchTally(settings, console, noun: "row"), columns, path)
        self.console = console
        let writesRows = tally.writesRecords && settings.query.grouping == nil
        output =
            writesRows
            ? RowWriter(settings.output ?? .jsonl, columns.names, width: console.tableWidth, sink: painter.write) : nil
        sorter = writesRows ? settings.query.sort.map { MatchSorter($0, limit: settings.query.page.end) } : nil
        groups = tally.writesRecords ? settings.query.grouping.map(GroupCollector.init) : nil
    }

    /// Writes the rows of a request, whose sort keys may also name the values in `ordering`.
    func run(
        _ store: ObjectStore, _ request: PredicateFetchRequest, ordering: [ResultKey] = []
    ) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            let objects = try store.reading { (store) throws(StoreError) in
                try store.fetchCursor(request, ordering: ordering)
            }
            if try writeCells(objects, store) { return }
            while let object = try next(objects, store) { try take(object, store) }
        } finish: { (isWhole) throws(CommandFailure) in
            try finish(isWhole)
        }
    }

    /// Writes the cells of rows directly. Returns false if the output needs objects.
    private func writeCells(_ objects: ObjectCursor, _ store: ObjectStore) throws(CommandFailure) -> Bool {
        guard let output, output.writesAtOnce, sorter == nil, objects.readsCells, !tally.settings.query.needsEachRow,
            let indices = columns.cellIndices(of: objects)
        else { return false }
        var failure: DataError?
        while failure == nil {
            let isRow = try store.reading { (_) throws(StoreError) in
                try objects.nextCells { cells in
                    do throws(DataError) { try Self.write(cells, indices, output) } catch { failure = error }
                }
            }
            if !isRow { return true }
            tally.matched += 1
        }
        throw failure.map { .output($0) } ?? .reported
    }

    private static func write(_ cells: StoredCells, _ indices: [Int?], _ output: RowWriter) throws(DataError) {
        try output.write { column, form, bytes in
            guard let index = indices[column] else { return RowCell.value(cells.key).write(form, to: &bytes) }
            cells.cell(index).write(form, to: &bytes)
        }
    }

    /// Returns the next object. If the residual predicate fails for an object, the error is reported and the object
    /// is skipped.
    private func next(_ objects: ObjectCursor, _ store: ObjectStore) throws(CommandFailure) -> StoredObject? {
        while true {
            do throws(StoreError) {
                return try objects.next()
            } catch {
                guard case .evaluation(let failure) = error.code, !tally.settings.isStrict else {
                    throw .store(error, store)
                }
                tally.problems.note(
                    first: RecordErrorText.text(of: failure, columns: []), others: "error: " + error.code.title,
                    in: path)
            }
        }
    }

    private func take(_ object: StoredObject, _ store: ObjectStore) throws(CommandFailure) {
        tally.matched += 1
        guard output != nil || groups != nil || tally.countsRows else { return }
        var failures: [EvaluationError] = []
        let values = try store.reading { (_) throws(StoreError) in
            try columns.values(of: object) { failures.append($0) }
        }
        for failure in failures { try tally.problems.note(.failed(failure), in: path) }
        try keep(values)
    }

    /// Writes a row, or keeps what sorting or grouping needs of it.
    private func keep(_ values: [PredicateValue]) throws(CommandFailure) {
        let record = PredicateValue.dictionary(Dictionary(zip(columns.allNames, values)) { $1 })
        do throws(GroupProblem) {
            try groups?.add(record)
        } catch {
            try tally.problems.note(error, in: "\(path):\(tally.matched)")
        }
        if groups != nil { return }
        let row = PreparedRecord.cells(columns.cells(of: values, tally.settings.query.style))
        if tally.isRepeated(row) { return }
        if tally.countsRows { return tally.countRow() }
        guard let order = tally.settings.query.sort else { return try tally.write(row, write) }
        try sorter?.add(row, values: try tally.sortValues(of: record, order, in: path))
    }

    private func write(_ row: PreparedRecord) throws(CommandFailure) {
        guard case .cells(let cells) = row else { return }
        do throws(DataError) { try output?.write(cells) } catch { throw .output(error) }
    }

    private func finish(_ isWhole: Bool) throws(CommandFailure) {
        try sorter?.forEach { (row) throws(CommandFailure) in try tally.write(row, write) }
        try tally.writeLastRows(write)
        do throws(DataError) { try output?.finish(isWhole: isWhole) } catch { throw .output(error) }
        guard let groups else { return }
        try write(Array(try groups.rows(tally.settings.query)), isWhole)
    }

    /// Writes groups that SQL has computed.
    func write(groups: [[PredicateValue]], matched: Int) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            tally.matched = matched
        } finish: { (isWhole) throws(CommandFailure) in
            try write(groups, isWhole)
        }
    }

    private func write(_ rows: [[PredicateValue]], _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = tally.settings.query.grouping else { return }
        let format = tally.settings.output ?? .jsonl
        let writer = RowWriter(format, grouping.columns, width: console.tableWidth, sink: painter.write)
        do throws(DataError) {
            for row in rows { try writer.write(row.map(tally.settings.query.style.cell)) }
            try writer.finish(isWhole: isWhole)
        } catch {
            throw .output(error)
        }
    }
}

extension StoredCells.Cell {
    /// Appends the cell in the same form as `RowCell` writes its value.
    fileprivate func write(_ form: RowCell.Format, to bytes: inout [UInt8]) {
        switch (self, form) {
        case (.null, .json): bytes.append(contentsOf: "null".utf8)
        case (.null, .field): break
        case (.integer(let value), _): JSONWriter.writeInteger(value, to: &bytes)
        case (.double(let value), _): JSONWriter.writeDouble(value, to: &bytes)
        case (.text(let text), .json): JSONWriter.writeString(repairing: text, to: &bytes)
        case (.text(let text), .field(let dialect)): dialect.write(repairing: text, to: &bytes)
        case (.value(let value), _): RowCell.value(value).write(form, to: &bytes)
        }
    }
}

extension ObjectStore {
    /// Runs work on the store and turns its errors into failures of the command.
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
