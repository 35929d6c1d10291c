import PredicateSyntax

/// Writes the values of a script's rows as text: as literals of INSERT or, for PostgreSQL, as fields of COPY.
///
/// The escapes of each database are in this file and nowhere else.
package struct SQLLiteral: Sendable {
    private let engine: SQLEngine
    private var isField: Bool { engine.copiesRows }

    package init(_ engine: SQLEngine) {
        self.engine = engine
    }

    package func null(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isField ? "\\N" : "NULL").utf8)
    }

    package func boolean(_ flag: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isField ? (flag ? "t" : "f") : engine.truth(flag)).utf8)
    }

    /// A double whose digits identify it. A literal without an exponent is a decimal number in MariaDB and MySQL.
    package func double(_ number: Double, to bytes: inout [UInt8]) {
        let text = number.description
        let literal =
            switch engine {
            case .postgresql: number.isFinite ? text : number > 0 ? "Infinity" : "-Infinity"
            case .sqlite: number.isFinite ? text : number > 0 ? "1e999" : "-1e999"
            case .duckdb: number.isFinite ? "\(text)\(text.contains("e") ? "" : "e0")" : "CAST('\(text)' AS DOUBLE)"
            case .mariadb, .mysql, .spark: text.contains("e") ? text : text + "e0"
            }
        bytes.append(contentsOf: literal.utf8)
    }

    package func blob(_ data: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let (start, end) =
            switch engine {
            case .postgresql: ("\\\\x", "")
            case .sqlite, .mariadb, .mysql, .spark: ("X'", "'")
            case .duckdb: ("from_hex('", "')")
            }
        Self.hexadecimal(data, start, end, to: &bytes)
    }

    private static func hexadecimal(
        _ data: UnsafeBufferPointer<UInt8>, _ start: String, _ end: String, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: start.utf8)
        for byte in data {
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
        bytes.append(contentsOf: end.utf8)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    // MARK: - Strings

    /// A string of letters, digits and punctuation in which at most quotes need escapes.
    package func plain(_ text: [UInt8], to bytes: inout [UInt8]) {
        if isField { return bytes.append(contentsOf: text) }
        Self.quoted(text, to: &bytes)
    }

    /// A string of any characters in UTF-8; false if the database does not allow U+0000 and gets U+FFFD in its place.
    package func string(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Bool {
        switch engine {
        case .postgresql: return Self.field(text, to: &bytes)
        case .mariadb, .mysql, .spark: Self.escaped(text, to: &bytes)
        case .sqlite: Self.standard(text, bytesAs: ("CAST(X'", "' AS TEXT)"), to: &bytes)
        case .duckdb: Self.standard(text, bytesAs: ("decode(from_hex('", "'))"), to: &bytes)
        }
        return true
    }

    /// A string in single quotes, which are doubled within it.
    private static func quoted(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "'")
        bytes.append(quote)
        if text.contains(quote) {
            for byte in text {
                if byte == quote { bytes.append(byte) }
                bytes.append(byte)
            }
        } else {
            bytes.append(contentsOf: text)
        }
        bytes.append(quote)
    }

    /// A string with doubled quotes; one with control characters, which shells change, by its bytes.
    private static func standard(
        _ text: UnsafeBufferPointer<UInt8>, bytesAs form: (String, String), to bytes: inout [UInt8]
    ) {
        guard text.contains(where: { $0 < 0x20 }) else { return quoted(text, to: &bytes) }
        hexadecimal(text, form.0, form.1, to: &bytes)
    }

    /// A field of COPY. PostgreSQL has no strings with U+0000.
    private static func field(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Bool {
        guard text.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") }) else {
            bytes.append(contentsOf: text)
            return true
        }
        var isWhole = true
        for byte in text {
            switch byte {
            case 0:
                bytes.append(contentsOf: "\u{FFFD}".utf8)
                isWhole = false
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            default: bytes.append(byte)
            }
        }
        return isWhole
    }

    /// A string with backslash escapes: the client would change line ends and refuse U+0000.
    private static func escaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let (quote, backslash) = (UInt8(ascii: "'"), UInt8(ascii: "\\"))
        bytes.append(quote)
        for byte in text {
            let escape: UInt8? =
                switch byte {
                case 0: UInt8(ascii: "0")
                case UInt8(ascii: "\n"): UInt8(ascii: "n")
                case UInt8(ascii: "\r"): UInt8(ascii: "r")
                case 0x1A: UInt8(ascii: "Z")
                case backslash, quote: byte
                default: nil
                }
            if escape != nil { bytes.append(backslash) }
            bytes.append(escape ?? byte)
        }
        bytes.append(quote)
    }
}

extension SQLEngine {
    /// Returns a value of a DEFAULT or a CHECK as a literal that every setting of the database reads in the same way; nil if
    /// there is none.
    package func literal(of value: PredicateValue, as type: DeclaredType) -> SQLText? {
        switch (type, value) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
            number == .min ? nil : "\(number: number)"
        case (.double, .double(let number)), (.decimal, .double(let number)):
            number.isFinite ? "\(verbatim: number.description)" : nil
        case (.double, .integer(let number)), (.decimal, .integer(let number)): "\(number: number)"
        case (.decimal, .decimal(let number)), (.double, .decimal(let number)):
            number.isFinite ? "\(verbatim: "\(number)")" : nil
        case (.boolean, .bool(let flag)): "\(verbatim: truth(flag))"
        case (.text, .string(let text)): literal(text)
        case (.text, .url(let url)): literal(url.absoluteString)
        case (.uuid, .uuid(let uuid)): literal(uuid.uuidString)
        case (.date, .date(let date)): dialect.timestamps?.text(storing: date).flatMap(literal)
        default: nil
        }
    }

    /// A string without characters that a setting of a database or its client may read as an escape; nil for others.
    private func literal(_ text: String) -> SQLText? {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\\" && $0.value != 0x7F }) else { return nil }
        return "\(string: text)"
    }

    fileprivate func truth(_ flag: Bool) -> String {
        switch self {
        case .postgresql, .duckdb, .spark: flag ? "TRUE" : "FALSE"
        case .sqlite, .mariadb, .mysql: flag ? "1" : "0"
        }
    }

    /// The statements before all others of a script with rows: one transaction, where the database declares tables in
    /// one, and the encoding and notation of strings; nil for a database without such scripts.
    package var scriptBeginning: [SQLText]? {
        switch self {
        case .sqlite: ["BEGIN"]
        case .duckdb: ["BEGIN TRANSACTION"]
        case .postgresql: ["BEGIN", "SET LOCAL client_encoding = 'UTF8'"]
        case .mariadb, .mysql:
            [
                "SET NAMES utf8mb4",
                "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
            ]
        case .spark: nil
        }
    }

    /// The statements after all others of a script.
    package var scriptEnding: [SQLText] {
        switch self {
        case .sqlite, .postgresql, .duckdb: ["COMMIT"]
        case .mariadb, .mysql, .spark: []
        }
    }

    /// True if the rows of a script are fields of COPY, false if they are literals of INSERT.
    package var copiesRows: Bool { self == .postgresql }
}
