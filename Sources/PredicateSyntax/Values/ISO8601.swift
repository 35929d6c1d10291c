#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Dates as ISO 8601 writes them, in the form that RFC 3339 uses.
///
/// `2016-03-02`, `2016-03-02T10:15Z`, `2016-03-02 10:15:30.25+01:00`
///
/// The calendar is Gregorian through all years from 0000 to 9999. A date alone is its midnight, and a time without an
/// offset is UTC. Seconds and their fraction may be missing; leap seconds, hour 24, week dates and the form without
/// hyphens are refused.
package enum ISO8601 {
    /// The date of a text; nil for a text of another form: `ISO8601.date(from: "2016-03-02")`.
    package static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8 { date(from: $0) }
    }

    /// The date of a text in UTF-8; nil for a text of another form.
    package static func date(from bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        var reader = ISO8601Reader(bytes: bytes)
        return reader.readDate()
    }

    /// The text of a date in UTC: `2016-03-02T00:00:00Z`, with up to six digits of a fraction where there is one; nil
    /// for years before 0 and after 9999 and for what is no time at all.
    package static func string(from date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        let micros = Int(((seconds - whole) * 1_000_000).rounded())
        let total = Int(whole) + micros / 1_000_000
        let day = Int((Double(total) / 86_400).rounded(.down))
        guard let dayText = dayText(day + ISO8601Calendar.referenceDay) else { return nil }
        return dayText + "T" + timeText(total - day * 86_400) + fractionText(micros % 1_000_000) + "Z"
    }

    private static func dayText(_ day: Int) -> String? {
        let (year, month, day) = ISO8601Calendar.civil(fromDay: day)
        guard (0...9999).contains(year) else { return nil }
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }

    private static func timeText(_ second: Int) -> String {
        padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
    }

    private static func fractionText(_ micros: Int) -> String {
        guard micros > 0 else { return "" }
        var text = padded(micros, 6)
        while text.last == "0" { text.removeLast() }
        return "." + text
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

/// Days of the Gregorian calendar, counted from 0000-03-01 on: years that begin in March end with the leap day.
private enum ISO8601Calendar {
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

private struct ISO8601Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    /// date [ ( "T" | "t" | " " ) time [ offset ] ]
    mutating func readDate() -> Date? {
        guard let day = readDay() else { return nil }
        var seconds = (day - ISO8601Calendar.referenceDay) * 86_400
        var fraction = 0.0
        if index < bytes.count {
            guard takes(0x54) || takes(0x74) || takes(0x20), let time = readTime() else { return nil }
            fraction = readFraction(afterSeconds: time.hasSeconds)
            guard fraction >= 0, let offset = readOffset(), index == bytes.count else { return nil }
            seconds += time.seconds - offset
        }
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// year "-" month "-" day, as a number of days.
    private mutating func readDay() -> Int? {
        guard let year = readNumber(4), takes(0x2D), let month = readNumber(2), takes(0x2D), let day = readNumber(2)
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= ISO8601Calendar.length(ofMonth: month, year: year) else {
            return nil
        }
        return ISO8601Calendar.day(year: year, month: month, day: day)
    }

    /// hour ":" minute [ ":" second ]
    private mutating func readTime() -> (seconds: Int, hasSeconds: Bool)? {
        guard let hour = readNumber(2), hour < 24, takes(0x3A), let minute = readNumber(2), minute < 60 else {
            return nil
        }
        guard takes(0x3A) else { return (hour * 3600 + minute * 60, false) }
        guard let second = readNumber(2), second < 60 else { return nil }
        return (hour * 3600 + minute * 60 + second, true)
    }

    /// "." digits; negative when the dot has no digits. Digits past the fifteenth change nothing that a date holds.
    private mutating func readFraction(afterSeconds hasSeconds: Bool) -> Double {
        guard hasSeconds, takes(0x2E) else { return 0 }
        let start = index
        var value = 0.0
        var scale = 1.0
        while index < bytes.count, bytes[index] &- 0x30 < 10 {
            if index - start < 15 {
                value = value * 10 + Double(bytes[index] &- 0x30)
                scale *= 10
            }
            index += 1
        }
        return index == start ? -1 : value / scale
    }

    /// "Z" | "z" | ( "+" | "-" ) hour [ [ ":" ] minute ]; nothing is UTC. In seconds.
    private mutating func readOffset() -> Int? {
        if index == bytes.count || takes(0x5A) || takes(0x7A) { return 0 }
        let isWest = bytes[index] == 0x2D
        guard takes(0x2B) || takes(0x2D), let hour = readNumber(2), hour < 24 else { return nil }
        var minute = 0
        if takes(0x3A) || index < bytes.count {
            guard let number = readNumber(2), number < 60 else { return nil }
            minute = number
        }
        return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
    }

    private mutating func readNumber(_ digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for _ in 0..<digits {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
            index += 1
        }
        return value
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
