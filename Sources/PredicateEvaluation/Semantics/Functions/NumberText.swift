import Foundation
import PredicateSyntax

/// Numbers written as text: `CAST("12.5e3", "NSNumber")`.
///
/// Decimal notation with an optional sign, fraction and exponent, white space around it; leading zeros are ignored.
/// No hexadecimal, no digit separators, no words for infinity.
enum NumberText {
    /// A whole number of 64 bits as an integer, one of 64 bits without a sign as a decimal, any other number as a double; nil
    /// for other texts. [NSP-177]
    static func number(_ text: String) -> Number? {
        guard let digits = notation(text) else { return nil }
        if let integer = Int64(digits) { return .integer(integer) }
        if let integer = UInt64(digits) { return .decimal(Decimal(integer)) }
        return Double(digits).flatMap { $0.isFinite ? .double($0) : nil }
    }

    /// The exact decimal; nil for other texts, and for a number that does not fit.
    static func decimal(_ text: String) -> Decimal? {
        guard let digits = notation(text), let value = Decimal(string: digits), !value.isNaN else { return nil }
        return value
    }

    /// The text without white space around it, if it is decimal notation and nothing else.
    private static func notation(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return nil }
        var scanner = DigitScanner(bytes[start...end])
        scanner.skipSign()
        let whole = scanner.skipDigits()
        let fraction = scanner.skip(UInt8(ascii: ".")) ? scanner.skipDigits() : 0
        guard whole + fraction > 0 else { return nil }
        if scanner.skip(UInt8(ascii: "e")) || scanner.skip(UInt8(ascii: "E")) {
            scanner.skipSign()
            guard scanner.skipDigits() > 0 else { return nil }
        }
        return scanner.isAtEnd ? String(decoding: bytes[start...end], as: UTF8.self) : nil
    }
}

/// A scanner of digits and marks.
struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipSign() {
        if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
    }

    /// Skips digits and returns their number.
    @discardableResult
    mutating func skipDigits() -> Int {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.count
    }
}
