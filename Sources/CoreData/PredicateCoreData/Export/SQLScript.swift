import Foundation
import PredicateJSON
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writes the tables of an export as a script: declarations, rows, then foreign keys and indexes.
///
/// PostgreSQL reads rows by `COPY … FROM stdin`, the other databases by `INSERT`. The values of rows are part of a file
/// of data, so they are written as text, by ``SQLLiteral``.
final class SQLScript: RowSink {
    private let output: ByteOutput
    private let engine: SQLEngine
    let context: ExportContext
    private let constraints: [String]
    private let values: ScriptValues
    private var copiesRows: Bool { engine.copiesRows }
    private var table: ExportTable?
    private var insert: [UInt8] = []
    /// The bytes of the current statement.
    private var length = 0
    private static let longestStatement = 256 << 10

    /// Writes the declarations. Throws `unsupportedParts` for a database without scripts.
    init(
        _ output: ByteOutput, _ engine: SQLEngine, _ tables: [TableDeclaration], _ context: ExportContext
    ) throws(CoreDataError) {
        guard let beginning = engine.scriptBeginning else {
            throw CoreDataError(.unsupportedParts(engine.rawValue, parts: ["scripts with rows"]))
        }
        (self.output, self.engine, self.context) = (output, engine, context)
        values = ScriptValues(engine)
        let (statements, constraints) = try declaring(for: engine) { () throws(SQLSchemaError) in
            let declarations = try Declarations(tables, for: engine)
            return (
                try (beginning + declarations.tables).statements(for: engine),
                try (declarations.constraints + declarations.counters + engine.scriptEnding).statements(for: engine)
            )
        }
        self.constraints = constraints
        for statement in statements { output.append(statement + ";\n") }
    }

    func begin(_ table: ExportTable) throws(CoreDataError) {
        self.table = table
        length = 0
        let columns: SQLText = "\(name: table.name) (\(SQLText.names(table.columns.map(\.name))))"
        let text: SQLText = copiesRows ? "COPY \(columns) FROM stdin;\n" : "INSERT INTO \(columns) VALUES\n"
        let statement = try declaring(for: engine) { () throws(SQLSchemaError) in try text.statement(for: engine) }
        if copiesRows { output.append(statement) } else { insert = Array(statement.utf8) }
    }

    func write(_ row: ExportRow) throws(CoreDataError) {
        guard let table else { return }
        let start = output.bytes.count
        if copiesRows {
            try writeFields(row, table)
        } else {
            if length == 0 { output.bytes.append(contentsOf: insert) } else { output.append(",\n") }
            output.append("(")
            try writeFields(row, table)
            output.append(")")
        }
        length += output.bytes.count - start
        if copiesRows {
            output.append("\n")
        } else if length >= Self.longestStatement {
            endStatement()
        }
        try output.flushIfFull()
    }

    private func writeFields(_ row: ExportRow, _ table: ExportTable) throws(CoreDataError) {
        for (index, column) in table.columns.enumerated() {
            if index > 0 { output.append(copiesRows ? "\t" : ", ") }
            let cell = try row.cell(index)
            if let loss = values.write(cell, column.column.type, to: &output.bytes) {
                context.note(loss, "\(table.name).\(column.name)")
            }
        }
    }

    private func endStatement() {
        if length > 0 { output.append(";\n") }
        length = 0
    }

    func end() throws(CoreDataError) {
        if copiesRows { output.append("\\.\n") } else { endStatement() }
        table = nil
        try output.flushIfFull()
    }

    func finish() throws(CoreDataError) {
        for statement in constraints { output.append(statement + ";\n") }
        try output.flush()
    }
}

/// Writes the cells of an export as literals of a database or, for PostgreSQL, as fields of COPY.
private struct ScriptValues {
    private let literal: SQLLiteral
    private let timestamps: SQLTimestamps?
    private let features: SQLFeatures
    private let limits: SQLLimits
    private let keepsDecimals: Bool

    init(_ engine: SQLEngine) {
        literal = SQLLiteral(engine)
        let dialect = engine.dialect
        (timestamps, features, limits) = (dialect.timestamps, dialect.features, dialect.limits)
        keepsDecimals = engine.keepsDecimals
    }

    /// Appends a value of a column, and returns the loss if the database cannot represent it.
    func write(_ cell: ExportedCell, _ type: DeclaredType, to bytes: inout [UInt8]) -> ExportTally.Loss? {
        guard fits(cell, type) else {
            literal.null(to: &bytes)
            return .null
        }
        switch cell {
        case .null: literal.null(to: &bytes)
        case .integer(let number): JSONWriter.writeInteger(number, to: &bytes)
        case .boolean(let flag): literal.boolean(flag, to: &bytes)
        case .decimal(let number) where keepsDecimals && type == .decimal:
            bytes.append(contentsOf: ExportText.plainDecimal(number).utf8)
        case .double(let number), .decimal(let number): literal.double(number, to: &bytes)
        case .text(let text): return string(text, &bytes)
        case .ownText(let text): return text.withUnsafeBufferPointer { string($0, &bytes) }
        case .json(let value):
            var text: [UInt8] = []
            JSONWriter().write(value, to: &text)
            return text.withUnsafeBufferPointer { string($0, &bytes) }
        case .date(let seconds):
            guard let text = date(seconds) else {
                literal.null(to: &bytes)
                return .null
            }
            literal.plain(text, to: &bytes)
        case .uuid(let uuid):
            var text: [UInt8] = []
            ExportText.append(uuid, to: &text)
            literal.plain(text, to: &bytes)
        case .data(let data): literal.blob(data, to: &bytes)
        case .ownData(let data): Array(data).withUnsafeBufferPointer { literal.blob($0, to: &bytes) }
        case .uri(let prefix, let key): literal.plain(prefix.bytes + Array("\(key)".utf8), to: &bytes)
        }
        return nil
    }

    /// A string of any characters. Bytes that are not UTF-8 are replaced.
    private func string(_ text: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) -> ExportTally.Loss? {
        guard UTF8Validation.firstFault(in: text, 0..<text.count) == nil else {
            let repaired = Array(String(decoding: text, as: UTF8.self).utf8)
            return repaired.withUnsafeBufferPointer { string($0, &bytes) }
        }
        return literal.string(text, to: &bytes) ? nil : .zero
    }

    /// `2026-01-31 12:00:00.000000`, in PostgreSQL with `+00`; nil for a date that the database cannot hold.
    private func date(_ seconds: Double) -> [UInt8]? {
        if let timestamps {
            return timestamps.text(storing: Date(timeIntervalSinceReferenceDate: seconds)).map { Array($0.utf8) }
        }
        var text: [UInt8] = []
        _ = ExportText.append(date: seconds, to: &text)
        return text
    }

    // MARK: - What fits

    /// True if the column's type includes a value; a date may still be out of the range of the database. SQLite holds any value
    /// in any column.
    private func fits(_ cell: ExportedCell, _ type: DeclaredType) -> Bool {
        guard !features.contains(.storageClasses) else { return true }
        switch (cell, type) {
        case (.null, _), (.boolean, .boolean), (.text, .text), (.ownText, .text), (.uri, .text), (.uuid, .uuid),
            (.data, .data), (.ownData, .data), (.json, .json), (.integer, .integer64), (.integer, .double),
            (.integer, .decimal), (.date, .date):
            return true
        case (.integer(let number), .integer16): return Int16(exactly: number) != nil
        case (.integer(let number), .integer32): return Int32(exactly: number) != nil
        case (.double(let number), .double): return number.isFinite || !features.contains(.finiteDoubles)
        // DECIMAL(65,30) has 35 digits before the point and 30 after it.
        case (.decimal(let number), .decimal), (.double(let number), .decimal):
            return !keepsDecimals || number.isFinite && limits.holds(digits: ExportText.plainDecimal(number))
        case (.decimal(let number), .double): return number.isFinite
        case (.boolean, _), (.text, _), (.ownText, _), (.uri, _), (.uuid, _), (.data, _), (.ownData, _), (.json, _),
            (.integer, _), (.double, _), (.decimal, _), (.date, _):
            return false
        }
    }
}
