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
    package static func nearest(to date: Date) -> Int64? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 9.2e12 else { return nil }
        let whole = seconds.rounded(.down)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded())
    }
}
