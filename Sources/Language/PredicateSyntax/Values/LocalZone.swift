#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A time zone in which dates without a zone are read, and in which days begin. [NSP-481] [NSP-494] [NSP-495]
///
/// Moments are seconds since 2001-01-01 00:00 UTC; local times are seconds since 2001-01-01 00:00 on the clock of the
/// zone. UTC is nil wherever a zone is optional.
package final class LocalZone: Sendable {
    private let zone: TimeZone

    /// Each name also exists with `Etc/` before it.
    private static let namesOfUTC = ["GMT", "UTC", "UCT", "Zulu", "Universal", "Greenwich"]

    /// Creates a zone; nil for UTC.
    package init?(_ zone: TimeZone) {
        let name = zone.identifier
        if Self.namesOfUTC.contains(name.hasPrefix("Etc/") ? String(name.dropFirst(4)) : name) { return nil }
        self.zone = zone
    }

    package func offset(at moment: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(moment))))
    }

    /// Returns the moment of a local time. If the clock shows that time twice, the first moment is meant; if the clock skips
    /// it, the moment is as long after the change of the clock as the time is after the start of the gap.
    package func moment(of local: Int64) -> Int64 {
        let (before, after) = offsets(around: local)
        let (first, second) = (local - before, local - after)
        return offset(at: first) != before && offset(at: second) == after ? second : first
    }

    /// Returns the first moment of the day whose midnight is `local`; if the clock skips midnight, this is the end of the gap.
    package func start(ofDay local: Int64) -> Int64 {
        let moment = moment(of: local)
        if offset(at: moment) + moment == local { return moment }
        var (earlier, later) = (moment - 2 * 86_400, moment)
        while later - earlier > 1 {
            let middle = (earlier + later) / 2
            if middle + offset(at: middle) >= local { later = middle } else { earlier = middle }
        }
        return later
    }

    /// The offsets two days before and after a local time. A clock may be changed by a whole day: Samoa has no 30
    /// December 2011.
    private func offsets(around local: Int64) -> (before: Int64, after: Int64) {
        (offset(at: local - 2 * 86_400), offset(at: local + 2 * 86_400))
    }

    /// Returns the date that shows the same clock time in UTC: local midnight on 2020-01-01 becomes 2020-01-01 00:00 UTC.
    package func wallClock(of date: Date) -> Date {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.magnitude <= GregorianCalendar.mostSeconds else { return date }
        return date + Double(offset(at: Int64(seconds.rounded(.down))))
    }
}

extension LocalZone: Hashable {
    package static func == (left: LocalZone, right: LocalZone) -> Bool { left.zone == right.zone }
    package func hash(into hasher: inout Hasher) { hasher.combine(zone) }
}
