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
            RowCell.text(Array(name.utf8)).write(.json, to: &bytes)
            return bytes + [UInt8(ascii: ":")]
        }
        if let dialect = format.dialect { dialect.write(row: columns.map { Array($0.utf8) }, to: &buffer) }
    }

    /// Writes a row with a cell for each column.
    func write(_ cells: [RowCell]) throws(DataError) {
        guard format != .table else { return rows.append(cells.map { String(decoding: $0.text, as: UTF8.self) }) }
        try write { column, form, bytes in if column < cells.count { cells[column].write(form, to: &bytes) } }
    }

    /// True if a row is written as soon as it is there, which needs no cells. A table is laid out at the end.
    var writesAtOnce: Bool { format != .table }

    /// Writes a row with a function that appends the cell of a column. Not for tables.
    func write(_ append: (_ column: Int, RowCell.Form, inout [UInt8]) -> Void) throws(DataError) {
        switch format {
        case .csv: writeFields(.csv, append)
        case .tsv: writeFields(.tsv, append)
        case .lines, .table: writeFields(DelimitedDialect(delimiter: UInt8(ascii: "\t"), isQuoted: false), append)
        case .jsonl: writeObject(end: "}\n", append)
        case .json:
            buffer.append(contentsOf: (count == 0 ? "[" : ",\n").utf8)
            writeObject(end: "}", append)
        }
        count += 1
        if buffer.count >= Self.bufferLength { try flush() }
    }

    private func writeFields(
        _ dialect: DelimitedDialect, _ append: (_ column: Int, RowCell.Form, inout [UInt8]) -> Void
    ) {
        for column in columns.indices {
            if column > 0 { buffer.append(dialect.delimiter) }
            append(column, .field(dialect), &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private func writeObject(end: String, _ append: (_ column: Int, RowCell.Form, inout [UInt8]) -> Void) {
        if names.isEmpty { buffer.append(UInt8(ascii: "{")) }
        for (column, name) in names.enumerated() {
            buffer.append(contentsOf: name)
            append(column, .json, &buffer)
        }
        buffer.append(contentsOf: end.utf8)
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
        try buffer.withUnsafeBufferPointer { bytes in
            Result { () throws(DataError) in try sink(UnsafeRawBufferPointer(bytes)) }
        }.get()
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
