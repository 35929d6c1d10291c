import PredicateData
import PredicateSyntax

/// Writes records as rows of cells: CSV, TSV, a table or lines.
///
/// Columns are those of `--keys`, of the header of the first file, or the keys of all records in the order in which they
/// are met; these are held in memory until the end.
final class RowOutput: FilterOutput {
    private let format: OutputFormat
    private let settings: FilterSettings
    private let width: Int?
    private let sink: ByteSink
    private var writer: RowWriter?
    private var columns: [String]?
    private var held: [[String: RowCell]] = []
    private var heldColumns: [String] = []
    private var file = ""
    private var header: RecordHeader?
    private var found: Set<String> = []
    private let keys: [(name: String, keys: [String])]?

    init(_ format: OutputFormat, _ settings: FilterSettings, width: Int?, _ sink: @escaping ByteSink) {
        (self.format, self.settings, self.width, self.sink) = (format, settings, width, sink)
        keys = settings.keys?.map { ($0, RecordsPath.keys($0)) }
        columns = settings.keys.map { settings.place.columns + $0 }
    }

    let needsValues = false
    let writesLines = false

    func begin(_ reader: RecordReader, file: String) throws(CommandFailure) {
        (self.file, header) = (file, reader.header)
        guard let header else { return }
        try ColumnMatch.checkKeys(settings.keys, header, file)
        if let columns, settings.keys == nil {
            try ColumnMatch.check(Array(columns.dropFirst(settings.place.columns.count)), header, file)
        }
        if columns == nil { columns = settings.place.columns + header.columns }
    }

    func prepare(_ record: SourceRecord) -> PreparedRecord {
        let place = zip(settings.place.columns, settings.place.cells(file, record.line)).map { (name: $0, cell: $1) }
        let cells = header.map { fields(record.raw, $0) } ?? members(record.raw)
        return .row(place + cells)
    }

    private func fields(_ raw: [UInt8], _ header: RecordHeader) -> [(name: String, cell: RowCell)] {
        let cells = zip(header.columns, header.dialect.fields(of: raw)).map { (name: $0, cell: RowCell.text($1)) }
        guard let keys else { return cells }
        return keys.compactMap { key in
            guard let cell = cells.first(where: { $0.name == key.name }) else { return nil }
            found.insert(key.name)
            return cell
        }
    }

    private func members(_ raw: [UInt8]) -> [(name: String, cell: RowCell)] {
        guard let keys else {
            return JSONScanner.members(of: raw)?.map { ($0.key, .json($0.text)) } ?? [("value", value(raw))]
        }
        return keys.compactMap { key in
            guard let text = JSONScanner.text(of: key.keys, in: raw) else { return nil }
            found.insert(key.name)
            return (key.name, .json(text))
        }
    }

    /// A record that is no object.
    private func value(_ raw: [UInt8]) -> RowCell {
        settings.isReadingLines ? .text(raw) : .json(raw)
    }

    func emit(_ record: PreparedRecord) throws(CommandFailure) {
        guard case .row(let cells) = record else { return }
        let row = Dictionary(cells.map { ($0.name, $0.cell) }) { $1 }
        guard let columns else {
            for cell in cells where !heldColumns.contains(cell.name) { heldColumns.append(cell.name) }
            return held.append(row)
        }
        try write(row, columns)
    }

    private func write(_ row: [String: RowCell], _ columns: [String]) throws(CommandFailure) {
        do throws(DataError) {
            let writer = writer ?? RowWriter(format, columns, width: width, sink: sink)
            self.writer = writer
            try writer.write(columns.map { row[$0] ?? .value(.null) })
        } catch {
            throw .output(error)
        }
    }

    func write(lines: UnsafeBufferPointer<UInt8>, count: Int) {}

    func flush() throws(DataError) { try writer?.flush() }

    func finish(isWhole: Bool) throws(CommandFailure) {
        for row in held { try write(row, heldColumns) }
        do throws(DataError) {
            if writer == nil, let columns, isWhole { writer = RowWriter(format, columns, width: width, sink: sink) }
            try writer?.finish(isWhole: isWhole)
        } catch {
            throw .output(error)
        }
    }

    var missingKeys: [String] { (settings.keys ?? []).filter { !found.contains($0) } }
}

/// Compares the columns of a file with those of the first.
enum ColumnMatch {
    /// Throws for chosen columns that a header lacks.
    static func checkKeys(_ keys: [String]?, _ header: RecordHeader, _ file: String) throws(CommandFailure) {
        for key in keys ?? [] where !header.columns.contains(key) {
            let error = DataError(.unknownColumn(key))
            throw .message("\(file.displayName): \(error.message)", hints: hints(for: key, header.columns))
        }
    }

    static func hints(for key: String, _ columns: [String]) -> [String] {
        if columns.contains(key.trimmed) { return ["spaces are part of a name: write --keys name,age"] }
        return UsageError.suggestions(for: key, among: columns)
    }

    /// Throws if a header has other columns than the first one, in whatever order.
    static func check(_ columns: [String], _ header: RecordHeader, _ file: String) throws(CommandFailure) {
        let lacking = columns.filter { !header.columns.contains($0) }
        let surplus = header.columns.filter { !columns.contains($0) }
        if lacking.isEmpty, surplus.isEmpty { return }
        let parts = [("has no column", lacking), ("has another column", surplus)].filter { !$0.1.isEmpty }
        let text = parts.map { "\($0.0) \($0.1.map { "'\($0)'" }.joined(separator: ", "))" }.joined(separator: " and ")
        throw .message(
            "\(file.displayName): its columns differ from those of the first file: it \(text)",
            hints: ["--keys chooses columns that both have, --output jsonl can write both"])
    }
}
