import PredicateData
import PredicateSession
import PredicateStore
import PredicateSyntax

/// One pass over the objects that a request selects: writes, counts, sorts or groups them.
final class StorePass {
    private let pass: FilterPass
    private let columns: RowColumns
    private let path: String
    private let console: Console
    private let output: RowWriter?
    private var sorter: RecordSorter<[RowCell]>?
    private var groups: GroupCollector?

    init(_ settings: FilterSettings, _ columns: RowColumns, _ console: Console, _ path: String) {
        (pass, self.columns, self.path) = (FilterPass(settings, console, noun: "row"), columns, path)
        self.console = console
        let writesRows = pass.writesRecords && settings.grouping == nil
        output =
            writesRows
            ? RowWriter(settings.output ?? .jsonl, columns.names, width: console.tableWidth, sink: console.output) : nil
        sorter = writesRows ? settings.sort.map { RecordSorter($0, limit: settings.limit) } : nil
        groups = pass.writesRecords ? settings.grouping.map(GroupCollector.init) : nil
    }

    func run(_ store: PredicateStore, _ request: FetchRequest) throws(CommandFailure) -> ExitStatus {
        try pass.run { () throws(CommandFailure) in
            let objects = try store.reading { (store) throws(StoreError) in try store.fetch(request) }
            if try writeCells(objects, store) { return }
            while let object = try next(objects, store) { try take(object, store) }
        } finish: { (isWhole) throws(CommandFailure) in
            do throws(DataError) { try finish(isWhole) } catch { throw .output(error) }
        }
    }

    /// Writes rows straight from SQLite; returns false if something must be made of them first.
    private func writeCells(_ objects: StoredObjects, _ store: PredicateStore) throws(CommandFailure) -> Bool {
        guard let output, output.writesAtOnce, sorter == nil, objects.readsCells,
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
            pass.matched += 1
        }
        throw failure.map { .output($0) } ?? .reported
    }

    private static func write(_ cells: StoredCells, _ indices: [Int?], _ output: RowWriter) throws(DataError) {
        try output.write { column, form, bytes in
            guard let index = indices[column] else { return RowCell.value(cells.key).write(form, to: &bytes) }
            cells.cell(index).write(form, to: &bytes)
        }
    }

    /// Returns the next object. An object for which the residual predicate ends in an error is reported and skipped,
    /// like a record of other files.
    private func next(_ objects: StoredObjects, _ store: PredicateStore) throws(CommandFailure) -> StoredObject? {
        while true {
            do throws(StoreError) {
                return try objects.next()
            } catch {
                guard case .evaluation(let failure) = error.code, !pass.settings.isStrict else {
                    throw .store(error, store)
                }
                pass.problems.note(
                    first: RecordErrorText.text(of: failure, columns: []), others: "error: " + error.code.title,
                    in: path)
            }
        }
    }

    private func take(_ object: StoredObject, _ store: PredicateStore) throws(CommandFailure) {
        pass.matched += 1
        guard output != nil || groups != nil else { return }
        let values = try store.reading { (_) throws(StoreError) in try columns.values(of: object) }
        if groups != nil || sorter != nil {
            try keep(values)
        } else {
            do throws(DataError) { try output?.write(values.prefix(columns.writtenCount).map { .value($0) }) } catch {
                throw .output(error)
            }
        }
    }

    /// Keeps what is needed of a row for its group or place.
    private func keep(_ values: [PredicateValue]) throws(CommandFailure) {
        let record = PredicateValue.dictionary(Dictionary(zip(columns.allNames, values)) { $1 })
        if let found = groups?.add(record) {
            try pass.problems.note(found.value, of: found.key, in: path, line: pass.matched)
        }
        sorter?.add(values.prefix(columns.writtenCount).map { .value($0) }, record)
    }

    private func finish(_ isWhole: Bool) throws(DataError) {
        for row in sorter?.sorted() ?? [] { try output?.write(row) }
        try output?.finish(isWhole: isWhole)
        guard let groups, let grouping = pass.settings.grouping else { return }
        let format = pass.settings.output ?? .jsonl
        let writer = RowWriter(format, grouping.columns, width: console.tableWidth, sink: console.output)
        for row in groups.rows(pass.settings.sort, limit: pass.settings.limit) {
            try writer.write(row.map { .value($0) })
        }
        try writer.finish(isWhole: isWhole)
    }
}

extension StoredCells.Cell {
    /// Appends the cell as `RowCell` writes its value.
    fileprivate func write(_ form: RowCell.Form, to bytes: inout [UInt8]) {
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
