import PredicateData
import PredicateStore
import PredicateSyntax

/// One pass over the objects that a request selects: writes or counts them.
struct StorePass {
    private let settings: FilterSettings
    private let columns: ObjectColumns
    private let console: Console
    private let path: String
    private let output: RecordWriter?
    private var matched = 0
    private var failed = 0

    init(
        _ settings: FilterSettings, _ columns: ObjectColumns, _ console: Console, _ path: String
    ) throws(CommandFailure) {
        (self.settings, self.columns, self.console, self.path) = (settings, columns, console, path)
        guard !settings.isQuiet, !settings.countsOnly else {
            output = nil
            return
        }
        do throws(DataError) {
            output = try RecordWriter(format: settings.output ?? .jsonLines, sink: console.output)
        } catch {
            throw .output(error)
        }
    }

    /// What was written before an error that ends the run stays valid.
    mutating func run(_ store: PredicateStore, _ request: FetchRequest) throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            let objects = try reading(store) { () throws(StoreError) in try store.fetch(request) }
            while let object = try next(objects, store) {
                try write(output == nil ? [] : reading(store) { () throws(StoreError) in try columns.json(of: object) })
            }
        } catch {
            if case .output = error { throw error }
            try finish()
            throw error
        }
        try finish()
        if settings.countsOnly, !settings.isQuiet { try console.write("\(matched)\n") }
        return status
    }

    private var status: ExitStatus {
        if settings.isQuiet, matched > 0 { return .success }
        return failed > 0 ? .failure : matched > 0 ? .success : .negative
    }

    private func finish() throws(CommandFailure) {
        if failed > RecordProblems.reportedLimit { console.report("error: \(failed) rows could not be evaluated") }
        do throws(DataError) { try output?.finish() } catch { throw .output(error) }
    }

    private func reading<Result>(
        _ store: PredicateStore, _ work: () throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(StoreError) {
            return try work()
        } catch {
            throw .store(error, store)
        }
    }

    /// The next object. One of which the rest of the predicate cannot be asked is reported and passed over, as a record
    /// of another file is.
    private mutating func next(
        _ objects: StoredObjects, _ store: PredicateStore
    ) throws(CommandFailure) -> StoredObject? {
        while true {
            do throws(StoreError) {
                return try objects.next()
            } catch {
                guard case .evaluation = error.code, !settings.isStrict else { throw .store(error, store) }
                note(error)
            }
        }
    }

    /// The first one in full, the others in a line.
    private mutating func note(_ error: StoreError) {
        failed += 1
        let text = failed == 1 ? error.description : error.code.title
        if failed <= RecordProblems.reportedLimit { console.report("\(path): \(text)") }
    }

    private mutating func write(_ json: [UInt8]) throws(CommandFailure) {
        matched += 1
        do throws(DataError) {
            try output?.write(SourceRecord(value: .null, raw: json, line: 0, index: matched - 1))
        } catch {
            throw .output(error)
        }
    }
}
