import Foundation
import PredicateJSON
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writes the tables of an export as a script: declarations, rows, then foreign keys and indexes.
///
/// PostgreSQL reads rows by `COPY … FROM stdin`, the other databases by `INSERT`. The values of rows are part of a file
/// of data, so they are written here and nowhere else as text: ``SQLLiteral`` has one function for each database.
final class SQLScript: TableSink {
    private let output: ByteOutput
    private let dialect: TableDialect
    private let context: ExportContext
    private let constraints: [String]
    private let literal: SQLLiteral
    private var table: ExportTable?
    private var insert: [UInt8] = []
    /// The bytes of the current statement.
    private var length = 0
    private static let longestStatement = 256 << 10

    /// Writes the declarations.
    init(_ output: ByteOutput, _ tables: ModelTables, _ context: ExportContext) throws(CoreDataError) {
        (self.output, dialect, self.context) = (output, tables.dialect, context)
        literal = SQLLiteral(tables.dialect)
        var copy = tables
        let statements = try tables.tableStatements()
        constraints = try copy.constraintStatements()
        for statement in tables.dialect.beginning + statements { output.append(statement + ";\n") }
    }

    func begin(_ table: ExportTable) throws(CoreDataError) {
        self.table = table
        let names = try dialect.quoted(table.columns.map(\.name))
        let name = try dialect.quoted(table.name)
        length = 0
        guard dialect == .postgresql else {
            insert = Array("INSERT INTO \(name) (\(names)) VALUES\n".utf8)
            return
        }
        output.append("COPY \(name) (\(names)) FROM stdin;\n")
    }

    func write(_ row: ExportRow) throws(CoreDataError) {
        guard let table else { return }
        let start = output.bytes.count
        if dialect == .postgresql {
            try writeFields(row, table)
        } else {
            if length == 0 { output.bytes.append(contentsOf: insert) } else { output.append(",\n") }
            output.append("(")
            try writeFields(row, table)
            output.append(")")
        }
        length += output.bytes.count - start
        if dialect == .postgresql {
            output.append("\n")
        } else if length >= Self.longestStatement {
            endStatement()
        }
        try output.flushIfFull()
    }

    private func writeFields(_ row: ExportRow, _ table: ExportTable) throws(CoreDataError) {
        for (index, column) in table.columns.enumerated() {
            if index > 0 { output.append(dialect == .postgresql ? "\t" : ", ") }
            let cell = try row.cell(index)
            if let loss = literal.write(cell, column.column.type, to: &output.bytes) {
                context.note(loss, "\(table.name).\(column.name)")
            }
        }
    }

    private func endStatement() {
        if length > 0 { output.append(";\n") }
        length = 0
    }

    func end() throws(CoreDataError) {
        if dialect == .postgresql { output.append("\\.\n") } else { endStatement() }
        table = nil
        try output.flushIfFull()
    }

    func finish() throws(CoreDataError) {
        for statement in constraints + dialect.ending { output.append(statement + ";\n") }
        try output.flush()
    }
}

extension TableDialect {
    /// The statements before all others: one transaction, where the database declares tables in one, and the encoding
    /// and notation of strings.
    fileprivate var beginning: [String] {
        switch self {
        case .sqlite: ["BEGIN"]
        case .duckdb: ["BEGIN TRANSACTION"]
        case .postgresql: ["BEGIN", "SET LOCAL client_encoding = 'UTF8'"]
        case .mariadb, .mysql:
            [
                "SET NAMES utf8mb4",
                "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
            ]
        }
    }

    fileprivate var ending: [String] {
        switch self {
        case .sqlite, .postgresql, .duckdb: ["COMMIT"]
        case .mariadb, .mysql: []
        }
    }
}

/// Writes values as literals of a database or, for PostgreSQL, as fields of COPY.
struct SQLLiteral {
    private let dialect: TableDialect
    private let timestamps: SQLTimestamps?

    init(_ dialect: TableDialect) {
        self.dialect = dialect
        timestamps = dialect.quoting.timestamps
    }

    /// Appends a value of a column, and returns what the database cannot hold of it.
    func write(_ cell: ExportedCell, _ type: PlainType, to bytes: inout [UInt8]) -> ExportTally.Loss? {
        if case .null = cell {
            null(&bytes)
            return nil
        }
        guard fits(cell, type) else {
            null(&bytes)
            return .null
        }
        switch cell {
        case .null: return nil
        case .integer(let number): JSONWriter.writeInteger(number, to: &bytes)
        case .boolean(let flag): boolean(flag, &bytes)
        case .double(let number): double(number, &bytes)
        case .decimal(let number):
            if isExact(type) {
                bytes.append(contentsOf: ExportText.plainDecimal(number).utf8)
            } else {
                double(number, &bytes)
            }
        case .text(let text): return string(text, &bytes)
        case .ownText(let text): return text.withUnsafeBufferPointer { string($0, &bytes) }
        case .json(let value):
            var text: [UInt8] = []
            JSONWriter().write(value, to: &text)
            return text.withUnsafeBufferPointer { string($0, &bytes) }
        case .date(let seconds): date(seconds, &bytes)
        case .uuid(let uuid):
            if dialect != .postgresql { bytes.append(Byte.apostrophe) }
            ExportText.append(uuid, to: &bytes)
            if dialect != .postgresql { bytes.append(Byte.apostrophe) }
        case .data(let data): blob(data, &bytes)
        case .ownData(let data): Array(data).withUnsafeBufferPointer { blob($0, &bytes) }
        case .uri(let prefix, let key): quoted(String(decoding: prefix.bytes, as: UTF8.self) + "\(key)", &bytes)
        }
        return nil
    }

    // MARK: - What fits

    private func isExact(_ type: PlainType) -> Bool {
        type == .decimal && (dialect == .postgresql || dialect == .mariadb || dialect == .mysql)
    }

    /// True if the column's type includes a value. SQLite holds any value in any column.
    private func fits(_ cell: ExportedCell, _ type: PlainType) -> Bool {
        guard dialect != .sqlite else { return true }
        switch (cell, type) {
        case (.null, _), (.boolean, .boolean), (.text, .text), (.ownText, .text), (.uri, .text), (.uuid, .uuid),
            (.data, .data), (.ownData, .data), (.json, .json), (.integer, .integer64), (.integer, .double):
            return true
        case (.integer(let number), .integer16): return Int16(exactly: number) != nil
        case (.integer(let number), .integer32): return Int32(exactly: number) != nil
        case (.integer, .decimal): return true
        case (.double(let number), .double): return number.isFinite || dialect == .postgresql || dialect == .duckdb
        case (.decimal(let number), .decimal), (.double(let number), .decimal): return fitsDecimal(number)
        case (.decimal(let number), .double): return number.isFinite
        case (.date(let seconds), .date): return moment(seconds) != nil || date(seconds) != nil
        case (.boolean, _), (.text, _), (.ownText, _), (.uri, _), (.uuid, _), (.data, _), (.ownData, _), (.json, _),
            (.integer, _), (.double, _), (.decimal, _), (.date, _):
            return false
        }
    }

    /// DECIMAL(65,30) has 35 digits before the point and 30 after it.
    private func fitsDecimal(_ number: Double) -> Bool {
        guard number.isFinite else { return dialect == .duckdb }
        guard dialect == .mariadb || dialect == .mysql else { return true }
        let fraction = ExportText.plainDecimal(number).drop { $0 != "." }.dropFirst()
        return number.magnitude < 1e35 && fraction.count <= 30
    }

    /// A date of a year with four digits, which is written without a string; nil for any other.
    private func moment(_ seconds: Double) -> CivilDate? {
        guard let timestamps else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        guard let nearest = Microseconds.nearest(to: date), timestamps.first <= nearest, nearest <= timestamps.last
        else { return nil }
        let moment = CivilDate(microseconds: nearest)
        return (1...9999).contains(moment.year) ? moment : nil
    }

    /// `2026-01-31 12:00:00.000000`, in PostgreSQL with `+00`
    private func date(_ seconds: Double, _ bytes: inout [UInt8]) {
        guard timestamps != nil else {
            bytes.append(Byte.apostrophe)
            _ = ExportText.append(date: seconds, to: &bytes)
            return bytes.append(Byte.apostrophe)
        }
        guard let moment = moment(seconds) else { return quoted(date(seconds) ?? "", &bytes) }
        if dialect != .postgresql { bytes.append(Byte.apostrophe) }
        ExportText.append(moment, separator: Byte.space, to: &bytes)
        bytes.append(Byte.dot)
        ExportText.append(moment.microsecond, digits: 6, to: &bytes)
        bytes.append(contentsOf: (dialect == .postgresql ? "+00" : "").utf8)
        if dialect != .postgresql { bytes.append(Byte.apostrophe) }
    }

    private func date(_ seconds: Double) -> String? {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        if let timestamps { return timestamps.text(storing: date) }
        return JSONDate.text(of: date)
    }

    // MARK: - Values without special characters

    private func null(_ bytes: inout [UInt8]) {
        bytes.append(contentsOf: (dialect == .postgresql ? "\\N" : "NULL").utf8)
    }

    private func boolean(_ flag: Bool, _ bytes: inout [UInt8]) {
        let text =
            switch dialect {
            case .postgresql: flag ? "t" : "f"
            case .duckdb: flag ? "TRUE" : "FALSE"
            case .sqlite, .mariadb, .mysql: flag ? "1" : "0"
            }
        bytes.append(contentsOf: text.utf8)
    }

    /// A double whose digits identify it. A literal without an exponent is a decimal number in MariaDB and MySQL.
    private func double(_ number: Double, _ bytes: inout [UInt8]) {
        let text = number.description
        let literal =
            switch dialect {
            case .postgresql: number.isFinite ? text : number > 0 ? "Infinity" : "-Infinity"
            case .sqlite: number.isFinite ? text : number > 0 ? "1e999" : "-1e999"
            case .duckdb: number.isFinite ? "\(text)\(text.contains("e") ? "" : "e0")" : "CAST('\(text)' AS DOUBLE)"
            case .mariadb, .mysql: text.contains("e") ? text : text + "e0"
            }
        bytes.append(contentsOf: literal.utf8)
    }

    /// A string of letters, digits and punctuation that needs no escapes.
    private func quoted(_ text: String, _ bytes: inout [UInt8]) {
        if dialect == .postgresql { return bytes.append(contentsOf: text.utf8) }
        quoted(text.utf8, &bytes)
    }

    /// A string in single quotes, which are doubled within it.
    private func quoted(_ text: some Collection<UInt8>, _ bytes: inout [UInt8]) {
        bytes.append(Byte.apostrophe)
        if text.contains(Byte.apostrophe) {
            for byte in text {
                if byte == Byte.apostrophe { bytes.append(byte) }
                bytes.append(byte)
            }
        } else {
            bytes.append(contentsOf: text)
        }
        bytes.append(Byte.apostrophe)
    }

    private func blob(_ data: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) {
        switch dialect {
        case .postgresql: bytes.append(contentsOf: "\\\\x".utf8)
        case .sqlite, .mariadb, .mysql: bytes.append(contentsOf: "X'".utf8)
        case .duckdb: bytes.append(contentsOf: "from_hex('".utf8)
        }
        ExportText.append(hexadecimal: data, to: &bytes)
        if dialect != .postgresql { bytes.append(Byte.apostrophe) }
        if dialect == .duckdb { bytes.append(Byte.closeParenthesis) }
    }

    // MARK: - Strings

    /// A string of any characters. Bytes that are not UTF-8 are replaced.
    private func string(_ text: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) -> ExportTally.Loss? {
        guard UTF8Validation.firstFault(in: text, 0..<text.count) == nil else {
            let repaired = Array(String(decoding: text, as: UTF8.self).utf8)
            return repaired.withUnsafeBufferPointer { string($0, &bytes) }
        }
        switch dialect {
        case .postgresql: return copyField(text, &bytes)
        case .mariadb, .mysql: mySQL(text, &bytes)
        case .sqlite: standard(text, &bytes, bytesAs: ("CAST(X'", "' AS TEXT)"))
        case .duckdb: standard(text, &bytes, bytesAs: ("decode(from_hex('", "'))"))
        }
        return nil
    }

    /// A field of COPY. PostgreSQL has no strings with U+0000.
    private func copyField(_ text: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) -> ExportTally.Loss? {
        guard text.contains(where: { $0 < Byte.space || $0 == Byte.backslash }) else {
            bytes.append(contentsOf: text)
            return nil
        }
        var loss: ExportTally.Loss?
        for byte in text {
            switch byte {
            case 0:
                bytes.append(contentsOf: "\u{FFFD}".utf8)
                loss = .zero
            case Byte.backslash: bytes.append(contentsOf: [Byte.backslash, Byte.backslash])
            case Byte.lineFeed: bytes.append(contentsOf: [Byte.backslash, UInt8(ascii: "n")])
            case Byte.carriageReturn: bytes.append(contentsOf: [Byte.backslash, UInt8(ascii: "r")])
            case Byte.tab: bytes.append(contentsOf: [Byte.backslash, UInt8(ascii: "t")])
            default: bytes.append(byte)
            }
        }
        return loss
    }

    /// A string with backslash escapes: the client would change line ends and refuse U+0000.
    private func mySQL(_ text: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) {
        bytes.append(Byte.apostrophe)
        for byte in text {
            let escape: UInt8? =
                switch byte {
                case 0: Byte.zero
                case Byte.lineFeed: UInt8(ascii: "n")
                case Byte.carriageReturn: UInt8(ascii: "r")
                case 0x1A: UInt8(ascii: "Z")
                case Byte.backslash, Byte.apostrophe: byte
                default: nil
                }
            if escape != nil { bytes.append(Byte.backslash) }
            bytes.append(escape ?? byte)
        }
        bytes.append(Byte.apostrophe)
    }

    /// A string with doubled quotes; one with control characters, which shells change, by its bytes.
    private func standard(
        _ text: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8], bytesAs form: (String, String)
    ) {
        guard text.contains(where: { $0 < Byte.space }) else {
            return quoted(text, &bytes)
        }
        bytes.append(contentsOf: form.0.utf8)
        ExportText.append(hexadecimal: text, to: &bytes)
        bytes.append(contentsOf: form.1.utf8)
    }
}
