import PredicateEvaluation
import PredicateQuery

/// A record in the form in which it is written.
enum PreparedRecord {
    /// The bytes of the record, or of its row.
    case text([UInt8])
    /// The bytes of the record, and its position.
    indirect case placed([UInt8], position: [UInt8])
    /// A JSON object whose members are the cells of a row.
    indirect case members([UInt8])
    /// The cells of a row in a table.
    indirect case cells([[UInt8]])
}

extension PreparedRecord: SpilledRecord {
    var size: Int {
        switch self {
        case .text(let text), .members(let text): text.count
        case .placed(let text, let position): text.count + position.count + 64
        case .cells(let cells): cells.reduce(64) { $0 + 32 + $1.count }
        }
    }

    /// The case of a record in a temporary file.
    private enum Tag: UInt8 {
        case text, placed, members, cells
    }

    func write(to bytes: inout SpilledBytes) {
        switch self {
        case .text(let text): append(.text, [text], to: &bytes)
        case .placed(let text, let position): append(.placed, [text, position], to: &bytes)
        case .members(let object): append(.members, [object], to: &bytes)
        case .cells(let cells): append(.cells, cells, to: &bytes)
        }
    }

    private func append(_ tag: Tag, _ parts: [[UInt8]], to bytes: inout SpilledBytes) {
        bytes.append(tag: tag.rawValue)
        bytes.append(parts.count)
        for part in parts { bytes.append(part) }
    }

    init(from bytes: inout SpilledReader) {
        let tag = Tag(rawValue: bytes.byte())
        let parts = (0..<bytes.integer()).map { _ in bytes.part() }
        let first = parts.first ?? []
        switch tag {
        case .text, nil: self = .text(first)
        case .placed: self = .placed(first, position: parts.last ?? [])
        case .members: self = .members(first)
        case .cells: self = .cells(parts)
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
