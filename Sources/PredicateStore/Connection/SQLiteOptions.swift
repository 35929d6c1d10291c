/// Options for opening a database.
///
/// `SQLiteOptions(.readWrite, busyTimeout: .seconds(1))`
public struct SQLiteOptions: Hashable, Sendable {
    /// The access to the file.
    public enum Access: Hashable, Sendable, CaseIterable {
        /// Reading only.
        case readOnly
        /// Reading and writing of an existing file.
        case readWrite
        /// Reading and writing; a missing file is created.
        case create
    }

    package var access: Access
    /// The time to wait for a lock of another connection.
    package var busyTimeout: Duration
    /// The capacity of the cache of prepared statements.
    package var cachedStatements: Int
    /// True if views and triggers of the file may use functions and virtual tables that are not known to be harmless.
    package var trustsSchema: Bool

    /// Options for a connection.
    ///
    /// - Parameters:
    ///   - access: Reading only, by default.
    ///   - busyTimeout: The time to wait for a lock of another connection.
    ///   - cachedStatements: The number of prepared statements to cache.
    ///   - trustsSchema: Allows views and triggers of the file to use functions and virtual tables that are not known to be
    ///     harmless. Do not trust a file from an untrusted source.
    public init(
        _ access: Access = .readOnly, busyTimeout: Duration = .seconds(5), cachedStatements: Int = 64,
        trustsSchema: Bool = false
    ) {
        self.access = access
        self.busyTimeout = busyTimeout
        self.cachedStatements = cachedStatements
        self.trustsSchema = trustsSchema
    }

    /// The busy timeout in milliseconds, clamped.
    var busyMilliseconds: Int32 {
        let (seconds, attoseconds) = busyTimeout.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return Int32(clamping: max(0, whole &+ attoseconds / 1_000_000_000_000_000))
    }
}
