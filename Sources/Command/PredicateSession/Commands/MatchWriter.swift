import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// Writes objects to a file, in the format of its name: JSON Lines for a name without an extension. The file is created with the
/// first bytes.
final class MatchWriter {
    private let names: [String]
    private let format: OutputFormat
    /// True if the chosen columns of each object are written; false if all of its keys are.
    private let areChosen: Bool
    /// The keys whose dates have no time, and the zone of these dates; nil for UTC.
    private let days: Set<String>
    private let zone: LocalZone?
    private let path: String
    private let environment: SessionEnvironment
    private var file: CreatedFile?
    private lazy var writer = RowWriter(format, names, width: nil) { [unowned self] (bytes) throws(DataError) in
        try created().write(bytes)
    }
    private var form: (names: [String], form: RowForm)?
    private var problem: SessionError?

    init(_ session: Session, _ path: String, _ names: [String]) {
        (self.names, zone, areChosen) = (names, session.zone, session.columns != nil)
        format = OutputFormat(rawValue: DataFormat(fileName: path)?.rawValue ?? "") ?? .jsonl
        days =
            session.columns.map { Set($0.filter { session.days.contains($0.query.format) }.map(\.name)) }
            ?? session.days
        (self.path, environment) = (path, session.environment)
    }

    private func created() throws(DataError) -> CreatedFile {
        let created = if let file { file } else { try environment.create(path) }
        file = created
        return created
    }

    /// Returns the row of an object or, if columns were chosen, of their values.
    func row(of object: KeyedValue, _ values: ArraySlice<PredicateValue>) -> [UInt8] {
        if areChosen { return row(names, Array(values)) }
        guard let entries = object.entries else { return row(ofValue: object.predicateValue ?? .null) }
        let isWide = format.json == nil
        let known = isWide ? names : names.filter { entries[$0] != nil }
        let others = isWide || known.count == entries.count ? [] : entries.keys.filter { !names.contains($0) }.sorted()
        let keys = known + others
        return row(keys, keys.map { entries[$0]?.predicateValue ?? .null })
    }

    private func row(_ names: [String], _ values: [PredicateValue]) -> [UInt8] {
        let form = form?.names == names ? form?.form ?? RowForm(format, names) : RowForm(format, names)
        self.form = (names, form)
        var row: [UInt8] = []
        form.write(to: &row) { column, form, bytes in
            RowCell(values[column], isDay: days.contains(names[column]), in: zone).write(form, to: &bytes)
        }
        return row
    }

    private func row(ofValue value: PredicateValue) -> [UInt8] {
        var bytes: [UInt8] = []
        RowCell.value(value).write(format.cells ?? .json, to: &bytes)
        return format == .json ? bytes : bytes + [UInt8(ascii: "\n")]
    }

    /// Writes an object, given its row.
    func write(_ row: UnsafeBufferPointer<UInt8>) {
        if problem == nil { attempt { () throws(DataError) in try writer.write(line: row) } }
    }

    private func attempt(_ body: () throws(DataError) -> Void) {
        do throws(DataError) { try body() } catch { problem = SessionError(error, in: path) }
    }

    /// Notes that objects cannot be sorted.
    func note(_ error: SpillError) { problem = problem ?? SessionError(error) }

    /// Writes the rest. Throws if the file exists or cannot be written.
    func finish() throws(SessionError) {
        if problem == nil {
            attempt { () throws(DataError) in
                try writer.finish(isWhole: true)
                _ = try created()
            }
        }
        if let problem { throw problem }
    }

    /// Removes the file, if it was created.
    func remove() { file?.remove() }
}

extension SessionError {
    /// Creates the error for objects that cannot be sorted.
    init(_ error: SpillError) {
        self.init("sorting needs a temporary file in \(error.directory): \(error.reason)")
    }
}
