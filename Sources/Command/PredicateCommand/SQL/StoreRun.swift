import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateJSON
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// One pass over the objects that a request selects. It passes the matches on to the tally.
final class StoreRun {
    private let tally: MatchTally
    private let columns: RowColumns
    private let path: String
    /// The output of rows; nil if they are only counted, or grouped.
    private let output: RowOutput?
    /// The format of rows and groups.
    private let format: OutputFormat
    private var settings: FilterSettings { tally.settings }

    init(_ settings: FilterSettings, _ columns: RowColumns, _ console: Console, _ path: String) {
        let format = settings.output ?? .jsonl
        tally = MatchTally(settings, console, noun: "row") { sink in
            RowOutput(format, settings, columns: columns.names, width: console.tableWidth, sink)
        }
        tally.painter.begin(format)
        (self.columns, self.path, self.format, output) = (columns, path, format, tally.output as? RowOutput)
    }

    /// Writes the rows of a request.
    func run(_ store: ObjectStore, _ request: PredicateFetchRequest) throws(CommandFailure) -> ExitStatus {
        try run { () throws(CommandFailure) in
            let objects = try store.reading { (store) throws(StoreError) in try store.fetchCursor(request) }
            if try writeCells(objects, store) { return }
            while !tally.isDone, let object = try next(objects, store) { try take(object, store) }
        }
    }

    /// A Boolean value that indicates whether the rows are written in the order in which they arrive.
    var isInOrder: Bool { tally.sorter == nil && tally.groups == nil }

    /// Writes values that SQL has computed.
    func run(_ store: ObjectStore, _ rows: ValueCursor) throws(CommandFailure) -> ExitStatus {
        try run { () throws(CommandFailure) in
            while !tally.isDone, let row = try store.reading({ (_) throws(StoreError) in try rows.next() }) {
                switch row {
                case .object(let object): try take(object, store)
                case .values(let values): try take(values)
                }
            }
        }
    }

    /// Writes rows that SQL has selected.
    func write(_ rows: [[PredicateValue]], matched: Int) throws(CommandFailure) -> ExitStatus {
        try run { () throws(CommandFailure) in
            for row in rows { try tally.write(RowMatch(values: row, run: self)) }
            tally.matched = matched
        }
    }

    /// Writes groups that SQL has computed.
    func write(groups: [[PredicateValue]], matched: Int) throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            tally.matched = matched
        } then: { (isWhole) throws(CommandFailure) in
            try write(groups, isWhole)
        }
    }

    private func run(_ body: () throws(CommandFailure) -> Void) throws(CommandFailure) -> ExitStatus {
        try tally.run(body) { (isWhole) throws(CommandFailure) in
            guard let groups = tally.groups, let grouping = settings.query.grouping else { return }
            try write(grouping.rows(of: groups, settings.query), isWhole)
        }
    }

    private func write(_ groups: [[PredicateValue]], _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = settings.query.grouping else { return }
        try tally.write(groups, of: grouping, format, isWhole: isWhole) { _, index in
            columns.holdsDays(columns.writtenCount + index)
        }
    }

    // MARK: - Rows

    /// Writes the cells of rows directly. Returns false if the output needs objects.
    private func writeCells(_ objects: ObjectCursor, _ store: ObjectStore) throws(CommandFailure) -> Bool {
        guard let output, format != .table, settings.writesRows, tally.sorter == nil, objects.readsCells,
            !settings.query.needsEachRow, let indices = columns.cellIndices(of: objects)
        else { return false }
        var failure: DataError?
        while failure == nil {
            let isRow = try store.reading { (_) throws(StoreError) in
                try objects.nextCells { cells in
                    do throws(DataError) { try write(cells, indices, output.rows) } catch { failure = error }
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
            RowCell(value, isDay: true, in: settings.context.zone).write(form, to: &bytes)
        }
    }

    /// Returns the next object. If the residual predicate fails for an object, the error is reported and the object is skipped.
    private func next(_ objects: ObjectCursor, _ store: ObjectStore) throws(CommandFailure) -> StoredObject? {
        while true {
            do throws(StoreError) {
                let object = try objects.next()
                tally.problems.pass(.condition)
                return object
            } catch {
                guard case .evaluation(let failure) = error.code, !settings.isStrict else {
                    throw .store(error, store)
                }
                tally.problems.note(
                    first: RecordErrorText.text(of: failure, columns: []), others: "error: " + error.code.title,
                    error.code.title, .condition, in: path)
            }
        }
    }

    private func take(_ object: StoredObject, _ store: ObjectStore) throws(CommandFailure) {
        guard tally.output != nil || tally.groups != nil else { return tally.matched += 1 }
        var failures: [EvaluationError] = []
        let values = try store.reading { (_) throws(StoreError) in
            try columns.values(of: object) { failures.append($0) }
        }
        for failure in failures { try tally.problems.note(.failed(failure), in: path) }
        try take(values, hasFailed: !failures.isEmpty)
    }

    private func take(_ values: [PredicateValue], hasFailed: Bool = false) throws(CommandFailure) {
        let match = RowMatch(values: values, run: self)
        try tally.take(match, hasFailed: hasFailed, in: tally.groups == nil ? path : "\(path):\(tally.matched)")
    }

    /// A row of a SQLite file.
    private final class RowMatch: FoundMatch {
        private let values: [PredicateValue]
        private let run: StoreRun
        private lazy var record = PredicateValue.dictionary(Dictionary(zip(run.columns.allNames, values)) { $1 })

        init(values: [PredicateValue], run: StoreRun) { (self.values, self.run) = (values, run) }

        func flatValue(of _: OutputValue) -> FlatValue? { nil }
        func value(of value: OutputValue) throws(EvaluationError) -> PredicateValue { try value.value(in: record) }
        func distinctValues(_: [OutputValue]?) -> [PredicateValue] { Array(values.prefix(run.columns.writtenCount)) }
        func prepare(for _: any FilterOutput, to bytes: inout [UInt8]) {
            run.output?.prepare(run.columns.cells(of: values, run.settings.query.style), to: &bytes)
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
        case (.text(let text), .field(let fields)): fields.write(repairing: text, to: &bytes)
        case (.value(let value), _): RowCell.value(value).write(form, to: &bytes)
        }
    }
}
