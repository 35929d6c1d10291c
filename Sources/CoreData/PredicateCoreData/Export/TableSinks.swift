import Foundation
import PredicateJSON
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Takes the tables of an export, one after another.
protocol TableSink: AnyObject {
    /// Begins a table.
    func begin(_ table: ExportTable) throws(CoreDataError)
    /// Writes a row of the table.
    func write(_ row: ExportRow) throws(CoreDataError)
    /// Ends a table.
    func end() throws(CoreDataError)
    /// Ends the export.
    func finish() throws(CoreDataError)
}

extension TableSink {
    func finish() throws(CoreDataError) {}
}

/// Writes the tables of an export to a new SQLite file.
final class SQLiteSink: TableSink {
    private let connection: StoreConnection
    private var insertion: RepeatedStatement?
    private let declarations: Declarations
    private var scratch: [UInt8] = []

    /// Creates the tables.
    init(_ connection: StoreConnection, _ tables: [TableDeclaration]) throws(CoreDataError) {
        self.connection = connection
        declarations = try declaring(for: .sqlite) { () throws(SQLSchemaError) in
            try Declarations(tables, for: .sqlite)
        }
        for statement in declarations.tables { try connection.runMigrating(SQLFragment(statement)) }
    }

    func begin(_ table: ExportTable) throws(CoreDataError) {
        let names = table.columns.map(\.name)
        let insert = SQLText.insert(into: "\(name: table.name)", names, .values(names.map { _ in .null }))
        insertion = try storing { () throws(StoreError) in try RepeatedStatement(connection, SQLFragment(insert)) }
    }

    func write(_ row: ExportRow) throws(CoreDataError) {
        guard let insertion else { return }
        for (index, column) in row.unchanged.enumerated() {
            let cell = try column == nil ? row.cell(index) : .null
            try storing { () throws(StoreError) in
                if let column { return try insertion.bind(row.rows.cell(column), at: index + 1) }
                try bind(cell, to: index + 1, insertion)
            }
        }
        try storingMigrated(insertion.run)
    }

    private func bind(_ cell: ExportedCell, to position: Int, _ insertion: RepeatedStatement) throws(StoreError) {
        switch cell {
        case .null: try insertion.bind(.null, at: position)
        case .integer(let number): try insertion.bind(.integer(number), at: position)
        case .boolean(let flag): try insertion.bind(.integer(flag ? 1 : 0), at: position)
        case .double(let number), .decimal(let number): try insertion.bind(.double(number), at: position)
        case .text(let bytes): try insertion.bind(.text(bytes), at: position)
        case .data(let bytes): try insertion.bind(.blob(bytes), at: position)
        case .ownText(let bytes): try bind(bytes, as: RawCell.text, to: position, insertion)
        case .ownData(let data): try bind(Array(data), as: RawCell.blob, to: position, insertion)
        case .uuid(let uuid):
            scratch.removeAll(keepingCapacity: true)
            ExportText.append(uuid, to: &scratch)
            try bind(scratch, as: RawCell.text, to: position, insertion)
        case .date(let seconds):
            scratch.removeAll(keepingCapacity: true)
            _ = ExportText.append(date: seconds, to: &scratch)
            try bind(scratch, as: RawCell.text, to: position, insertion)
        case .json(let value):
            try bind(Array(JSONWriter().text(of: value).utf8), as: RawCell.text, to: position, insertion)
        case .uri(let prefix, let key):
            try bind(prefix.bytes + Array("\(key)".utf8), as: RawCell.text, to: position, insertion)
        }
    }

    /// Binds a copy of bytes, as text or as a blob.
    private func bind(
        _ bytes: [UInt8], as cell: (UnsafeBufferPointer<UInt8>) -> RawCell, to position: Int,
        _ insertion: RepeatedStatement
    ) throws(StoreError) {
        try bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(StoreError) in try insertion.bind(cell(bytes), at: position, copies: true) }
        }.get()
    }

    func end() throws(CoreDataError) { insertion = nil }

    func finish() throws(CoreDataError) {
        for statement in declarations.constraints { try connection.runMigrating(SQLFragment(statement)) }
    }
}

/// Writes each table as comma-separated values: strings in quotes, NULL as an empty field.
final class DelimitedSink: TableSink {
    private let open: (String) throws(CoreDataError) -> ByteOutput
    private var output: ByteOutput?

    /// `open` gives the output of a table with a name.
    init(_ open: @escaping (String) throws(CoreDataError) -> ByteOutput) {
        self.open = open
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
        for index in row.reads.indices {
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
