package import CPredicateSQLite

/// The storage class of a value, which is independent of the declared type of the column.
package enum StorageClass: Hashable, Sendable {
    case null
    case integer
    case double
    case text
    case blob

    /// The class of a code such as `SQLITE_TEXT`.
    @inlinable
    package init(code: Int32) {
        switch code {
        case SQLITE_INTEGER: self = .integer
        case SQLITE_FLOAT: self = .double
        case SQLITE_TEXT: self = .text
        case SQLITE_BLOB: self = .blob
        default: self = .null
        }
    }
}

/// `SQLITE_TRANSIENT`: SQLite copies the bytes.
package var transientMemory: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
