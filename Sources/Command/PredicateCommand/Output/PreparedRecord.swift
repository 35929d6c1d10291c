import PredicateEvaluation
import PredicateQuery

/// A record in the form in which it is written.
struct PreparedRecord {
    /// The bytes of the record.
    var text: [UInt8] = []
    /// What is written around the text, or instead of it the cells of a row: in a table, and if the columns are not known before
    /// the last record.
    var parts: [[UInt8]] = []
    /// The names of the cells; nil if the columns are known.
    var names: [String]?
}

extension PreparedRecord: SpilledRecord {
    var size: Int { parts.reduce(text.count) { $0 + 32 + $1.count } + (names ?? []).reduce(0) { $0 + $1.utf8.count } }

    func write(to bytes: inout SpilledBytes) {
        bytes.append(text)
        bytes.append(parts.count)
        for part in parts { bytes.append(part) }
        bytes.append(names?.count ?? -1)
        for name in names ?? [] { bytes.append(Array(name.utf8)) }
    }

    init(from bytes: inout SpilledReader) {
        text = bytes.part()
        parts = (0..<bytes.integer()).map { _ in bytes.part() }
        let count = bytes.integer()
        names = count < 0 ? nil : (0..<count).map { _ in bytes.text() }
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
