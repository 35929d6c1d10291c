#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Dates in whole microseconds since 2001-01-01 00:00 UTC, the resolution of what databases keep. [NSP-190]
package enum Microseconds {
    /// The date of a number of microseconds: the quotient of two doubles, which every database can form as well.
    package static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: seconds(microseconds))
    }

    /// A number of microseconds in seconds.
    package static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1_000_000 }

    /// The microsecond nearest to a date; nil for what is not a number, and past 64 bits.
    ///
    /// Far from 2001, where the doubles of both are further apart than microseconds, it is one whose date is this very date, if
    /// there is one, so that a date that was read from a database is stored as it was.
    package static func nearest(to date: Date) -> Int64? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 9.2e12 else { return nil }
        let whole = seconds.rounded(.down)
        let nearest = Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded())
        guard Self.seconds(nearest) != seconds else { return nearest }
        let double = Double(nearest)
        let neighbours = [double.nextDown, double.nextUp].map(Int64.init)
        return neighbours.first { Self.seconds($0) == seconds } ?? nearest
    }
}
