/// How a file is opened.
///
/// `SQLiteOptions(.readWrite, busyTimeout: .seconds(1))`
public struct SQLiteOptions: Hashable, Sendable {
    /// What may be done with the file.
    public enum Access: Hashable, Sendable, CaseIterable {
        /// The file is read; nothing can change it through this connection.
        case readOnly
        /// The file is read and changed; it must be there.
        case readWrite
        /// The same, and a file that is not there is made.
        case create
    }

    public var access: Access
    /// How long to wait for a lock that another connection holds.
    public var busyTimeout: Duration
    /// How many statements stay prepared for their next use.
    public var cachedStatements: Int
    /// Whether functions and virtual tables that are not known to be harmless may be used by the file's own views and
    /// triggers. A file that somebody else made should not be trusted.
    public var trustsSchema: Bool

    /// Reading, five seconds of patience, 64 statements, no trust.
    public init(
        _ access: Access = .readOnly, busyTimeout: Duration = .seconds(5), cachedStatements: Int = 64,
        trustsSchema: Bool = false
    ) {
        self.access = access
        self.busyTimeout = busyTimeout
        self.cachedStatements = cachedStatements
        self.trustsSchema = trustsSchema
    }

    /// The time to wait, in what SQLite counts in.
    var busyMilliseconds: Int32 {
        let (seconds, attoseconds) = busyTimeout.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return Int32(clamping: max(0, whole &+ attoseconds / 1_000_000_000_000_000))
    }
}
