import PredicateData
import PredicateJSON
import PredicateSyntax

/// The format in which rows are written: that of `--output`, or of the name of a file.
package enum OutputFormat: String, CaseIterable, Sendable {
    case jsonl, json, csv, tsv, table, lines

    /// The JSON format of records; nil for the formats that consist of cells.
    package var json: DataFormat? {
        switch self {
        case .jsonl: .jsonLines
        case .json: .json
        case .csv, .tsv, .table, .lines: nil
        }
    }
}

extension OutputFormat {
    /// The format of cells; nil for a table, whose cells are laid out at the end.
    package var cells: RowCell.Format? {
        switch self {
        case .csv: .field(.csv)
        case .tsv, .lines: .field(.tsv)
        case .jsonl, .json: .json
        case .table: nil
        }
    }
}

/// The form of a row with the given columns: fields between delimiters, or a JSON object.
package final class RowForm {
    private let cells: RowCell.Format
    /// The JSON before the values of the columns, one after the other, and where each of them ends.
    private let names: UnsafeMutableBufferPointer<UInt8>
    private let nameEnds: UnsafeMutableBufferPointer<Int>
    private let end: [UInt8]

    /// A cell of the row: its column, the format, and the bytes to append to.
    package typealias Append = (_ column: Int, RowCell.Format, inout [UInt8]) -> Void

    package init(_ format: OutputFormat, _ columns: [String]) {
        cells = format.cells ?? .json
        end = Array((format == .json ? "}" : format == .jsonl ? "}\n" : "\n").utf8)
        var (names, ends) = ([UInt8](), [Int]())
        for (index, name) in columns.enumerated() {
            names.append(UInt8(ascii: index == 0 ? "{" : ","))
            RowCell.text(Array(name.utf8)).write(.json, to: &names)
            names.append(UInt8(ascii: ":"))
            ends.append(names.count)
        }
        (self.names, nameEnds) = (.allocate(capacity: names.count), .allocate(capacity: ends.count))
        _ = (self.names.initialize(from: names), nameEnds.initialize(from: ends))
    }

    deinit {
        names.deallocate()
        nameEnds.deallocate()
    }

    /// Appends a row; `append` appends each of its cells.
    package func write(to bytes: inout [UInt8], _ append: Append) {
        switch cells {
        case .field(let fields):
            for column in nameEnds.indices {
                if column > 0 { bytes.append(fields.delimiter) }
                append(column, cells, &bytes)
            }
        case .json:
            if nameEnds.isEmpty { bytes.append(UInt8(ascii: "{")) }
            var start = 0
            for (column, end) in nameEnds.enumerated() {
                bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: names[start..<end]))
                start = end
                append(column, .json, &bytes)
            }
        }
        bytes.append(contentsOf: end)
    }
}

/// Writes rows of cells below the names of columns: as CSV, TSV, a table, lines or JSON.
package final class RowWriter {
    private let format: OutputFormat
    private let form: RowForm
    private let columns: [String]
    private let width: Int
    /// The column of a table beside which its numbers are drawn as bars.
    private let barColumn: Int?
    private var output: ByteOutput
    private var count = 0
    /// The cells of a table, which is laid out at the end.
    private var rows: [[String]] = []

    /// `width` is the width of a table; nil for no limit.
    package init(
        _ format: OutputFormat, _ columns: [String], width: Int?, barsOf barColumn: Int? = nil, sink: @escaping ByteSink
    ) {
        (self.format, self.columns, self.width, self.barColumn) = (format, columns, width ?? 1 << 30, barColumn)
        output = ByteOutput(sink)
        form = RowForm(format, columns)
        guard format != .lines, case .field(let fields)? = format.cells else { return }
        fields.write(row: columns.map { Array($0.utf8) }, to: &output.bytes)
    }

    /// Writes a row of one cell per column.
    package func write(_ cell: (_ column: Int) -> RowCell) throws(DataError) {
        if format == .table { return write(table: columns.indices.map { cell($0).text }) }
        try write { column, form, bytes in cell(column).write(form, to: &bytes) }
    }

    /// Adds a row to a table.
    package func write(table cells: [[UInt8]]) { rows.append(cells.map { String(decoding: $0, as: UTF8.self) }) }

    /// Writes a row that has the form of this output. Not for tables.
    package func write(line: UnsafeBufferPointer<UInt8>) throws(DataError) {
        try append { $0.append(contentsOf: line) }
    }

    /// Writes a row; `append` appends the cell of a column. Not for tables.
    package func write(_ append: RowForm.Append) throws(DataError) { try self.append { form.write(to: &$0, append) } }

    private func append(_ row: (inout [UInt8]) -> Void) throws(DataError) {
        if format == .json { output.bytes.append(contentsOf: (count == 0 ? "[" : ",\n").utf8) }
        row(&output.bytes)
        count += 1
        try output.flushIfFull()
    }

    /// Writes whatever is buffered. If `isWhole` is false, an empty array is not written, because an error occurred before the
    /// first row.
    package func finish(isWhole: Bool) throws(DataError) {
        if format == .json, count > 0 || isWhole { output.bytes += Array((count == 0 ? "[]\n" : "]\n").utf8) }
        if format == .table, !columns.isEmpty { output.bytes += Array(table.utf8) }
        try flush()
    }

    package func flush() throws(DataError) { try output.flush() }

    private var table: String {
        var columns = columns.enumerated().map { index, name in
            let cells = rows.map { $0[index].printable }
            let isNumeric = cells.contains { !$0.isEmpty } && cells.allSatisfy { $0.isEmpty || Double($0) != nil }
            return TextTable.Column(name, cells, alignsRight: isNumeric)
        }
        if let barColumn {
            let numbers = rows.map { Double($0[barColumn]) ?? 0 }
            columns += [TextTable.Column(barsOf: numbers, beside: columns, width: width)].compactMap(\.self)
        }
        let lines = TextTable(columns, width: width).lines(Painter(isColoured: false))
        return lines.map { $0 + "\n" }.joined()
    }
}
