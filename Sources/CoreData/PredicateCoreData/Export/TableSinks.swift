import Foundation
import PredicateJSON
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Takes the tables of an export, one after another.
protocol TableSink: AnyObject {
    /// Writes the rows of a table and returns their number.
    func write(_ table: ExportTable) throws(CoreDataError) -> Int
    /// Ends the export.
    func finish() throws(CoreDataError)
}

/// Takes the tables of an export row by row.
protocol RowSink: TableSink {
    var context: ExportContext { get }
    /// Begins a table.
    func begin(_ table: ExportTable) throws(CoreDataError)
    /// Writes a row of the table.
    func write(_ row: ExportRow) throws(CoreDataError)
    /// Ends a table.
    func end() throws(CoreDataError)
}

extension RowSink {
    func write(_ table: ExportTable) throws(CoreDataError) -> Int {
        try begin(table)
        let row = try context.row(table)
        var count = 0
        while try row.advance() {
            try write(row)
            count += 1
        }
        try end()
        return count
    }

    func finish() throws(CoreDataError) {}
}

/// Writes the tables of an export to a new SQLite file, to whose connection the store is attached.
///
/// SQLite copies the rows; a value in another form than the store's is converted by a function:
///
///     INSERT INTO main."Item" ("Z_PK", "due") SELECT s.Z_PK, exported(1, s."ZDUE") FROM old."ZITEM" AS s
final class SQLiteSink: TableSink {
    private let context: ExportContext
    private let declarations: Declarations
    private let conversion = Conversion()

    /// Creates the tables.
    init(_ tables: [TableDeclaration], _ context: ExportContext) throws(CoreDataError) {
        self.context = context
        declarations = try declaring(for: .sqlite) { () throws(SQLSchemaError) in
            try Declarations(tables, for: .sqlite)
        }
        for statement in declarations.tables { try context.connection.runMigrating(SQLFragment(statement)) }
        try storing { [conversion] () throws(StoreError) in
            try context.connection.register("exported", conversion.convert)
        }
    }

    func write(_ table: ExportTable) throws(CoreDataError) -> Int {
        let reader = ExportReader(table.columns, context)
        conversion.begin(reader)
        defer { conversion.end() }
        let values = table.columns.indices.map { index -> SQLText in
            let (columns, isUnchanged) = reader.source(of: index)
            let stored = SQLText.joined(columns.map { table.selected[$0] }, by: ", ")
            return isUnchanged ? stored : "exported(\(number: index), \(stored))"
        }
        let rows: SQLText = "SELECT \(SQLText.joined(values, by: ", ")) FROM \(table.rows)"
        let insert = SQLText.insert(into: "main.\(name: table.name)", table.columns.map(\.name), rows)
        do throws(CoreDataError) {
            return try storingMigrated { () throws(StoreError) in try context.connection.run(SQLFragment(insert)) }
        } catch {
            throw conversion.failure ?? error
        }
    }

    func finish() throws(CoreDataError) {
        for statement in declarations.constraints { try context.connection.runMigrating(SQLFragment(statement)) }
    }
}

/// The function that converts the values of the current table. It is used under the lock of the connection.
private final class Conversion {
    private var reader: ExportReader?
    /// The columns that each value is read from, by its index.
    private var columns: [[Int]] = []
    private var scratch: [UInt8] = []
    /// The error that has ended the statement.
    private(set) var failure: CoreDataError?

    func begin(_ reader: ExportReader) {
        self.reader = reader
        columns = (0..<reader.count).map { reader.source(of: $0).columns }
    }

    /// Releases the reader and with it the connection, which owns the function.
    func end() { reader = nil }

    /// The arguments of a call: the index of a value, and the stored values that it is read from.
    private struct Arguments: StoredCells {
        let call: ConnectionCall
        let columns: [Int]

        func cell(_ column: Int) -> RawCell { columns.firstIndex(of: column).map { call.cell($0 + 1) } ?? .null }
    }

    func convert(_ call: ConnectionCall) {
        guard let reader, case .integer(let number) = call.cell(0), columns.indices.contains(Int(number)) else {
            return call.return(.null)
        }
        let arguments = Arguments(call: call, columns: columns[Int(number)])
        do throws(CoreDataError) {
            finish(call, try reader.cell(Int(number), in: arguments))
        } catch {
            failure = error
            call.fail(error.title)
        }
    }

    private func finish(_ call: ConnectionCall, _ cell: ExportedCell) {
        switch cell {
        case .null: call.return(.null)
        case .integer(let number): call.return(.integer(number))
        case .boolean(let flag): call.return(.integer(flag ? 1 : 0))
        case .double(let number), .decimal(let number): call.return(.double(number))
        case .text(let bytes): call.return(.text(bytes))
        case .ownText(let bytes): returnText(call) { $0 += bytes }
        case .data(let bytes): call.return(.blob(bytes))
        case .ownData(let data): data.withUnsafeBytes { call.return(.blob($0.bindMemory(to: UInt8.self))) }
        case .uuid(let uuid): returnText(call) { ExportText.append(uuid, to: &$0) }
        case .date(let seconds): returnText(call) { _ = ExportText.append(date: seconds, to: &$0) }
        case .json(let value): returnText(call) { JSONWriter().write(value, to: &$0) }
        case .uri(let prefix, let key): returnText(call) { $0 += prefix.bytes + Array("\(key)".utf8) }
        }
    }

    private func returnText(_ call: ConnectionCall, _ append: (inout [UInt8]) -> Void) {
        scratch.removeAll(keepingCapacity: true)
        append(&scratch)
        scratch.withUnsafeBufferPointer { call.return(.text($0)) }
    }
}

/// Writes each table as comma-separated values: strings in quotes, NULL as an empty field.
final class DelimitedSink: RowSink {
    let context: ExportContext
    private let open: (String) throws(CoreDataError) -> ByteOutput
    private var output: ByteOutput?

    /// `open` gives the output of a table with a name.
    init(_ context: ExportContext, _ open: @escaping (String) throws(CoreDataError) -> ByteOutput) {
        (self.context, self.open) = (context, open)
    }

    func begin(_ table: ExportTable) throws(CoreDataError) {
        let output = try open(table.name)
        self.output = output
        for (index, column) in table.columns.enumerated() {
            if index > 0 { output.bytes.append(Byte.comma) }
            let isPlain = column.name.utf8.allSatisfy { $0 != Byte.comma && $0 != Byte.quote && $0 > Byte.space }
            if isPlain { output.append(column.name) } else { Self.append(Array(column.name.utf8), to: &output.bytes) }
        }
        output.append("\n")
    }

    func write(_ row: ExportRow) throws(CoreDataError) {
        guard let output else { return }
        for index in 0..<row.reader.count {
            if index > 0 { output.bytes.append(Byte.comma) }
            Self.append(try row.cell(index), to: &output.bytes)
        }
        output.bytes.append(Byte.lineFeed)
        try output.flushIfFull()
    }

    func end() throws(CoreDataError) {
        try output?.flush()
        output = nil
    }

    private static func append(_ cell: ExportedCell, to bytes: inout [UInt8]) {
        switch cell {
        case .null: break
        case .integer(let number): JSONWriter.writeInteger(number, to: &bytes)
        case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .double(let number), .decimal(let number): JSONWriter.writeDouble(number, to: &bytes)
        case .text(let text):
            if UTF8Validation.firstFault(in: text, 0..<text.count) == nil { return append(text, to: &bytes) }
            append(Array(String(decoding: text, as: UTF8.self).utf8), to: &bytes)
        case .ownText(let text): append(text, to: &bytes)
        case .date(let seconds): _ = ExportText.append(date: seconds, to: &bytes)
        case .uuid(let uuid): ExportText.append(uuid, to: &bytes)
        case .data(let data): append(data.isEmpty ? [] : Array(ExportText.base64(data).utf8), to: &bytes)
        case .ownData(let data): append(Array(data.base64EncodedString().utf8), to: &bytes)
        case .json(let value): append(Array(JSONWriter().text(of: value).utf8), to: &bytes)
        case .uri(let prefix, let key):
            guard prefix.isPlain else { return append(prefix.bytes + Array("\(key)".utf8), to: &bytes) }
            bytes.append(contentsOf: prefix.bytes)
            JSONWriter.writeInteger(key, to: &bytes)
        }
    }

    /// A field in quotes.
    private static func append(_ field: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        for byte in field {
            if byte == Byte.quote { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(Byte.quote)
    }
}
