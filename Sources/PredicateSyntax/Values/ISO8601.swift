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
        Microseconds.nearest(to: date).flatMap(string)
    }

    /// The text of a moment in microseconds since 2001.
    private static func string(ofMicroseconds microseconds: Int64) -> String? {
        let moment = CivilMoment(microseconds: microseconds)
        return text(of: moment, fractionText(moment.microsecond))
    }

    /// The text that ``date(from:)`` reads as this very date, with as few digits of a fraction as that takes; nil where
    /// fifteen do not suffice, which happens in the seconds around 2001 only, and where ``string(from:)`` is nil.
    package static func exactString(from date: Date) -> String? {
        guard let microseconds = Microseconds.nearest(to: date) else { return nil }
        let seconds = date.timeIntervalSinceReferenceDate
        if Microseconds.seconds(microseconds) == seconds { return string(ofMicroseconds: microseconds) }
        let whole = seconds.rounded(.down)
        var scale = 1e6
        for digits in 7...15 {
            scale *= 10
            let fraction = Int(((seconds - whole) * scale).rounded())
            guard fraction % 10 != 0, whole + Double(fraction) / scale == seconds else { continue }
            let moment = CivilMoment(microseconds: Int64(whole) * 1_000_000)
            return text(of: moment, "." + CivilMoment.padded(fraction, digits))
        }
        return nil
    }

    private static func text(of moment: CivilMoment, _ fraction: String) -> String? {
        guard (0...9999).contains(moment.year) else { return nil }
        return moment.dayText + "T" + moment.timeText + fraction + "Z"
    }

    private static func fractionText(_ micros: Int) -> String {
        guard micros > 0 else { return "" }
        var text = CivilMoment.padded(micros, 6)
        while text.last == "0" { text.removeLast() }
        return "." + text
    }
}

private struct ISO8601Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    /// date [ ( "T" | "t" | " " ) time [ offset ] ]
    mutating func readDate() -> Date? {
        guard let day = readDay() else { return nil }
        var seconds = Int64(day - GregorianCalendar.referenceDay) * 86_400
        var fraction = Fraction()
        if index < bytes.count {
            guard takes(0x54) || takes(0x74) || takes(0x20), let time = readTime() else { return nil }
            guard let digits = readFraction(afterSeconds: time.hasSeconds), let offset = readOffset(),
                index == bytes.count
            else { return nil }
            fraction = digits
            seconds += Int64(time.seconds - offset)
        }
        return fraction.date(after: seconds)
    }

    /// year "-" month "-" day, as a number of days.
    private mutating func readDay() -> Int? {
        guard let year = readNumber(4), takes(0x2D), let month = readNumber(2), takes(0x2D), let day = readNumber(2)
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= GregorianCalendar.length(ofMonth: month, year: year) else {
            return nil
        }
        return GregorianCalendar.day(year: year, month: month, day: day)
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

    /// "." digits; nil when the dot has no digits. Digits past the fifteenth change nothing that a date holds.
    private mutating func readFraction(afterSeconds hasSeconds: Bool) -> Fraction? {
        var fraction = Fraction()
        guard hasSeconds, takes(0x2E) else { return fraction }
        let start = index
        while index < bytes.count, bytes[index] &- 0x30 < 10 {
            fraction.append(bytes[index] &- 0x30)
            index += 1
        }
        return index == start ? nil : fraction
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

/// The digits after the dot of a time.
private struct Fraction {
    private var value: Int64 = 0
    private var digits = 0
    /// Zeros that another digit may follow.
    private var zeros = 0

    mutating func append(_ digit: UInt8) {
        guard digits + zeros < 15 else { return }
        if digit == 0 { return zeros += 1 }
        for _ in 0...zeros { value *= 10 }
        value += Int64(digit)
        digits += zeros + 1
        zeros = 0
    }

    /// The date so long after a whole second: that of the microsecond where the digits end there.
    func date(after second: Int64) -> Date {
        guard digits > 6 else {
            let micros = (digits..<6).reduce(value) { micros, _ in micros * 10 }
            return Microseconds.date(second * 1_000_000 + micros)
        }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return Date(timeIntervalSinceReferenceDate: Double(second) + Double(value) / scale)
    }
}
