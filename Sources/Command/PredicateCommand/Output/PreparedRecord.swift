import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// A record in the form in which it is written.
enum PreparedRecord {
    /// The bytes of the record, the prefix in the manner of grep, and additional members for JSON.
    case text([UInt8], prefix: [UInt8], members: [UInt8])
    case row([(name: String, cell: RowCell)])
    /// The cells of the written columns.
    case cells([RowCell])
}

extension PreparedRecord: SpilledRecord {
    var size: Int {
        switch self {
        case .text(let text, _, _): text.count
        case .row(let cells): cells.reduce(0) { $0 + $1.name.utf8.count + $1.cell.size }
        case .cells(let cells): cells.reduce(0) { $0 + $1.size }
        }
    }

    private enum Tag: UInt8 {
        case text, row, cells
    }

    func write(to bytes: inout SpilledBytes) {
        switch self {
        case .text(let text, let prefix, let members):
            bytes.append(tag: Tag.text.rawValue)
            for part in [text, prefix, members] { bytes.append(part) }
        case .row(let row):
            bytes.append(tag: Tag.row.rawValue)
            bytes.append(row.count)
            for (name, cell) in row {
                bytes.append(Array(name.utf8))
                cell.write(to: &bytes)
            }
        case .cells(let cells):
            bytes.append(tag: Tag.cells.rawValue)
            bytes.append(cells.count)
            for cell in cells { cell.write(to: &bytes) }
        }
    }

    init(from bytes: inout SpilledReader) {
        switch Tag(rawValue: bytes.byte()) {
        case .text:
            let text = bytes.part()
            let prefix = bytes.part()
            self = .text(text, prefix: prefix, members: bytes.part())
        case .row:
            var row: [(name: String, cell: RowCell)] = []
            for _ in 0..<bytes.integer() { row.append((bytes.text(), RowCell(from: &bytes))) }
            self = .row(row)
        case .cells, nil:
            var cells: [RowCell] = []
            for _ in 0..<bytes.integer() { cells.append(RowCell(from: &bytes)) }
            self = .cells(cells)
        }
    }
}

extension RowCell {
    /// The approximate number of bytes that the cell takes in memory.
    fileprivate var size: Int {
        switch self {
        case .text(let bytes), .json(let bytes): 32 + bytes.count
        case .value(.string(let text)): 32 + text.utf8.count
        case .value, .day: 32
        }
    }

    private enum Tag: UInt8 {
        case text, json, number
    }

    /// Writes the cell. A value is stored as JSON, which gives the same output, except for NaN, which has no JSON form.
    fileprivate func write(to bytes: inout SpilledBytes) {
        switch self {
        case .text(let text):
            bytes.append(tag: Tag.text.rawValue)
            bytes.append(text)
        case .value(.double(let number)):
            bytes.append(tag: Tag.number.rawValue)
            bytes.append(word: number.bitPattern)
        case .json, .value, .day:
            bytes.append(tag: Tag.json.rawValue)
            var json: [UInt8] = []
            writeJSON(to: &json)
            bytes.append(json)
        }
    }

    fileprivate init(from bytes: inout SpilledReader) {
        switch Tag(rawValue: bytes.byte()) {
        case .text: self = .text(bytes.part())
        case .json, nil: self = .json(bytes.part())
        case .number: self = .value(.double(Double(bitPattern: bytes.word())))
        }
    }
}

// MARK: - Sorting

extension SpillingSorter {
    /// Adds a match with the values by which it is sorted.
    func take(_ match: Record, values: [OrderedValue]) throws(CommandFailure) {
        do throws(SpillError) { try add(match, values: values) } catch { throw CommandFailure(error) }
    }

    /// Passes all matches to a closure, in order.
    func passOn(_ body: (Record) throws(CommandFailure) -> Void) throws(CommandFailure) {
        try forEach(body, failing: CommandFailure.init)
    }
}

extension CommandFailure {
    fileprivate init(_ error: SpillError) {
        self = .message(
            "--sort needs a temporary file in \(error.directory): \(error.reason)",
            hints: ["TMPDIR names another directory, and --first N sorts in memory"])
    }
}
