#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import PredicateSyntax

extension SQLType {
    /// The storage of a date in a column.
    ///
    /// A date is a double, seconds since 2001; a column may hold fewer dates. One of ``timestamp`` holds microseconds, and its
    /// date is `Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000)` with the microseconds since 2001. SQL
    /// compares with that double, exactly: a date between two microseconds equals no column.
    ///
    /// `Date(timeIntervalSince1970: 1_709_207_999.999)` is such a date: the double nearest to these seconds is not the one
    /// nearest to those since 2001. ``rounded(_:)`` is the cure:
    ///
    ///     let moment = SQLType.DateStorage.timestamp.rounded(Date(timeIntervalSince1970: 1_709_207_999.999))
    public enum DateStorage: String, Hashable, Sendable, CaseIterable {
        /// Seconds since 2001-01-01 00:00 UTC, as Core Data keeps them.
        case since2001
        /// Seconds since 1970-01-01 00:00 UTC.
        case since1970
        /// Text such as `2016-03-02T00:00:00Z`.
        case iso8601
        /// The database's own type for a moment: `timestamptz`.
        case timestamp

        /// The date that a column has when this one is stored in it: the nearest microsecond of a text or a timestamp.
        public func rounded(_ date: Date) -> Date {
            switch self {
            case .since2001: date
            case .since1970: Date(timeIntervalSince1970: date.timeIntervalSince1970)
            case .iso8601, .timestamp: Microseconds.nearest(to: date).map(Microseconds.date) ?? date
            }
        }
    }
}
