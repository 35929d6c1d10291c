/// The kind of a failure that SQLite reports: its primary result codes.
///
/// `StoreError.Code.sqlite(.busy, extended: 5)`
public enum SQLiteResult: Int32, Hashable, Sendable, CaseIterable {
    /// A generic error; also any code that a newer SQLite adds.
    case error = 1
    case internalError = 2
    case permission = 3
    case aborted = 4
    /// Another connection has the lock.
    case busy = 5
    /// This connection has the lock itself.
    case locked = 6
    case outOfMemory = 7
    case readOnly = 8
    case interrupted = 9
    case inputOutput = 10
    case corrupt = 11
    case notFound = 12
    case full = 13
    case cannotOpen = 14
    case lockingProtocol = 15
    case empty = 16
    case schemaChanged = 17
    case tooBig = 18
    case constraint = 19
    case mismatch = 20
    case misuse = 21
    case noLargeFiles = 22
    case denied = 23
    case format = 24
    case outOfRange = 25
    case notADatabase = 26
    case notice = 27
    case warning = 28

    /// The kind of a result code, primary or extended.
    init(code: Int32) {
        self = SQLiteResult(rawValue: code & 0xFF) ?? .error
    }
}
