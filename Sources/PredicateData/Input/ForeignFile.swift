/// A type of file that holds no text, identified by its first bytes.
package enum ForeignFile: String, Sendable, CaseIterable {
    case zip, xz, bzip2
    case sqlite = "SQLite"
    case parquet = "Parquet"

    /// Creates the type that begins with these bytes; nil for other files.
    init?(_ bytes: some Collection<UInt8>) {
        guard let found = Self.allCases.first(where: { bytes.starts(with: $0.beginning) }) else { return nil }
        self = found
    }

    /// Returns true if more bytes could identify a type.
    static func needsMore(than bytes: ArraySlice<UInt8>) -> Bool {
        allCases.contains { $0.beginning.count > bytes.count && $0.beginning.starts(with: bytes) }
    }

    private var beginning: [UInt8] {
        switch self {
        case .zip: [0x50, 0x4B, 0x03, 0x04]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
        case .bzip2: Array("BZh91AY&SY".utf8)
        case .sqlite: Array("SQLite format 3\0".utf8)
        case .parquet: Array("PAR1\u{15}".utf8)
        }
    }

    /// What the user can do.
    var cure: String {
        switch self {
        case .zip: "an archive, or a workbook of Excel or LibreOffice: unpack it, or save the sheet as CSV"
        case .xz: "unpack it with xz -dc"
        case .bzip2: "unpack it with bzip2 -dc"
        case .sqlite: "SQLite cannot be read from a pipe; pass the file name"
        case .parquet: "save it as CSV or JSON"
        }
    }
}
