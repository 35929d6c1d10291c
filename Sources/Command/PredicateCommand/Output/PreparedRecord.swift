import PredicateEvaluation
import PredicateQuery

/// A record in the form in which it is written.
enum PreparedRecord {
    /// The bytes of the record, or of its row.
    case text([UInt8])
    /// The bytes of the record, and its position.
    indirect case placed([UInt8], position: [UInt8])
    /// The cells of a row: in a table, and if the columns are not known before the last record. The names are nil if they are known.
    indirect case cells([[UInt8]], names: [String]?)
}

extension PreparedRecord: SpilledRecord {
    var size: Int {
        switch self {
        case .text(let text): text.count
        case .placed(let text, let position): text.count + position.count + 64
        case .cells(let cells, let names):
            cells.reduce(64) { $0 + 32 + $1.count } + (names ?? []).reduce(0) { $0 + $1.utf8.count }
        }
    }

    func write(to bytes: inout SpilledBytes) {
        switch self {
        case .text(let text): bytes.append([text])
        case .placed(let text, let position): bytes.append([text, position])
        case .cells(let cells, let names):
            bytes.append(-1)
            bytes.append(cells)
            bytes.append((names ?? []).map { Array($0.utf8) })
            bytes.append(names == nil ? 0 : 1)
        }
    }

    init(from bytes: inout SpilledReader) {
        let count = bytes.integer()
        switch count {
        case 1: self = .text(bytes.part())
        case 2: self = .placed(bytes.part(), position: bytes.part())
        default:
            let (cells, names) = (bytes.parts(bytes.integer()), bytes.parts(bytes.integer()))
            let hasNames = bytes.integer() == 1
            self = .cells(cells, names: hasNames ? names.map { String(decoding: $0, as: UTF8.self) } : nil)
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
