#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax

/// The moments that a database's own type for them holds, and how it reads them as text.
///
/// `SQLTimestamps(years: 1...9999, style: .iso8601)`
///
/// Moments have microseconds. A constant is compared with the bare column as the first microsecond at or above it, so that an
/// index serves; one outside of the range is decided when the predicate is compiled.
public struct SQLTimestamps: Hashable, Sendable {
    /// A way to write a moment in UTC.
    public enum Style: Hashable, Sendable {
        /// `2024-02-29T11:59:59.999000Z`
        case iso8601
        /// `2024-02-29 11:59:59.999000`, for types and databases without zones.
        case plain
        /// `2024-02-29 11:59:59.999000+00`; years before 1 as `0044-03-15 12:00:00.000000+00 BC`.
        case postgreSQL
        /// `2024-02-29 11:59:59.999000`; years before 1 as `0044-03-15 (BC) 12:00:00.000000`.
        case duckDB
    }

    /// The spelling of a moment in a parameter.
    public var style: Style
    /// The first moment, in microseconds since 2001-01-01 00:00 UTC.
    public var first: Int64
    /// The last moment.
    public var last: Int64
    /// True if columns may also hold `-infinity` and `infinity`: dates whose seconds are infinite.
    public var hasInfinities: Bool

    /// Timestamps between two moments, in microseconds since 2001-01-01 00:00 UTC.
    public init(first: Int64, last: Int64, style: Style, hasInfinities: Bool = false) {
        (self.first, self.last) = (first, last)
        self.style = style
        self.hasInfinities = hasInfinities
    }

    /// The moments of whole years, of which 0 is 1 BC; the range must lie within years -290,000 to 290,000.
    public init(years: ClosedRange<Int>, style: Style = .iso8601, hasInfinities: Bool = false) {
        let years = years.clamped(to: -290_000...290_000)
        self.init(
            first: CivilMoment.start(ofYear: years.lowerBound),
            last: CivilMoment.start(ofYear: years.upperBound + 1) - 1, style: style, hasInfinities: hasInfinities)
    }
}

extension SQLTimestamps {
    /// The text of a moment; infinities stand at the ends of 64 bits.
    func text(_ microseconds: Int64) -> String {
        if microseconds == .min { return "-infinity" }
        if microseconds == .max { return "infinity" }
        let moment = CivilMoment(microseconds: microseconds)
        let time = moment.timeText + "." + CivilMoment.padded(moment.microsecond, 6)
        return switch style {
        case .iso8601: moment.dayText + "T" + time + "Z"
        case .duckDB where moment.year < 1: moment.dayTextBeforeChrist + " (BC) " + time
        case .plain, .duckDB: moment.dayText + " " + time
        case .postgreSQL where moment.year < 1: moment.dayTextBeforeChrist + " " + time + "+00 BC"
        case .postgreSQL: moment.dayText + " " + time + "+00"
        }
    }

    /// The text of a date that is to be stored, rounded to microseconds; nil for one that the database cannot hold.
    func text(storing date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        if seconds.isInfinite { return hasInfinities ? text(seconds < 0 ? .min : .max) : nil }
        guard let nearest = Microseconds.nearest(to: date), first <= nearest, nearest <= last else { return nil }
        return text(nearest)
    }

    /// The first moment whose seconds satisfy a condition that holds from some moment on; nil if there is none.
    func first(where holds: (Double) -> Bool) -> Int64? {
        guard let found = MonotoneSearch.first(where: { holds(seconds($0)) }) else { return nil }
        return found == .min ? least : max(found, first)
    }

    /// The first moment of all.
    var least: Int64 { hasInfinities ? .min : first }

    /// The moment after another; nil after the last one.
    func moment(after moment: Int64) -> Int64? {
        if moment == .min { return first }
        if moment < last { return moment + 1 }
        return hasInfinities && moment != .max ? .max : nil
    }

    private func seconds(_ microseconds: Int64) -> Double {
        switch microseconds {
        case .min where hasInfinities: -.infinity
        case .max where hasInfinities: .infinity
        default: Microseconds.seconds(min(max(microseconds, first), last))
        }
    }
}
