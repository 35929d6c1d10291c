#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A function of dates that a host may register.
package enum CalendarFunction: Hashable, Sendable {
    /// `year:(d)`
    case part(CalendarPart)
    /// `date:truncatedTo:(d, "month")`
    case truncation
    /// `dateByAddingUnit:value:toDate:("month", 1, d)`
    case sum
    /// `ago:(7, "days")`
    case ago

    /// Creates the function with this name, which may lack the last colon.
    package init?(name: String) {
        let name = name.last == ":" ? String(name.dropLast()) : name
        switch name {
        case "date:truncatedTo": self = .truncation
        case "dateByAddingUnit:value:toDate": self = .sum
        case "ago": self = .ago
        default:
            guard let part = CalendarPart(rawValue: name) else { return nil }
            self = .part(part)
        }
    }

    package var argumentCount: Int {
        switch self {
        case .part: 1
        case .truncation, .ago: 2
        case .sum: 3
        }
    }
}

/// A part of a date, under the name of its function.
package enum CalendarPart: String, CaseIterable, Sendable {
    case year, quarter, month, weekOfYear, yearForWeekOfYear, day, dayOfYear, weekday, hour, minute, second
}

/// A unit by which dates are truncated and moved.
package enum CalendarUnit: String, CaseIterable, Sendable {
    case year, quarter, month, week, day, hour, minute, second

    /// Creates the unit that a word names, in the singular or the plural: `month`, `months`.
    package init?(word: String) {
        guard let unit = Self(rawValue: word) ?? (word.last == "s" ? Self(rawValue: String(word.dropLast())) : nil)
        else { return nil }
        self = unit
    }

    /// The minimum length of the unit in seconds.
    package var leastSeconds: Int {
        switch self {
        case .year: 365 * 86_400
        case .quarter: 90 * 86_400
        case .month: 28 * 86_400
        case .week: 7 * 86_400
        case .day: 86_400
        case .hour: 3600
        case .minute: 60
        case .second: 1
        }
    }
}

/// The proleptic Gregorian calendar in a time zone. Dates are seconds since 2001-01-01 00:00 UTC.
package struct ZonedCalendar: Sendable {
    package let zone: TimeZone
    /// Nil for UTC.
    package let localZone: LocalZone?
    /// True if days begin at midnight UTC.
    package var isUTC: Bool { localZone == nil }

    package init(_ zone: TimeZone) {
        self.zone = zone
        localZone = LocalZone(zone)
    }

    /// A day, counted from 2001-01-01, and a second in it.
    private struct LocalTime {
        var day: Int
        var second: Int

        init(day: Int, second: Int = 0) {
            (self.day, self.second) = (day, second)
        }

        init(_ seconds: Int64) {
            let (day, second) = CivilDate.divide(seconds, by: 86_400)
            self.init(day: Int(day), second: Int(second))
        }

        var seconds: Int64 { Int64(day) * 86_400 + Int64(second) }
        var civil: (year: Int, month: Int, day: Int) {
            GregorianCalendar.civil(fromDay: day + GregorianCalendar.referenceDay)
        }
        /// The day of the week, 0 for Monday; 2001-01-01 was a Monday.
        var weekday: Int { day - 7 * GregorianCalendar.floorDivide(day, 7) }
        var dayOfYear: Int { day - LocalTime(year: civil.year, month: 1, day: 1).day + 1 }

        init(year: Int, month: Int, day: Int) {
            let number = GregorianCalendar.day(year: year, month: month, day: day)
            self.init(day: number - GregorianCalendar.referenceDay)
        }
    }

    private func local(_ seconds: Double) -> LocalTime {
        let second = Int64(seconds.rounded(.down))
        return LocalTime(second + offset(at: second))
    }

    package func value(of part: CalendarPart, at seconds: Double) -> Int {
        let time = local(seconds)
        switch part {
        case .year: return time.civil.year
        case .quarter: return (time.civil.month + 2) / 3
        case .month: return time.civil.month
        case .weekOfYear: return (Self.thursday(of: time).dayOfYear + 6) / 7
        case .yearForWeekOfYear: return Self.thursday(of: time).civil.year
        case .day: return time.civil.day
        case .dayOfYear: return time.dayOfYear
        case .weekday: return (time.weekday + 1) % 7 + 1
        case .hour: return time.second / 3600
        case .minute: return time.second / 60 % 60
        case .second: return time.second % 60
        }
    }

    /// Returns the Thursday of a week; the week belongs to the year of its Thursday.
    private static func thursday(of time: LocalTime) -> LocalTime { LocalTime(day: time.day - time.weekday + 3) }

    /// Returns the first moment of the unit that a date lies in.
    package func truncate(_ seconds: Double, to unit: CalendarUnit) -> Double {
        let time = local(seconds)
        let (year, month, _) = time.civil
        switch unit {
        case .year: return start(of: LocalTime(year: year, month: 1, day: 1))
        case .quarter: return start(of: LocalTime(year: year, month: (month - 1) / 3 * 3 + 1, day: 1))
        case .month: return start(of: LocalTime(year: year, month: month, day: 1))
        case .week: return start(of: LocalTime(day: time.day - time.weekday))
        case .day: return start(of: LocalTime(day: time.day))
        case .hour, .minute, .second:
            return seconds.rounded(.down) - Double(time.second % unit.leastSeconds)
        }
    }

    /// Returns the date that is `count` units later.
    package func add(_ count: Int, _ unit: CalendarUnit, to seconds: Double) -> Double {
        switch unit {
        case .year: move(seconds) { Self.adding(months: 12 * count, to: $0) }
        case .quarter: move(seconds) { Self.adding(months: 3 * count, to: $0) }
        case .month: move(seconds) { Self.adding(months: count, to: $0) }
        case .week: move(seconds) { LocalTime(day: $0.day + 7 * count, second: $0.second) }
        case .day: move(seconds) { LocalTime(day: $0.day + count, second: $0.second) }
        case .hour, .minute, .second: seconds + Double(count) * Double(unit.leastSeconds)
        }
    }

    private func move(_ seconds: Double, _ change: (LocalTime) -> LocalTime) -> Double {
        let fraction = seconds - seconds.rounded(.down)
        let old = local(seconds)
        let new = change(old)
        return new.seconds == old.seconds ? seconds : Double(moment(of: new)) + fraction
    }

    /// Moves a date to the same day of another month, or to its last day.
    private static func adding(months: Int, to time: LocalTime) -> LocalTime {
        let (year, month, day) = time.civil
        let total = 12 * year + month - 1 + months
        let newYear = GregorianCalendar.floorDivide(total, 12)
        let newMonth = total - 12 * newYear + 1
        let length = GregorianCalendar.length(ofMonth: newMonth, year: newYear)
        var new = LocalTime(year: newYear, month: newMonth, day: min(day, length))
        new.second = time.second
        return new
    }
}

// MARK: - The zone

extension ZonedCalendar {
    private func offset(at second: Int64) -> Int64 { localZone?.offset(at: second) ?? 0 }

    private func moment(of time: LocalTime) -> Int64 { localZone?.moment(of: time.seconds) ?? time.seconds }

    private func start(of day: LocalTime) -> Double { Double(localZone?.start(ofDay: day.seconds) ?? day.seconds) }
}
