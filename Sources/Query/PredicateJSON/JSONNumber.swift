import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON number, scanned once: `-12.5e3`.
package struct JSONNumber {
    /// The range of its characters.
    package private(set) var range: Range<Int>
    package private(set) var isNegative = false
    /// True if the number has neither a fraction nor an exponent.
    package private(set) var isInteger = true
    /// The digits as one integer, modulo 2⁶⁴.
    private var mantissa: UInt64 = 0
    private var significantDigits = 0
    /// The power of ten by which the mantissa is multiplied.
    private var exponent = 0
    /// True for the exponent 999, which represents infinity: `1e999`.
    package private(set) var isInfinite = false

    /// Scans the longest number at `start`, which must be a minus sign or a digit.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONFault) {
        var index = start
        range = start..<start
        if index < bytes.count, bytes[index] == Byte.minus {
            isNegative = true
            index += 1
        }
        try scanWhole(bytes, &index)
        if index < bytes.count, bytes[index] == Byte.dot { try scanFraction(bytes, &index) }
        if index < bytes.count, bytes[index] | 0x20 == 0x65 { try scanExponent(bytes, &index) }
        range = start..<index
    }

    private mutating func scanWhole(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(JSONFault) {
        let first = index
        scanDigits(bytes, &index)
        let count = index - first
        if count == 0 || (count > 1 && bytes[first] == Byte.zero) {
            throw JSONFault(.invalidNumber, at: range.lowerBound)
        }
    }

    private mutating func scanFraction(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(JSONFault) {
        isInteger = false
        index += 1
        let first = index
        scanDigits(bytes, &index)
        if index == first { throw JSONFault(.invalidNumber, at: range.lowerBound) }
        exponent -= index - first
    }

    private mutating func scanExponent(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(JSONFault) {
        isInteger = false
        index += 1
        var isNegative = false
        if index < bytes.count, bytes[index] == Byte.minus || bytes[index] == Byte.plus {
            isNegative = bytes[index] == Byte.minus
            index += 1
        }
        let first = index
        var value = 0
        while index < bytes.count, bytes[index].isDigit {
            if value < 1_000_000 { value = value * 10 + Int(bytes[index].digit) }
            index += 1
        }
        if index == first { throw JSONFault(.invalidNumber, at: range.lowerBound) }
        exponent += isNegative ? -value : value
        isInfinite = value == 999 && !isNegative && significantDigits > 0
    }

    private mutating func scanDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
        while index < bytes.count, bytes[index].isDigit {
            mantissa = mantissa &* 10 &+ bytes[index].digit
            if mantissa != 0 || significantDigits != 0 { significantDigits += 1 }
            index += 1
        }
    }
}

extension JSONNumber {
    /// Returns the value: an integer if the number has neither a fraction nor an exponent and fits into 64 bits, a decimal
    /// number for an integer outside that range, and a double for all other numbers. The exponent 999 gives infinity.
    package func value(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> PredicateValue {
        if !isInteger { return .double(try double(in: bytes)) }
        if let value = integer { return .integer(value) }
        return .decimal(try decimal(in: bytes))
    }

    /// The integer; nil if it does not fit into 64 signed bits.
    private var integer: Int64? {
        guard significantDigits <= 19 else { return nil }
        if mantissa <= UInt64(Int64.max) { return isNegative ? -Int64(mantissa) : Int64(mantissa) }
        return isNegative && mantissa == UInt64(Int64.max) + 1 ? Int64.min : nil
    }

    /// Returns the nearest double. If the digits and the power of ten are exact doubles, only their quotient or
    /// product is rounded, so the result is the nearest double.
    private func double(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> Double {
        if significantDigits <= 15, abs(exponent) < Self.powers.count {
            let digits = Double(mantissa)
            let value = exponent < 0 ? digits / Self.powers[-exponent] : digits * Self.powers[exponent]
            return isNegative ? -value : value
        }
        if isInfinite { return isNegative ? -.infinity : .infinity }
        guard let value = Double(bytes.text(range)), value.isFinite else {
            throw JSONFault(.numberOutOfRange, at: range.lowerBound)
        }
        return value
    }

    /// Returns the exact decimal number; throws if it would be rounded.
    private func decimal(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> Decimal {
        let text = bytes.text(range)
        guard range.count <= 130, let value = Decimal(string: text), value.description == text else {
            throw JSONFault(.numberOutOfRange, at: range.lowerBound)
        }
        return value
    }

    /// The powers of ten that are exact doubles.
    package static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

/// A date as a JSON string that reads back as the same date.
///
/// `2016-03-02T10:15:30.25Z`, `2001-01-01T00:00:00Z+1e+15s`
///
/// ISO 8601 has no years after 9999, and fractions have at most fifteen digits here. A date that cannot be expressed this way
/// is written as 2001-01-01 plus a number of seconds, which is `1e999` for infinity.
package enum JSONDate {
    private static let reference = "2001-01-01T00:00:00Z"

    /// Returns the string for a date; nil for NaN.
    package static func text(of date: Date) -> String? {
        if let text = ISO8601.exactString(from: date) { return text }
        let seconds = date.timeIntervalSinceReferenceDate
        if seconds.isNaN { return nil }
        let sign = seconds < 0 ? "-" : "+"
        return reference + sign + (seconds.isFinite ? seconds.magnitude.description : "1e999") + "s"
    }

    /// Returns the date that a string stands for; nil for a string of another form.
    package static func date(from bytes: UnsafeBufferPointer<UInt8>, in zone: LocalZone? = nil) -> Date? {
        if let date = ISO8601.date(from: bytes, in: zone) { return date }
        guard bytes.starts(with: reference.utf8), bytes.last == UInt8(ascii: "s") else { return nil }
        let number = bytes.slice(reference.utf8.count..<bytes.count - 1)
        guard let sign = number.first, sign == Byte.plus || sign == Byte.minus else { return nil }
        let digits = number.slice(1..<number.count)
        guard let first = digits.first, first.isDigit, let spelling = try? JSONNumber(digits, from: 0),
            spelling.range.count == digits.count, case .double(let seconds)? = try? spelling.value(in: digits)
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: sign == Byte.minus ? -seconds : seconds)
    }
}
