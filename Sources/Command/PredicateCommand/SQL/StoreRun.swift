import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateJSON
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// One pass over the objects that a request selects. It writes, counts, sorts or groups them.
final class StoreRun {
    private let tally: MatchTally
    private let columns: RowColumns
    private let path: String
    private let console: Console
    private let painter: OutputPainter
    private let output: RowWriter?
    private let sorter: SpillingSorter<PreparedRecord>?
    private var groups: GroupCollector?
    /// The zone of days; nil for UTC.
    private let zone: LocalZone?

    init(
        _ settings: FilterSettings, _ predicate: FormatPredicate?, _ columns: RowColumns, _ console: Console,
        _ path: String
    ) {
        let painter = OutputPainter(settings, predicate, console)
        painter.begin(settings.output ?? .jsonl)
        self.painter = painter
        (tally, self.columns, self.path) = (MatchTally(settings, console, noun: "row"), columns, path)
        (self.console, zone) = (console, settings.context.zone)
        let writesRows = tally.writesRecords && settings.query.grouping == nil
        output =
            writesRows
            ? RowWriter(settings.output ?? .jsonl, columns.names, width: console.tableWidth, sink: painter.write) : nil
        sorter =
            writesRows ? settings.query.sort.map { SpillingSorter($0.orders, limit: settings.query.page.end) } : nil
        groups = tally.writesRecords ? settings.query.grouping?.collector() : nil
    }

    /// Writes the rows of a request. Its sort keys may also name the values in `ordering`.
    func run(
        _ store: ObjectStore, _ request: PredicateFetchRequest, ordering: [ResultKey] = []
    ) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            let objects = try store.reading { (store) throws(StoreError) in
                try store.fetchCursor(request, ordering: ordering)
            }
            if try writeCells(objects, store) { return }
            while !tally.isDone, let object = try next(objects, store) { try take(object, store) }
        } finish: { (isWhole) throws(CommandFailure) in
            try finish(isWhole)
        }
    }

    /// A Boolean value that indicates whether the rows are written in the order in which they arrive.
    var isInOrder: Bool { sorter == nil && groups == nil }

    /// Writes values that SQL has computed.
    func run(_ store: ObjectStore, _ rows: ValueCursor) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            while !tally.isDone, let row = try store.reading({ (_) throws(StoreError) in try rows.next() }) {
                switch row {
                case .object(let object): try take(object, store)
                case .values(let values):
                    tally.matched += 1
                    try keep(values)
                    tally.problems.pass(.values)
                }
            }
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
                    do throws(DataError) { try write(cells, indices, output) } catch { failure = error }
                }
            }
            if !isRow { return true }
            tally.matched += 1
        }
        throw failure.map { .output($0) } ?? .reported
    }

    private func write(_ cells: StoredCells, _ indices: [Int?], _ output: RowWriter) throws(DataError) {
        try output.write { column, form, bytes in
            guard let index = indices[column] else { return RowCell.value(cells.key).write(form, to: &bytes) }
            let cell = cells.cell(index)
            guard case .value(let value) = cell, columns.holdsDays(column) else { return cell.write(form, to: &bytes) }
            RowCell(value, isDay: true, in: zone).write(form, to: &bytes)
        }
    }

    /// Returns the next object. If the residual predicate fails for an object, the error is reported and the object
    /// is skipped.
    private func next(_ objects: ObjectCursor, _ store: ObjectStore) throws(CommandFailure) -> StoredObject? {
        while true {
            do throws(StoreError) {
                let object = try objects.next()
                tally.problems.pass(.condition)
                return object
            } catch {
                guard case .evaluation(let failure) = error.code, !tally.settings.isStrict else {
                    throw .store(error, store)
                }
                tally.problems.note(
                    first: RecordErrorText.text(of: failure, columns: []), others: "error: " + error.code.title,
                    error.code.title, .condition, in: path)
            }
        }
    }

    private func take(_ object: StoredObject, _ store: ObjectStore) throws(CommandFailure) {
        tally.matched += 1
        guard output != nil || groups != nil || tally.countsRows else { return }
        let failed = tally.problems.failed
        var failures: [EvaluationError] = []
        let values = try store.reading { (_) throws(StoreError) in
            try columns.values(of: object) { failures.append($0) }
        }
        for failure in failures { try tally.problems.note(.failed(failure), in: path) }
        try keep(values)
        if tally.problems.failed == failed { tally.problems.pass(.values) }
    }

    /// Writes a row, or keeps the part of it that sorting or grouping needs.
    private func keep(_ values: [PredicateValue]) throws(CommandFailure) {
        if groups != nil { return try group(record(of: values)) }
        let key = tally.settings.query.distinctKeys == nil ? nil : try tally.key(of: record(of: values), in: path)
        if tally.isLeftOut(key) { return }
        let row = PreparedRecord.cells(columns.cells(of: values, tally.settings.query.style))
        if tally.isRepeated(Array(values.prefix(columns.writtenCount))) { return }
        if tally.countsRows { return tally.countRow() }
        guard let order = tally.settings.query.sort else { return try tally.write(row, write) }
        let sortValues = try tally.sortValues(of: record(of: values), order, in: path)
        if let key { return tally.keep(row, values: sortValues, key) }
        try sorter?.take(row, values: sortValues)
    }

    private func record(of values: [PredicateValue]) -> PredicateValue {
        .dictionary(Dictionary(zip(columns.allNames, values)) { $1 })
    }

    private func group(_ record: PredicateValue) throws(CommandFailure) {
        do throws(GroupProblem) {
            if let groups { try tally.settings.query.grouping?.add(record, to: groups) }
        } catch {
            try tally.problems.note(error, in: "\(path):\(tally.matched)")
        }
    }

    private func write(_ row: PreparedRecord) throws(CommandFailure) {
        guard case .cells(let cells) = row else { return }
        do throws(DataError) { try output?.write(cells) } catch { throw .output(error) }
    }

    private func finish(_ isWhole: Bool) throws(CommandFailure) {
        if let sorter { try tally.sort(into: sorter) }
        try sorter?.passOn { (row) throws(CommandFailure) in try tally.write(row, write) }
        try tally.writeLastRows(write)
        do throws(DataError) { try output?.finish(isWhole: isWhole) } catch { throw .output(error) }
        guard let groups, let grouping = tally.settings.query.grouping else { return }
        try write(grouping.rows(of: groups, tally.settings.query), isWhole)
    }

    /// Writes rows that SQL has selected.
    func write(_ rows: [[PredicateValue]], matched: Int) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            for row in rows { try write(.cells(columns.cells(of: row, tally.settings.query.style))) }
            tally.matched = matched
        } finish: { (isWhole) throws(CommandFailure) in
            try finish(isWhole)
        }
    }

    /// Writes groups that SQL has computed.
    func write(groups: [[PredicateValue]], matched: Int) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            tally.matched = matched
        } finish: { (isWhole) throws(CommandFailure) in
            try write(groups[...], isWhole)
        }
    }

    private func write(_ rows: ArraySlice<[PredicateValue]>, _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = tally.settings.query.grouping else { return }
        let areDays = grouping.areDays(rows, zone) { _, place in columns.holdsDays(columns.writtenCount + place) }
        try grouping.write(
            rows, areDays: areDays, tally.settings.query.style, tally.settings.output ?? .jsonl, isWhole: isWhole,
            console, painter)
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
