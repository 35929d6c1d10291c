import PredicateData
import PredicateStore
import PredicateSyntax

/// One pass over the objects that a request selects: writes or counts them.
struct StorePass {
    private let pass: FilterPass
    private let columns: RowColumns
    private let path: String
    private let output: RecordWriter?

    init(
        _ settings: FilterSettings, _ columns: RowColumns, _ console: Console, _ path: String
    ) throws(CommandFailure) {
        (pass, self.columns, self.path) = (FilterPass(settings, console, noun: "row"), columns, path)
        guard pass.writesRecords else {
            output = nil
            return
        }
        do throws(DataError) {
            output = try RecordWriter(format: settings.output ?? .jsonLines, sink: console.output)
        } catch {
            throw .output(error)
        }
    }

    func run(_ store: PredicateStore, _ request: FetchRequest) throws(CommandFailure) -> ExitStatus {
        try pass.run { () throws(CommandFailure) in
            let objects = try store.reading { (store) throws(StoreError) in try store.fetch(request) }
            while let object = try next(objects, store) { try write(object, store) }
        } finish: { () throws(CommandFailure) in
            do throws(DataError) { try output?.finish() } catch { throw .output(error) }
        }
    }

    /// Returns the next object. An object for which the residual predicate ends in an error is reported and skipped,
    /// like a record of other files.
    private func next(_ objects: StoredObjects, _ store: PredicateStore) throws(CommandFailure) -> StoredObject? {
        while true {
            do throws(StoreError) {
                return try objects.next()
            } catch {
                guard case .evaluation = error.code, !pass.settings.isStrict else { throw .store(error, store) }
                pass.problems.note(first: error.description, others: error.code.title, in: path)
            }
        }
    }

    private func write(_ object: StoredObject, _ store: PredicateStore) throws(CommandFailure) {
        pass.matched += 1
        guard let output else { return }
        let json = try store.reading { (_) throws(StoreError) in try columns.json(of: object) }
        do throws(DataError) {
            try output.write(SourceRecord(value: .null, raw: json, line: 0, index: pass.matched - 1))
        } catch {
            throw .output(error)
        }
    }
}

extension PredicateStore {
    /// Runs a piece of work on the store, with its errors as those of a command.
    func reading<Result>(
        _ work: (PredicateStore) throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(StoreError) {
            return try work(self)
        } catch {
            throw .store(error, self)
        }
    }
}
