import PredicateData
import PredicateSyntax

/// A record, ready to be written.
enum PreparedRecord {
    /// Its text, a prefix as of grep, and members for JSON.
    case text([UInt8], prefix: [UInt8], members: [UInt8])
    case row([(name: String, cell: RowCell)])
}

/// What becomes of the records that match.
protocol FilterOutput: AnyObject {
    /// Prepares for the records of another file.
    func begin(_ reader: RecordReader, file: String) throws(CommandFailure)
    /// True if the values of a record are needed, and not its text alone.
    var needsValues: Bool { get }
    /// Returns a record of the current file in the form in which it is written.
    func prepare(_ record: SourceRecord) throws(CommandFailure) -> PreparedRecord
    func emit(_ record: PreparedRecord) throws(CommandFailure)
    /// True if several records can be written together, as they are.
    var writesLines: Bool { get }
    func write(lines: UnsafeBufferPointer<UInt8>, count: Int) throws(CommandFailure)
    func flush() throws(DataError)
    /// Writes what is left; `isWhole` is false after an error that ended a file.
    func finish(isWhole: Bool) throws(CommandFailure)
    /// The keys of `--keys` that no record had.
    var missingKeys: [String] { get }
}

/// Where a record is, for `-n` and `-H`.
struct RecordPlace {
    let showsFile: Bool
    let showsLine: Bool

    var isShown: Bool { showsFile || showsLine }

    /// The names of the columns.
    var columns: [String] { (showsFile ? ["file"] : []) + (showsLine ? ["line"] : []) }

    func cells(_ file: String, _ line: Int) -> [RowCell] {
        (showsFile ? [.value(.string(file.displayName))] : []) + (showsLine ? [.value(.integer(Int64(line)))] : [])
    }

    /// `people.csv:12:`
    func prefix(_ file: String, _ line: Int) -> [UInt8] {
        Array(((showsFile ? file.displayName + ":" : "") + (showsLine ? "\(line):" : "")).utf8)
    }

    /// `"file":"people.csv","line":12`
    func members(_ file: String, _ line: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, cell) in zip(columns, cells(file, line)) {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            JSONWriter().write(.string(name), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            cell.writeJSON(to: &bytes)
        }
        return bytes
    }
}
