/// A moment as a calendar and a clock in UTC show it; the calendar is Gregorian through all years, of which 0 is 1 BC.
package struct CivilMoment {
    package let year: Int
    package let month: Int
    package let day: Int
    /// The second of the day.
    package let second: Int
    package let microsecond: Int

    /// A moment in microseconds since 2001.
    package init(microseconds: Int64) {
        let (seconds, microsecond) = Self.divide(microseconds, by: 1_000_000)
        let (day, second) = Self.divide(seconds, by: 86_400)
        (year, month, self.day) = GregorianCalendar.civil(fromDay: Int(day) + GregorianCalendar.referenceDay)
        self.second = Int(second)
        self.microsecond = Int(microsecond)
    }

    /// The first microsecond of a year; the year must lie within 290,000 of year 0.
    package static func start(ofYear year: Int) -> Int64 {
        let day = GregorianCalendar.day(year: year, month: 1, day: 1) - GregorianCalendar.referenceDay
        return Int64(day) * 86_400_000_000
    }

    /// `2024-02-29`; years have four digits at least.
    package var dayText: String { dayText(year: year) }

    /// `0044-03-15` in year -43, for a text that says BC.
    package var dayTextBeforeChrist: String { dayText(year: 1 - year) }

    private func dayText(year: Int) -> String {
        let sign = year < 0 ? "-" : ""
        return sign + Self.padded(abs(year), 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
    }

    /// `11:59:59`
    package var timeText: String {
        Self.padded(second / 3600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
    }

    /// A number with zeros in front.
    package static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// A quotient that is rounded down, and the remainder.
    private static func divide(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Days of the Gregorian calendar, counted from 0000-03-01 on: years that begin in March end with the leap day.
package enum GregorianCalendar {
    /// The most seconds between 2001 and a date: some thirty million years, as far as calendars can be trusted.
    package static let mostSeconds = 1e15

    /// 2001-01-01.
    static let referenceDay = day(year: 2001, month: 1, day: 1)

    static func day(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let month = (month + 9) % 12
        let century = floorDivide(year, 100)
        return 365 * year + floorDivide(year, 4) - century + floorDivide(century, 4) + (153 * month + 2) / 5 + day - 1
    }

    static func civil(fromDay day: Int) -> (year: Int, month: Int, day: Int) {
        let era = floorDivide(day, 146_097)
        let dayOfEra = day - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }
}
