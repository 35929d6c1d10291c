/// The header of SQLite files: `SQLite format 3` and a zero byte.
package enum SQLiteHeader {
    private static let bytes = Array("SQLite format 3\0".utf8)

    /// The length of the header in bytes.
    package static var count: Int { bytes.count }

    /// Returns true if a file, of which at least ``count`` bytes are given, begins with the header.
    package static func begins(_ file: some Sequence<UInt8>) -> Bool { file.starts(with: bytes) }
}
