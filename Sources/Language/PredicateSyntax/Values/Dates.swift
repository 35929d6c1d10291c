#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Conversions of dates to whole microseconds since 2001-01-01 00:00 UTC, the precision of databases. [NSP-190]
package enum Microseconds {
    /// Returns the date of a number of microseconds, as the quotient of two doubles, which every database can compute
    /// too.
    package static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: seconds(microseconds))
    }

    /// Converts microseconds to seconds.
    package static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1_000_000 }

    /// Returns the microsecond nearest to a date; nil for NaN and for values that do not fit in 64 bits.
    ///
    /// Far from 2001, where adjacent doubles are further apart than microseconds, the result is a microsecond whose
    /// date equals this date, if one exists. A date that was read from a database is therefore stored unchanged.
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

// MARK: - Calendar

/// A date and time of day in UTC. The calendar is proleptic Gregorian; year 0 is 1 BC.
package struct CivilDate {
    package let year: Int
    package let month: Int
    package let day: Int
    /// The second of the day.
    package let second: Int
    package let microsecond: Int

    /// Makes the date of a number of microseconds since 2001.
    package init(microseconds: Int64) {
        let (seconds, microsecond) = Self.divide(microseconds, by: 1_000_000)
        let (day, second) = Self.divide(seconds, by: 86_400)
        (year, month, self.day) = GregorianCalendar.civil(fromDay: Int(day) + GregorianCalendar.referenceDay)
        self.second = Int(second)
        self.microsecond = Int(microsecond)
    }

    /// Returns the first microsecond of a year, which must be within 290,000 years of year 0.
    package static func start(ofYear year: Int) -> Int64 {
        let day = GregorianCalendar.day(year: year, month: 1, day: 1) - GregorianCalendar.referenceDay
        return Int64(day) * 86_400_000_000
    }

    /// `2024-02-29`; years have at least four digits.
    package var dayText: String { dayText(year: year) }

    /// `0044-03-15` in year -43, for notations with BC.
    package var dayTextBeforeChrist: String { dayText(year: 1 - year) }

    private func dayText(year: Int) -> String {
        let sign = year < 0 ? "-" : ""
        return sign + Self.padded(abs(year), 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
    }

    /// `11:59:59`
    package var timeText: String {
        Self.padded(second / 3600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
    }

    package static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// Divides, rounding down, and returns the quotient and the remainder.
    static func divide(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Day numbers of the Gregorian calendar, counted from 0000-03-01. Years that begin in March end with the leap day.
package enum GregorianCalendar {
    /// The maximum distance of a date from 2001 in seconds: some thirty million years, the range in which calendars
    /// are reliable.
    package static let mostSeconds = 1e15

    /// 2001-01-01.
    package static let referenceDay = day(year: 2001, month: 1, day: 1)

    package static func day(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let month = (month + 9) % 12
        let century = floorDivide(year, 100)
        return 365 * year + floorDivide(year, 4) - century + floorDivide(century, 4) + (153 * month + 2) / 5 + day - 1
    }

    package static func civil(fromDay day: Int) -> (year: Int, month: Int, day: Int) {
        let era = floorDivide(day, 146_097)
        let dayOfEra = day - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }
}

// MARK: - ISO 8601

/// Dates in ISO 8601, in the form of RFC 3339.
///
/// `2016-03-02`, `2016-03-02T10:15Z`, `2016-03-02 10:15:30.25+01:00`
///
/// The calendar is proleptic Gregorian for the years 0000 to 9999. A date without a time is midnight. Without an offset, the
/// time is in the given zone or, if there is none, in UTC. Seconds and their fraction are optional. Leap seconds, hour 24, week
/// dates and the form without hyphens are rejected.
package enum ISO8601 {
    /// Parses a date; nil for a string in another form: `ISO8601.date(from: "2016-03-02")`.
    package static func date(from text: String, in zone: LocalZone? = nil) -> Date? {
        var text = text
        return text.withUTF8 { date(from: $0, in: zone) }
    }

    /// Parses a date in UTF-8; nil for a string in another form.
    package static func date(from bytes: UnsafeBufferPointer<UInt8>, in zone: LocalZone? = nil) -> Date? {
        var reader = ISO8601Reader(bytes: bytes, zone: zone)
        return reader.readDate()
    }

    /// Returns true for a date without a time: `2016-03-02`.
    package static func isDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 10 else { return false }
        var reader = ISO8601Reader(bytes: bytes, zone: nil)
        return reader.readCivilDay() != nil
    }

    /// Formats a date in UTC: `2016-03-02T00:00:00Z`, with up to six digits of a fraction if it has one. Returns nil
    /// for years before 0 or after 9999, and for NaN and infinities.
    package static func string(from date: Date) -> String? {
        Microseconds.nearest(to: date).flatMap(string)
    }

    private static func string(ofMicroseconds microseconds: Int64) -> String? {
        let moment = CivilDate(microseconds: microseconds)
        return text(of: moment, fractionText(moment.microsecond))
    }

    /// Formats a date so that ``date(from:)`` returns exactly this date, with as few fractional digits as possible. Returns nil
    /// if fifteen digits do not suffice, which only happens within seconds of 2001, and whenever ``string(from:)`` returns nil.
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
            let moment = CivilDate(microseconds: Int64(whole) * 1_000_000)
            return text(of: moment, "." + CivilDate.padded(fraction, digits))
        }
        return nil
    }

    private static func text(of moment: CivilDate, _ fraction: String) -> String? {
        guard (0...9999).contains(moment.year) else { return nil }
        return moment.dayText + "T" + moment.timeText + fraction + "Z"
    }

    private static func fractionText(_ micros: Int) -> String {
        guard micros > 0 else { return "" }
        var text = CivilDate.padded(micros, 6)
        while text.last == "0" { text.removeLast() }
        return "." + text
    }
}

private struct ISO8601Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The zone of a date without an offset; nil for UTC.
    let zone: LocalZone?
    var index = 0

    /// date [ ( "T" | "t" | " " ) time [ offset ] ]
    mutating func readDate() -> Date? {
        guard let day = readDay() else { return nil }
        var seconds = Int64(day - GregorianCalendar.referenceDay) * 86_400
        var fraction = Fraction()
        if index == bytes.count {
            if let zone { seconds = zone.start(ofDay: seconds) }
        } else {
            guard takes(0x54) || takes(0x74) || takes(0x20), let time = readTime() else { return nil }
            guard let digits = readFraction(afterSeconds: time.hasSeconds), let offset = readOffset(),
                index == bytes.count
            else { return nil }
            fraction = digits
            seconds = moment(of: seconds + Int64(time.seconds), offset)
        }
        return fraction.date(after: seconds)
    }

    private func moment(of local: Int64, _ offset: Offset) -> Int64 {
        switch offset {
        case .seconds(let seconds): local - Int64(seconds)
        case .missing: zone.map { $0.moment(of: local) } ?? local
        }
    }

    private enum Offset {
        case missing
        case seconds(Int)
    }

    private mutating func readDay() -> Int? {
        readCivilDay().map { GregorianCalendar.day(year: $0.year, month: $0.month, day: $0.day) }
    }

    /// year "-" month "-" day
    @inline(__always)
    mutating func readCivilDay() -> (year: Int, month: Int, day: Int)? {
        guard let year = readNumber(4), takes(0x2D), let month = readNumber(2), takes(0x2D), let day = readNumber(2)
        else { return nil }
        guard (1...12).contains(month), day >= 1,
            day <= 28 || day <= GregorianCalendar.length(ofMonth: month, year: year)
        else { return nil }
        return (year, month, day)
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

    /// "." digits. Returns nil if no digits follow the dot. Digits after the fifteenth do not affect the date.
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

    /// "Z" | "z" | ( "+" | "-" ) hour [ [ ":" ] minute ]. Returns nil for another form.
    private mutating func readOffset() -> Offset? {
        if index == bytes.count { return .missing }
        if takes(0x5A) || takes(0x7A) { return .seconds(0) }
        let isWest = bytes[index] == 0x2D
        guard takes(0x2B) || takes(0x2D), let hour = readNumber(2), hour < 24 else { return nil }
        var minute = 0
        if takes(0x3A) || index < bytes.count {
            guard let number = readNumber(2), number < 60 else { return nil }
            minute = number
        }
        return .seconds((hour * 3600 + minute * 60) * (isWest ? -1 : 1))
    }

    @inline(__always)
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

/// The digits after the decimal point of a time.
private struct Fraction {
    private var value: Int64 = 0
    private var digits = 0
    /// The number of zeros that count only if another digit follows.
    private var zeros = 0

    mutating func append(_ digit: UInt8) {
        guard digits + zeros < 15 else { return }
        if digit == 0 { return zeros += 1 }
        for _ in 0...zeros { value *= 10 }
        value += Int64(digit)
        digits += zeros + 1
        zeros = 0
    }

    /// Adds the parsed fraction to a whole second, rounded to microseconds if it has at most six digits.
    func date(after second: Int64) -> Date {
        guard digits > 6 else {
            let micros = (digits..<6).reduce(value) { micros, _ in micros * 10 }
            return Microseconds.date(second * 1_000_000 + micros)
        }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return Date(timeIntervalSinceReferenceDate: Double(second) + Double(value) / scale)
    }
}
