import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of a JSON number, scanned once: `-12.5e3`.
struct NumberSpelling {
    /// Its range.
    private(set) var range: Range<Int>
    private(set) var isNegative = false
    /// True without fraction and exponent.
    private(set) var isInteger = true
    /// The digits as one integer, modulo 2⁶⁴.
    private var mantissa: UInt64 = 0
    private var significantDigits = 0
    /// The power of ten by which the mantissa is multiplied.
    private var exponent = 0
    /// True for the exponent 999, which stands for infinity: `1e999`.
    private(set) var isInfinite = false

    /// Scans the longest number at `start`, where a minus or a digit is.
    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(Fault) {
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

    private mutating func scanWhole(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(Fault) {
        let first = index
        scanDigits(bytes, &index)
        let count = index - first
        if count == 0 || (count > 1 && bytes[first] == Byte.zero) { throw Fault(.invalidNumber, at: range.lowerBound) }
    }

    private mutating func scanFraction(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(Fault) {
        isInteger = false
        index += 1
        let first = index
        scanDigits(bytes, &index)
        if index == first { throw Fault(.invalidNumber, at: range.lowerBound) }
        exponent -= index - first
    }

    private mutating func scanExponent(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(Fault) {
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
        if index == first { throw Fault(.invalidNumber, at: range.lowerBound) }
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

extension NumberSpelling {
    /// Returns the value: an integer if it is written as one and fits, a decimal number if it does not fit, or a
    /// double, which the exponent 999 makes infinite.
    func value(in bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> PredicateValue {
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

    /// Returns the nearest double. If digits and power of ten are exact doubles, only their quotient or product is
    /// rounded, so it is the nearest.
    private func double(in bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Double {
        if significantDigits <= 15, abs(exponent) < Self.powers.count {
            let digits = Double(mantissa)
            let value = exponent < 0 ? digits / Self.powers[-exponent] : digits * Self.powers[exponent]
            return isNegative ? -value : value
        }
        if isInfinite { return isNegative ? -.infinity : .infinity }
        guard let value = Double(bytes.text(range)), value.isFinite else {
            throw Fault(.numberOutOfRange, at: range.lowerBound)
        }
        return value
    }

    /// Returns the exact decimal number; throws if it would be rounded.
    private func decimal(in bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Decimal {
        let text = bytes.text(range)
        guard range.count <= 130, let value = Decimal(string: text), value.description == text else {
            throw Fault(.numberOutOfRange, at: range.lowerBound)
        }
        return value
    }

    /// The powers of ten that are exact doubles.
    static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
