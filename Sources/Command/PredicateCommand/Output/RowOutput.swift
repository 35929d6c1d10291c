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
    private var writer: RowWriter?
    private var columns: [String]?
    /// The records that are held until the last one, when all columns are known, and the columns so far.
    private var held: [[UInt8]] = []
    private var heldColumns: [String] = []
    private var known: Set<ExactName> = []
    /// The members that have the names of columns, once all of these are known.
    private lazy var columnFields = JSONFields((columns ?? heldColumns).map { [$0] })
    private var file = ""
    private var header: RecordHeader?
    private let keys: [OutputValue]?
    /// Whether each key occurs in some record, and whether some record lacks it.
    private var presence: [(isFound: Bool, isLacking: Bool)]
    /// The places of the chosen columns in the current file, or among the paths in JSON; nil for a key that is computed.
    private var places: [Int?] = []
    /// The fields of the current record, up to the last of these columns; nil for files without columns.
    private var fields: RowFields?
    /// The values of the current JSON record at the keys' paths.
    private let members: JSONFields
    /// The form of a held record: its first byte.
    private enum HeldForm: UInt8 {
        /// The bytes of the row
        case line
        /// A JSON object whose members are the cells
        case members
        /// The cells of a row in a table
        case cells
    }
    private(set) var failure: EvaluationError?

    /// `columns` are the columns of a SQLite file.
    init(
        _ format: OutputFormat?, _ settings: FilterSettings, columns: [String]? = nil, width: Int?,
        _ sink: @escaping ByteSink
    ) {
        (self.format, self.settings, self.width, self.sink) = (format, settings, width, sink)
        keys = settings.query.keys
        presence = (keys ?? []).map { _ in (false, false) }
        members = JSONFields((keys ?? []).compactMap(\.slotPath))
        self.columns = columns ?? keys.map { settings.place.columns + $0.map(\.name) }
    }

    let writesLines = false

    func begin(_ reader: RecordReader, file: String) throws(CommandFailure) {
        (self.file, header, fields) = (file, reader.header, nil)
        format = format ?? OutputFormat(groupsOf: reader.format)
        guard let header else {
            for key in keys ?? [] { try key.check() }
            var count = 0
            places = (keys ?? []).map { key in
                if key.slotPath == nil { return nil }
                count += 1
                return count - 1
            }
            return
        }
        try ColumnMatch.checkKeys(keys ?? [], header, file)
        let position = settings.place.columns
        let chosen = columns ?? position + header.columns
        if keys == nil { try ColumnMatch.check(Array(chosen.dropFirst(position.count)), header, file) }
        columns = chosen
        places =
            keys.map { $0.map { $0.column(in: header.columns) } }
            ?? chosen.dropFirst(position.count).map { header.columns.firstIndex(of: $0) }
        fields = RowFields(header, places.compactMap(\.self))
    }

    func prepare(_ match: RecordMatch, to bytes: inout [UInt8]) {
        failure = nil
        let (place, line) = (settings.place, match.source.line)
        guard keys != nil || fields != nil else {
            bytes.append(HeldForm.members.rawValue)
            return append(match.raw, place.members(file, line), to: &bytes)
        }
        read(match)
        let position = place.cells(file, line)
        if format == .table {
            return prepare(position + (keys?.indices ?? places.indices).map { cell($0, of: match) }, to: &bytes)
        }
        bytes.append(HeldForm.line.rawValue)
        form.write(to: &bytes) { column, form, bytes in
            if column < position.count { return position[column].write(form, to: &bytes) }
            write(column - position.count, of: match, form, to: &bytes)
        }
    }

    /// Finds the values of the chosen columns.
    private func read(_ match: RecordMatch) {
        if let text = match.text {
            if let fields { fields.divide(sifted: text) } else { members.read(sifted: text) }
        } else {
            if let fields { fields.divide(match.raw) } else { members.read(match.raw) }
        }
    }

    /// Appends a row of cells, one for each column, in the form in which the row is held.
    func prepare(_ cells: [RowCell], to bytes: inout [UInt8]) {
        guard format == .table else {
            bytes.append(HeldForm.line.rawValue)
            return form.write(to: &bytes) { column, form, bytes in cells[column].write(form, to: &bytes) }
        }
        bytes.append(HeldForm.cells.rawValue)
        for cell in cells { bytes.append(part: cell.text) }
    }

    /// The form of rows, once the format and the columns are known.
    private lazy var form = RowForm(format ?? .jsonl, columns ?? [])

    /// Appends a record as a JSON object, with its position as members before its own.
    private func append(_ raw: [UInt8], _ position: [UInt8], to bytes: inout [UInt8]) {
        var json: [UInt8] = []
        if settings.isReadingLines { RowCell.text(raw).writeJSON(to: &json) } else { json = raw }
        json.withUnsafeBufferPointer { JSONScanner.append(position, before: $0, to: &bytes) }
    }

    // MARK: Chosen columns

    /// Appends the cell of a chosen column.
    private func write(_ index: Int, of match: RecordMatch, _ form: RowCell.Format, to bytes: inout [UInt8]) {
        if let place = places[index] {
            if let fields { return fields.write(place, form, to: &bytes) }
            if members.write(plain: place, form, to: &bytes) { return note(index, true) }
        }
        cell(index, of: match).write(form, to: &bytes)
    }

    private func cell(_ index: Int, of match: RecordMatch) -> RowCell {
        if let place = places[index] { return fields.map { $0.cell(place) } ?? member(index, place) }
        return keys.map { computed($0[index], index, of: match) } ?? .value(.null)
    }

    private func member(_ index: Int, _ place: Int) -> RowCell {
        var text: [UInt8] = []
        let isFound = (try? members.append(place, to: &text)).flatMap { $0 }
        note(index, isFound)
        return .json(format == .jsonl ? JSONScanner.compact(text) : text)
    }

    /// Returns the value of an expression. If it cannot be evaluated, returns nil and sets ``failure``.
    private func computed(_ key: OutputValue, _ index: Int, of match: RecordMatch) -> RowCell {
        do throws(EvaluationError) {
            let value = try match.value(of: key)
            if key.keyPath != nil { note(index, value != .null) }
            return settings.query.style.cell(value)
        } catch {
            failure = failure ?? error
            return .value(.null)
        }
    }

    /// Notes whether a record has a key; nil if the record cannot have it.
    private func note(_ index: Int, _ isFound: Bool?) {
        if isFound == true { presence[index].isFound = true }
        if isFound == false { presence[index].isLacking = true }
    }

    // MARK: Writing

    func emit(_ record: UnsafeBufferPointer<UInt8>) throws(CommandFailure) {
        guard let form = record.first.flatMap(HeldForm.init) else { return }
        var bytes = record.slice(1..<record.count)
        switch form {
        case .line: try CommandFailure.output { () throws(DataError) in try rows.write(line: bytes) }
        case .cells:
            var cells: [[UInt8]] = []
            while !bytes.isEmpty { cells.append(bytes.removePart()) }
            rows.write(table: cells)
        case .members:
            if columns != nil { return try write(members: Array(bytes)) }
            for name in JSONScanner.keys(of: bytes) where known.insert(ExactName(name)).inserted {
                heldColumns.append(name)
            }
            held.append(Array(bytes))
        }
    }

    /// Writes the members that have the names of columns.
    private func write(members object: [UInt8]) throws(CommandFailure) {
        columnFields.read(object)
        if format == .table { return rows.write(table: (columns ?? heldColumns).indices.map { heldCell($0).text }) }
        try CommandFailure.output { () throws(DataError) in
            try rows.write { column, form, bytes in
                if columnFields.write(plain: column, form, to: &bytes) { return }
                heldCell(column).write(form, to: &bytes)
            }
        }
    }

    private func heldCell(_ column: Int) -> RowCell {
        var text: [UInt8] = []
        _ = try? columnFields.append(column, to: &text)
        return .json(text)
    }

    /// The writer of the rows.
    var rows: RowWriter {
        if let writer { return writer }
        let made = RowWriter(format ?? .jsonl, columns ?? heldColumns, width: width, sink: sink)
        writer = made
        return made
    }

    func write(lines: UnsafeBufferPointer<UInt8>, count: Int) {}

    func flush() throws(DataError) { try writer?.flush() }

    func finish(isWhole: Bool) throws(CommandFailure) {
        for object in held { try write(members: object) }
        try CommandFailure.output { () throws(DataError) in
            try (isWhole && columns != nil ? rows : writer)?.finish(isWhole: isWhole)
        }
    }

    var missingKeys: [String] {
        let all = zip((keys ?? []).map(\.text), presence)
        let found = Set(all.filter(\.1.isFound).map(\.0))
        let lacking = Set(all.filter(\.1.isLacking).map(\.0)).subtracting(found)
        return all.map(\.0).filter(lacking.contains)
    }
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
