import PredicateJSON

/// A type of file that is not text, identified by its first bytes.
package enum ForeignFile: Sendable, CaseIterable {
    case zip, xz, bzip2, sevenZip
    case sqlite
    case parquet, arrow, orc, avro
    case duckDB
    case hdf5
    case workbook
    case pdf, png, jpeg, gif
    case program
    case xml
    /// An unknown type, with bytes that do not occur in text.
    case binary

    /// Creates the type that begins with these bytes; nil for other files.
    init?(_ bytes: some Collection<UInt8>) {
        guard let found = Self.table.first(where: { bytes.dropFirst($0.offset).starts(with: $0.bytes) }) else {
            return nil
        }
        self = found.file
    }

    /// Creates the type for a file name; nil for other names.
    package init?(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "parquet", "pq": self = .parquet
        case "duckdb", "ddb": self = .duckDB
        case "arrow", "feather": self = .arrow
        case "orc": self = .orc
        case "avro": self = .avro
        case "xlsx", "ods": self = .zip
        case "xls": self = .workbook
        case "h5", "hdf5": self = .hdf5
        case "pdf": self = .pdf
        default: return nil
        }
    }

    /// Returns true if more bytes could identify a type. Text that contains a line end has no such type.
    static func needsMore(than bytes: ArraySlice<UInt8>) -> Bool {
        table.contains { entry in
            guard bytes.count < entry.offset + entry.bytes.count else { return false }
            // Any bytes may precede these, but text is unlikely.
            if entry.offset > 0 { return bytes.contains { !$0.isText } && !bytes.contains(Byte.lineFeed) }
            return entry.bytes.starts(with: bytes)
        }
    }

    /// The signatures of all types, made once.
    private static let table: [(file: ForeignFile, offset: Int, bytes: [UInt8])] = allCases.flatMap { file in
        file.signatures.map { (file, $0.offset, $0.bytes) }
    }

    /// The bytes that identify a type, with their offsets.
    private var signatures: [(offset: Int, bytes: [UInt8])] {
        switch self {
        case .zip: [(0, [0x50, 0x4B, 0x03, 0x04])]
        case .xz: [(0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])]
        case .bzip2: [(0, Array("BZh91AY&SY".utf8))]
        case .sevenZip: [(0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])]
        case .sqlite: [(0, Array("SQLite format 3\0".utf8))]
        case .parquet: [0...0, 0x0E...0x1F].joined().map { (0, Array("PAR1".utf8) + [$0 as UInt8]) }
        case .arrow: [(0, Array("ARROW1\0\0".utf8))]
        case .orc: [(0, Array("ORC".utf8) + [0x0A, 0x00]), (0, Array("ORC".utf8) + [0x08])]
        case .avro: [(0, Array("Obj\u{1}".utf8))]
        case .duckDB: [(8, Array("DUCK".utf8))]
        case .hdf5: [(0, [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A])]
        case .workbook: [(0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1])]
        case .pdf: [(0, Array("%PDF-".utf8))]
        case .png: [(0, [0x89, 0x50, 0x4E, 0x47])]
        case .jpeg: [(0, [0xFF, 0xD8, 0xFF])]
        case .gif: [(0, Array("GIF89a".utf8)), (0, Array("GIF87a".utf8))]
        case .program:
            [
                (0, [0x7F, 0x45, 0x4C, 0x46]), (0, [0xCF, 0xFA, 0xED, 0xFE]), (0, [0xCA, 0xFE, 0xBA, 0xBE]),
                (0, [0x4D, 0x5A, 0x90, 0x00]),
            ]
        // Text, which other formats may be: lines, for example.
        case .xml: []
        case .binary: []
        }
    }

    /// The type of the file with its article.
    var noun: String {
        switch self {
        case .zip: "zip"
        case .xz: "xz"
        case .bzip2: "bzip2"
        case .sevenZip: "7z"
        case .sqlite: "SQLite"
        case .parquet: "Parquet"
        case .arrow: "Arrow"
        case .orc: "ORC"
        case .avro: "Avro"
        case .duckDB: "a DuckDB file"
        case .hdf5: "HDF5"
        case .workbook: "a workbook in an old format"
        case .pdf: "PDF"
        case .png, .jpeg, .gif: "an image"
        case .program: "a program"
        case .xml: "XML or HTML"
        case .binary: "binary data"
        }
    }

    /// A suggestion for the user.
    var cure: String {
        switch self {
        case .zip:
            "an archive that is not of a single data file, or a workbook of Excel or LibreOffice: unpack it, or save the"
                + " sheet as CSV"
        case .xz: "unpack it with xz -dc"
        case .bzip2: "unpack it with bzip2 -dc"
        case .sevenZip: "unpack it with 7z x"
        case .sqlite: "SQLite cannot be read from a pipe; pass the file name"
        case .parquet, .arrow, .orc, .avro, .hdf5, .xml: "save it as CSV or JSON"
        case .duckDB: "save a table of it as CSV or JSON: COPY people TO 'people.csv'"
        case .workbook: "save the sheet as CSV"
        case .pdf, .png, .jpeg, .gif, .program: "pass a data file: JSON, CSV, TSV or SQLite"
        case .binary: "--encoding utf-16 reads UTF-16 without a byte order mark"
        }
    }
}

extension UInt8 {
    /// True for ASCII bytes that occur in text.
    fileprivate var isText: Bool {
        self >= 0x20 && self < 0x7F || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }
}
