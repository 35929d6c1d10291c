import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSession
import PredicateSyntax

extension OutputFormat {
    /// The output format for groups of records that have an input format.
    init(groupsOf format: DataFormat?) {
        switch format {
        case .csv?: self = .csv
        case .tsv?: self = .tsv
        case .json?: self = .json
        case .jsonLines?, .logfmt?, .deb822?, nil: self = .jsonl
        case .lines?, .log?: self = .tsv
        }
    }
}

/// Writes records as rows of cells: CSV, TSV, a table, lines, or JSON with computed columns.
///
/// The columns are those of `--keys`, of the first header, or of a table. Otherwise they are the keys of all records, in the order
/// of their first occurrence, and the rows are held in memory until the end.
final class RowOutput: FilterOutput {
    /// The format that is written; before the first file, nil stands for the format of the input.
    private var format: OutputFormat?
    private let settings: FilterSettings
    private let width: Int?
    private let sink: ByteSink
    private var form: RowForm?
    private var writer: RowWriter?
    private var columns: [String]?
    private var held: [PreparedRecord] = []
    private var heldColumns: [String] = []
    private var file = ""
    private var header: RecordHeader?
    /// The keys that occur in some record, and the keys that some record lacks.
    private var (found, lacking): (Set<String>, Set<String>) = ([], [])
    private let keys: [OutputValue]?
    /// The indices of the keys' columns in the current file; nil for a key that is computed.
    private var places: [Int?] = []
    /// The fields of the current record, up to the last of these columns; nil for files without columns.
    private var fields: RowFields?
    private(set) var failure: EvaluationError?

    /// `columns` are the columns of a SQLite file.
    init(
        _ format: OutputFormat?, _ settings: FilterSettings, columns: [String]? = nil, width: Int?,
        _ sink: @escaping ByteSink
    ) {
        (self.format, self.settings, self.width, self.sink) = (format, settings, width, sink)
        keys = settings.query.keys
        self.columns = columns ?? keys.map { settings.place.columns + $0.map(\.name) }
    }

    let writesLines = false

    func begin(_ reader: RecordReader, file: String) throws(CommandFailure) {
        (self.file, header) = (file, reader.header)
        format = format ?? OutputFormat(groupsOf: reader.format)
        guard let header else {
            fields = nil
            for key in keys ?? [] { try key.check() }
            return
        }
        try ColumnMatch.checkKeys(keys ?? [], header, file)
        places = (keys ?? []).map { $0.column(in: header.columns) }
        fields = RowFields(header, upTo: places.reduce(0) { max($0, $1 ?? 0) })
        if let columns, keys == nil {
            try ColumnMatch.check(Array(columns.dropFirst(settings.place.columns.count)), header, file)
        }
        if columns == nil { columns = settings.place.columns + header.columns }
    }

    func prepare(_ record: SourceRecord) -> PreparedRecord {
        failure = nil
        let place = settings.place.cells(file, record.line)
        if let keys, fields == nil { return prepare(place + keys.map { member($0, of: record) }) }
        if let keys { return row(place, keys, record) }
        let (names, cells) = header.map { fields(record.raw, $0) } ?? members(record.raw)
        let parts = (place + cells).map { $0.bytes(in: format ?? .jsonl) }
        return PreparedRecord(parts: parts, names: settings.place.columns + names)
    }

    /// Returns the row of some cells, one for each column.
    func prepare(_ cells: [RowCell]) -> PreparedRecord {
        if format == .table { return PreparedRecord(parts: cells.map(\.text)) }
        return PreparedRecord(text: currentForm.line { column, form, bytes in cells[column].write(form, to: &bytes) })
    }

    /// The form of rows, once the format and the columns are known.
    private var currentForm: RowForm {
        let form = form ?? RowForm(format ?? .jsonl, columns ?? [])
        self.form = form
        return form
    }

    /// Returns the row of the cells for a position, and of the columns and expressions of a record.
    private func row(_ position: [RowCell], _ keys: [OutputValue], _ record: SourceRecord) -> PreparedRecord {
        record.raw.withUnsafeBufferPointer { raw in
            fields?.divide(raw)
            if format == .table {
                let cells = zip(keys, places).map { key, place in
                    place.flatMap { fields?.cell($0, of: raw) } ?? computed(key, of: record)
                }
                return prepare(position + cells)
            }
            let text = currentForm.line { column, form, bytes in
                if column < position.count { return position[column].write(form, to: &bytes) }
                guard let place = places[column - position.count] else {
                    return computed(keys[column - position.count], of: record).write(form, to: &bytes)
                }
                fields?.write(place, of: raw, form, to: &bytes)
            }
            return PreparedRecord(text: text)
        }
    }

    private func fields(_ raw: [UInt8], _ header: RecordHeader) -> ([String], [RowCell]) {
        (header.columns, header.dialect.fields(of: raw).map { .text($0) })
    }

    private func members(_ raw: [UInt8]) -> ([String], [RowCell]) {
        guard let members = JSONScanner.members(of: raw) else { return (["value"], [value(raw)]) }
        return (members.map(\.key), members.map { .json($0.text) })
    }

    // MARK: Chosen columns

    private func member(_ key: OutputValue, of record: SourceRecord) -> RowCell {
        if key.evaluator != nil { return computed(key, of: record) }
        var text: [UInt8] = []
        let isFound = record.raw.withUnsafeBufferPointer { raw in
            (try? key.append(from: raw, to: &text)).flatMap { $0 }
        }
        note(key, isFound)
        return .json(format == .jsonl ? JSONScanner.compact(text) : text)
    }

    /// Returns the value of an expression. If it cannot be evaluated, returns nil and sets ``failure``.
    private func computed(_ key: OutputValue, of record: SourceRecord) -> RowCell {
        do throws(EvaluationError) {
            let value = try key.value(in: record.value)
            if key.keyPath != nil { note(key, value != .null) }
            return settings.query.style.cell(value)
        } catch {
            failure = failure ?? error
            return .value(.null)
        }
    }

    /// Records whether a record has a key; nil if it could not have it.
    private func note(_ key: OutputValue, _ isFound: Bool?) {
        if isFound == true { found.insert(key.text) }
        if isFound == false { lacking.insert(key.text) }
    }

    /// Returns the cell for a record that is not an object.
    private func value(_ raw: [UInt8]) -> RowCell {
        settings.isReadingLines ? .text(raw) : .json(raw)
    }

    // MARK: Writing

    func emit(_ record: PreparedRecord) throws(CommandFailure) {
        guard let names = record.names else { return try write(record) }
        if let columns { return try write(record, names, columns) }
        for name in names where !heldColumns.contains(name) { heldColumns.append(name) }
        held.append(record)
    }

    /// Writes the cells that have the names of columns.
    private func write(_ record: PreparedRecord, _ names: [String], _ columns: [String]) throws(CommandFailure) {
        let cells = Dictionary(zip(names, record.parts)) { $1 }
        let null = RowCell.value(.null).bytes(in: format ?? .jsonl)
        let row = columns.map { cells[$0] ?? null }
        if format == .table { return try write(PreparedRecord(parts: row)) }
        try write(PreparedRecord(text: RowForm(format ?? .jsonl, columns).line { $2 += row[$0] }))
    }

    private func write(_ row: PreparedRecord) throws(CommandFailure) {
        try CommandFailure.output { () throws(DataError) in
            try format == .table ? rows.write(table: row.parts) : rows.write(line: row.text)
        }
    }

    /// The writer of the rows.
    var rows: RowWriter {
        let writer = writer ?? RowWriter(format ?? .jsonl, columns ?? heldColumns, width: width, sink: sink)
        self.writer = writer
        return writer
    }

    func write(lines: UnsafeBufferPointer<UInt8>, count: Int) {}

    func flush() throws(DataError) { try writer?.flush() }

    func finish(isWhole: Bool) throws(CommandFailure) {
        for record in held { try write(record, record.names ?? [], columns ?? heldColumns) }
        try CommandFailure.output { () throws(DataError) in
            try (isWhole && columns != nil ? rows : writer)?.finish(isWhole: isWhole)
        }
    }

    var missingKeys: [String] { (keys ?? []).map(\.text).filter { lacking.contains($0) && !found.contains($0) } }
}

/// Compares the columns of a file with the chosen columns, or with those of the first file.
enum ColumnMatch {
    /// Throws if the header lacks a column that is written, sorted by, grouped by or aggregated.
    static func checkKeys(_ keys: [OutputValue], _ header: RecordHeader, _ file: String) throws(CommandFailure) {
        for key in keys {
            guard let name = try key.missingKey(in: header.columns) else { continue }
            throw unknown(name, key, header, file)
        }
    }

    private static func unknown(
        _ name: String, _ key: OutputValue, _ header: RecordHeader, _ file: String
    ) -> CommandFailure {
        let title = "\(file.displayName): \(DataError(.unknownColumn(name)).message)"
        let hints = hints(for: name, header.columns)
        guard let range = key.range(of: name) else { return .message(title, hints: hints) }
        return .text(ErrorRenderer.render(title: title, source: key.text, range: range, label: nil, hints: hints))
    }

    private static let mostColumns = 12

    private static func list(_ columns: [String]) -> String {
        columns.prefix(mostColumns).joined(separator: ", ") + (columns.count > mostColumns ? ", …" : "")
    }

    static func hints(for key: String, _ columns: [String]) -> [String] {
        if let hint = SortOrder.hint(for: key, among: columns) { return [hint] }
        if key.last == ":", let name = key.split(separator: ":").first.map(String.init),
            CalendarFunction(name: name) != nil
        {
            return ["\(name) is a function of dates: \(name)(KEY)"]
        }
        let words = key.split(separator: " ").map(String.init)
        if words.count == 2, columns.contains(words[0]) {
            return ["write AS before a name: \(words[0]) AS \(words[1])"]
        }
        let suggestions = UsageError.suggestions(for: key, among: columns)
        return suggestions.isEmpty ? ["the columns are \(list(columns))"] : suggestions
    }

    /// Throws if the columns differ from those of the first file. Their order may be different.
    static func check(_ columns: [String], _ header: RecordHeader, _ file: String) throws(CommandFailure) {
        if columns == header.columns { return }
        let (expected, found) = (Set(columns), Set(header.columns))
        let lacking = columns.filter { !found.contains($0) }
        let surplus = header.columns.filter { !expected.contains($0) }
        if lacking.isEmpty, surplus.isEmpty { return }
        let parts = [("has no column", lacking), ("has another column", surplus)].filter { !$0.1.isEmpty }
        let text = parts.map { "\($0.0) \($0.1.map { "'\($0)'" }.joined(separator: ", "))" }.joined(separator: " and ")
        throw .message(
            "\(file.displayName): its columns differ from those of the first file: it \(text)",
            hints: ["--keys chooses columns that both have, --output jsonl writes both"])
    }
}

extension RowCell {
    /// The bytes of the cell in a format.
    fileprivate func bytes(in format: OutputFormat) -> [UInt8] {
        guard let form = format.cells else { return text }
        var bytes: [UInt8] = []
        write(form, to: &bytes)
        return bytes
    }
}
