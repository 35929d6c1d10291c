import PredicateData
import PredicateSession

/// Writes rows of cells under the names of columns: as CSV, TSV, a table, lines or JSON.
final class RowWriter {
    private let format: OutputFormat
    private let columns: [String]
    private let sink: ByteSink
    private let width: Int
    private var buffer: [UInt8] = []
    private var count = 0
    /// The cells of a table, which is laid out at the end.
    private var rows: [[String]] = []
    /// The JSON before the value of each column.
    private let names: [[UInt8]]

    private static let bufferLength = 64 << 10

    /// `width` is that of a table: of the terminal, or without a limit.
    init(_ format: OutputFormat, _ columns: [String], width: Int?, sink: @escaping ByteSink) {
        (self.format, self.columns, self.sink, self.width) = (format, columns, sink, width ?? 1 << 30)
        names = columns.enumerated().map { index, name in
            var bytes = Array((index == 0 ? "{" : ",").utf8)
            RowCell.text(Array(name.utf8)).writeJSON(to: &bytes)
            return bytes + [UInt8(ascii: ":")]
        }
        if let dialect = format.dialect { dialect.write(row: columns.map { Array($0.utf8) }, to: &buffer) }
    }

    /// Writes a row with a cell for each column.
    func write(_ cells: [RowCell]) throws(DataError) {
        switch format {
        case .csv: DelimitedDialect.csv.write(row: cells.map(\.text), to: &buffer)
        case .tsv: DelimitedDialect.tsv.write(row: cells.map(\.text), to: &buffer)
        case .lines:
            DelimitedDialect(delimiter: UInt8(ascii: "\t"), isQuoted: false).write(row: cells.map(\.text), to: &buffer)
        case .table: rows.append(cells.map { String(decoding: $0.text, as: UTF8.self) })
        case .jsonl: appendObject(cells, end: "}\n")
        case .json:
            buffer += Array((count == 0 ? "[" : ",\n").utf8)
            appendObject(cells, end: "}")
        }
        count += 1
        if buffer.count >= Self.bufferLength { try flush() }
    }

    /// True if rows are JSON, which can be written without cells.
    var writesJSON: Bool { format == .jsonl || format == .json }

    /// Writes a row of JSON with a function that appends the value of a column.
    func writeJSON(_ append: (_ column: Int, inout [UInt8]) -> Void) throws(DataError) {
        if format == .json { buffer += Array((count == 0 ? "[" : ",\n").utf8) }
        if names.isEmpty { buffer.append(UInt8(ascii: "{")) }
        for (column, name) in names.enumerated() {
            buffer.append(contentsOf: name)
            append(column, &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
        if format == .jsonl { buffer.append(UInt8(ascii: "\n")) }
        count += 1
        if buffer.count >= Self.bufferLength { try flush() }
    }

    /// Writes what is left. `isWhole` is false after an error before the first row, when an empty array would be a lie.
    func finish(isWhole: Bool) throws(DataError) {
        if format == .json, count > 0 || isWhole { buffer += Array((count == 0 ? "[]\n" : "]\n").utf8) }
        if format == .table, !columns.isEmpty { buffer += Array(table.utf8) }
        try flush()
    }

    func flush() throws(DataError) {
        if buffer.isEmpty { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBufferPointer { (bytes) throws(DataError) in try sink(UnsafeRawBufferPointer(bytes)) }
    }

    private func appendObject(_ cells: [RowCell], end: String) {
        if cells.isEmpty { buffer.append(UInt8(ascii: "{")) }
        for (name, cell) in zip(names, cells) {
            buffer += name
            cell.writeJSON(to: &buffer)
        }
        buffer += Array(end.utf8)
    }

    private var table: String {
        let columns = columns.enumerated().map { index, name in
            let cells = rows.map { $0[index].printable }
            let isNumeric = cells.contains { !$0.isEmpty } && cells.allSatisfy { $0.isEmpty || Double($0) != nil }
            return TextTable.Column(name, cells, alignsRight: isNumeric)
        }
        let lines = TextTable(columns, width: width).lines(Painter(isColoured: false))
        return lines.map { $0 + "\n" }.joined()
    }
}
