/// A type of file that is not text in UTF-8, identified by its first bytes.
package enum ForeignFile: String, Sendable, CaseIterable {
    case gzip, zip, zstandard, xz, sqlite
    case utf16 = "UTF-16"

    /// Creates the type that begins with these bytes; nil for other files.
    init?(_ bytes: some Collection<UInt8>) {
        guard let found = Self.allCases.first(where: { $0.beginnings.contains { bytes.starts(with: $0) } }) else {
            return nil
        }
        self = found
    }

    /// Returns true if more bytes could identify a type.
    static func needsMore(than bytes: some Collection<UInt8>) -> Bool {
        allCases.contains { file in
            file.beginnings.contains { $0.count > bytes.count && $0.starts(with: bytes) }
        }
    }

    private var beginnings: [[UInt8]] {
        switch self {
        case .gzip: [[0x1F, 0x8B]]
        case .zip: [[0x50, 0x4B, 0x03, 0x04]]
        case .zstandard: [[0x28, 0xB5, 0x2F, 0xFD]]
        case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
        case .sqlite: [Array("SQLite format 3\0".utf8)]
        case .utf16: [[0xFF, 0xFE], [0xFE, 0xFF]]
        }
    }

    /// A hint how to convert the file to text.
    var cure: String {
        switch self {
        case .gzip: "gunzip -c unpacks it"
        case .zip: "unzip -p unpacks it"
        case .zstandard: "zstd -dc unpacks it"
        case .xz: "xz -dc unpacks it"
        case .sqlite: "name the database file instead of piping it"
        case .utf16: "iconv -f UTF-16 -t UTF-8 rewrites it"
        }
    }
}
