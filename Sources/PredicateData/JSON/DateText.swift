import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of a date in JSON, which reads back as the same date.
///
/// `2016-03-02T10:15:30.25Z`, `2001-01-01T00:00:00Z+1e+15s`
///
/// ISO 8601 has no year past 9999 and its fractions have fifteen digits here: a date that it does not express is the
/// moment 2001-01-01 and a number of seconds, `1e999` if they are infinite.
enum DateText {
    private static let reference = "2001-01-01T00:00:00Z"

    /// Returns the text of a date; nil for one that is not a number.
    static func text(of date: Date) -> String? {
        if let text = ISO8601.exactString(from: date) { return text }
        let seconds = date.timeIntervalSinceReferenceDate
        if seconds.isNaN { return nil }
        let sign = seconds < 0 ? "-" : "+"
        return reference + sign + (seconds.isFinite ? seconds.magnitude.description : "1e999") + "s"
    }

    /// Returns the date of a text; nil for a text of another form.
    static func date(from bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        if let date = ISO8601.date(from: bytes) { return date }
        guard bytes.starts(with: reference.utf8), bytes.last == UInt8(ascii: "s") else { return nil }
        let number = bytes.slice(reference.utf8.count..<bytes.count - 1)
        guard let sign = number.first, sign == Byte.plus || sign == Byte.minus else { return nil }
        let digits = number.slice(1..<number.count)
        guard let first = digits.first, first.isDigit, let spelling = try? NumberSpelling(digits, from: 0),
            spelling.range.count == digits.count, case .double(let seconds)? = try? spelling.value(in: digits)
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: sign == Byte.minus ? -seconds : seconds)
    }
}
