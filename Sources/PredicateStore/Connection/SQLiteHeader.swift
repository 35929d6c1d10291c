/// What every SQLite file begins with: `SQLite format 3` and a zero.
package enum SQLiteHeader {
    private static let bytes = Array("SQLite format 3\0".utf8)

    /// How many bytes it takes to know.
    package static var count: Int { bytes.count }

    /// Whether the first bytes of a file are the header; so many of them must be there.
    package static func begins(_ file: some Sequence<UInt8>) -> Bool { file.starts(with: bytes) }
}
